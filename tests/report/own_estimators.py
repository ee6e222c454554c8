"""Estimators of a stranger, for the tests of the report on one's own."""

from __future__ import annotations

import numpy as np

from altpg_verify import estimator


@estimator(expected_failures={"unbiased": "by design; exact at b = v"})
def half_regular(pi, e, r, b):
    """Half-way between alternate and regular."""
    return (r - b) * (e - pi / 2)


@estimator
def doubled(pi, e, r, b):
    """The regular estimator with a factor too many."""
    return 2 * (r - b) * (e - pi)


@estimator
def mixing(pi, e, r, b):
    """Divides by the sum of squares, so it mixes actions."""
    return (r - b) * (e - pi) / (pi * pi).sum()


@estimator
def clipped(pi, e, r, b):
    """No rational function."""
    return np.minimum(np.maximum(r - b, -1.0), 1.0) * (e - pi)


@estimator
def expected(pi, q, b):
    """Asks for q, which no online agent knows."""
    return pi * (q - b)


@estimator
def by_reward(e, r, b):
    """The alternate formula, for an escort policy."""
    return (r - b) * e
