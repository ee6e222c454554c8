"""Derivatives of float64 functions by central differences, extrapolated (Richardson): errors near
1e-12 where the function is smooth.

The error is estimated from the last two columns of the extrapolation, and from one-sided slopes: at
a kink central differences agree with one another whatever the step, and it must not pass for a
derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

FIRST_STEP = 0.05
LEVELS = 4


def jacobian(
    function: Callable[[np.ndarray], np.ndarray], at: np.ndarray, first_step: float = FIRST_STEP
) -> tuple[np.ndarray, float]:
    """Partial derivatives of `function: (n,) -> any shape`, shape (*result, n), and an estimate of
    their largest error.

    Args:
        function: smooth around the point; at a kink the error is large.
        at: (n,) the point.
        first_step: the largest difference, in the units of the point; it is halved three times.
    """
    return jacobian_together(
        lambda points: [np.asarray(function(point)) for point in points], at, first_step
    )


def jacobian_together(
    functions: Callable[[list[np.ndarray]], Sequence[np.ndarray]],
    at: np.ndarray,
    first_step: float = FIRST_STEP,
    levels: int = LEVELS,
) -> tuple[np.ndarray, float]:
    """The same of a function that is had at many points in one call; with fewer than three levels a
    kink goes unseen.

    Args:
        functions: a list of points (n,) -> the results at these, in order; called once.
        at: (n,) the point.
        first_step: the largest difference.
        levels: how many steps, each half of the one before.
    """
    at = np.asarray(at, dtype=float)
    # halved steps: each column of the extrapolation takes one more even power of the step out
    steps = [first_step / 2**level for level in range(levels)]
    moves = [(i, sign * step) for i in range(at.size) for step in steps for sign in (1, -1)]
    points = [at, *(at + move * np.eye(1, at.size, i)[0] for i, move in moves)]
    # one call for all points, for an expectation costs as much at many as its draws are shared
    middle, *found = functions(points)
    sides = iter(found)
    columns, error = [], 0.0
    for _ in range(at.size):
        rows: list[list[np.ndarray]] = []
        jumps: list[np.ndarray] = []
        for step in steps:
            above, below = next(sides), next(sides)
            jumps.append((above - 2 * middle + below) / step)
            # the error of a central difference has even powers of the step only, hence 4^power
            new = [(above - below) / (2 * step)]
            for power, before in enumerate(rows[-1] if rows else [], start=1):
                new.append(new[-1] + (new[-1] - before) / (4**power - 1))
            rows.append(new)
        columns.append(rows[-1][-1])
        # the last two diagonal entries: pessimistic, since the last is much better than the one
        # before
        error = max(error, float(np.max(np.abs(rows[-1][-1] - rows[-2][-1]), initial=0.0)))
        if levels > 2:
            error = max(error, _kink(jumps))
    return np.stack(columns, axis=-1), error


def _kink(jumps: list[np.ndarray]) -> float:
    """The difference of the slopes on both sides, from their differences over steps h, h/2, h/4:
    those of h and h³ drop out.
    """
    one, other = (2 * after - before for before, after in zip(jumps[-3:], jumps[-2:], strict=False))
    return float(np.max(np.abs(8 * other - one) / 7, initial=0.0))
