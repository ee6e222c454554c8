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

    Two vectors must have the same length; nothing is broadcast but a plain number. Zero in a
    denominator raises ZeroDivisionError, as with any fraction: a printed formula that divides by
    zero has no value.

    Attributes:
        entries: the fractions, as a tuple.

    Examples:
        >>> from fractions import Fraction
        >>> pi, r = Vec(Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)), Vec(1, 2, 3)
        >>> pi * (r - dot(pi, r))
        (-1/3, 1/9, 2/9)
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
    """The inner product xᵀy = Σ_i x_i y_i."""
    return sum((one * other).entries, Fraction(0))


def total(vector: Vec) -> Fraction:
    """The sum of the entries."""
    return sum(vector.entries, Fraction(0))


def join(vectors: Iterator[Vec] | Sequence[Vec]) -> Vec:
    """The entries of several vectors, one after the other; a matrix as the vector of its rows, so
    that `Statement` compares all entries at once.
    """
    return Vec(*(entry for vector in vectors for entry in vector))


def constant(value: Number, length: int) -> Vec:
    """The vector with every entry equal to `value`."""
    return Vec(*(value,) * length)


def basis(index: int, length: int) -> Vec:
    """The basis vector e_index of ℝ^length; the index counts from zero."""
    return Vec(*(int(position == index) for position in range(length)))


@dataclass(frozen=True)
class Bandit:
    """A bandit, a policy and a baseline: action a pays r(a) + sigma(a) or r(a) - sigma(a), each
    half of the time.

    The noise takes two values, so that every expectation is a finite sum of fractions. Its mean is
    zero and its standard deviation σ(a), which is all that the paper's formulas know of the noise.

    The policy is kept as probabilities, not as preferences: the preferences of a rational policy
    are logarithms, which no fraction holds.

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
        """r_π = Σ_a π(a) r(a), the expected reward, summed over the outcomes."""
        return self.mean(lambda e, x: Vec(x))[0]

    @property
    def top(self) -> int:
        """The action that is taken most often, the first of several: c at the corner e_c."""
        return max(self.actions, key=lambda a: self.p[a])

    @functools.cached_property
    def draws(self) -> tuple[tuple[Fraction, Vec, Fraction], ...]:
        """Every outcome: its probability, e_A and R. There are 2k, two signs of the noise for each
        action; their probabilities sum to one.
        """
        return tuple(
            (self.p[a] / 2, basis(a, self.k), self.r[a] + sign * self.sigma[a])
            for a in self.actions
            for sign in (1, -1)
        )

    def mean(self, f: Callable[[Vec, Fraction], Vec]) -> Vec:
        """E[f(e_A, R)], by listing the outcomes.

        Args:
            f: of e_A, a vector of k entries, and of the reward R; any estimator of the paper has
                this form.
        """
        return self._weighted([f(e, x) for _, e, x in self.draws])

    def cov(self, f: Callable[[Vec, Fraction], Vec], g: Callable[[Vec, Fraction], Vec]) -> Vec:
        """Elementwise covariance E[f g] − E[f] E[g]: the paper's "variance" of a vector is the
        vector of its entries' variances, not a matrix.
        """
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
        """Rows a of ∂π(a)/∂θ_c, by the quotient rule on π(a) = w_a / Σ_b w_b with w = e^θ and
        ∂w_a/∂θ_a = w_a.

        The paper's formula π(a) (δ_ac − π(c)) isn't used, as it is one of those that are checked
        with this.
        """
        w, z = self.p * 7, Fraction(7)  # any multiple of the policy will do as weights
        return tuple(
            Vec(*(((a == c) * w[a] * z - w[a] * w[c]) / z**2 for c in self.actions))
            for a in self.actions
        )

    def gradient(self) -> Vec:
        """∂J/∂θ_c, by the quotient rule on J = Σ_a w_a r(a) / Σ_a w_a with w = e^θ: (k,), pointing
        to where the expected reward grows, and not by the paper's formula π(c) (r(c) − r_π).
        """
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
"""Of Taylor's series, at |x| <= 1/2: the last term, the bound on the error, is below 5 * 10^-30."""


def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rational numbers just below and just above e^x, by Taylor's series and the Lagrange form of
    its remainder; exact at 0.

    The argument is halved until |x| ≤ 1/2, where the series is short, and the bounds are squared as
    often. All rounding goes outwards, to multiples of 10⁻³⁰: each bound stays one, and its digits
    few.

    Returns:
        (low, high) with low < e^x < high for x ≠ 0, both 1 at x = 0.
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
