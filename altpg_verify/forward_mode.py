"""Forward-mode automatic differentiation over any numbers: a value and its gradient, carried
through + - * / and whole powers.

Works the same over `Fraction`, float and rational functions, so derivatives cost no truncation
error and need no second formula. The elementary functions (log, exp, ...) go through float64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.number_types import Number


class Dual:
    """A number x with its partial derivatives ∂x/∂θ₁, ..., ∂x/∂θₙ.

    A dual number x + Σ (∂x/∂θᵢ) εᵢ with εᵢ εⱼ = 0, so that f(x) carries f'(x) ∂x/∂θᵢ along.
    Comparisons look at the value only, as a branch of a formula does.

    Args:
        value: x.
        gradient: (n,) the partial derivatives, in numbers of the same sort as x.

    Examples:
        >>> from fractions import Fraction
        >>> from altpg_verify.forward_mode import Dual
        >>> x = Dual(Fraction(3), [Fraction(1)])
        >>> (1 / (x * x)).gradient
        (Fraction(-2, 27),)
    """

    __hash__ = None  # type: ignore[assignment]
    __slots__ = ("gradient", "value")

    def __init__(self, value: Any, gradient: Sequence[Any]) -> None:
        self.value = value
        self.gradient = tuple(gradient)

    def __repr__(self) -> str:
        return f"Dual({self.value}, {self.gradient})"

    def _with(self, other: object, value: Number, mine: Number, theirs: Number) -> Dual:
        if isinstance(other, Dual):
            return Dual(
                value,
                [mine * g + theirs * h for g, h in zip(self.gradient, other.gradient, strict=True)],
            )
        return Dual(value, [mine * g for g in self.gradient])

    def __add__(self, other: Any) -> Dual:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Dual):
            return Dual(
                self.value + other.value,
                [g + h for g, h in zip(self.gradient, other.gradient, strict=True)],
            )
        return Dual(self.value + other, self.gradient)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Dual:
        if isinstance(other, np.ndarray):
            return NotImplemented
        if isinstance(other, Dual):
            return Dual(
                self.value - other.value,
                [g - h for g, h in zip(self.gradient, other.gradient, strict=True)],
            )
        return Dual(self.value - other, self.gradient)

    def __rsub__(self, other: Any) -> Dual:
        return Dual(other - self.value, [-g for g in self.gradient])

    def __neg__(self) -> Dual:
        return Dual(-self.value, [-g for g in self.gradient])

    def __pos__(self) -> Dual:
        return self

    def __mul__(self, other: Any) -> Dual:
        if isinstance(other, np.ndarray):
            return NotImplemented
        return self._with(other, self.value * value_of(other), value_of(other), self.value)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Dual:
        if isinstance(other, np.ndarray):
            return NotImplemented
        # (x/y)' = x'/y - x y'/y²
        below = value_of(other)
        return self._with(
            other, divide(self.value, below), divide(1, below), divide(-self.value, below * below)
        )

    def __rtruediv__(self, other: Any) -> Dual:
        factor = divide(-other, self.value * self.value)
        return Dual(divide(other, self.value), [factor * g for g in self.gradient])

    def __pow__(self, power: int) -> Dual:
        if not isinstance(power, int):
            return NotImplemented
        # x⁰ is constant, also at x = 0, where x⁻¹ has no value
        slope = power * self.value ** (power - 1) if power else 0 * self.value
        return Dual(self.value**power, [slope * g for g in self.gradient])

    # numpy's functions call these on arrays of objects

    def _through(self, value: float, slope: float) -> Dual:
        return Dual(value, [slope * g for g in self.gradient])

    def log(self) -> Dual:
        """The natural logarithm."""
        return log(self)

    def exp(self) -> Dual:
        """e to this power."""
        value = math.exp(float(self.value))
        return self._through(value, value)

    def sqrt(self) -> Dual:
        """The square root."""
        value = math.sqrt(float(self.value))
        return self._through(value, 1 / (2 * value))

    def tanh(self) -> Dual:
        """The hyperbolic tangent."""
        value = math.tanh(float(self.value))
        return self._through(value, 1 - value * value)

    def sin(self) -> Dual:
        """The sine."""
        return self._through(math.sin(float(self.value)), math.cos(float(self.value)))

    def cos(self) -> Dual:
        """The cosine."""
        return self._through(math.cos(float(self.value)), -math.sin(float(self.value)))

    def __abs__(self) -> Dual:
        return -self if self.value < 0 else self

    def _compare(self, other: object, relation: Callable[[Any, Any], bool]) -> bool:
        return relation(self.value, value_of(other))

    def __lt__(self, other: object) -> bool:
        return self._compare(other, lambda one, two: one < two)

    def __le__(self, other: object) -> bool:
        return self._compare(other, lambda one, two: one <= two)

    def __gt__(self, other: object) -> bool:
        return self._compare(other, lambda one, two: one > two)

    def __ge__(self, other: object) -> bool:
        return self._compare(other, lambda one, two: one >= two)

    def __eq__(self, other: object) -> bool:
        return self._compare(other, lambda one, two: bool(one == two))


def divide(above: Number, below: Number) -> Any:
    """above / below, staying exact for two ints, whose quotient Python makes a float.

    Raises:
        ZeroDivisionError: `below` is zero, whatever the numbers are; numpy's own floats give
            infinity.
    """
    return (
        Fraction(above, below)
        if isinstance(above, int) and isinstance(below, int)
        else above / below
    )


def log(number: Any) -> Any:
    """The natural logarithm in float64, derivatives carried along; -inf at zero.

    The derivative x'/x stays in the numbers that x is made of, exact where they are.
    """
    value = float(value_of(number))
    result = math.log(value) if value > 0 else -math.inf
    return (
        Dual(result, [divide(g, number.value) for g in number.gradient])
        if isinstance(number, Dual)
        else result
    )


def value_of(number: object) -> Any:
    """The number without its derivatives; any other number as it is."""
    return number.value if isinstance(number, Dual) else number


def gradient_of(number: object, size: int) -> tuple[Any, ...]:
    """(size,) the partial derivatives of the number; zeros for a constant, which carries none."""
    return number.gradient if isinstance(number, Dual) else (0,) * size
