"""Episodes as a trainer lays them out: rows of tokens, some of which aren't the policy's, with
padding on one side.

E episodes, T columns of the longest row. A row of a decision problem that isn't made of tokens is
its actions, one a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

ROW_NAMES = (
    "tokens",
    "token_states",
    "token_rewards",
    "response_mask",
    "attention_mask",
    "position_ids",
    "group_ids",
)
"""Parts of a draw that are laid out in rows, one for each of its episodes."""


@dataclass(frozen=True, eq=False)
class TokenRows:
    """What stands in each column of each episode's row.

    Args:
        tokens: (E, T) the token, in the padding that of the padding.
        states: (E, T) the policy's state in which the token has its probability; in the padding the
            state after the row's end, so that what leaks through a mask has a gradient.
        steps: (E, T) which of the episode's decisions it is; -1 where the token isn't the policy's.
        filled: (E, T) where there is a token.
    """

    tokens: np.ndarray
    states: np.ndarray
    steps: np.ndarray
    filled: np.ndarray

    @classmethod
    def of(cls, arrays: Any) -> TokenRows:
        """The rows of a space that says nothing of them: a column for each step; the padding
        repeats the last one.
        """
        last = np.minimum(np.arange(arrays.horizon)[None], arrays.lengths[:, None] - 1)
        states, actions = (
            np.take_along_axis(each, last, 1) for each in (arrays.states, arrays.actions)
        )
        return cls(actions, states, np.where(arrays.steps, last, -1), arrays.steps)

    @classmethod
    def laid_out(
        cls,
        rows: Sequence[Sequence[tuple[int, int, int]]],
        ends: Sequence[tuple[int, int]],
        side: str,
    ) -> TokenRows:
        """Rows from (token, state, step) triples, padded on one side.

        Args:
            rows: for each episode its columns.
            ends: for each episode the (token, state) of its padding.
            side: "right" or "left".
        """
        width = max(map(len, rows))
        columns = np.empty((len(rows), width, 3), dtype=int)
        filled = np.zeros((len(rows), width), dtype=bool)
        for number, (row, (token, state)) in enumerate(zip(rows, ends, strict=True)):
            columns[number] = (token, state, -1)
            where = slice(0, len(row)) if side == "right" else slice(width - len(row), width)
            columns[number, where] = row
            filled[number, where] = True
        return cls(columns[..., 0], columns[..., 1], columns[..., 2], filled)

    @property
    def positions(self) -> np.ndarray:
        """(E, T) how many tokens of the row stand before the column; 0 before its beginning."""
        return np.maximum(np.cumsum(self.filled, axis=1) - 1, 0)

    @property
    def own(self) -> np.ndarray:
        """(E, T) where the token is the policy's."""
        return self.steps >= 0

    def spread(self, steps: np.ndarray) -> np.ndarray:
        """(E, T) of an (E, steps) array: each decision's entry in its column, 0 elsewhere."""
        return np.where(
            self.own, np.take_along_axis(steps, np.maximum(self.steps, 0), 1), 0 * steps.flat[0]
        )
