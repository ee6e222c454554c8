"""When actions are filed under envelopes, when those are left for the tree, and what an agent keeps
of them between stretches.

Filing all actions takes O(k). It's needed when the largest preference has gone up by `headroom`
octaves, or T has fallen below `least_total`. Where that happens sooner than `patience` ~ k / 16
steps after the last time, the agent goes on with the tree for a pause that doubles each time; so
filing costs O(1) a step on the average, whatever the preferences do. All this depends on the run's
own steps only, not on how it is cut into stretches, nor on whether the tree is looked at.
"""

from __future__ import annotations

import math

import numpy as np

from altpg_verify.sim.large.blocks import aligned_zeros
from altpg_verify.sim.large.envelope_stepping import AHEAD
from altpg_verify.sim.large.envelopes import (
    BATCHES,
    ENTRIES,
    FILINGS,
    LOW,
    MOVES,
    PATIENCE,
    PROPOSALS,
    SCALE,
    STEPS,
    WALKS,
    bounds,
    headroom,
    layout,
    least_total,
    scale,
)  # fmt: skip

SHORTEST, LONGEST = 1024, 64
"""The first pause has k steps, at least so many, since filing takes as long as some; the longest
one is a multiple of the first.
"""


class Filing:
    """The envelopes of k actions and their state: `arrays` as `altpg_verify.sim.large.envelopes`
    wants them, `current` if they agree with θ.

    Attributes:
        levels: of rows.
        patience: steps; envelopes that are outdated sooner after a filing are given up for a while.
        paused: how many steps are still to be made on the tree before the actions are filed again.
    """

    def __init__(self, k: int) -> None:
        first, whole = layout(k), np.zeros(ENTRIES, dtype=np.uint64)
        self.levels = first.size - 1
        # filing costs about as much as so many steps
        self.patience = k // 16 + 2
        whole[SCALE], whole[LOW], whole[PATIENCE] = scale(k), least_total(k), self.patience
        self.arrays = (
            bounds(k),
            _words(int(first[-1])),
            first,
            np.zeros(k, dtype=np.uint32),
            _words(2 * AHEAD),
            whole,
            np.array([0.0, headroom(k) * math.log(2.0)]),
        )
        self.current, self.paused = False, 0
        self._first_pause = max(k, SHORTEST)
        self._stretch, self._pause = 0, self._first_pause

    def ran(self, steps: int, outdated: bool) -> None:
        """So many steps were made on envelopes; if `outdated`, all must be filed anew, sooner than
        patience allows.

        After a long stretch the pause is short again; after a short one it doubles.
        """
        self._stretch += steps
        self.current = not outdated
        # long enough on envelopes: the next pause is short again
        if self._stretch >= 8 * self.patience:
            self._pause = self._first_pause
        if outdated:
            self.paused, self._pause, self._stretch = (
                self._pause,
                min(2 * self._pause, LONGEST * self._first_pause),
                0,
            )

    def disturb(self) -> None:
        """Somebody else changed preferences: the envelopes don't fit, and the tree runs for some
        steps.

        At least `patience` steps, so that changes before every step don't cost O(k) each.
        """
        self.current, self.paused = False, max(self.paused, self.patience)

    def rest(self, steps: int) -> None:
        """So many steps were made on the tree; when the pause is over, envelopes are used again."""
        self.paused -= steps

    def counts(self) -> dict[str, int]:
        """What was counted so far on envelopes: steps, proposals, batches of them, walks, envelopes
        changed, times that all were filed.
        """
        whole = self.arrays[5]
        names = {
            "steps": STEPS,
            "proposals": PROPOSALS,
            "batches": BATCHES,
            "walks": WALKS,
            "moves": MOVES,
            "filings": FILINGS,
        }
        return {name: int(whole[entry]) for name, entry in names.items()}


def _words(size: int) -> np.ndarray:
    return aligned_zeros(size).view(np.uint64)
