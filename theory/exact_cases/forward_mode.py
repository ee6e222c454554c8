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

    Sums and products carry the slope along, so f(x + ε) = f(x) + f′(x) ε holds exactly for every
    rational f, with the rules of sum, product and reciprocal alone.

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
    """The Jacobian in the paper's layout, [∇_x f]_ij = ∂f_j/∂x_i (appendix A.1): rows i of the
    partial derivatives of each component by the i-th argument.

    One pass of f for each argument, with slope 1 in that argument and 0 in the others.

    Args:
        f: a rational function of m dual numbers with n components.
        at: (m,) the point.
    Returns:
        m vectors of n entries.
    Examples:
        >>> derivatives(lambda x: [x[0] * x[1], x[1] ** 2], [2, 3])
        [(3, 0), (2, 6)]
    """
    rows = []
    for i in range(len(at)):
        arguments = [Dual(Fraction(x), Fraction(int(j == i))) for j, x in enumerate(at)]
        rows.append(Vec(*(dual(component).slope for component in f(arguments))))
    return rows


def total_of(values: Sequence[Dual]) -> Dual:
    """The sum."""
    return sum(values, Dual(Fraction(0)))
