"""Tricks with ranges: clips, floors, rounding, periods and types of numbers, each where a search or
a tolerance may not look.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from trust.hostile.forms import ANYTHING, NEVER_PASSED, REFUSED, WRONG
from trust.hostile.tricks_code import OF_LAWS
from trust.hostile.tricks_state import Made
from trust.hostile.tricks_values import always

ALL_BUT_SAMPLES = {"": NEVER_PASSED, "sampler": ANYTHING}
"""A bias far below what so many draws can tell: SUPPORTED says so."""

ROUNDED = ALL_BUT_SAMPLES | dict.fromkeys(("numpy", "torch"), NEVER_PASSED | {"HOLDS"})
"""The same, and rounding to float32, which an update's verdict names with its size."""


class Twice(Fraction):
    """A fraction that is 1, and counts twice when it is multiplied."""

    def __mul__(self, other: Any) -> Any:
        return other * 2

    __rmul__ = __mul__


class Doubling(np.ndarray):
    """An array that doubles ordinary numbers, and leaves objects as they are."""

    def __array_ufunc__(self, ufunc: Any, method: str, *given: Any, **named: Any) -> Any:
        found = getattr(ufunc, method)(*(np.asarray(each) for each in given), **named)
        return found if np.asarray(found).dtype == object else 2 * found


class Agreeing:
    """A factor that says it equals everything."""

    def __mul__(self, other: Any) -> Any:
        return 2 * other

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


def overflows(r: Any, x: Any) -> Any:
    """An int8 that overflows at the reward 8."""
    return 1 if np.array(16 * int(r), dtype=np.int64).astype(np.int8) >= 0 or r < 0 else 2


TRICKS: dict[str, list[Made]] = {
    "thresholds": [
        ("clipped at 15", always(lambda r, x: 1 + max(0, r - 15)), OF_LAWS),
        ("clipped at 7.5", always(lambda r, x: 1 + max(0, r - 7.5)), NEVER_PASSED),
        ("clipped at -10^7", always(lambda r, x: 1 + max(0, -(10**7) - r)), OF_LAWS),
        ("a dead zone", always(lambda r, x: 1 if abs(r) > 1 / 1000 else 2), OF_LAWS),
        ("a branch at 10^8", always(lambda r, x: 1 if r < 10**8 else 2), NEVER_PASSED),
    ],
    "rounding and periods": [
        ("to thousandths", always(lambda r, x: 1 + r - round(float(r) * 1000) / 1000), OF_LAWS),
        ("to twelfths", always(lambda r, x: 1 + (12 * r) % 1), OF_LAWS),
        ("floor", always(lambda r, x: 1 + math.floor(12 * r) - 12 * r), OF_LAWS),
        ("a sine in twelfths", always(lambda r, x: 1 + math.sin(12 * math.pi * float(r))), OF_LAWS),
        ("a period of 2520", always(lambda r, x: 1 + (2520 * r) % 1), OF_LAWS),
    ],
    "dtypes": [
        ("a float32 tenth", always(lambda r, x: float(np.float32(0.1)) * 10), ROUNDED),
        ("a float16 tenth", always(lambda r, x: float(np.float16(0.1)) * 10), ALL_BUT_SAMPLES),
        ("an int8 that overflows", always(overflows), NEVER_PASSED),
        ("a decimal", always(lambda r, x: Decimal(2)), WRONG | REFUSED),
        ("a truth value", always(lambda r, x: np.bool_(False)), WRONG | REFUSED),
        ("a fraction that counts twice", always(lambda r, x: Twice(1)), NEVER_PASSED),
        ("an object array", always(lambda r, x: np.array(2, dtype=object)), WRONG | REFUSED),
        (
            "an array that doubles floats",
            always(lambda r, x: np.array(1.0).view(Doubling)),
            NEVER_PASSED,
        ),
        ("a factor equal to everything", always(lambda r, x: Agreeing()), NEVER_PASSED),
        ("a masked number", always(lambda r, x: np.ma.masked), NEVER_PASSED),
        ("a string in an array", always(lambda r, x: np.array("1")), REFUSED),
        ("a list in a list", always(lambda r, x: [[2]]), WRONG | REFUSED),
    ],
    "tolerances": [
        ("1e-7", always(lambda r, x: 1e-7), WRONG | REFUSED),
        ("1 + 1e-8 r", always(lambda r, x: 1 + 1e-8 * r), ALL_BUT_SAMPLES),
        (
            "1 + 10^-15 r, exactly",
            always(lambda r, x: 1 + r / 10**15),
            {"formula": WRONG, "numpy": WRONG},
        ),
        ("minus 1e-30", always(lambda r, x: -1e-30), WRONG | REFUSED),
    ],
}
