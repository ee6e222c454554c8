"""Fractions that stay exact beside floats: the 0.1 in a formula is the dyadic number that it is,
and nothing is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np


class ExactNumber(Fraction):
    """A `Fraction` whose sums, products, quotients and whole powers with finite floats are exact,
    too.

    `Fraction + float` is a float in Python, rounded. Here the float is taken for the dyadic number
    that it is, so that a formula with a constant 0.5 in it stays exact: what it computes is what it
    says, up to its decimal constants.

    Examples:
        >>> from altpg_verify.exact_numbers import exactly
        >>> exactly(1) / 3 + 0.5
        Fraction(5, 6)
    """

    __slots__ = ()
    if TYPE_CHECKING:
        # where `Fraction` keeps them
        _numerator: int
        _denominator: int

    def __repr__(self) -> str:
        return f"Fraction({self.numerator}, {self.denominator})"

    # an overriding __eq__ would take the hash away; Fraction's own are right
    __hash__ = Fraction.__hash__


def exactly(number: Any) -> Any:
    """An int or Fraction as an `ExactNumber`; anything else as it is, bools and numpy's integers
    included.
    """
    if type(number) is Fraction or type(number) is int:
        return ExactNumber(number)
    return number


_new: Any = object.__new__


def _made(above: int, below: int) -> ExactNumber:
    """above / below in lowest terms, for below > 0; without the checks that `Fraction` makes of
    what anyone may hand to it.
    """
    common = math.gcd(above, below)
    number: Any = _new(ExactNumber)
    number._numerator, number._denominator = above // common, below // common
    return number  # type: ignore[no-any-return]


def _over(above: int, below: int) -> ExactNumber:
    """The same for terms that are lowest."""
    number: Any = _new(ExactNumber)
    number._numerator, number._denominator = above, below
    return number  # type: ignore[no-any-return]


# a million of these are made for a report: numerators and denominators are read from where
# `Fraction` keeps them, its properties would take half of the time
def _add(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is ExactNumber or kind is Fraction:
        b, d = self._denominator, other._denominator
        return _made(self._numerator * d + other._numerator * b, b * d)
    if kind is int:
        return _over(self._numerator + other * self._denominator, self._denominator)
    return _other("__add__", self, other)


def _add_to(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is int or kind is ExactNumber or kind is Fraction:
        return _add(self, other)
    return _other("__radd__", self, other)


def _subtract(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is ExactNumber or kind is Fraction:
        b, d = self._denominator, other._denominator
        return _made(self._numerator * d - other._numerator * b, b * d)
    if kind is int:
        return _over(self._numerator - other * self._denominator, self._denominator)
    return _other("__sub__", self, other)


def _subtract_from(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is int:
        return _over(other * self._denominator - self._numerator, self._denominator)
    if kind is ExactNumber or kind is Fraction:
        b, d = self._denominator, other._denominator
        return _made(other._numerator * b - self._numerator * d, b * d)
    return _other("__rsub__", self, other)


def _multiply(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is ExactNumber or kind is Fraction:
        return _made(self._numerator * other._numerator, self._denominator * other._denominator)
    if kind is int:
        return _made(self._numerator * other, self._denominator)
    return _other("__mul__", self, other)


def _multiply_by(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is int or kind is ExactNumber or kind is Fraction:
        return _multiply(self, other)
    return _other("__rmul__", self, other)


def _divide(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is ExactNumber or kind is Fraction:
        return _ratio(
            self._numerator * other._denominator, self._denominator * other._numerator, self
        )
    if kind is int:
        return _ratio(self._numerator, self._denominator * other, self)
    return _other("__truediv__", self, other)


def _divide_into(self: ExactNumber, other: Any) -> object:
    kind = type(other)
    if kind is int:
        return _ratio(other * self._denominator, self._numerator, other)
    if kind is ExactNumber or kind is Fraction:
        return _ratio(
            other._numerator * self._denominator, other._denominator * self._numerator, other
        )
    return _other("__rtruediv__", self, other)


def _ratio(above: int, below: int, divided: object) -> ExactNumber:
    if not below:
        raise ZeroDivisionError(f"{divided} / 0")
    return _made(above, below) if below > 0 else _made(-above, -below)


def _other(name: str, self: ExactNumber, other: object) -> object:
    """The operation with what is no exact number: floats of any kind, or what knows better."""
    if isinstance(other, np.generic):
        other = other.item()
    if isinstance(other, float) and math.isfinite(other):
        other = Fraction(other)
    result = getattr(Fraction, name)(self, other)
    return ExactNumber(result) if type(result) is Fraction else result


def _rounded_down(name: str) -> Callable[[ExactNumber, object], object]:
    def method(self: ExactNumber, other: object) -> object:
        return _other(name, self, other)

    method.__name__ = name
    return method


for _name, _method in {
    "__add__": _add,
    "__radd__": _add_to,
    "__sub__": _subtract,
    "__rsub__": _subtract_from,
    "__mul__": _multiply,
    "__rmul__": _multiply_by,
    "__truediv__": _divide,
    "__rtruediv__": _divide_into,
    **{
        name: _rounded_down(name)
        for name in ("__floordiv__", "__rfloordiv__", "__mod__", "__rmod__")
    },
}.items():
    setattr(ExactNumber, _name, _method)


def _negative(self: Any) -> ExactNumber:
    return _over(-self._numerator, self._denominator)


def _power(self: ExactNumber, other: Any) -> object:
    if isinstance(other, float | np.generic) and float(other) == math.floor(other):
        other = int(other)
    if type(other) is int and other >= 0:
        return _over(self._numerator**other, self._denominator**other)
    result = Fraction.__pow__(self, other)
    return ExactNumber(result) if type(result) is Fraction else result


def _unary(name: str) -> Callable[[ExactNumber], ExactNumber]:
    plain = getattr(Fraction, name)

    def method(self: ExactNumber) -> ExactNumber:
        return ExactNumber(plain(self))

    return method


ExactNumber.__pow__ = _power  # type: ignore[method-assign, assignment]
ExactNumber.__neg__ = _negative  # type: ignore[method-assign]
for _name in ("__pos__", "__abs__"):
    setattr(ExactNumber, _name, _unary(_name))
