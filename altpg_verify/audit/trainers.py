"""A whole step of a trainer, judged by every way its draws can come out.

    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.SGD([logits], lr=0.1)

    def step():
        policy = torch.distributions.Categorical(logits=logits)
        action = policy.sample()
        optimiser.zero_grad()
        (-policy.log_prob(action) * REWARDS[action]).backward()
        optimiser.step()

    print(audit(trainer(step, parameters={"theta": logits}, space=bandit([1, "1/2", 0]))))

The update is (θ' - θ) / α, α being the stepsize; its expectation is over the draws of the trainer
itself: actions, the environment's chances, minibatches. The space says what the trainer is meant to
be about: the policy, and the value whose gradient is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from altpg_verify.audit import declared_rewards
from altpg_verify.audit.declarations import shown, whole
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.replaying import MOST_BRANCHES, Replayed
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.step_arguments import given_to
from altpg_verify.audit.updates import Update, declared
from altpg_verify.errors import BadEstimator, BadInput


def trainer(
    step: Callable[..., Any] | None = None,
    *,
    space: Space,
    parameters: Mapping[str, Any] | None = None,
    build: Callable[[], Any] | None = None,
    stepsize: float | None = None,
    target: Objective | str = "value",
    name: str | None = None,
    groups: Sequence[str] = (),
    intended: Mapping[str, str] | None = None,
    most: int = MOST_BRANCHES,
) -> Any:
    """An update from one step of a trainer; without a step or `build`, a decorator for one.

    Args:
        step: makes one step, its rollout included. It takes nothing, or `choose(probabilities)`,
            which gives the number of an outcome, or `rng`, a numpy generator; and `rewards`, (states,
            actions) or (actions,), or `reward_of(actions)`, what the space pays, so that the step
            can be tried with other rewards. It must be the same
            for the same draws however often it is called: parameters, optimisers and generators are
            put back before each call, and nothing else.
        space: the policy, and what it is meant to be about; its scheme of drawing makes no
            difference, since the trainer draws by itself.
        parameters: group of the space -> where the trainer has it: a float64 tensor or array, or
            (object, "attribute").
        build: in place of both: makes the trainer anew and returns (step, parameters); for trainers
            that keep more than that from step to step. It is called before every step, always from
            the same seeds, and what it makes is made in float64.
        stepsize: what (θ' - θ) is divided by; read off a torch optimiser that is plain gradient
            descent by itself. If it is given, every torch optimiser is read as gradient descent
            with it on the gradients that it is handed; 0: the parameters stand still, and the
            gradients of all steps of a call add up, as in the limit of small stepsizes.
        target, name, groups, intended: as for `Update`.
        most: so many ways of its draws to come out are replayed at most.

    Raises:
        BadInput: neither or both of step and build, parameters that don't fit the space, or a
            stepsize that is none.
        BadEstimator: the step is no function, or asks for what it can't be given.

    Examples:
        >>> import numpy as np
        >>> from altpg_verify.audit import audit, bandit, trainer
        >>> class Agent:
        ...     def __init__(self):
        ...         self.theta = np.zeros(2)
        ...     def learn(self, rng):
        ...         pi = np.exp(self.theta) / np.exp(self.theta).sum()
        ...         action = rng.choice(2, p=pi)
        ...         self.theta = self.theta + 0.5 * [1, 0][action] * (np.eye(2)[action] - pi)
        >>> agent = Agent()
        >>> step = trainer(
        ...     agent.learn,
        ...     parameters={"theta": (agent, "theta")},
        ...     space=bandit([1, 0]),
        ...     stepsize=0.5,
        ... )
        >>> str(audit(step).kind)
        'unbiased'
    """
    if not isinstance(space, Space):
        raise BadInput(
            f"trainer needs the space that it is about, not {shown(space)}; write trainer(step,"
            " space=bandit([1, '1/2', 0]), ...)"
        )
    if stepsize is not None and not (
        isinstance(stepsize, int | float)
        and not isinstance(stepsize, bool)
        and 0 <= stepsize < float("inf")
    ):
        raise BadInput(f"stepsize must be a number of at least 0, not {shown(stepsize)}")
    if (step is not None and build is not None) or (build is not None and parameters is not None):
        raise BadInput("build makes the step and its parameters; leave step and parameters out")

    def anew(other: Any, there: Space) -> Update:
        given: dict[str, Any] = (
            {"build": other} if build is not None else {"step": other, "parameters": parameters}
        )
        made: Update = trainer(
            **given,
            space=there,
            stepsize=stepsize,
            target=target,
            name=name,
            groups=groups,
            most=most,
        )
        return made

    def wrap(function: Any) -> Update:
        title = str(name or getattr(function, "__name__", type(function).__name__))
        who = f"trainer {title!r}"
        if not callable(function):
            methods = [
                each
                for each in ("step", "train", "update", "learn")
                if callable(getattr(function, each, None))
            ]
            hint = (
                f"its method that makes a step, such as .{methods[0]}"
                if methods
                else "a function that makes one step"
            )
            raise BadEstimator(
                f"{who} is a {type(function).__name__}, which can't be called; give {hint}"
            )
        asked = given_to(function, who, building=build is not None)
        for each in asked:
            if each in declared_rewards.NAMES:
                declared_rewards.offered(space, each)
        alone = replace(space, scheme="one", size=1, exchangeable=False, keep=None, behaviour=None)
        replayed = Replayed(
            who, function, alone, parameters, build is not None, stepsize, whole("most", most)
        )

        def gradient(point: Parameters, draw: Any) -> Mapping[str, np.ndarray]:
            raise BadInput(
                f"{who} draws by itself, so that it can't be asked for a draw of the space; audit"
                " it, or hand over its loss"
            )

        made = declared(
            title,
            gradient,
            function,
            {"groups": groups, "intended": intended},
            origin="trainer",
            space=alone,
            target=target,
            replay=replayed,
            said=lambda: replayed.said,
            cut=lambda: replayed.cut,
        )
        made = replace(made, rewritten=_rewritten(function, anew))
        return replace(made, remade=partial(_elsewhere, made)) if replayed.follows_rewards else made

    if step is None and build is None:
        return wrap
    return wrap(build if step is None else step)


def _rewritten(
    function: Any, anew: Callable[[Any, Space], Update]
) -> Callable[[Any, Space], Update] | None:
    """What makes the same trainer of another function in place of a plain one, or of a method of
    the same object.
    """
    if isinstance(function, MethodType):
        return lambda other, space: anew(MethodType(other, function.__self__), space)
    return anew if isinstance(function, FunctionType) else None


def _elsewhere(made: Update, space: Space) -> Update:
    """A trainer in an environment that pays as another space does."""
    assert made.replay is not None
    replayed = made.replay.on(space)
    return replace(
        made,
        space=space,
        replay=replayed,
        said=lambda: replayed.said,
        cut=lambda: replayed.cut,
        remade=partial(_elsewhere, made),
    )
