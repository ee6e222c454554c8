"""Rational functions as numbers: + - * / and whole powers, equality decided, and nothing else.

A numerator over factored denominators, both polynomials of FLINT. While somebody's formula runs
(`opaque`), the numbers refuse every comparison, hash, truth value, conversion and look inside: a
formula that branches on its numbers isn't one rational function, and must not be proved as if it
were. Whatever is divided by is kept as a condition, even where it cancels, unless it can be seen
never to be zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from altpg_verify.divisions import RECORDING, as_fraction
from altpg_verify.number_types import Number
from altpg_verify.opaque_numbers import RUNNING, NotRational, OutOfBudget, refuse, refusing, spend
from altpg_verify.polynomial_signs import one_sign
from altpg_verify.signs import (
    ANY,
    NONZERO,
    POSITIVE,
    ZERO,
    added,
    multiplied,
    negated,
    sign_of,
    squared,
)

if TYPE_CHECKING:
    from flint import fmpq, fmpq_mpoly
    from sympy import Expr

LARGEST_FACTORED = 300
"""Terms of a divisor up to which it is split into irreducible factors."""


class Field:
    """Q(x₁, ..., xₙ), what is known of the signs of its generators, and the factors that were
    divided by.

    Denominators are kept factored over one common list, `factors`: sums then need no gcd, and each
    factor that may vanish can be named as a condition of a proof.

    Args:
        names: of the generators.
        signs: name -> signs it can have; any if not said.
        simplex: names of probabilities that are positive and whose sum is below 1.

    Attributes:
        context: FLINT's polynomial ring.
        factors: the irreducible factors of all denominators so far; an element names them by their
            place.

    Examples:
        >>> from altpg_verify.rational_functions import Field
        >>> x, y = Field(["x", "y"]).generators()
        >>> (x * x - y * y) / (x - y)
        x + y
    """

    def __init__(
        self,
        names: Sequence[str],
        signs: Mapping[str, int] | None = None,
        simplex: Sequence[str] = (),
    ) -> None:
        from flint import fmpq_mpoly_ctx

        self.names, self.simplex = tuple(names), tuple(simplex)
        # one context for each list of names: FLINT's polynomials only mix within one
        self.context = fmpq_mpoly_ctx.get(list(names), "deglex")
        self.signs = {
            name: POSITIVE if name in simplex else (signs or {}).get(name, ANY) for name in names
        }
        self.factors: list[fmpq_mpoly] = []
        self._found: dict[str, int] = {}
        self._split: dict[str, tuple[fmpq, tuple[tuple[int, int], ...]]] = {}
        self._nonzero: dict[int, bool] = {}

    def generators(self) -> list[RationalFunction]:
        """The generators x₁, ..., xₙ as elements, in the order of their names."""
        return [
            RationalFunction(self, generator, {}, self.signs[name])
            for name, generator in zip(self.names, self.context.gens(), strict=True)
        ]

    def constant(self, number: float | Fraction) -> RationalFunction:
        """A number as an element; a float is taken for the dyadic number that it is.

        Raises:
            OverflowError: an infinity.
            ValueError: NaN.
        """
        exact = Fraction(number)
        return RationalFunction(self, self._ground(exact), {}, sign_of(exact))

    def _ground(self, number: Fraction) -> fmpq_mpoly:
        from flint import fmpq

        return self.context.constant(fmpq(number.numerator, number.denominator))

    def split(self, polynomial: fmpq_mpoly) -> tuple[fmpq, tuple[tuple[int, int], ...]]:
        """The polynomial as a constant and powers of factors, by their index.

        Factors are irreducible over the rational numbers, except for a polynomial of more than
        `LARGEST_FACTORED` terms, which is its own only factor.
        """
        key = str(polynomial)
        if key not in self._split:
            # factoring a longer one may take minutes; whole, it is a factor like any other
            if len(polynomial) <= LARGEST_FACTORED:
                constant, parts = polynomial.factor()
            else:
                constant = polynomial.leading_coefficient()
                parts = [(polynomial / constant, 1)]
            self._split[key] = (
                constant,
                tuple((self._index(part), int(power)) for part, power in parts),
            )
        return self._split[key]

    def _index(self, factor: fmpq_mpoly) -> int:
        # FLINT gives irreducible factors in one normal form, so that equal ones print alike
        key = str(factor)
        if key not in self._found:
            self._found[key] = len(self.factors)
            self.factors.append(factor)
        return self._found[key]

    def never_zero(self, index: int) -> bool:
        """Whether a factor can be seen to be positive, or negative, everywhere.

        True is a proof, from the signs of coefficients and generators; False says nothing.
        """
        if index not in self._nonzero:
            self._nonzero[index] = one_sign(
                self.factors[index], self.names, self.signs, self.simplex
            )
        return self._nonzero[index]


_COMPARES = "compares or branches on its numbers"


class RationalFunction:
    """An element of Q(x₁, ..., xₙ): a polynomial over powers of factors.

    Numerator and denominator have no known factor in common, so that the zero function is the one
    whose numerator is zero, and equality is decided by a subtraction. While a formula runs it has
    arithmetic only: everything that would show what the number is gets refused.

    Args:
        field: where it lives.
        above: the numerator, a FLINT polynomial.
        below: index of a factor -> its power.
        signs: what its values can have, as bits of `signs`.
    """

    __slots__ = ("_above", "_below", "_field", "_signs")

    def __init__(
        self, field: Field, above: fmpq_mpoly, below: Mapping[int, int], signs: int = ANY
    ) -> None:
        self._field, self._above, self._below, self._signs = field, above, dict(below), signs

    # reading: for the engine

    def known(self, signs: int) -> RationalFunction:
        """The same, with these signs known from elsewhere: 1 - p₁ - p₂ as the last probability,
        say, which is positive though its terms don't show it.
        """
        return RationalFunction(self._field, self._above, self._below, self._signs & signs)

    def is_zero(self) -> bool:
        """Whether it is the zero function."""
        return bool(self._above.is_zero())

    def same(self, other: Number) -> bool:
        """Whether both are one function, wherever they have values; for any numbers that can be
        subtracted.
        """
        difference = self - other
        return isinstance(difference, RationalFunction) and difference.is_zero()

    def denominator_terms(self) -> Iterator[tuple[fmpq_mpoly, int]]:
        """(factor, power) of the denominator, which is their product; none if it is 1."""
        for index, power in self._below.items():
            yield self._field.factors[index], power

    def at(self, values: Mapping[str, Fraction]) -> Fraction:
        """Its value; names that it doesn't have may be left out.

        Args:
            values: name of a generator -> number.

        Raises:
            ZeroDivisionError: a denominator is zero there.
        """
        from flint import fmpq

        place = [
            fmpq(*Fraction(values.get(name, 0)).as_integer_ratio()) for name in self._field.names
        ]
        below = fmpq(1)
        for factor, power in self.denominator_terms():
            below *= factor(*place) ** power
        if below == 0:
            raise ZeroDivisionError("a denominator is zero there")
        return as_fraction(self._above(*place) / below)

    def by_power(self, index: int) -> dict[int, RationalFunction]:
        """Power of the generator -> what multiplies it, as for a polynomial in that generator.

        Args:
            index: of the generator; the reward R, of which powers become moments.

        Raises:
            NotRational: the generator stands in the denominator.
        """
        # the expectation of 1/R isn't given by the moments of R
        if any(
            monomial[index]
            for factor, _ in self.denominator_terms()
            for monomial in factor.monoms()
        ):
            raise NotRational("the reward stands in a denominator")
        powers: dict[int, dict[tuple[int, ...], fmpq]] = {}
        for monomial, coefficient in self._above.to_dict().items():
            power = int(monomial[index])
            powers.setdefault(power, {})[(*monomial[:index], 0, *monomial[index + 1 :])] = (
                coefficient
            )
        return {
            power: _reduced(self._field, self._field.context.from_dict(terms), self._below, ANY)
            for power, terms in powers.items()
        }

    def as_expr(self) -> Expr:
        """The same as a sympy expression, for printing and for proofs that need more than fields;
        its symbols have no assumptions.
        """
        import sympy

        symbols = [sympy.Symbol(name) for name in self._field.names]

        def written(polynomial: fmpq_mpoly) -> Expr:
            parts = [
                sympy.Rational(int(coefficient.p), int(coefficient.q))
                * sympy.Mul(
                    *(symbol ** int(power) for symbol, power in zip(symbols, monomial, strict=True))
                )
                for monomial, coefficient in polynomial.to_dict().items()
            ]
            return sympy.Add(*parts)

        return written(self._above) / sympy.Mul(
            *(written(factor) ** power for factor, power in self.denominator_terms())
        )

    def __repr__(self) -> str:
        if RUNNING:
            refuse("the formula prints its numbers")
        if not self._below:
            return str(self._above)
        below = "*".join(
            f"({factor})" + (f"**{power}" if power > 1 else "")
            for factor, power in self.denominator_terms()
        )
        return f"({self._above})/({below})"

    def __format__(self, how: str) -> str:
        return format(repr(self), how)

    # arithmetic: for everybody

    def _other(self, other: object) -> RationalFunction:
        if isinstance(other, RationalFunction):
            return other
        if isinstance(other, bool | int | Fraction):
            return self._field.constant(other)
        if isinstance(other, np.generic):
            return self._other(other.item())
        if isinstance(other, float):
            try:
                return self._field.constant(other)
            except (OverflowError, ValueError):
                raise NotRational(f"the formula uses {other}, which is no number") from None
        return NotImplemented

    def __add__(self, other: object) -> RationalFunction:
        operand = self._other(other)
        if operand is NotImplemented:
            return NotImplemented
        if operand._above.is_zero():
            return self
        if self._above.is_zero():
            return operand
        signs = added(self._signs, operand._signs)
        if self._below == operand._below:
            return _reduced(self._field, self._above + operand._above, self._below, signs)
        # the least common denominator: for each factor the higher of both powers
        common = dict(self._below)
        for index, power in operand._below.items():
            common[index] = max(power, common.get(index, 0))
        above = _lifted(self, common) + _lifted(operand, common)
        return _reduced(self._field, above, common, signs)

    __radd__ = __add__

    def __neg__(self) -> RationalFunction:
        return RationalFunction(self._field, -self._above, self._below, negated(self._signs))

    def __pos__(self) -> RationalFunction:
        return self

    def __sub__(self, other: object) -> RationalFunction:
        operand = self._other(other)
        return NotImplemented if operand is NotImplemented else self + (-operand)

    def __rsub__(self, other: object) -> RationalFunction:
        operand = self._other(other)
        return NotImplemented if operand is NotImplemented else operand + (-self)

    def __mul__(self, other: object) -> RationalFunction:
        operand = self._other(other)
        if operand is NotImplemented:
            return NotImplemented
        signs = squared(self._signs) if operand is self else multiplied(self._signs, operand._signs)
        # an equal factor makes a square, too; worth a comparison only if it tells something new
        if (
            signs & ~(ZERO | POSITIVE)
            and self._below == operand._below
            and self._above == operand._above
        ):
            signs = squared(self._signs)
        below = dict(self._below)
        for index, power in operand._below.items():
            below[index] = below.get(index, 0) + power
        return _reduced(self._field, _product(self._above, operand._above), below, signs)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> RationalFunction:
        operand = self._other(other)
        return NotImplemented if operand is NotImplemented else self * _inverse(operand)

    def __rtruediv__(self, other: object) -> RationalFunction:
        operand = self._other(other)
        return NotImplemented if operand is NotImplemented else operand * _inverse(self)

    def __pow__(self, power: object) -> RationalFunction:
        if isinstance(power, np.integer):
            power = int(power)
        if isinstance(power, float | Fraction) and power == int(power):
            power = int(power)
        if not isinstance(power, int):
            refuse("the formula takes a power that is not a whole number")
        if power < 0:
            return _inverse(self) ** -power
        # powers of a single term cost the budget next to nothing, however high
        if power > 64:
            raise OutOfBudget(f"the power {power} is too high for a proof")
        # one by one: FLINT's own power would spend what the budget doesn't see
        result = self._field.constant(1)
        for _ in range(power):
            result = result * self
        return result.known(squared(self._signs)) if power and power % 2 == 0 else result

    # looking: for nobody while a formula runs

    def __eq__(self, other: object) -> bool:
        if RUNNING:
            refuse(f"the formula {_COMPARES}")
        operand = self._other(other)
        return operand is not NotImplemented and self.same(operand)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        if RUNNING:
            refuse(f"the formula {_COMPARES}")
        return hash((str(self._above), tuple(sorted(self._below.items()))))

    def __copy__(self) -> RationalFunction:
        return self

    def __deepcopy__(self, memo: object) -> RationalFunction:
        return self

    def __getattr__(self, name: str) -> NoReturn:
        # numpy asks every object for its own protocols
        if RUNNING and not name.startswith("__"):
            RUNNING[-1].append(f"the formula asks its numbers for {name!r}")
        raise AttributeError(f"a rational function has no {name!r}")

    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = refusing(_COMPARES)
    __float__ = __int__ = __index__ = __complex__ = refusing("converts its numbers")
    __abs__ = __round__ = __floor__ = __ceil__ = __trunc__ = refusing(
        "rounds its numbers or takes their size"
    )
    __mod__ = __rmod__ = __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = refusing(
        "takes remainders of its numbers"
    )
    __rpow__ = refusing("takes a power that is no whole number")
    __reduce_ex__ = refusing("stores its numbers")


def equal(one: Number, other: Number) -> bool:
    """Whether two numbers of any kind, rational functions among them, are the same; for the engine.
    Rational functions are compared as functions, all other numbers by `==`.
    """
    if isinstance(one, RationalFunction):
        return one.same(other)
    if isinstance(other, RationalFunction):
        return other.same(one)
    return bool(one == other)


def _product(one: fmpq_mpoly, other: fmpq_mpoly) -> fmpq_mpoly:
    spend(one, other)
    return one * other


def _lifted(entry: RationalFunction, common: Mapping[int, int]) -> fmpq_mpoly:
    above = entry._above
    for index, power in common.items():
        for _ in range(power - entry._below.get(index, 0)):
            above = _product(above, entry._field.factors[index])
    return above


def _reduced(
    field: Field, above: fmpq_mpoly, below: Mapping[int, int], signs: int
) -> RationalFunction:
    """Common factors of numerator and denominator cancelled."""
    if above.is_zero():
        return RationalFunction(field, above, {}, ZERO)
    left: dict[int, int] = {}
    for index, power in below.items():
        factor = field.factors[index]
        # by the known factors only, of which there are few; a gcd would look for all
        while power and (quotient := _quotient(above, factor)) is not None:
            above, power = quotient, power - 1
        if power:
            left[index] = power
    if not left and above.is_constant():
        return RationalFunction(field, above, left, sign_of(above.leading_coefficient()))
    return RationalFunction(field, above, left, signs)


def _quotient(above: fmpq_mpoly, factor: fmpq_mpoly) -> fmpq_mpoly | None:
    from flint.utils.flint_exceptions import DomainError

    # what has a smaller degree in some variable, or other leading terms, can't be divided
    if any(one < other for one, other in zip(above.degrees(), factor.degrees(), strict=True)):
        return None
    try:
        return above / factor
    except DomainError:
        return None


def _inverse(entry: RationalFunction) -> RationalFunction:
    field = entry._field
    if entry._above.is_zero():
        raise ZeroDivisionError("division by zero")
    constant, parts = field.split(entry._above)
    # the signs may know more than the factors do: a variance, say, or a last probability
    if entry._signs & ZERO and RECORDING:
        for index, _ in parts:
            if not field.never_zero(index):
                RECORDING[-1].add(field, index)
    above = field.context.constant(1 / constant)
    for factor, power in entry.denominator_terms():
        for _ in range(power):
            above = _product(above, factor)
    return RationalFunction(field, above, dict(parts), entry._signs & NONZERO)
