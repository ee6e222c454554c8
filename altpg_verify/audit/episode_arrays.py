"""The episodes of a space as arrays, made once: what each step was, padded to the longest episode.

E episodes, T steps of the longest. Numbers are `Fraction`s; `floats` has them in float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from altpg_verify.audit.episodes import Episode

ZERO = Fraction(0)


@dataclass(frozen=True, eq=False)
class EpisodeArrays:
    """What every episode of a space consists of.

    Args:
        episodes: in the order of the space.
    """

    episodes: tuple[Episode, ...]

    @cached_property
    def lengths(self) -> np.ndarray:
        """(E,) steps of each episode."""
        return np.array([len(episode) for episode in self.episodes], dtype=int)

    @cached_property
    def horizon(self) -> int:
        """T, the steps of the longest episode."""
        return int(self.lengths.max())

    @cached_property
    def steps(self) -> np.ndarray:
        """(E, T) where there is a step."""
        return np.arange(self.horizon) < self.lengths[:, None]

    @cached_property
    def states(self) -> np.ndarray:
        """(E, T) the state of each step, 0 in the padding."""
        return self._padded([episode.states for episode in self.episodes])

    @cached_property
    def actions(self) -> np.ndarray:
        """(E, T) the action of each step, 0 in the padding."""
        return self._padded([episode.actions for episode in self.episodes])

    @cached_property
    def starts(self) -> np.ndarray:
        """(E,) the state each episode starts in."""
        return self.states[:, 0].copy()

    @cached_property
    def rewards(self) -> np.ndarray:
        """(E, T) exact rewards, 0 in the padding."""
        return self._exact([episode.rewards for episode in self.episodes])

    @cached_property
    def chances(self) -> np.ndarray:
        """(E,) the environment's share of each probability, exact."""
        return objects([episode.chance for episode in self.episodes])

    @cached_property
    def final_values(self) -> np.ndarray:
        """(E,) the value of the state in which a time limit cut the episode off, exact; else 0."""
        return objects([episode.final_value for episode in self.episodes])

    def returns(self, discount: Fraction) -> np.ndarray:
        """(E, T) the return from each step on, discounted from that step, exact; 0 in the
        padding.
        """
        if discount not in self._returns:
            out = np.full(self.states.shape, ZERO, dtype=object)
            following = self.final_values.copy()
            for t in reversed(range(self.horizon)):
                there = self.steps[:, t]
                following[there] = self.rewards[there, t] + discount * following[there]
                out[there, t] = following[there]
            self._returns[discount] = out
        return self._returns[discount]

    @cached_property
    def _returns(self) -> dict[Fraction, np.ndarray]:
        return {}

    @cached_property
    def _floats(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        return {}

    def floats(self, exact: np.ndarray) -> np.ndarray:
        """One of these arrays in float64, converted once."""
        found = self._floats.get(id(exact))
        if found is None:
            # the exact array is kept beside it, so that its id is not another's
            found = self._floats[id(exact)] = (
                exact,
                np.array([float(entry) for entry in exact.flat]).reshape(exact.shape),
            )
        return found[1]

    @cached_property
    def flat_steps(self) -> tuple[np.ndarray, np.ndarray]:
        """(episode, step) of every step that there is."""
        episode, step = np.nonzero(self.steps)
        return episode, step

    def _padded(self, rows: Sequence[Sequence[int]]) -> np.ndarray:
        out = np.zeros((len(rows), self.horizon), dtype=int)
        out[self.steps] = [entry for row in rows for entry in row]
        return out

    def _exact(self, rows: Sequence[Sequence[Any]]) -> np.ndarray:
        out = np.full((len(rows), self.horizon), ZERO, dtype=object)
        out[self.steps] = objects([entry for row in rows for entry in row])
        return out


def objects(entries: Sequence[Any]) -> np.ndarray:
    """A one-dimensional array of objects, whatever they are."""
    out = np.empty(len(entries), dtype=object)
    out[:] = list(entries)
    return out


def total(values: np.ndarray) -> np.ndarray:
    """The sum over the last axis; for exact numbers by halves, so that intermediate results stay
    small.
    """
    if values.dtype != object:
        return values.sum(axis=-1)
    while values.shape[-1] > 1:
        half = values.shape[-1] // 2
        paired = values[..., :half] + values[..., half : 2 * half]
        values = np.concatenate([paired, values[..., 2 * half :]], axis=-1)
    # an index with an ellipsis makes an array even of one object
    return values[..., 0] if values.ndim > 1 else values[0]
