"""Whatever a simulation can be begun with is either run or refused in one sentence; every argument
of every entry point, by its kind.

Entry points are found by looking: every function named `simulate`, the agents that it takes, and
what `sim.large` offers.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import typing
from dataclasses import dataclass, fields, replace

import numpy as np
import pytest

import altpg_verify.sim.large
from altpg_verify import alternate, estimator
from altpg_verify.errors import BadInput
from altpg_verify.sim import bandit, chain
from altpg_verify.sim.bandit import Bandit
from altpg_verify.sim.chain import Chain
from altpg_verify.sim.large.log_bandit import LogBandit
from altpg_verify.sim.large.sampling_tree import SamplingTree
from altpg_verify.sim.online import linear, neural
from altpg_verify.sim.online.linear import LinearAgent
from altpg_verify.sim.online.neural import NeuralAgent

NAN, INF, HUGE = float("nan"), float("inf"), 10**400
NAMED = {"root": 0, "experiment": "entry points"}
STEPS = {"runs": 2, "steps": 10, "last": 5}
GENERATOR = np.random.default_rng(1)
AGENTS = {
    Bandit: {
        "rewards": (1.0, 2.0),
        "sigma": 1.0,
        "theta": (0.0, 0.0),
        "alpha": 0.5,
        "beta": 0.1,
        "baseline": "learned",
        "b": 0.0,
    },
    Chain: {"theta": (0.0, 0.0), "alpha": 0.5, "beta": 0.1, "baseline": "learned", "b": 0.0},
    LinearAgent: {"task": "MountainCar", "alpha": 0.1, "beta": 0.1},
    NeuralAgent: {"alpha": 0.01, "beta": 0.01},
}
LOG_BANDIT = {"estimator": alternate, "rewards": [1.0, 2.0], "alpha": 0.5, "theta": [0.0, 0.0]}
CALLS = {
    **AGENTS,
    bandit.simulate: {
        "estimator": alternate,
        "settings": [Bandit(**AGENTS[Bandit])],
        **NAMED,
        **STEPS,
    },
    chain.simulate: {
        "estimator": alternate,
        "settings": [Chain(**AGENTS[Chain])],
        **NAMED,
        "runs": 2,
        "episodes": 10,
        "last": 5,
    },
    linear.simulate: {
        "estimator": alternate,
        "settings": [LinearAgent(**AGENTS[LinearAgent])],
        **NAMED,
        **STEPS,
        "bin": 5,
    },
    neural.simulate: {
        "estimator": alternate,
        "settings": [NeuralAgent(**AGENTS[NeuralAgent])],
        **NAMED,
        **STEPS,
        "bin": 5,
    },
    LogBandit: LOG_BANDIT,
    LogBandit.run: {"steps": 3},
    SamplingTree: {"preferences": [0.0, 1.0]},
    SamplingTree.select: {"key": 0.5},
    SamplingTree.select_many: {"keys": [0.5]},
    SamplingTree.sample: {"generator": GENERATOR},
    SamplingTree.sample_many: {"count": 2, "generator": GENERATOR},
    SamplingTree.update: {"action": 0, "preference": 1.0},
    SamplingTree.update_many: {"actions": [0], "preferences": [1.0]},
    SamplingTree.policy: {"actions": [0]},
    SamplingTree.log_probabilities: {"actions": [0]},
}
"""Every entry point with arguments that can be run; those with a default are taken from there."""

MADE = {
    "LogBandit": lambda: LogBandit(**LOG_BANDIT),
    "SamplingTree": lambda: SamplingTree([0.0, 1.0]),
}
"""What is to be compiled before its method can be called: not while tests are collected."""

INTERNAL = {SamplingTree.fall_behind}
"""What only this project's own loops call."""

NUMBERS = (NAN, INF, -INF, 1e300, HUGE, "1", None, True, 1j, [1.0], b"1")
WHOLES = (-1, 1.5, 2.0, NAN, HUGE, "1", None, True, [1])
TEXTS = (1, None, b"fixed", ["fixed"], NAN)
VECTORS = (
    5,
    None,
    "ab",
    [[1.0], [1.0, 2.0]],
    (NAN, 0.0),
    (0.0, INF),
    (0.0, "1"),
    (0.0, None),
    (0.0, 1e300),
    (1j, 0.0),
    {"a": 1.0},
)
OBJECTS = (None, 1, "regular", [], {})
NOT_NEGATIVE = ("alpha", "beta", "sigma", "gradient_noise")
CHOSEN = ("task", "baseline", "switch", "switch_at", "policy", "coder", "moves")
RIGHT = {
    "root": (-1,),
    "by_action": (None,),
    "weights": (None,),
    (LogBandit, "theta"): (None,),
    "actions": (None,),
    # a whole number is a number, and numbers that are whole are whole for numpy
    "preferences": (True,),
}
"""What is in the lists above, but not wrong there."""


def bad(call: object, name: str, value: object) -> tuple[object, ...]:
    """What an argument can't be, by what it is where it can."""
    if name in ("by_action", "weights"):
        found: tuple[object, ...] = (1, "yes", [True], 0.5)
    elif name in CHOSEN:
        found = (*TEXTS, "no such thing", "", "fixed\n")
    elif isinstance(value, str):
        found = TEXTS
    elif isinstance(value, int):
        found = WHOLES
    elif isinstance(value, float):
        found = NUMBERS + ((-1.0, -1e-300) if name in NOT_NEGATIVE else ())
    elif name == "settings":
        found = (None, [], 5, "agents", [None], {}, [Bandit], [value[0], 1], [other(value[0])])  # type: ignore[index]
    elif name == "actions":
        found = (5, [-1], [2], [0.5], [NAN], [HUGE], ["0"], [[0]], [None], [True])
    elif isinstance(value, tuple | list):
        found = VECTORS
    else:
        found = OBJECTS
    return tuple(
        one
        for one in found
        if not any(one is right for right in (*RIGHT.get(name, ()), *RIGHT.get((call, name), ())))
    )


def other(agent: object) -> object:
    """An agent of another kind."""
    kind = next(kind for kind in AGENTS if kind is not type(agent))
    return kind(**AGENTS[kind])


def entry_points() -> set[object]:
    """All there are."""
    found: set[object] = set()
    for info in pkgutil.walk_packages(altpg_verify.sim.__path__, "altpg_verify.sim."):
        if (
            info.name.endswith("__main__")
            or ".evidence" in info.name
            or ".experiments" in info.name
        ):
            continue
        simulate = vars(importlib.import_module(info.name)).get("simulate")
        if simulate is not None:
            found |= {simulate, *typing.get_args(typing.get_type_hints(simulate)["settings"])}
    for name in altpg_verify.sim.large.__all__:
        kind = getattr(altpg_verify.sim.large, name)
        methods = {
            one
            for each, one in vars(kind).items()
            if inspect.isfunction(one) and not each.startswith("_")
        }
        found |= {kind} | {one for one in methods if len(inspect.signature(one).parameters) > 1}
    return found - INTERNAL


def test_every_entry_point_is_in_the_table():
    assert entry_points() == set(CALLS)


def cases() -> list[tuple[object, str]]:
    """Every argument of every entry point."""
    return [
        (call, name)
        for call in CALLS
        for name in inspect.signature(call).parameters
        if name != "self"
    ]


def called(call: object, **changes: object) -> object:
    owner = call.__qualname__.rpartition(".")[0]  # type: ignore[attr-defined]
    self = {"self": _made(owner)} if owner else {}
    return call(**{**self, **CALLS[call], **changes})  # type: ignore[operator]


@functools.cache
def _made(owner: str) -> object:
    return MADE[owner]()


@pytest.mark.parametrize("call", CALLS, ids=lambda call: f"{call.__module__}.{call.__qualname__}")
def test_the_table_runs(call):
    called(call)


@pytest.mark.parametrize(
    ("call", "name"),
    cases(),
    ids=lambda part: (
        part if isinstance(part, str) else f"{part.__module__[17:]}.{part.__qualname__}"
    ),
)
def test_what_cannot_be_run_is_one_sentence(call, name):
    default = inspect.signature(call).parameters[name].default
    for value in bad(call, name, CALLS[call].get(name, default)):
        with pytest.raises(BadInput) as caught:
            called(call, **{name: value})
        said = str(caught.value)
        assert 0 < len(said) < 300
        assert "\n" not in said


SIZES = [
    ("steps", 0),
    ("episodes", 0),
    ("runs", 0),
    ("last", 0),
    ("bin", 0),
    ("lanes", 0),
    ("last", 11),
    ("bin", 3),
    ("bins", 3),
    ("cut", 0),
]


@pytest.mark.parametrize(("name", "value"), SIZES)
def test_sizes_of_nothing(name, value):
    for call in CALLS:
        if name in inspect.signature(call).parameters:
            with pytest.raises(BadInput):
                called(call, **{name: value})


@estimator
def exploding(pi, e, r, b):
    """Farther at each step."""
    return (r - b) * e * (1e30 + b * b)


LARGEST = {
    bandit.simulate: {
        "alpha": 1e100,
        "beta": 1e100,
        "sigma": 1e100,
        "rewards": (1e100, -1e100),
        "b": 1e100,
        "gradient_noise": 1e100,
    },
    chain.simulate: {
        "alpha": 1e100,
        "beta": 1e100,
        "sigma": 1e100,
        "b": 1e100,
        "gradient_noise": 1e100,
    },
    linear.simulate: {"alpha": 1e100, "beta": 1e100, "critic": 1e100, "tau": 1e100},
    neural.simulate: {"alpha": 1e100, "beta": 1e100, "critic": 1e100, "tau": 1e100},
}


@dataclass(frozen=True)
class Extreme:
    """A run whose numbers are as large as they may be: one of them, or all."""

    call: object
    changes: dict[str, object]


EXTREMES = [
    Extreme(call, {name: value})
    for call, numbers in LARGEST.items()
    for name, value in numbers.items()
]
EXTREMES += [Extreme(call, dict(numbers)) for call, numbers in LARGEST.items()]


@pytest.mark.parametrize(
    "extreme", EXTREMES, ids=lambda one: f"{one.call.__module__[17:]}: {', '.join(one.changes)}"
)
@pytest.mark.parametrize(
    "formula",
    [alternate, pytest.param(exploding, marks=pytest.mark.slow)],
    ids=["alternate", "exploding"],
)
def test_numbers_that_overflow_are_said_to_have_failed(extreme, formula):
    (agent,) = CALLS[extreme.call]["settings"]
    for outcome in called(
        extreme.call, estimator=formula, settings=[replace(agent, **extreme.changes)]
    ):
        failed = outcome.failed
        for field in fields(outcome):
            values = np.asarray(getattr(outcome, field.name), dtype=float).reshape(len(failed), -1)
            finite = np.isfinite(values).all(axis=1)
            assert (finite | failed).all(), (
                f"{field.name} is {values[~finite & ~failed]}, and no run failed"
            )


def test_a_tree_that_leaves_the_numbers_there_are_says_so():
    run = LogBandit(alternate, [1.0, -1.0], alpha=1e100)
    with pytest.raises(BadInput, match="take a smaller alpha"):
        run.run(10)
