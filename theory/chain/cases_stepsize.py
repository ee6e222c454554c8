"""The chain with a fixed value: at a large stepsize its one fixed point repels nearby policies.

At the fixed point a step of the expected update takes the logits l of going right to l + α J l, to
first order. If det(2 I + α J) is negative, an odd number of real eigenvalues of I + α J is below
-1: the complex ones come in pairs. The fixed point is known to lie in a box, and the determinant is
enclosed for every policy in it, in rational intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.chain import fixed_point as chain
from altpg_verify.theory.exact_cases.statements import Statement

STATES = range(chain.STATES)
GRAIN = 10**30
"""Ends of intervals are rounded outwards to this part of one."""


@dataclass(frozen=True)
class Interval:
    """All numbers from `low` to `high`.

    Sums and differences are exact; products and quotients are rounded outwards to the grid, so
    digits stay few and every interval still contains the true number.

    Args:
        low, high: the ends, rational.
    """

    low: Fraction
    high: Fraction

    @classmethod
    def around(cls, *ends: Fraction) -> Interval:
        """The smallest interval on the grid with all of these numbers in it."""
        low, high = min(ends), max(ends)
        return cls(
            Fraction(low.numerator * GRAIN // low.denominator, GRAIN),
            Fraction(-(-high.numerator * GRAIN // high.denominator), GRAIN),
        )

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Interval) -> Interval:
        return Interval.around(
            *(x * y for x in (self.low, self.high) for y in (other.low, other.high))
        )

    def __truediv__(self, other: Interval) -> Interval:
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("the interval contains zero")
        return Interval.around(
            *(x / y for x in (self.low, self.high) for y in (other.low, other.high))
        )


def exactly(number: int | Fraction) -> Interval:
    """The interval of one number."""
    return Interval(Fraction(number), Fraction(number))


Matrix = list[list[Interval]]


def eliminated(matrix: Matrix, right: Sequence[Interval]) -> tuple[Interval, list[Interval]]:
    """The determinant and the solution, by Gaussian elimination without exchange of rows: for
    matrices near the diagonal.

    Rows needn't be exchanged as long as no pivot's interval contains zero; if one does, the
    division raises ZeroDivisionError, and nothing is claimed.

    Returns:
        Enclosures of the determinant, the product of the pivots, and of each entry of the solution.
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size, determinant = len(rows), exactly(1)
    for i in range(size):
        determinant = determinant * rows[i][i]
        for j in range(i + 1, size):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [one - factor * other for one, other in zip(rows[j], rows[i], strict=True)]
    solution = [exactly(0)] * size
    for i in reversed(range(size)):
        known = rows[i][size]
        for j in range(i + 1, size):
            known = known - rows[i][j] * solution[j]
        solution[i] = known / rows[i][i]
    return determinant, solution


def _bellman(right: Sequence[Interval], transposed: bool = False) -> Matrix:
    """I - γ P."""
    discount, rows = (
        exactly(chain.DISCOUNT),
        [[exactly(int(s == t)) for t in STATES] for s in STATES],
    )
    for s in STATES:
        for t, chance in ((s - 1, exactly(1) - right[s]), (s + 1, right[s])):
            if t in STATES:
                rows[s][t] = rows[s][t] - discount * chance
    return [[rows[t][s] for t in STATES] for s in STATES] if transposed else rows


@cache
def jacobian(baseline: Fraction = chain.OPTIMISTIC_BASELINE) -> tuple[tuple[Interval, ...], ...]:
    """∂(ν f)(s)/∂l(t) with f = u (q_R - b) - (1 - u) (q_L - b), which is zero at the fixed point,
    so that ν needs no derivative.

    J is (5, 5), in the logits l(t) of going right. Values and visits are solved for in intervals,
    with all policies of the certified box at once.
    """
    right = [
        Interval.around(Fraction(low), Fraction(high))
        for low, high in chain.certificate(baseline).data["inner"]
    ]
    zero, one, discount, base = exactly(0), exactly(1), exactly(chain.DISCOUNT), exactly(baseline)
    unit = [[exactly(int(s == t)) for s in STATES] for t in STATES]
    values = eliminated(_bellman(right), [zero] * (len(STATES) - 1) + [right[-1]])[1]
    visits = eliminated(_bellman(right, transposed=True), unit[2])[1]
    q_left = [zero, *(discount * v for v in values[:-1])]
    q_right = [*(discount * v for v in values[1:]), one]
    slopes = [u * (one - u) for u in right]
    rows: Matrix = [[zero] * len(STATES) for _ in STATES]
    for t in STATES:
        # a change of the logit of t changes the values by this much
        moved = eliminated(
            _bellman(right), [entry * (slopes[t] * (q_right[t] - q_left[t])) for entry in unit[t]]
        )[1]
        around = [zero, *moved, zero]
        for s in STATES:
            # a change of the values of both neighbours
            later = right[s] * (discount * around[s + 2]) - (one - right[s]) * (
                discount * around[s]
            )
            own = slopes[s] * (q_left[s] + q_right[s] - base - base) if s == t else zero
            rows[s][t] = visits[s] * (later + own)
    return tuple(map(tuple, rows))


def determinant(alpha: Fraction) -> Interval:
    """det(2 I + α J).

    A negative upper end shows an odd number of real eigenvalues of I + αJ below −1, hence an
    unstable fixed point.
    """
    step = exactly(alpha)
    matrix = [
        [step * entry + exactly(2 * int(s == t)) for t, entry in enumerate(row)]
        for s, row in enumerate(jacobian())
    ]
    return eliminated(matrix, [exactly(0)] * len(matrix))[0]


STATEMENTS: dict[str, Statement] = {
    "chain-fixed-point-unstable-at-large-steps": Statement(
        lambda alpha: determinant(alpha).high,
        lambda alpha: 0,
        [Fraction(545, 1000), Fraction(6, 10), Fraction(7, 10)],
        "α = 0.545, 0.6 and 0.7; the box of half-width 10⁻¹⁰ that the fixed point lies in, b = 4",
        "<",
        summary="the largest det(2 I + α J) in the box, and zero",
    )
}


@evidence(*STATEMENTS, kind="enumeration")
def large_steps_of_the_chain(claim: str) -> Finding:
    """The sign of the determinant, in rational intervals.

    Beyond appendix E.3: the attraction that theorem 1 has for small stepsizes is lost on the chain
    at α = 0.545 already.
    """
    return STATEMENTS[claim].judged()
