"""When the buckets are filed, when they are left for the tree, and what an agent on them keeps between stretches.

Filing all actions takes O(k). It's needed when the largest preference has gone up by `HEADROOM` octaves or down by `EMPTY`, or when the
room for members is used up. Where that happens sooner than `patience` ~ k / 8 steps after the last time, the agent goes on with
the tree, O(log k) a step, for a pause that doubles each time; so filing costs O(1) a step on the average, whatever the preferences do.
All this depends on the run's own steps only, not on how it is cut into stretches, nor on whether the tree is looked at.
"""

from __future__ import annotations

import numpy as np

from sim.large.blocks import aligned_zeros
from sim.large.buckets import (
    BUCKETS,
    EMPTY,
    FILINGS,
    GROUPS,
    LOW,
    MOVES,
    PATIENCE,
    PENDING,
    ROWS,
    SCALE,
    STEPS,
    TRIES,
    arena_size,
    bucket_rows,
    scale,
)  # fmt: skip

LONGEST = 64
"""The longest pause, as a multiple of the patience."""


class Filing:
    """The buckets of k actions and their state: `arrays` as `sim.large.buckets` wants them, `current` if they agree with θ.

    Attributes:
        patience: steps; buckets that are outdated sooner after a filing are given up for a while.
        paused: how many steps are still to be made on the tree before the actions are filed again.
    """

    def __init__(self, k: int) -> None:
        bucket, inner = _words(8 * BUCKETS), _words(BUCKETS)
        bucket[:] = bucket_rows(k)
        whole = np.zeros(16, dtype=np.uint64)
        self.patience = k // 8 + 64
        whole[SCALE], whole[LOW], whole[PATIENCE] = scale(k), max(1 << (scale(k) - EMPTY), 8 * k), self.patience
        self.arrays = (
            bucket,
            inner,
            _words(ROWS + ROWS // 8),
            np.zeros(arena_size(k), dtype=np.uint32),
            np.zeros(k, dtype=np.uint32),
            np.zeros(k, dtype=np.uint16),
            np.zeros(PENDING, dtype=np.uint32),
            whole,
            np.zeros(1),
        )
        self.current, self.paused = False, 0
        self._stretch, self._pause = 0, self.patience

    def ran(self, steps: int, outdated: bool) -> None:
        """So many steps were made on the buckets; if `outdated`, all must be filed anew, sooner than patience allows."""
        self._stretch += steps
        self.current = not outdated
        if self._stretch >= 8 * self.patience:
            self._pause = self.patience
        if outdated:
            self.paused, self._pause, self._stretch = self._pause, min(2 * self._pause, LONGEST * self.patience), 0

    def disturb(self) -> None:
        """Somebody else changed preferences."""
        self.current, self.paused = False, max(self.paused, self.patience)

    def rest(self, steps: int) -> None:
        """So many steps were made on the tree."""
        self.paused -= steps

    def counts(self) -> dict[str, int]:
        """What was counted so far on buckets: steps, tries, groups passed on the way, members moved, times that all were filed."""
        whole = self.arrays[7]
        return {
            "steps": int(whole[STEPS]),
            "tries": int(whole[TRIES]),
            "groups": int(whole[GROUPS]),
            "moves": int(whole[MOVES]),
            "filings": int(whole[FILINGS]),
        }


def _words(size: int) -> np.ndarray:
    return aligned_zeros(size).view(np.uint64)
