"""Rational functions as numbers: + - * / and whole powers, equality decided by a unique normal form, and nothing else.

A thin shell around sympy's field of rational functions. The shell refuses order comparisons and truth values: a formula that
branches on its numbers isn't one rational function, and must not be proved as if it were.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np


class NotRational(ArithmeticError):
    """The formula isn't a rational function of its arguments, or not polynomial in the reward."""


class RationalFunction:
    """An element of Q(x₁, ..., xₙ).

    Attributes:
        element: the same as an element of a sympy `FracField`.
    """

    __slots__ = ("element",)

    def __init__(self, element: Any) -> None:
        self.element = element

    def __repr__(self) -> str:
        return str(self.element.as_expr())

    def _other(self, other: Any) -> Any:
        if isinstance(other, RationalFunction):
            return other.element
        if isinstance(other, bool | int | float | Fraction):
            # as an element of the field: sympy hands a bare 1 back from 0 + 1
            field, number = self.element.field, Fraction(other)
            return field.ground_new(field.domain(number.numerator, number.denominator))
        if isinstance(other, np.generic):
            return self._other(other.item())
        return NotImplemented

    def _apply(self, other: Any, operation: Callable[[Any, Any], Any]) -> Any:
        operand = self._other(other)
        return NotImplemented if operand is NotImplemented else RationalFunction(operation(self.element, operand))

    def __add__(self, other: Any) -> Any:
        return self._apply(other, lambda one, two: one + two)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._apply(other, lambda one, two: one - two)

    def __rsub__(self, other: Any) -> Any:
        return self._apply(other, lambda one, two: two - one)

    def __mul__(self, other: Any) -> Any:
        return self._apply(other, lambda one, two: one * two)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return self._apply(other, lambda one, two: one / two)

    def __rtruediv__(self, other: Any) -> Any:
        return self._apply(other, lambda one, two: two / one)

    def __neg__(self) -> RationalFunction:
        return RationalFunction(-self.element)

    def __pos__(self) -> RationalFunction:
        return self

    def __pow__(self, power: Any) -> Any:
        if isinstance(power, int):
            return RationalFunction(self.element**power)
        raise NotRational(f"the power {power!r} is not a whole number")

    def __eq__(self, other: object) -> bool:
        operand = self._other(other)
        return operand is not NotImplemented and bool(self.element - operand == 0)

    def __hash__(self) -> int:
        return hash(self.element)

    def _refuse(self, *_: Any) -> Any:
        raise NotRational("the formula compares or branches on its numbers")

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __float__ = __int__ = __abs__ = _refuse
