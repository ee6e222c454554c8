"""What an update answered, as an array of real finite numbers, or one sentence that says why it is
none.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.errors import BadEstimator
from altpg_verify.rational_functions import RationalFunction
from altpg_verify.untrusted.calling import interrupted

REAL = "biuf"
"""Kinds of dtypes that hold real numbers."""

_EXACT = (int, Fraction, RationalFunction)


def real_numbers(
    value: Any, shape: tuple[int, ...], who: str, group: str, where: Callable[[], str]
) -> np.ndarray:
    """A fresh array of an answer, of real numbers: floats, or exact ones as objects.

    Args:
        value: the answer.
        shape: of the parameters it is for.
        who: the beginning of a sentence on it, such as "update 'mine' returned".
        group: the name of the parameters.
        where: which draw it was, as a part of a sentence.

    Raises:
        BadEstimator: it has another shape, or isn't made of finite real numbers.
    """

    def said() -> str:
        return f"for {group!r} {where()}"

    # to ask for the class loads its module, which takes a while
    special = isinstance(value, np.ndarray) and type(value) is not np.ndarray
    if special and isinstance(value, np.ma.MaskedArray):
        raise BadEstimator(
            f"{who} a masked array, of which some entries don't count; return plain numbers"
        )
    try:
        # the update may fill the same array at its next call
        array = np.array(value)
    except BaseException as error:
        if interrupted(error):
            raise
        raise BadEstimator(
            f"{who} a {type(value).__name__} that is no array of numbers {said()}; return"
            f" numbers of shape {shape}"
        ) from error
    if array.shape != shape:
        kind = "" if array.dtype.kind in REAL else f"a {type(value).__name__} of "
        raise BadEstimator(
            f"{who} {kind}shape {array.shape} for {group!r} instead of {shape} {where()}"
        )
    if array.dtype.kind == "c":
        raise BadEstimator(f"{who} complex numbers {said()}; return real ones")
    if array.dtype.kind == "O":
        return _of_objects(array, who, said)
    if array.dtype.kind not in REAL:
        raise BadEstimator(f"{who} entries of type {array.dtype} {said()}; return real numbers")
    if not np.all(np.isfinite(array)):
        raise _not_finite(array, who, said)
    return array


def _of_objects(array: np.ndarray, who: str, where: Callable[[], str]) -> np.ndarray:
    found = np.empty(array.shape, dtype=object)
    for index, entry in np.ndenumerate(array):
        found[index] = number = _number(entry, who, where)
        if isinstance(number, float) and not np.isfinite(number):
            raise _not_finite(number, who, where)
    return found


def _number(entry: Any, who: str, where: Callable[[], str]) -> Any:
    if isinstance(entry, _EXACT):
        return entry
    if isinstance(entry, complex | np.complexfloating):
        raise BadEstimator(f"{who} complex numbers {where()}; return real ones")
    try:
        if isinstance(entry, numbers.Rational):
            return Fraction(entry)
        if isinstance(entry, Decimal):
            return Fraction(entry) if entry.is_finite() else float(entry)
        # float("1") is a number, a text isn't
        if isinstance(entry, str | bytes | bytearray):
            raise TypeError("a text")
        return float(entry)
    except BaseException as error:
        if interrupted(error):
            raise
        raise BadEstimator(
            f"{who} entries of type {type(entry).__name__} {where()}; return real numbers"
        ) from error


def _not_finite(held: Any, who: str, where: Callable[[], str]) -> BadEstimator:
    return BadEstimator(
        f"{who} {held} {where()}; return finite numbers (0/0 where all rewards are equal?)"
    )
