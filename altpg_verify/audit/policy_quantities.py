"""Everything that depends on the parameters but not on the draw: a policy's table, its scores,
values and log-probabilities.

A table may be one policy, (states, actions), or a stack of policies with leading axes: everything
else then has the same leading axes. Its numbers are float64, complex (for derivatives by a complex
step), Fractions, numbers with derivatives, or rational functions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.episode_arrays import EpisodeArrays, objects, total
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.policies import Parameters, TablePolicy
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput
from altpg_verify.forward_mode import log, value_of
from altpg_verify.rational_functions import equal


class NotExact(ArithmeticError):
    """This quantity has no exact value (a logarithm, a policy that isn't tabular)."""


class Tables:
    """A policy's table and all that follows from it: values of states and actions, scores,
    log-probabilities.

    Args:
        space: the decision problem.
        table: (..., states, actions) probabilities.
        scores: for each group (..., states, actions, *shape) ∇ log π; a function, called when first
            needed.
        parameters: the parameters the table was made of, one for each policy of a stack, if it was
            made of them in float64.
    """

    def __init__(
        self, space: Space, table: np.ndarray, scores: Any = None, parameters: Any = None
    ) -> None:
        self.space, self.table, self._scores, self.parameters = space, table, scores, parameters

    @classmethod
    def at(cls, space: Space, parameters: Parameters) -> Tables:
        """One policy in float64."""
        return cls(
            space,
            space.policy.table(parameters),
            lambda: space.policy.scores(parameters),
            parameters,
        )

    @classmethod
    def stack(cls, space: Space, points: Sequence[Parameters]) -> Tables:
        """Several policies in float64, with a leading axis."""

        def scores() -> dict[str, np.ndarray]:
            each = [space.policy.scores(point) for point in points]
            return {name: np.stack([one[name] for one in each]) for name in each[0]}

        return cls(
            space, np.stack([space.policy.table(point) for point in points]), scores, tuple(points)
        )

    @classmethod
    def exact(cls, space: Space, weights: Sequence[Any]) -> Tables:
        """One policy in the numbers the weights e^θ are given in (Fractions, rational
        functions).
        """
        policy = space.policy
        if not isinstance(policy, TablePolicy):
            raise NotExact("only tabular policies are rational functions of their weights")
        table = policy.exact_table(weights)
        return cls(space, table, lambda: {policy.group: policy.scores_of(table)})

    @property
    def arrays(self) -> EpisodeArrays:
        """The space's episodes."""
        return self.space.arrays

    @cached_property
    def floats(self) -> bool:
        """The table's numbers are float64 (or complex, for a derivative)."""
        return self.table.dtype != object

    @cached_property
    def scores(self) -> dict[str, np.ndarray]:
        """For each group (..., states, actions, *shape) ∇ log π(a | s), in the table's numbers
        (float64 if the policy isn't tabular).
        """
        return self._scores()

    @cached_property
    def mu(self) -> np.ndarray:
        """(..., states, actions) the policy that is sampled."""
        behaviour = self.space.behaviour
        if behaviour is None:
            return self.table
        if not callable(behaviour):
            return self._alike(behaviour)
        if self.parameters is None:
            raise NotExact("a behaviour policy given as a function has no exact value")
        if isinstance(self.parameters, tuple):
            return np.stack([self.space.behaviour_at(point) for point in self.parameters])
        return self.space.behaviour_at(self.parameters)

    @cached_property
    def ref(self) -> np.ndarray:
        """(..., states, actions) the reference policy.

        Raises:
            BadInput: the space has none.
        """
        if self.space.reference is None:
            raise BadInput(
                f"space {self.space.name!r} has no reference policy; give one with"
                " space.against(table)"
            )
        return self._alike(self.space.reference)

    def _alike(self, fixed: np.ndarray) -> np.ndarray:
        """A fixed exact table in this table's kind of numbers, with its leading axes."""
        return np.broadcast_to(
            fixed.astype(float) if self.floats else fixed, (*self.table.shape[:-2], *fixed.shape)
        )

    @cached_property
    def probabilities(self) -> np.ndarray:
        """(..., episodes) the probability of each episode under the policy."""
        return self._of(self.table)

    @cached_property
    def sampled(self) -> np.ndarray:
        """(..., episodes) the probability of each episode under the policy that is sampled."""
        return self.probabilities if self.space.behaviour is None else self._of(self.mu)

    def _of(self, table: np.ndarray) -> np.ndarray:
        arrays = self.arrays
        out = np.broadcast_to(
            self.numbers(arrays.chances), (*table.shape[:-2], len(arrays.episodes))
        )
        for t in range(arrays.horizon):
            taken = table[..., arrays.states[:, t], arrays.actions[:, t]]
            out = (
                np.where(arrays.steps[:, t], out * taken, out)
                if not arrays.steps[:, t].all()
                else out * taken
            )
        return out

    def number(self, value: Any) -> Any:
        """A constant in the numbers of the table."""
        return float(value) if self.floats else value

    def numbers(self, exact: np.ndarray) -> np.ndarray:
        """One of the arrays of `EpisodeArrays` in the numbers of the table."""
        return self.arrays.floats(exact) if self.floats else exact

    def expectation(self, function: Callable[[Episode], Any] | np.ndarray) -> Any:
        """E[f(episode)] under the policy, from a function of the episode or an (episodes,) array of
        its values.
        """
        if callable(function):
            found = [function(episode) for episode in self.space.episodes]
            function = np.array(found) if self.floats else objects(found)
        return total(self.probabilities * function)

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
    def returns_to_go(self) -> np.ndarray:
        """(episodes, steps) the return from each step on, discounted from that step, in the numbers
        of the table.
        """
        return self.numbers(self.arrays.returns(self.space.discount))

    @cached_property
    def value(self) -> Any:
        """V = E[Σ γᵗ r_t] from the start."""
        continuous = self.space.continuous
        if continuous is not None:
            several = isinstance(self.parameters, tuple)
            each = [
                continuous.value(point)
                for point in (self.parameters if several else (self.parameters,))
            ]
            return np.array(each) if several else each[0]
        return _plain(self.expectation(self.returns_to_go[:, 0]))

    def _conditional(self, cells: np.ndarray, count: int, probabilities: np.ndarray) -> np.ndarray:
        """(..., count) the expected return given each cell; 0 where it isn't reached.

        Args:
            cells: for each step that there is, the cell it belongs to.
            probabilities: (..., episodes).
        """
        episode, step = self.arrays.flat_steps
        order = np.argsort(cells, kind="stable")
        reached, begin = np.unique(cells[order], return_index=True)
        weights = probabilities[..., episode[order]]
        gained = weights * self.returns_to_go[episode[order], step[order]]
        below, above = (
            np.add.reduceat(weights, begin, axis=-1),
            np.add.reduceat(gained, begin, axis=-1),
        )
        if self.floats:
            quotient = np.where(below == 0, 0.0, above / np.where(below == 0, 1.0, below))
        else:
            quotient = objects(
                [
                    0 * one if is_zero(other) else one / other
                    for one, other in zip(above.flat, below.flat, strict=True)
                ]
            )
        zero = 0.0 if self.floats else 0 * self.number(Fraction(0))
        out = np.full((*probabilities.shape[:-1], count), zero, dtype=quotient.dtype)
        out[..., reached] = quotient.reshape(below.shape)
        return out

    @cached_property
    def values(self) -> np.ndarray:
        """(..., states) the expected return from each state on."""
        episode, step = self.arrays.flat_steps
        return self._conditional(
            self.arrays.states[episode, step], self.table.shape[-2], self.probabilities
        )

    @cached_property
    def q(self) -> np.ndarray:
        """(..., states, actions) the expected return after each action."""
        states, actions = self.table.shape[-2:]
        episode, step = self.arrays.flat_steps
        cells = self.arrays.states[episode, step] * actions + self.arrays.actions[episode, step]
        # in one-step problems the action's own probability cancels, so that q exists at a corner
        # too
        chances = self.numbers(self.arrays.chances)
        if self.arrays.horizon > 1:
            chances = self.probabilities
        elif self.table.ndim > 2:
            chances = np.broadcast_to(chances, (*self.table.shape[:-2], len(chances)))
        return self._conditional(cells, states * actions, chances).reshape(
            *chances.shape[:-1], states, actions
        )

    def log(self, table: np.ndarray) -> np.ndarray:
        """Entry by entry; exact numbers have none."""
        if table.dtype != object:
            with np.errstate(divide="ignore"):
                return np.log(table)
        if self.floats or not all(isinstance(value_of(entry), float) for entry in table.flat):
            raise NotExact("a logarithm has no exact value")
        return np.array([[log(entry) for entry in row] for row in table], dtype=object)


def is_zero(number: Any) -> bool:
    """Whether an exact number, a number with derivatives or a rational function vanishes."""
    return equal(value_of(number), 0)


def _plain(number: Any) -> Any:
    """A number of one policy as Python has it; of a stack, the array."""
    return (
        number.item()
        if isinstance(number, np.ndarray | np.generic) and np.ndim(number) == 0
        else number
    )
