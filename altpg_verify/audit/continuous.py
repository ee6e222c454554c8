"""What a space adds whose randomness is a number, not one of finitely many outcomes: the mean over
it is a sum over the nodes of a rule.

Its episodes are nodes; what an update sees of one is computed from the node and the parameters. Two
rules decide: a verdict that a finer rule doesn't confirm is none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.draws import Draws
    from altpg_verify.audit.objective_functions import Objective
    from altpg_verify.audit.policies import Parameters, Policy
    from altpg_verify.audit.spaces import Space


REWARD_NAMES = frozenset({"rewards", "reward", "r", "reward_function", "value", "v", "values"})
"""Through which names an update sees what is paid; one that asks for none of them has rewards of
its own.
"""


class Continuous(Protocol):
    """What is computed from nodes and parameters."""

    @property
    def names(self) -> Mapping[str, str]:
        """What updates may ask for beside, or in place of, what other spaces offer: name -> what it
        is.
        """

    @property
    def refused(self) -> frozenset[str]:
        """What other spaces offer and this one doesn't."""

    @property
    def noise(self) -> str:
        """What a draw calls its noise."""

    @property
    def logits(self) -> bool:
        """Whether the parameters are logits, so that shifts of them leave the policy unchanged."""

    @property
    def rule(self) -> str:
        """The rule in words."""

    def array(self, draws: Draws, name: str) -> Any:
        """(B, ...) what a name is for every draw; `NotImplemented` if it is what it is on every
        space.
        """

    def value(self, parameters: Parameters) -> float:
        """V."""

    def objectives(self) -> Sequence[Objective]:
        """Further objectives that an update may be found to follow."""

    def slopes(
        self, objective: Objective, parameters: Parameters
    ) -> tuple[float, Mapping[str, np.ndarray]] | None:
        """An objective's value and its gradient by group, without the rule; None if it has none
        here.
        """

    def finer(self) -> tuple[Continuous, Policy, tuple[Any, ...]]:
        """The same on a finer rule, with its policy and episodes."""

    def refuse(self, parameters: Parameters) -> None:
        """Refuses parameters for which the rule can't be used."""

    def shifted(self) -> Continuous:
        """The same with 1 more paid for everything."""

    def varied(self, number: int) -> Continuous:
        """The same with other rewards."""

    def describe(self, parameters: Parameters) -> str:
        """The policy and the rewards, for a reader."""

    def spread(self, places: Sequence[Parameters]) -> str:
        """How far apart some policies are, for a reader."""


def refuse_continuous(space: Space, what: str) -> None:
    """Raises BadInput on such a space."""
    if space.continuous is not None:
        raise BadInput(
            f"an update on {space} can't be {what}: its draws are nodes of a rule; use"
            " audit(update), or check"
        )


def finer(space: Space) -> Space:
    """The same space on a finer rule."""
    assert space.continuous is not None
    continuous, policy, episodes = space.continuous.finer()
    return replace(space, continuous=continuous, policy=policy, episodes=episodes, _process=None)


def value_of(
    objective: Objective, space: Space, parameters: Parameters
) -> tuple[float, dict[str, np.ndarray]]:
    """An objective's value and gradient by group on such a space; of a sum, those of its parts.

    Raises:
        BadInput: it has none there.
    """
    assert space.continuous is not None
    found = space.continuous.slopes(objective, parameters)
    if found is not None:
        return found[0], dict(found[1])
    if not objective.parts:
        raise BadInput(
            f"{objective.name} makes no sense on {space}; choose another target or space"
        )
    total, slopes = 0.0, {name: np.zeros(np.shape(values)) for name, values in parameters.items()}
    for factor, part in objective.parts:
        value, by_group = value_of(part, space, parameters)
        total += float(factor) * value
        for name, slope in by_group.items():
            slopes[name] = slopes[name] + float(factor) * slope
    return total, slopes


def defined(objective: Objective, space: Space) -> bool:
    """Whether an objective has a value on such a space."""
    try:
        value_of(objective, space, space.parameters)
    except BadInput:
        return False
    return True
