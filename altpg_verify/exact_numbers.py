"""Fractions that stay exact beside floats: the 0.1 in a formula is the dyadic number that it is,
and nothing is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np


class ExactNumber(Fraction):
    """A `Fraction` whose sums, products, quotients and whole powers with finite floats are exact,
    too.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    # an overriding __eq__ would take the hash away; Fraction's own are right
    __hash__ = Fraction.__hash__


def exactly(number: Any) -> Any:
    """An int or Fraction as an `ExactNumber`; anything else as it is."""
    if type(number) is Fraction or type(number) is int:
        return ExactNumber(number)
    return number


def _made(above: int, below: int) -> ExactNumber:
    """above / below in lowest terms, for below > 0; without the checks that `Fraction` makes of
    what anyone may hand to it.
    """
    common = math.gcd(above, below)
    number: Any = object.__new__(ExactNumber)
    number._numerator, number._denominator = above // common, below // common
    return number


def _add(a: int, b: int, c: int, d: int) -> ExactNumber:
    return _made(a * d + c * b, b * d)


def _subtract(a: int, b: int, c: int, d: int) -> ExactNumber:
    return _made(a * d - c * b, b * d)


def _multiply(a: int, b: int, c: int, d: int) -> ExactNumber:
    return _made(a * c, b * d)


def _divide(a: int, b: int, c: int, d: int) -> ExactNumber:
    if not c:
        raise ZeroDivisionError(f"{Fraction(a, b)} / 0")
    return _made(a * d, b * c) if c > 0 else _made(-a * d, -b * c)


def _operation(
    name: str, quick: Callable[[int, int, int, int], ExactNumber] | None
) -> Callable[[Any, Any], Any]:
    plain = getattr(Fraction, name)
    reverse = name.startswith("__r")

    def method(self: Any, other: Any) -> Any:
        kind = type(other)
        if quick is not None and (kind is ExactNumber or kind is int or kind is Fraction):
            # read from where `Fraction` keeps them: its properties would take half of the time
            above, below = (other, 1) if kind is int else (other._numerator, other._denominator)
            if reverse:
                return quick(above, below, self._numerator, self._denominator)
            return quick(self._numerator, self._denominator, above, below)
        if isinstance(other, np.generic):
            other = other.item()
        if isinstance(other, float) and math.isfinite(other):
            other = Fraction(other)
        result = plain(self, other)
        return ExactNumber(result) if type(result) is Fraction else result

    method.__name__ = name
    return method


_QUICK = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "truediv": _divide,
    "floordiv": None,
    "mod": None,
}
for _name, _quick in _QUICK.items():
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(ExactNumber, _full, _operation(_full, _quick))


def _power(self: Any, other: Any) -> Any:
    if isinstance(other, float | np.generic) and float(other) == math.floor(other):
        other = int(other)
    if type(other) is int and other >= 0:
        return _made(self.numerator**other, self.denominator**other)
    result = Fraction.__pow__(self, other)
    return ExactNumber(result) if type(result) is Fraction else result


def _unary(name: str) -> Callable[[Any], Any]:
    plain = getattr(Fraction, name)

    def method(self: Any) -> Any:
        return ExactNumber(plain(self))

    return method


ExactNumber.__pow__ = _power  # type: ignore[method-assign]
for _name in ("__neg__", "__pos__", "__abs__"):
    setattr(ExactNumber, _name, _unary(_name))
