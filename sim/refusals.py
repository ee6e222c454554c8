"""What no run is begun with: a call for each kind of agent and of run, which raises or does
nothing.

`jit.fingerprint` leaves such calls out: they decide no bit of a result. So none of them returns or
changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.sim import settings
from altpg_verify.sim.settings import MOST, number, shown, whole


def text(name: str, value: Any) -> None:
    """Raise BadInput unless this is text."""
    if not isinstance(value, str):
        raise BadInput(f"{name} is {shown(value)}; give text")


def vector(name: str, values: Any) -> None:
    """Raise BadInput unless these are finite numbers in a tuple or list."""
    if not isinstance(values, tuple | list):
        raise BadInput(f"{name} is {shown(values)}; give a tuple of finite numbers")
    settings.numbers(name, values)


def bandit(agent: Any) -> None:
    """Raise BadInput for a `bandit.Bandit` whose settings are of another type than theirs.

    What the numbers may be is asked by the agent itself, through `settings`.
    """
    vector("rewards", agent.rewards)
    vector("theta", agent.theta)
    text("baseline", agent.baseline)


def chain(agent: Any) -> None:
    """Raise BadInput for a `chain.Chain` whose settings are of another type than theirs.

    theta may be one tuple for all states or a tuple for each of them, all equally long.
    """
    if (
        isinstance(agent.gamma, bool)
        or not isinstance(agent.gamma, int | float)
        or not 0.0 < agent.gamma <= 1.0
    ):
        raise BadInput(f"gamma is {shown(agent.gamma)}; give a discount above 0 and at most 1")
    text("baseline", agent.baseline)
    if not isinstance(agent.theta, tuple | list):
        raise BadInput(
            f"theta is {shown(agent.theta)}; give a tuple of finite numbers, or one for each state"
        )
    rows = [row for row in agent.theta if isinstance(row, tuple | list)]
    for place, row in enumerate(rows):
        vector(f"theta[{place}]", row)
    if rows and (len(rows) < len(agent.theta) or len({len(row) for row in rows}) > 1):
        raise BadInput(f"theta is {shown(agent.theta)}; give as many preferences for each state")
    if not rows:
        vector("theta", agent.theta)


def linear(agent: Any) -> None:
    """Raise BadInput for a `linear.LinearAgent` that can't be run.

    Which tasks, policies and coders there are is asked by the agent itself.
    """
    _online(agent)
    text("task", agent.task)
    text("policy", agent.policy)
    text("coder", agent.coder)


def neural(agent: Any) -> None:
    """Raise BadInput for a `neural.NeuralAgent` that can't be run.

    Which moves and switches there are is asked by the agent itself.
    """
    _online(agent)
    text("moves", agent.moves)


def _online(agent: Any) -> None:
    settings.stepsizes(agent)
    number("tau", agent.tau)
    number("critic", agent.critic)
    vector("theta", agent.theta)
    whole("cut", agent.cut)
    text("switch", agent.switch)
    text("switch_at", agent.switch_at)


def run(estimator: Any, agents: Any, kind: type, root: Any, experiment: Any) -> None:
    """Raise BadInput unless this is an estimator, with agents of a kind, and what names their
    random numbers.
    """
    estimate(estimator)
    if (
        not isinstance(agents, Sequence)
        or not agents
        or not all(isinstance(agent, kind) for agent in agents)
    ):
        raise BadInput(f"settings is {shown(agents)}; give a list with one {kind.__name__} or more")
    streams(root, experiment)


def streams(root: Any, experiment: Any) -> None:
    """Raise BadInput unless these name random numbers."""
    if isinstance(root, bool) or not isinstance(root, int) or abs(root) > MOST:
        raise BadInput(f"root is {shown(root)}; give a whole number of at most {MOST}")
    text("experiment", experiment)


def estimate(estimator: Any) -> None:
    """Raise BadInput unless this is an `Estimator`."""
    if not isinstance(estimator, Estimator):
        raise BadInput(f"estimator is {shown(estimator)}; decorate the formula with @estimator")


def sizes(runs: Any, steps: Any, width: Any, last: Any, lanes: Any) -> None:
    """Raise BadInput unless these are whole numbers, from 1 on. Args: width: of a bin."""
    for name, value in (
        ("runs", runs),
        ("steps", steps),
        ("bin", width),
        ("last", last),
        ("lanes", lanes),
    ):
        whole(name, value)


def by_action(value: Any) -> None:
    """Raise BadInput unless this says how estimates are computed: True, False or None."""
    if value is not None and not isinstance(value, bool):
        raise BadInput(f"by_action is {shown(value)}; give True, False or None")


def room(weights: Any, agents: Any, runs: Any, size: Any) -> None:
    """Raise BadInput unless there is room for the weights at the end, (agents, runs, size), or
    None.
    """
    shape = (len(agents), runs, size)
    if weights is not None and not (
        isinstance(weights, np.ndarray) and weights.shape == shape and weights.dtype == float
    ):
        raise BadInput(
            f"weights is {shown(weights)}; give an array of floats of shape {shape}, or None"
        )
