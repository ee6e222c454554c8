"""The five-state chain with a fixed value estimate: values, occupancy and gradient from one linear system, in fractions.

The gradient is that of v(s_3), the system solved with derivatives carried along; the updates are the estimators' own, state by state.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.cases import Case, bandit
from altpg_verify.duals import Dual, gradient_of, value_of
from altpg_verify.estimators import Estimator, alternate, regular
from altpg_verify.exact import expected_update
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import ANYWHERE, Domain
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.fixed_points import ROUNDED, constant, solution
from altpg_verify.report.evidence.linear_systems import solved

STATES = range(5)
START = 2
GAMMA = Fraction(9, 10)
HALF = Fraction(1, 2)
FOUR = (Fraction(4),) * 5
LONGEST = 40


@dataclass(frozen=True)
class Chain:
    """A policy on the states s_1 ... s_5; both ends leave, and leaving s_5 to the right pays 1, all else 0.

    Args:
        right: (5,) probability of going right in each state.
        b: (5,) the fixed value estimates.
    """

    right: tuple[Any, ...]
    b: tuple[Fraction, ...] = FOUR

    def _system(self) -> list[list[Any]]:
        """I - gamma P."""
        rows = []
        for s in STATES:
            row: list[Any] = [Fraction(int(s == t)) for t in STATES]
            if s > STATES[0]:
                row[s - 1] = row[s - 1] - GAMMA * (1 - self.right[s])
            if s < STATES[-1]:
                row[s + 1] = row[s + 1] - GAMMA * self.right[s]
            rows.append(row)
        return rows

    @cached_property
    def values(self) -> list[Any]:
        """(5,) v(s), with derivatives if the policy carries them."""
        return solved(self._system(), [self.right[s] * int(s == STATES[-1]) for s in STATES])

    @cached_property
    def occupancy(self) -> list[Fraction]:
        """(5,) sum_t gamma^t P(S_t = s) from s_3."""
        system = self._system()
        return solved([[system[t][s] for t in STATES] for s in STATES], [Fraction(int(s == START)) for s in STATES])

    def bandit(self, s: int) -> Case:
        """The state as a bandit: left and right pay their action values, the baseline is the estimate."""
        ahead = [Fraction(0), *self.values, Fraction(0)]
        rewards = (GAMMA * ahead[s], int(s == STATES[-1]) + GAMMA * ahead[s + 2])
        return Case((1 - self.right[s], self.right[s]), tuple(((reward, Fraction(1)),) for reward in rewards), self.b[s])

    def expected(self, est: Estimator) -> list[np.ndarray]:
        """The expected REINFORCE update in each state, left and right."""
        return [self.occupancy[s] * expected_update(est, self.bandit(s)) for s in STATES]

    def gradient(self) -> list[list[Any]]:
        """The derivative of v(s_3) in the preferences of left and right of each state, differentiated exactly."""
        size = 2 * len(STATES)
        lifted = []
        for s in STATES:
            weights = (1 - self.right[s], self.right[s])
            left, right = (Dual(weight, [weight * int(i == 2 * s + side) for i in range(size)]) for side, weight in enumerate(weights))
            lifted.append(right / (left + right))
        slopes = gradient_of(Chain(tuple(lifted), self.b).values[START], size)
        return [[slopes[2 * s], slopes[2 * s + 1]] for s in STATES]

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"probability of right": self.right, "b": self.b, "gamma": GAMMA}


def lemma_chain(b: Fraction) -> Chain:
    """The policy of the lemma's equations with the immediate rewards, solved state by state; both rewards 0, in s_5 0 and 1."""
    policies = [solution(bandit((0, int(s == STATES[-1])), (HALF, HALF), b))[0] for s in STATES]
    return Chain(tuple(policy[1] for policy in policies), (b,) * 5)


def matched(chain: Chain) -> Chain:
    """The same policy with the estimates that make it a fixed point of the expected update, in every state."""
    estimates = []
    for s in STATES:
        state = chain.bandit(s)
        # pi(left)(q(left) - b) = pi(right)(q(right) - b), solved for b
        estimates.append((state.pi[1] * state.q[1] - state.pi[0] * state.q[0]) / (state.pi[1] - state.pi[0]))
    return Chain(chain.right, tuple(estimates))


def _policies(max_examples: int, seed: int) -> list[Chain]:
    """Interior policies: the printed one, the uniform one, and ones put together from the drawn bandits' policies."""
    drawn = [case.pi[0] for case in ANYWHERE.cases(max_examples, seed)]
    made = [tuple(drawn[i : i + 5]) for i in range(0, len(drawn) - 4, 5)][:LONGEST]
    return [lemma_chain(Fraction(4)), Chain((HALF,) * 5), *map(Chain, made)]


POLICIES = Domain("interior policies of the chain, b = 4, gamma = 0.9", _policies)
_PRINTED = Domain("the chain, b = 4, gamma = 0.9", lambda max_examples, seed: [lemma_chain(Fraction(4))])
_UNEVEN = POLICIES.where("left and right differ in every state", lambda chain: all(p != HALF for p in chain.right))
_FIXED = _UNEVEN.each("with the estimates that make them fixed points", lambda chain: [matched(chain)])


def _formula_per_state(chain: Chain) -> tuple[Any, Any]:
    moved = chain.expected(alternate)
    left, right = [], []
    for s in STATES:
        gaps = chain.bandit(s).q - chain.b[s]
        # the formula says nothing where it divides by zero
        if not all(gaps) or sum(1 / gaps) == 0:
            continue
        left.append(constant(moved[s]))
        right.append(tuple(chain.bandit(s).pi) == tuple(1 / gaps / sum(1 / gaps)))
    return left, right


CLAIMS: dict[str, Enumerated] = {
    "fixed-value-biases-alternate": Enumerated(
        lambda chain: (chain.gradient(), chain.expected(alternate)),
        POLICIES,
        "!=",
        says="left: the derivative of v(s_3), differentiated exactly; right: the expected update, state by state",
    ),
    "fixed-value-keeps-regular-unbiased": Enumerated(
        lambda chain: (chain.gradient(), chain.expected(regular)),
        POLICIES + _FIXED,
        says="left: the derivative of v(s_3), differentiated exactly; right: the expected update, state by state",
    ),
    "chain-policy-converges-to-action-value-point": Enumerated(
        _formula_per_state,
        _FIXED + POLICIES,
        says="for each state, 1 if the expected update moves left and right alike, and 1 if the policy is that of the formula",
    ),
    "chain-uniform-states-number": Enumerated(
        lambda chain: (chain.right[:4], [HALF] * 4), _PRINTED, says="the equations solved by elimination, and one half"
    ),
    "chain-last-state-number": Enumerated(
        lambda chain: ([abs(1 - chain.right[4] - Fraction(43, 100)), abs(chain.right[4] - Fraction(57, 100))], [ROUNDED] * 2),
        _PRINTED,
        "<=",
        says="the distances of the solved equations from the printed numbers, and half a unit of the last digit",
    ),
    "chain-value-number": Enumerated(
        lambda chain: (abs(value_of(chain.values[START]) - Fraction(28, 100)), ROUNDED),
        _PRINTED,
        "<=",
        says="the distance of the exact value at the printed policy from the printed number, and half a unit of the last digit",
    ),
    "chain-all-left-value-zero": Enumerated(
        lambda chain: (chain.values, [0] * 5), Domain("the chain", lambda max_examples, seed: [Chain((Fraction(0),) * 5)])
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def chain_with_fixed_value(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """The chain's exact gradient and updates."""
    return CLAIMS[claim].judged(max_examples, seed)
