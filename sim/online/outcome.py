"""What n runs of an online agent did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Outcome:
    """Measurements of n independent runs of `steps` steps, in bins of equal numbers of steps.

    A return belongs to the step in which its episode ended, by reaching the goal or by the cut.
    Where no episode ended, the last known value stands, and before the first one the worst return
    of the task.

    Attributes:
        returns: (n, bins) mean return of the episodes that ended in each bin.
        final: (n,) mean return of the episodes that ended in the last `last` steps.
        half: (n,) the same for the last `last` steps before half-time.
        whole: (n,) average over steps of the return of the episode that a step belongs to, Σ return
            * length / Σ length over all episodes that ended; the worst return if none did.
        entropy: (n, bins) mean over steps of the entropy of the policy in the state visited, in
            nats (0 once the run has failed).
        start_value: (n, bins) mean critic's value of the start states observed in each bin, at the
            time they were observed; carried on like returns, and at the start the critic's initial
            value (finite values only).
        first_goal: (n,) number of steps until the goal was reached for the first time; -1 if it
            never was.
        ends: (n,) episodes that reached the goal.
        failed: (n,) bool: a weight became infinite or NaN. From then on the run counts as the worst
            return.
    """

    returns: np.ndarray
    final: np.ndarray
    half: np.ndarray
    whole: np.ndarray
    entropy: np.ndarray
    start_value: np.ndarray
    first_goal: np.ndarray
    ends: np.ndarray
    failed: np.ndarray
