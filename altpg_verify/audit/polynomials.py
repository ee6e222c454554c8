"""Polynomials with exact coefficients, read off what somebody wrote, and their means under normal
distributions in closed form.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.audit.declarations import as_fraction, shown
from altpg_verify.errors import BadInput

HIGHEST = 12
"""The highest degree of a reward."""


@dataclass(frozen=True)
class Polynomial:
    """Σ c x₁^e₁ x₂^e₂ ... with Fractions c.

    Args:
        size: the number of variables.
        terms: exponents, one for each variable -> the coefficient, which isn't 0.
    """

    size: int
    terms: Mapping[tuple[int, ...], Fraction]

    # numpy's numbers and arrays leave arithmetic to this class
    __array_ufunc__ = None

    @classmethod
    def of(cls, size: int, terms: Mapping[tuple[int, ...], Any]) -> Polynomial:
        """The polynomial of these terms, those of coefficient 0 left out."""
        return cls(size, {powers: Fraction(c) for powers, c in terms.items() if c})

    @classmethod
    def variable(cls, size: int, number: int) -> Polynomial:
        """One of the variables."""
        return cls.of(size, {tuple(int(i == number) for i in range(size)): 1})

    @property
    def degree(self) -> int:
        """The highest power of any one variable."""
        return max((max(powers, default=0) for powers in self.terms), default=0)

    def _lifted(self, other: Any) -> Polynomial:
        if isinstance(other, np.ndarray) and other.ndim == 0:
            # one entry of a vector, as x[..., 0] has it
            other = other.item()
        return (
            other
            if isinstance(other, Polynomial)
            else Polynomial.of(self.size, {(0,) * self.size: as_fraction("reward", other)})
        )

    def __add__(self, other: Any) -> Polynomial:
        terms = dict(self.terms)
        for powers, c in self._lifted(other).terms.items():
            terms[powers] = terms.get(powers, Fraction(0)) + c
        return Polynomial.of(self.size, terms)

    __radd__ = __add__

    def __neg__(self) -> Polynomial:
        return self * -1

    def __sub__(self, other: Any) -> Polynomial:
        return self + (-self._lifted(other))

    def __rsub__(self, other: Any) -> Polynomial:
        return -self + other

    def __mul__(self, other: Any) -> Polynomial:
        terms: dict[tuple[int, ...], Fraction] = {}
        for left, c in self.terms.items():
            for right, d in self._lifted(other).terms.items():
                powers = tuple(map(sum, zip(left, right, strict=True)))
                terms[powers] = terms.get(powers, Fraction(0)) + c * d
        return Polynomial.of(self.size, terms)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Polynomial:
        return self * (1 / as_fraction("reward", other))

    def __pow__(self, power: Any) -> Polynomial:
        if (
            isinstance(power, bool)
            or not isinstance(power, int | np.integer)
            or not 0 <= power <= HIGHEST
        ):
            raise BadInput(
                f"reward: a power of {shown(power)}; give a whole number from 0 to {HIGHEST}"
            )
        out = self._lifted(1)
        for _ in range(int(power)):
            out = out * self
        return out

    def derivative(self, number: int) -> Polynomial:
        """∂/∂x of one variable."""
        found: dict[tuple[int, ...], Fraction] = {}
        for powers, c in self.terms.items():
            if powers[number]:
                lower = tuple(power - int(i == number) for i, power in enumerate(powers))
                found[lower] = c * powers[number]
        return Polynomial.of(self.size, found)

    def at(self, values: Sequence[Any], one: Any = 1) -> Any:
        """The number at some values: Fractions, arrays, tensors.

        Args:
            values: one for each variable.
            one: what a constant is multiplied by, for its type and shape.
        """
        exact = all(isinstance(value, Fraction) for value in values)
        total = 0 * one
        for powers, c in self.terms.items():
            term = one * (c if exact else float(c))
            for value, power in zip(values, powers, strict=True):
                for _ in range(power):
                    term = term * value
            total = total + term
        return total

    def mean_under_normals(self) -> Polynomial:
        """E[p(μ + σ ε)], ε standard normal, as a polynomial in μ₁, ..., μ_d, σ₁, ..., σ_d: E[εʲ] is
        (j-1)!! for even j, else 0.
        """
        d = self.size
        total = Polynomial.of(2 * d, {})
        for powers, c in self.terms.items():
            term = Polynomial.of(2 * d, {(0,) * (2 * d): c})
            for i, power in enumerate(powers):
                mean, std = Polynomial.variable(2 * d, i), Polynomial.variable(2 * d, d + i)
                moments = [
                    mean ** (power - j) * std**j * (math.comb(power, j) * math.prod(range(1, j, 2)))
                    for j in range(0, power + 1, 2)
                ]
                term = term * sum(moments[1:], start=moments[0])
            total = total + term
        return total

    def __str__(self) -> str:
        names = ("a",) if self.size == 1 else tuple(f"a{'₁₂₃₄'[i]}" for i in range(self.size))
        said = ""
        for powers, c in sorted(self.terms.items(), key=lambda term: sum(term[0])):
            factors = [
                name + (str(power).translate(_RAISED) if power > 1 else "")
                for name, power in zip(names, powers, strict=True)
                if power
            ]
            size = abs(c)
            text = " ".join([*([str(size)] if size != 1 or not factors else []), *factors])
            said += (" - " if c < 0 else " + ") + text if said else ("-" if c < 0 else "") + text
        return said or "0"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def polynomial_of(reward: Any, size: int, *, scalar: bool) -> Polynomial | None:
    """A polynomial from its coefficients, from {exponents: coefficient}, or from a function of the
    action; None if it isn't one.

    Args:
        reward: [c₀, c₁, ...] for scalar actions; a mapping from an exponent, or a tuple of them, to
            a coefficient; or a function.
        size: the number of variables.
        scalar: whether a function takes the variable itself, not a vector of them.

    Raises:
        BadInput: a coefficient is no number, an exponent no whole number, or the degree is too
            high.
    """
    if callable(reward):
        found = _called(reward, size, scalar)
    elif isinstance(reward, Mapping):
        found = Polynomial.of(
            size, {_powers(powers, size): as_fraction("reward", c) for powers, c in reward.items()}
        )
    elif isinstance(reward, list | tuple | np.ndarray) and size == 1:
        found = Polynomial.of(1, {(i,): as_fraction("reward", c) for i, c in enumerate(reward)})
    else:
        raise BadInput(
            f"reward: {shown(reward)} is no reward of actions of {size} numbers; give a function of"
            " the action, {(exponents): coefficient}, or [c0, c1, ...] for one number"
        )
    if found is not None and found.degree > HIGHEST:
        raise BadInput(
            f"reward: a polynomial of degree {found.degree}, and up to {HIGHEST} are integrated;"
            " choose a lower one"
        )
    return found


def _powers(powers: Any, size: int) -> tuple[int, ...]:
    given = powers if isinstance(powers, tuple) else (powers,)
    if len(given) != size or not all(
        isinstance(each, int) and not isinstance(each, bool) and each >= 0 for each in given
    ):
        raise BadInput(
            f"reward: exponents {shown(powers)}; give {size} whole number{'s' if size > 1 else ''},"
            " one for each of the action's"
        )
    return tuple(given)


def _called(reward: Any, size: int, scalar: bool) -> Polynomial | None:
    """What a function makes of the variables themselves, if that is a polynomial."""
    variables = [Polynomial.variable(size, i) for i in range(size)]
    vector = np.empty(size, dtype=object)
    vector[:] = variables
    try:
        found = reward(variables[0] if scalar else vector)
    except BadInput:
        raise
    except Exception:
        return None
    if isinstance(found, np.ndarray) and found.size == 1:
        found = found.reshape(-1)[0]
    if isinstance(found, Polynomial):
        return found
    if isinstance(found, int | float | Fraction | np.number) and not isinstance(found, bool):
        return variables[0] * 0 + found
    return None
