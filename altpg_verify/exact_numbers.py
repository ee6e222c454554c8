"""Fractions that stay exact beside floats: the 0.1 in a formula is the dyadic number that it is, and nothing is rounded."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np


class ExactNumber(Fraction):
    """A `Fraction` whose sums, products, quotients and whole powers with finite floats are exact, too."""

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


def _operation(name: str) -> Callable[[Any, Any], Any]:
    plain = getattr(Fraction, name)

    def method(self: Any, other: Any) -> Any:
        if isinstance(other, np.generic):
            other = other.item()
        if isinstance(other, float) and math.isfinite(other):
            other = Fraction(other)
        result = plain(self, other)
        return ExactNumber(result) if type(result) is Fraction else result

    method.__name__ = name
    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod"):
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(ExactNumber, _full, _operation(_full))


def _power(self: Any, other: Any) -> Any:
    if isinstance(other, float | np.generic) and float(other) == math.floor(other):
        other = int(other)
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
