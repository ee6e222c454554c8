"""Exact shares and sums to compare with: e^θ with so many digits that only the code under test
rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from mpmath import mp, mpf

from altpg_verify.sim.large import SamplingTree

UNIT = Fraction(1, 2**53)
DIGITS = 60


def exponentials(theta: Sequence[float]) -> list:
    """e^(θ - max θ), to 60 digits."""
    with mp.workdps(DIGITS):
        top = max(mpf(float(t)) for t in theta)
        return [mp.exp(mpf(float(t)) - top) for t in theta]


def shares(theta: Sequence[float]) -> list[Fraction]:
    """0, π_0, π_0 + π_1, ..., 1: the exact ends of the actions' intervals of keys."""
    with mp.workdps(DIGITS):
        weights = exponentials(theta)
        total, running, ends = sum(weights), mpf(0), [Fraction(0)]
        for weight in weights:
            running += weight
            ends.append(fraction(running / total))
        return ends


def fraction(x) -> Fraction:
    """The rational number that an mpf is."""
    sign, mantissa, exponent, _ = x._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * (Fraction(2) ** int(exponent))


def first_keys(tree: SamplingTree) -> np.ndarray:
    """For each action a the smallest j such that the key j 2⁻⁵³ selects a or a later action; 2⁵³ if
    none does.

    Found by bisection: selecting is monotone in the key, so that these k numbers say what each of
    all 2⁵³ keys selects.
    """
    k = len(tree)
    low, high = np.full(k, -1, dtype=np.int64), np.full(k, 2**53, dtype=np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        keys = np.clip(middle, 0, 2**53 - 1) * 2.0**-53
        reached = tree.select_many(keys) >= np.arange(k)
        high = np.where(reached & (middle >= 0), middle, high)
        low = np.where(reached & (middle >= 0), low, middle)
    return high


def canonical(tree: SamplingTree) -> tuple[np.ndarray, np.ndarray]:
    """Every entry of every block as mantissa and power of two, whatever the units of its block
    are.
    """
    _, weight, exponent, _ = tree.arrays
    mantissa, power = np.frexp(weight.reshape(-1, 8))
    return mantissa, np.where(mantissa == 0.0, 0, power + exponent[:, None].astype(np.int64))
