"""When two vectors of float64 are the same, and when one is a multiple of the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

CLOSE = 1e-9
"""Relative deviation below which two float64 vectors agree; enumeration itself is exact to about
1e-15.
"""

NOTHING = 1e-13
"""Size, as a share of the numbers it is a sum of, below which a float64 expectation is zero."""


def agree(left: np.ndarray, right: np.ndarray, reach: np.ndarray) -> bool:
    """Within rounding, policy by policy: a small gradient is not outvoted by a large one elsewhere.

    Args:
        reach: for each policy the size of the numbers of which both sides are sums.
    """
    sizes = np.maximum(np.abs(left).max(axis=1), np.abs(right).max(axis=1))
    return bool(np.all(np.abs(left - right).max(axis=1) <= CLOSE * sizes + NOTHING * reach))


def factor_of(field: np.ndarray, gradient: np.ndarray) -> float | None:
    """c with field = c · gradient, if there is one and the gradient isn't zero."""
    largest = float(np.abs(gradient).max(initial=0.0))
    if largest == 0.0 or largest <= NOTHING * float(np.abs(field).max(initial=0.0)):
        return None
    # numbers as small as 1e-200 have no square
    direction = gradient / largest
    factor = float(field @ direction) / float(direction @ direction) / largest
    size = max(float(np.abs(field).max()), abs(factor) * largest)
    if size <= NOTHING * largest:
        return 0.0
    return factor if np.abs(field - factor * gradient).max() <= CLOSE * size else None


def fitted(observed: np.ndarray, columns: Sequence[np.ndarray]) -> tuple[np.ndarray, float] | None:
    """Coefficients, none of them zero, that reproduce every observation, with the largest
    deviation; else None.
    """
    matrix = np.stack(columns, axis=1)
    # columns of very different sizes must not hide one another
    sizes = np.abs(matrix).max(axis=0)
    if np.any(sizes == 0) or np.linalg.matrix_rank(matrix / sizes, tol=1e-7) < matrix.shape[1]:
        return None
    scaled, *_ = np.linalg.lstsq(matrix / sizes, observed, rcond=None)
    size = np.abs(observed).max(initial=0.0)
    deviation = float(np.abs(matrix / sizes @ scaled - observed).max(initial=0.0))
    if deviation > CLOSE * size or np.any(np.abs(scaled) < 1e-7 * max(size, 1e-12)):
        return None
    return scaled / sizes, deviation
