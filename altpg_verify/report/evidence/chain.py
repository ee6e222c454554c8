"""The five-state chain with a fixed value estimate: exact gradient, exact expected updates, the
printed policy (appendix E.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from altpg_verify.cases import bandit
from altpg_verify.estimators import alternate, regular
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import ANYWHERE, Domain
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.fixed_points import ROUNDED, constant, solution
from altpg_verify.report.evidence.mdps import Mdp

STATES = range(5)
START = 2
GAMMA = Fraction(9, 10)
HALF = Fraction(1, 2)
FOUR = (Fraction(4),) * 5
LONGEST = 25


def chain(right: Sequence[Fraction], b: Sequence[Fraction] = FOUR) -> Mdp:
    """The chain with a policy: left and right move by one, both ends leave, leaving s_5 to the
    right pays 1, all else 0.

    Args:
        right: (5,) probability of going right in each state.
        b: (5,) the fixed value estimates.
    """

    def to(target: int) -> tuple[Fraction, ...]:
        return tuple(Fraction(int(t == target)) for t in STATES)

    return Mdp(
        moves=tuple((to(s - 1), to(s + 1)) for s in STATES),
        rewards=tuple((Fraction(0), Fraction(int(s == STATES[-1]))) for s in STATES),
        start=to(START),
        policy=tuple((1 - p, p) for p in right),
        b=tuple(b),
        gamma=GAMMA,
    )


def lemma_chain(b: Fraction) -> Mdp:
    """The policy of the lemma's equations with the immediate rewards, solved state by state; both
    rewards 0, in s_5 0 and 1.
    """
    policies = [solution(bandit((0, int(s == STATES[-1])), (HALF, HALF), b))[0] for s in STATES]
    return chain([policy[1] for policy in policies], (b,) * 5)


def matched(mdp: Mdp) -> Mdp:
    """The same policy with the estimates that make it a fixed point of the expected update, in
    every state.
    """
    states = [mdp.bandit(s) for s in STATES]
    # pi(left)(q(left) - b) = pi(right)(q(right) - b), solved for b
    return replace(
        mdp,
        b=tuple(
            (one.pi[1] * one.q[1] - one.pi[0] * one.q[0]) / (one.pi[1] - one.pi[0])
            for one in states
        ),
    )


def _policies(max_examples: int, seed: int) -> list[Mdp]:
    """Interior policies: the printed one, the uniform one, and ones put together from the drawn
    bandits' policies.
    """
    drawn = [case.pi[0] for case in ANYWHERE.cases(max_examples, seed)]
    made = [tuple(drawn[i : i + 5]) for i in range(0, len(drawn) - 4, 5)][:LONGEST]
    return [lemma_chain(Fraction(4)), chain((HALF,) * 5), *map(chain, made)]


POLICIES = Domain("interior policies of the chain, b = 4, gamma = 0.9", _policies)
_PRINTED = Domain(
    "the chain, b = 4, gamma = 0.9", lambda max_examples, seed: [lemma_chain(Fraction(4))]
)
_UNEVEN = POLICIES.where(
    "left and right differ in every state",
    lambda mdp: all(left != right for left, right in mdp.policy),
)
_FIXED = _UNEVEN.each("with the estimates that make them fixed points", lambda mdp: [matched(mdp)])


def rightwards(mdp: Mdp) -> list[Fraction]:
    """(5,) the probability of going right in each state."""
    return [right for _, right in mdp.policy]


def _formula_per_state(mdp: Mdp) -> tuple[object, object]:
    moved = mdp.expected(alternate)
    left, right = [], []
    for s in STATES:
        gaps = mdp.bandit(s).q - mdp.b[s]
        # the formula says nothing where it divides by zero
        if not all(gaps) or sum(1 / gaps) == 0:
            continue
        left.append(constant(moved[s]))
        right.append(tuple(mdp.bandit(s).pi) == tuple(1 / gaps / sum(1 / gaps)))
    return left, right


CLAIMS: dict[str, Enumerated] = {
    "fixed-value-biases-alternate": Enumerated(
        lambda mdp: (mdp.gradient(), mdp.expected(alternate)),
        POLICIES,
        "!=",
        summary=(
            "left: the derivative of v(s_3), differentiated exactly; right: the expected update,"
            " state by state"
        ),
    ),
    "fixed-value-keeps-regular-unbiased": Enumerated(
        lambda mdp: (mdp.gradient(), mdp.expected(regular)),
        POLICIES + _FIXED,
        summary=(
            "left: the derivative of v(s_3), differentiated exactly; right: the expected update,"
            " state by state"
        ),
    ),
    "chain-policy-converges-to-action-value-point": Enumerated(
        _formula_per_state,
        _FIXED + POLICIES,
        summary=(
            "for each state, 1 if the expected update moves left and right alike, and 1 if the"
            " policy is that of the formula"
        ),
    ),
    "chain-uniform-states-number": Enumerated(
        lambda mdp: (rightwards(mdp)[:4], [HALF] * 4),
        _PRINTED,
        summary="the equations solved by elimination, and one half",
    ),
    "chain-last-state-number": Enumerated(
        lambda mdp: (
            [
                abs(1 - rightwards(mdp)[4] - Fraction(43, 100)),
                abs(rightwards(mdp)[4] - Fraction(57, 100)),
            ],
            [ROUNDED] * 2,
        ),
        _PRINTED,
        "<=",
        summary=(
            "the distances of the solved equations from the printed numbers, and half a unit of the"
            " last digit"
        ),
    ),
    "chain-value-number": Enumerated(
        lambda mdp: (abs(mdp.values[START] - Fraction(28, 100)), ROUNDED),
        _PRINTED,
        "<=",
        summary=(
            "the distance of the exact value at the printed policy from the printed number, and"
            " half a unit of the last digit"
        ),
    ),
    "chain-all-left-value-zero": Enumerated(
        lambda mdp: (mdp.values, [0] * 5),
        Domain("the chain", lambda max_examples, seed: [chain((Fraction(0),) * 5)]),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def chain_with_fixed_value(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """The chain's exact gradient and updates."""
    return CLAIMS[claim].judged(max_examples, seed)
