"""How an array of episodes, or of a policy, becomes an array of draws: the axes of a block."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.episode_arrays import EpisodeArrays
from altpg_verify.audit.policy_quantities import Tables


class Axes:
    """The axes of a block of draws.

    Args:
        tables, indices, policy: as for `draws.Draws`.

    Attributes:
        space: the space they are drawn from.
    """

    def __init__(self, tables: Tables, indices: np.ndarray, policy: np.ndarray | None) -> None:
        self.tables, self.indices, self.policy = tables, indices, policy
        self.space = tables.space

    @property
    def arrays(self) -> EpisodeArrays:
        """The space's episodes."""
        return self.space.arrays

    @cached_property
    def lead(self) -> tuple[int, ...]:
        """The axes between that of draws and that of steps."""
        space = self.space
        return (
            ()
            if space.scheme == "one"
            else (len(space.starts), space.size)
            if space.scheme == "groups"
            else (space.size,)
        )

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of actions, rewards, states, mask of one draw."""
        if self.space.scheme == "one":
            return (self._longest,)
        return self.lead if self.arrays.horizon == 1 else (*self.lead, self.arrays.horizon)

    @cached_property
    def _longest(self) -> int:
        return (
            int(self.arrays.lengths[self.indices[0, 0]])
            if self.space.scheme == "one"
            else self.arrays.horizon
        )

    def steps(self, table: np.ndarray) -> np.ndarray:
        """(B, *shape) of an (episodes, steps) array."""
        if table.shape[1] == 1:
            # one number an episode is taken faster than a row of one
            return np.take(table[:, 0], self.indices).reshape(len(self.indices), *self.shape)
        return table[self.indices][..., : self._longest].reshape(len(self.indices), *self.shape)

    def rows(self, table: np.ndarray) -> np.ndarray:
        """(B, rows, T) of an (episodes, T) array of the rows of tokens."""
        return table[self.indices]

    def truths(self, where: np.ndarray) -> np.ndarray:
        """1 where true, 0 elsewhere, in the numbers of the table."""
        return (
            where.astype(float)
            if self.tables.floats
            else np.array([Fraction(0), Fraction(1)], dtype=object)[where.astype(int)]
        )

    def each(self, table: np.ndarray) -> np.ndarray:
        """(B, *lead) of an (episodes,) array."""
        return table[self.indices].reshape(len(self.indices), *self.lead)

    def at(self, table: np.ndarray) -> np.ndarray:
        """(B, *shape, ...) of a (states, actions, ...) table at the steps taken, zero in the
        padding.
        """
        if self.policy is None and len(self.arrays.lengths) <= self.indices.size:
            # what each episode has is looked up once, not in each draw that it is in
            own = table[self.arrays.states, self.arrays.actions]
            if self._ragged:
                own[~self.arrays.steps] = 0
            each = np.take(own, self.indices, axis=0)[:, :, : self._longest]
            return each.reshape(len(self.indices), *self.shape, *table.shape[2:])
        states, actions = self.steps(self.arrays.states), self.steps(self.arrays.actions)
        if self.policy is None:
            taken = table[states, actions]
        else:
            taken = table[self.policy.reshape(-1, *[1] * (states.ndim - 1)), states, actions]
        if self._ragged:
            empty = ~self.steps(self.arrays.steps)
            # a copy already, since it was indexed by arrays
            taken[empty] = 0
        return taken

    @cached_property
    def _ragged(self) -> bool:
        return (
            self.space.scheme != "one"
            and bool(self.arrays.horizon > 1)
            and not self.arrays.steps.all()
        )

    def of_policy(self, table: np.ndarray, *, squeeze: bool = True) -> np.ndarray:
        """A quantity of the policy, with a leading axis of draws if they are at several policies;
        one state has no axis.
        """
        if squeeze and self.tables.table.shape[-2] == 1:
            table = table[0] if self.policy is None else table[:, 0]
        return table if self.policy is None else table[self.policy]

    def constant(self, number: Any) -> Any:
        """A number, or (B,) of it if the draws are at several policies."""
        return (
            number
            if self.policy is None
            else np.full(len(self.indices), number, dtype=float if self.tables.floats else object)
        )
