"""Forward differentiation in fractions: a number with its slope, so that derivatives are exact and
no rule is assumed but the first two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from altpg_verify.theory.exact_cases.arithmetic import Number, Vec


@dataclass(frozen=True)
class Dual:
    """value + slope ε with ε² = 0.

    Args:
        value: a fraction.
        slope: the derivative.
    """

    value: Fraction
    slope: Fraction = Fraction(0)

    def __add__(self, other: Dual | Number) -> Dual:
        two = dual(other)
        return Dual(self.value + two.value, self.slope + two.slope)

    def __mul__(self, other: Dual | Number) -> Dual:
        two = dual(other)
        return Dual(self.value * two.value, self.slope * two.value + self.value * two.slope)

    def __neg__(self) -> Dual:
        return self * -1

    def __sub__(self, other: Dual | Number) -> Dual:
        return self + dual(other) * -1

    def __rsub__(self, other: Number) -> Dual:
        return dual(other) - self

    def __truediv__(self, other: Dual | Number) -> Dual:
        two = dual(other)
        return self * Dual(1 / two.value, -two.slope / two.value**2)

    def __pow__(self, power: int) -> Dual:
        # by multiplication, so that the power rule is not assumed: it is among what is checked
        result = Dual(Fraction(1))
        for _ in range(power):
            result = result * self
        return result

    def __abs__(self) -> Dual:
        """Away from zero, where the absolute value has a derivative.

        Raises:
            ZeroDivisionError: at zero, where it has none.
        """
        if self.value == 0 and self.slope != 0:
            raise ZeroDivisionError("the absolute value has no derivative at zero")
        return self if self.value >= 0 else -self

    __radd__ = __add__
    __rmul__ = __mul__


def dual(value: Dual | Number) -> Dual:
    """The number itself, a constant with slope zero."""
    return value if isinstance(value, Dual) else Dual(Fraction(value))


def derivatives(f: Callable[[list[Dual]], Sequence[Dual]], at: Sequence[Number]) -> list[Vec]:
    """Rows i of the partial derivatives of each component by the i-th argument: the paper's
    layout.
    """
    rows = []
    for i in range(len(at)):
        arguments = [Dual(Fraction(x), Fraction(int(j == i))) for j, x in enumerate(at)]
        rows.append(Vec(*(dual(component).slope for component in f(arguments))))
    return rows


def total_of(values: Sequence[Dual]) -> Dual:
    """The sum."""
    return sum(values, Dual(Fraction(0)))
