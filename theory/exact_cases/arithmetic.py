"""Rational vectors, bandits whose every outcome can be listed, and rational bounds on the
exponential.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

from altpg_verify.exact_numbers import ExactNumber

Number = int | Fraction


def _exact(number: Number) -> ExactNumber:
    return number if type(number) is ExactNumber else ExactNumber(number)


class Vec(Sequence[Fraction]):
    """A vector of fractions; every operation is elementwise, and a number acts on each entry.

    Attributes:
        entries: the fractions, as a tuple.
    """

    def __init__(self, *entries: Number) -> None:
        self.entries: tuple[Fraction, ...] = tuple(map(_exact, entries))

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> Vec: ...
    def __getitem__(self, index: int | slice) -> Fraction | Vec:
        return Vec(*self.entries[index]) if isinstance(index, slice) else self.entries[index]

    def __len__(self) -> int:
        return len(self.entries)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vec) and self.entries == other.entries

    def __hash__(self) -> int:
        return hash(self.entries)

    def __repr__(self) -> str:
        return f"({', '.join(map(str, self.entries))})"

    def _with(
        self, other: Vec | Number, operation: Callable[[Fraction, Fraction], Fraction]
    ) -> Vec:
        # `isinstance` asks an abstract class, which takes as long as the operation
        if type(other) is Vec:
            others = other.entries
            if len(others) != len(self.entries):
                raise ValueError(f"vectors of {len(self.entries)} and {len(others)} entries")
        else:
            others = (_exact(other),) * len(self.entries)  # type: ignore[arg-type]
        return Vec(*map(operation, self.entries, others))

    def __add__(self, other: Vec | Number) -> Vec:
        return self._with(other, operator.add)

    def __sub__(self, other: Vec | Number) -> Vec:
        return self._with(other, operator.sub)

    def __mul__(self, other: Vec | Number) -> Vec:
        return self._with(other, operator.mul)

    def __truediv__(self, other: Vec | Number) -> Vec:
        return self._with(other, operator.truediv)

    def __rtruediv__(self, other: Number) -> Vec:
        return self._with(other, lambda one, two: two / one)

    def __rsub__(self, other: Number) -> Vec:
        return self._with(other, lambda one, two: two - one)

    def __pow__(self, power: int) -> Vec:
        return Vec(*(entry**power for entry in self.entries))

    def __neg__(self) -> Vec:
        return self * -1

    __radd__ = __add__
    __rmul__ = __mul__


def dot(one: Vec, other: Vec) -> Fraction:
    """The inner product."""
    return sum((one * other).entries, Fraction(0))


def total(vector: Vec) -> Fraction:
    """The sum of the entries."""
    return sum(vector.entries, Fraction(0))


def join(vectors: Iterator[Vec] | Sequence[Vec]) -> Vec:
    """The entries of several vectors, one after the other; a matrix as the vector of its rows."""
    return Vec(*(entry for vector in vectors for entry in vector))


def constant(value: Number, length: int) -> Vec:
    """The vector with every entry equal to `value`."""
    return Vec(*(value,) * length)


def basis(index: int, length: int) -> Vec:
    """The basis vector e_index."""
    return Vec(*(int(position == index) for position in range(length)))


@dataclass(frozen=True)
class Bandit:
    """A bandit, a policy and a baseline: action a pays r(a) + sigma(a) or r(a) - sigma(a), each
    half of the time.

    Args:
        p: (k,) the policy; interior policies are the softmax of the logarithms of their entries.
        r: (k,) mean rewards.
        sigma: (k,) standard deviations of the rewards.
        b: the baseline.
        eta: (k,) the vector subtracted from e_A where the paper leaves it general.
    """

    p: Vec
    r: Vec
    sigma: Vec
    b: Fraction
    eta: Vec

    @property
    def k(self) -> int:
        """The number of actions."""
        return len(self.p)

    @property
    def actions(self) -> range:
        """0, ..., k - 1."""
        return range(self.k)

    @property
    def value(self) -> Fraction:
        """r_pi, the expected reward, from the list of outcomes."""
        return self.mean(lambda e, x: Vec(x))[0]

    @property
    def top(self) -> int:
        """The action that the policy is most likely to take: c at a corner."""
        return max(self.actions, key=lambda a: self.p[a])

    @functools.cached_property
    def draws(self) -> tuple[tuple[Fraction, Vec, Fraction], ...]:
        """Every outcome: its probability, e_A and R."""
        return tuple(
            (self.p[a] / 2, basis(a, self.k), self.r[a] + sign * self.sigma[a])
            for a in self.actions
            for sign in (1, -1)
        )

    def mean(self, f: Callable[[Vec, Fraction], Vec]) -> Vec:
        """E[f(e_A, R)], by listing the outcomes."""
        return self._weighted([f(e, x) for _, e, x in self.draws])

    def cov(self, f: Callable[[Vec, Fraction], Vec], g: Callable[[Vec, Fraction], Vec]) -> Vec:
        """Elementwise covariance, E[f g] - E[f] E[g]."""
        return self.mean(lambda e, x: f(e, x) * g(e, x)) - self.mean(f) * self.mean(g)

    def var(self, f: Callable[[Vec, Fraction], Vec]) -> Vec:
        """Elementwise variance, E[f f] - E[f] E[f]; f is asked once for each outcome."""
        values = [f(e, x) for _, e, x in self.draws]
        first = self._weighted(values)
        return self._weighted([value * value for value in values]) - first * first

    def _weighted(self, values: Sequence[Vec]) -> Vec:
        """The mean of what each outcome gives."""
        terms = [value * weight for value, (weight, _, _) in zip(values, self.draws, strict=True)]
        return sum(terms[1:], terms[0])

    def jacobian(self) -> tuple[Vec, ...]:
        """Rows a of d pi(a) / d theta_c, by the quotient rule on pi(a) = w_a / sum(w) with w =
        e^theta.
        """
        w, z = self.p * 7, Fraction(7)  # any multiple of the policy will do as weights
        return tuple(
            Vec(*(((a == c) * w[a] * z - w[a] * w[c]) / z**2 for c in self.actions))
            for a in self.actions
        )

    def gradient(self) -> Vec:
        """d J / d theta_c, by the quotient rule on J = sum(w r) / sum(w) with w = e^theta."""
        w, z = self.p * 7, Fraction(7)
        return Vec(*((w[c] * self.r[c] * z - w[c] * dot(w, self.r)) / z**2 for c in self.actions))

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        shown: dict[str, Any] = {"pi": self.p, "r": self.r, "b": self.b}
        if any(self.sigma):
            shown["sigma"] = self.sigma
        if any(self.eta):
            shown["eta"] = self.eta
        return shown


_TERMS = 24
"""Of Taylor's series, at |x| <= 1/2: an error below 10^-30, where the bounds are rounded."""


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers just below and just above e^x, by Taylor's series and the Lagrange form of
    its remainder; exact at 0.
    """
    if x == 0:
        return Fraction(1), Fraction(1)
    halvings = 0
    while abs(x) > Fraction(1, 2):
        # e^x = (e^(x/2))²; near 0 the series is short
        x, halvings = x / 2, halvings + 1
    term, partial_sum = Fraction(1), Fraction(1)
    for n in range(1, _TERMS):
        term = term * x / n
        partial_sum += term
    error = abs(term)  # larger than the whole remainder for |x| <= 1/2
    low, high = _rounded(partial_sum - error, down=True), _rounded(partial_sum + error, down=False)
    for _ in range(halvings):
        # squaring doubles the digits: without rounding outwards they would double at every step
        low, high = _rounded(low * low, down=True), _rounded(high * high, down=False)
    return low, high


def _rounded(x: Fraction, *, down: bool) -> Fraction:
    """Short fractions keep the arithmetic fast; rounding outwards keeps the bounds bounds."""
    scale = 10**30
    floor = x.numerator * scale // x.denominator
    return Fraction(floor if down else floor + 1, scale)
