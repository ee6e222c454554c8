"""Numbers and vectors as a reader writes them: fractions where they are exact or short, else six
digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

LARGEST_DENOMINATOR = 2000
NEAR = 1e-11


def fraction_near(number: float) -> Fraction | None:
    """The fraction with a small denominator that the float64 number is within rounding of, if there
    is one.
    """
    guess = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    return guess if abs(float(guess) - number) <= NEAR * min(max(1e-2, abs(number)), 1.0) else None


def say(number: Any) -> str:
    """One number: a fraction if it is exact or within rounding of a short one, else six significant
    digits.
    """
    if isinstance(number, Fraction | int):
        exact = Fraction(number)
        short = exact.denominator < 100_000 and abs(exact) < 10**18
        return str(number) if short else f"{float(number):.6g}"
    near = fraction_near(float(number))
    return str(near) if near is not None else f"{float(number):.6g}"


def say_vector(numbers: Iterable[Any]) -> str:
    """Numbers in brackets with commas between, each as `say` writes it; any shape is flattened."""
    return "(" + ", ".join(say(number) for number in np.asarray(list(numbers)).reshape(-1)) + ")"


def say_interval(ends: Sequence[float]) -> str:
    """[0.48, 0.52], rounded outwards to what its width allows."""
    low, high = ends
    width = max(high - low, 1e-9 * max(abs(low), abs(high)), 1e-300)
    digits = max(0, min(15, 2 - math.floor(math.log10(width))))
    step = 10.0**-digits
    return (
        f"[{math.floor(low / step) * step:.{digits}f}, {math.ceil(high / step) * step:.{digits}f}]"
    )


def beyond_rounding(variance: float, mean: Iterable[Any]) -> float:
    """The variance; 0 where it is no more than rounding leaves of equal numbers as large as the
    mean.
    """
    largest = max((abs(float(entry)) for entry in mean), default=0.0)
    return variance if variance > 1e-28 * largest**2 else 0.0


def say_cosine(value: float) -> str:
    """Two digits, and as many more as tell it from 1.

    Examples:
        >>> from altpg_verify.audit.numbers import say_cosine
        >>> say_cosine(0.9701), say_cosine(-0.99987), say_cosine(1.0), say_cosine(1e-17)
        ('0.97', '-0.9999', '1', '0')
    """
    if abs(value) < 1e-12:
        return "0"
    for digits in range(2, 13):
        said = f"{value:.{digits}g}"
        if abs(float(said)) < 1:
            return said
    return said


def cosine(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Of the angle between two vectors; None where one of them is 0, or of no length.

    Examples:
        >>> from altpg_verify.audit.numbers import cosine
        >>> round(cosine([1.0, 0.0], [-1.0, 1.0]), 3)
        -0.707
    """
    first, second = np.array(one, dtype=float), np.array(other, dtype=float)
    # each by its largest entry first, so that no product overflows or vanishes
    largest = [np.abs(each).max(initial=0.0) for each in (first, second)]
    if first.shape != second.shape or not all(0 < each < np.inf for each in largest):
        return None
    first, second = first / largest[0], second / largest[1]
    return float(first @ second / np.sqrt((first @ first) * (second @ second)))
