"""Everything that depends on the parameters but not on the draw: a policy's table, its scores, values and log-probabilities.

In float64, in Fractions, with derivatives carried along, or as rational functions: the table's own numbers decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.audit.spaces import Episode, Space
from altpg_verify.cases import vector
from altpg_verify.duals import log, value_of
from altpg_verify.errors import BadInput


class NotExact(ArithmeticError):
    """This quantity has no exact value (a logarithm, a policy that isn't tabular)."""


class Tables:
    """A policy's table and all that follows from it: values of states and actions, scores, log-probabilities.

    Args:
        space: the decision problem.
        table: (states, actions) probabilities, in floats, Fractions, duals or rational functions.
        scores: for each group (states, actions, *shape) ∇ log π; a function, called when first needed.
        parameters: the parameters the table was made of, if it was made of them in float64.
    """

    def __init__(self, space: Space, table: np.ndarray, scores: Any = None, parameters: Parameters | None = None) -> None:
        self.space, self.table, self._scores, self.parameters = space, table, scores, parameters

    @classmethod
    def at(cls, space: Space, parameters: Parameters) -> Tables:
        """In float64."""
        return cls(space, space.policy.table(parameters), lambda: space.policy.scores(parameters), parameters)

    @classmethod
    def exact(cls, space: Space, weights: Sequence[Any]) -> Tables:
        """In the numbers the weights e^θ are given in (Fractions, rational functions)."""
        policy = space.policy
        if not isinstance(policy, TablePolicy):
            raise NotExact("only tabular policies are rational functions of their weights")
        table = policy.exact_table(weights)
        return cls(space, table, lambda: {policy.group: policy.scores_of(table)})

    @cached_property
    def floats(self) -> bool:
        """The table's numbers are float64."""
        return self.table.dtype == float

    @cached_property
    def scores(self) -> dict[str, np.ndarray]:
        """For each group (states, actions, *shape) ∇ log π(a | s), in the table's numbers (float64 for a policy that isn't tabular)."""
        return self._scores()

    @cached_property
    def mu(self) -> np.ndarray:
        """(states, actions) the policy that is sampled."""
        behaviour = self.space.behaviour
        if behaviour is None:
            return self.table
        if callable(behaviour):
            if self.parameters is None:
                raise NotExact("a behaviour policy given as a function has no exact value")
            return np.atleast_2d(np.asarray(behaviour(self.parameters), dtype=float))
        return behaviour.astype(float) if self.floats else behaviour

    @cached_property
    def ref(self) -> np.ndarray:
        """(states, actions) the reference policy.

        Raises:
            BadInput: the space has none.
        """
        if self.space.reference is None:
            raise BadInput(f"space {self.space.name!r} has no reference policy; give one with space.against(table)")
        return self.space.reference.astype(float) if self.floats else self.space.reference

    @cached_property
    def probabilities(self) -> list[Any]:
        """The probability of each episode under the policy."""
        return [self._of(episode, self.table) for episode in self.space.episodes]

    @cached_property
    def sampled(self) -> list[Any]:
        """The probability of each episode under the policy that is sampled."""
        if self.space.behaviour is None:
            return self.probabilities
        return [self._of(episode, self.mu) for episode in self.space.episodes]

    def _of(self, episode: Episode, table: np.ndarray) -> Any:
        total: Any = float(episode.chance) if table.dtype == float else episode.chance
        for state, action in zip(episode.states, episode.actions, strict=True):
            total = total * table[state, action]
        return total

    def number(self, value: Fraction) -> Any:
        """A constant in the numbers of the table."""
        return float(value) if self.floats else value

    def expectation(self, function: Any) -> Any:
        """E[f(episode)] under the policy."""
        total: Any = 0
        for probability, episode in zip(self.probabilities, self.space.episodes, strict=True):
            total = total + probability * function(episode)
        return total

    @staticmethod
    def returns(episode: Episode, discount: Fraction) -> list[Fraction]:
        """Reward-to-go of each step, discounted from that step on."""
        out: list[Fraction] = []
        following = episode.final_value
        for reward in reversed(episode.rewards):
            following = reward + discount * following
            out.append(following)
        return out[::-1]

    @cached_property
    def value(self) -> Any:
        """V = E[Σ γᵗ r_t] from the start."""
        return self.expectation(lambda episode: self.number(self.returns(episode, self.space.discount)[0]))

    def _conditional(self, key: Any, cells: Sequence[Any], probabilities: Sequence[Any]) -> dict[Any, Any]:
        above: dict[Any, Any] = dict.fromkeys(cells, 0)
        below: dict[Any, Any] = dict.fromkeys(cells, 0)
        for probability, episode in zip(probabilities, self.space.episodes, strict=True):
            for t, reward_to_go in enumerate(self.returns(episode, self.space.discount)):
                cell = key(episode, t)
                above[cell] = above[cell] + probability * self.number(reward_to_go)
                below[cell] = below[cell] + probability
        return {cell: above[cell] / below[cell] if value_of(below[cell]) != 0 else 0 * self.number(Fraction(0)) for cell in cells}

    @cached_property
    def values(self) -> np.ndarray:
        """(states,) the expected return from each state on."""
        states = range(self.table.shape[0])
        found = self._conditional(lambda episode, t: episode.states[t], states, self.probabilities)
        return vector([found[s] for s in states])

    @cached_property
    def q(self) -> np.ndarray:
        """(states, actions) the expected return after each action."""
        states, actions = self.table.shape
        cells = [(s, a) for s in range(states) for a in range(actions)]
        # in one-step problems the action's own probability cancels, so that q exists at a corner too
        chances = [self.number(episode.chance) for episode in self.space.episodes] if self.space.horizon == 1 else self.probabilities
        found = self._conditional(lambda episode, t: (episode.states[t], episode.actions[t]), cells, chances)
        return np.array([vector([found[s, a] for a in range(actions)]) for s in range(states)])

    def log(self, table: np.ndarray) -> np.ndarray:
        """Entry by entry; exact numbers have none."""
        if table.dtype == float:
            with np.errstate(divide="ignore"):
                return np.log(table)
        if self.floats or not all(isinstance(value_of(entry), float) for entry in table.flat):
            raise NotExact("a logarithm has no exact value")
        return np.array([[log(entry) for entry in row] for row in table], dtype=object)
