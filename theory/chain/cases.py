"""The five-state chain with a fixed value estimate: exact values, exact expected updates, the
printed fixed point.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec, constant, join
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.saturation.cases_worked_examples import ROUNDED

HALF = Fraction(1, 2)
STATES = range(5)
START = 2
FOUR = constant(4, 5)


def solved(matrix: list[list[Fraction]], right: list[Fraction]) -> Vec:
    """The solution of a linear system by Gaussian elimination, in fractions.

    Exchanges rows only to find a pivot that isn't zero: fractions need no larger one. A singular
    matrix raises StopIteration.
    """
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = next(row for row in range(column, size) if rows[row][column] != 0)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [entry / rows[column][column] for entry in rows[column]]
        for row in range(size):
            if row != column:
                factor = rows[row][column]
                rows[row] = [
                    entry - factor * other
                    for entry, other in zip(rows[row], rows[column], strict=True)
                ]
    return Vec(*(row[size] for row in rows))


@dataclass(frozen=True)
class Chain:
    """A policy on the chain s_1 ... s_5: left and right move by one; leaving s_5 to the right pays
    1, all else 0.

    States are counted from zero here, so s_5 is index 4 and the start s_3 index 2. No noise and no
    cut of episodes: everything is an expectation.

    Args:
        right: (5,) probability of going right in each state.
        b: (5,) the fixed value estimates.
        gamma: the discount.
    """

    right: Vec
    b: Vec = FOUR
    gamma: Fraction = Fraction(9, 10)

    def _matrix(self) -> list[list[Fraction]]:
        """I - gamma P for the moves between the five states."""
        rows = []
        for s in STATES:
            row = [Fraction(int(s == t)) for t in STATES]
            if s > 0:
                row[s - 1] -= self.gamma * (1 - self.right[s])
            if s < 4:
                row[s + 1] -= self.gamma * self.right[s]
            rows.append(row)
        return rows

    @property
    def v(self) -> Vec:
        """State values: (I - gamma P) v = expected immediate reward.

        (5,) discounted value of each state; a policy that can't reach an end still has one, as γ <
        1.
        """
        return solved(self._matrix(), [self.right[s] * int(s == 4) for s in STATES])

    @property
    def q_left(self) -> Vec:
        """(5,) values of going left: gamma times that of the left neighbour; in s_1 it ends the
        episode and pays 0.
        """
        v = self.v
        return Vec(*(self.gamma * v[s - 1] if s > 0 else 0 for s in STATES))

    @property
    def q_right(self) -> Vec:
        """(5,) values of going right: gamma times that of the right neighbour; 1 in s_5, where it
        ends the episode.
        """
        v = self.v
        return Vec(*(self.gamma * v[s + 1] if s < 4 else 1 for s in STATES))

    @property
    def occupancy(self) -> Vec:
        """sum_t gamma^t P(S_t = s), from s_3: the transposed system.

        (5,) the discounted number of visits, at most 1/(1 − γ) = 10 in total.
        """
        matrix = self._matrix()
        return solved(
            [[matrix[t][s] for t in STATES] for s in STATES],
            [Fraction(int(s == START)) for s in STATES],
        )

    @property
    def alternate(self) -> Vec:
        """Expected alternate REINFORCE update, left then right: occupancy times pi (q - b).

        (10,) direction of ascent; REINFORCE's G_t has the mean q, given state and action.
        """
        return join(
            [
                self.occupancy * (1 - self.right) * (self.q_left - self.b),
                self.occupancy * self.right * (self.q_right - self.b),
            ]
        )

    @property
    def regular(self) -> Vec:
        """Expected regular REINFORCE update: sum_a pi(a)(q(a) - b)(e_a - pi), times the
        occupancy.

        (10,) equal to `gradient` for every b, which is what unbiased means here.
        """
        left, right = (
            (1 - self.right) * (self.q_left - self.b),
            self.right * (self.q_right - self.b),
        )
        # Σ_a π(a) (q(a) - b), which the score takes off in proportion to π
        pull = left + right
        return join(
            [
                self.occupancy * (left - (1 - self.right) * pull),
                self.occupancy * (right - self.right * pull),
            ]
        )

    @property
    def gradient(self) -> Vec:
        """d v(s_3) / d theta, left then right, by differentiating the linear system of the
        values.

        (10,) computed without the policy gradient theorem, so that it can test it. Raising θ(s,
        left) has the opposite effect of raising θ(s, right).
        """
        v, moved = self.v, []
        for s in STATES:
            # d pi(right | s) / d theta_right = pi (1 - pi); the values answer through (I - gamma P)
            # dv = dR + gamma dP v
            rate = self.right[s] * (1 - self.right[s])
            gain = (self.gamma * v[s + 1] if s < 4 else Fraction(1)) - (
                self.gamma * v[s - 1] if s > 0 else Fraction(0)
            )
            moved.append(solved(self._matrix(), [rate * gain * int(s == t) for t in STATES])[START])
        return join([-Vec(*moved), Vec(*moved)])

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"probability of right": self.right, "b": self.b, "gamma": self.gamma}


def lemma_policy(b: Fraction) -> Vec:
    """The lemma's formula with the immediate rewards, state by state: 0 and 0, in s_5 0 and 1.
    Probability of right.

    (5,): 1/2 in four states and, for b = 4, 4/7 in s_5. It is what the paper prints; the chain's
    own fixed point has action values in the place of the rewards.
    """
    # left and right; only leaving s_5 to the right pays
    rewards = [(Fraction(0), Fraction(0))] * 4 + [(Fraction(0), Fraction(1))]
    return Vec(*(1 / (right - b) / (1 / (left - b) + 1 / (right - b)) for left, right in rewards))


def matched(right: Vec) -> Chain:
    """The chain whose estimates make the given policy a fixed point: b = (pi q_right - (1 - pi)
    q_left) / (2 pi - 1) in each state.

    So that a fixed point is known without solving for it. Where π = 1/2 the two q must be equal,
    and the formula divides by zero.
    """
    free = Chain(right)
    return Chain(right, (right * free.q_right - (1 - right) * free.q_left) / (2 * right - 1))


_PRINTED = Chain(lemma_policy(Fraction(4)))
_UNEVEN = Vec(Fraction(1, 3), Fraction(3, 4), Fraction(1, 4), Fraction(3, 5), Fraction(2, 3))
_POLICIES = [_PRINTED, Chain(constant(HALF, 5)), Chain(_UNEVEN)]
_THREE = "three interior policies of the chain, b = 4, gamma = 0.9"

STATEMENTS: dict[str, Statement] = {
    "fixed-value-biases-alternate": Statement(
        lambda c: c.alternate, lambda c: c.gradient, _POLICIES, _THREE, "!="
    ),
    "fixed-value-keeps-regular-unbiased": Statement(
        lambda c: c.regular, lambda c: c.gradient, _POLICIES, _THREE
    ),
    "chain-policy-converges-to-lemma-point": Statement(
        lambda c: ((1 - c.right) * (c.q_left - c.b))[0],
        lambda c: (c.right * (c.q_right - c.b))[0],
        [_PRINTED],
        "the chain",
        summary=(
            "pi(a|s_1) (q(s_1, a) - b) of left and of right at the printed policy, equal at a fixed"
            " point of the expected update"
        ),
    ),
    "chain-policy-converges-to-action-value-point": Statement(
        lambda c: Vec(
            *(int(one == two) for one, two in zip(c.alternate[:5], c.alternate[5:], strict=True))
        ),
        lambda c: Vec(
            *(
                int(
                    c.right[s]
                    == 1
                    / (c.q_right[s] - c.b[s])
                    / (1 / (c.q_left[s] - c.b[s]) + 1 / (c.q_right[s] - c.b[s]))
                )
                for s in STATES
            )
        ),
        [matched(_UNEVEN), *_POLICIES],
        "interior policies of the chain, for one of them with estimates that make it a fixed point",
        summary=(
            "for each state, 1 if left and right move alike, and 1 if the policy is the one of the"
            " formula"
        ),
    ),
    "chain-uniform-states-number": Statement(
        lambda c: c.right[:4], lambda c: constant(HALF, 4), [_PRINTED], "b = 4"
    ),
    "chain-last-state-number": Statement(
        lambda c: Vec(abs(1 - c.right[4] - Fraction(43, 100)), abs(c.right[4] - Fraction(57, 100))),
        lambda c: constant(ROUNDED, 2),
        [_PRINTED],
        "b = 4",
        "<=",
        summary=(
            "the distances of 3/7 and 4/7 from the printed numbers, and half a unit of the last"
            " digit"
        ),
    ),
    "chain-value-number": Statement(
        lambda c: abs(c.v[START] - Fraction(28, 100)),
        lambda c: ROUNDED,
        [_PRINTED],
        "b = 4, gamma = 0.9",
        "<=",
        summary=(
            "the distance of the exact value at the printed policy from the printed number, and"
            " half a unit of the last digit"
        ),
    ),
    "chain-all-left-value-zero": Statement(
        lambda c: c.v[START], lambda c: 0, [Chain(constant(0, 5))], "the chain"
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def chain(claim: str) -> Finding:
    """The chain's exact values and expected updates against the printed ones.

    Section 6 and appendix E.3. The printed fixed point is put into the exact expected update: there
    it should give equal entries for the two actions of each state.
    """
    return STATEMENTS[claim].judged()
