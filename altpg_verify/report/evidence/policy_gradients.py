"""The policy gradient theorem on random small MDPs, both sides in fractions (section 2)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from altpg_verify.cases import vector
from altpg_verify.estimators import regular
from altpg_verify.forward_mode import gradient_of
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import Domain
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.mdps import Mdp
from altpg_verify.search import sample
from altpg_verify.strategies import numbers

MOST_STATES = 3
MOST_ACTIONS = 3


def _shares(weights: list[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


@st.composite
def _mdps(draw: DrawFn) -> Mdp:
    states, actions = (
        range(draw(st.integers(1, MOST_STATES))),
        range(draw(st.integers(2, MOST_ACTIONS))),
    )
    small = st.integers(0, 2)

    def ahead() -> tuple[Fraction, ...]:
        # the last weight ends the episode, so that every episode ends with probability one
        return _shares([*(draw(small) for _ in states), draw(st.integers(1, 2))])[:-1]

    return Mdp(
        moves=tuple(tuple(ahead() for _ in actions) for _ in states),
        rewards=tuple(tuple(draw(numbers(max_abs=3)) for _ in actions) for _ in states),
        start=_shares([1 + draw(small) for _ in states]),
        policy=tuple(_shares([draw(st.integers(1, 5)) for _ in actions]) for _ in states),
        b=tuple(draw(numbers(max_abs=3)) for _ in states),
        gamma=draw(st.sampled_from([Fraction(1), Fraction(9, 10), Fraction(1, 2)])),
    )


MDPS = Domain(
    "episodic MDPs of 1 to 3 states and 2 or 3 actions, any softmax policy and baseline, discounts"
    " 1, 9/10 and 1/2",
    # an MDP costs as much as several bandits
    lambda max_examples, seed: sorted(
        sample(_mdps(), -(-max_examples // 2), seed),
        key=lambda mdp: (len(mdp.states), len(str(mdp))),
    ),
)

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn


def slopes(mdp: Mdp, s: int) -> list[np.ndarray]:
    """The gradient of pi(a | s) in the preferences of the state, for each action, by exact
    differentiation.
    """
    return [
        vector(list(gradient_of(entry, len(mdp.policy[s])))) for entry in mdp.bandit(s).lifted().pi
    ]


def _theorem(mdp: Mdp) -> list[Any]:
    return [
        mdp.occupancy[s]
        * sum(slope * q for slope, q in zip(slopes(mdp, s), mdp.action_values(s), strict=True))
        for s in mdp.states
    ]


def _scores(mdp: Mdp) -> list[Any]:
    """The expectation of grad log pi(A | S) (q - v) over occupancy and policy."""
    found = []
    for s in mdp.states:
        scored = [(p, slope / p) for p, slope in zip(mdp.policy[s], slopes(mdp, s), strict=True)]
        advantages = mdp.action_values(s) - mdp.values[s]
        found.append(
            mdp.occupancy[s]
            * sum(p * score * h for (p, score), h in zip(scored, advantages, strict=True))
        )
    return found


CLAIMS: dict[str, Enumerated] = {
    "policy-gradient-theorem": Enumerated(
        lambda mdp: (mdp.gradient(), _theorem(mdp)),
        MDPS,
        summary=(
            "left: the objective differentiated exactly through the linear system of the values;"
            " right: the sum as printed"
        ),
    ),
    "policy-gradient-as-expectation": Enumerated(
        lambda mdp: ([mdp.gradient()] * 2, [_scores(mdp), mdp.at_values().expected(regular)]),
        MDPS,
        summary=(
            "left: the objective differentiated exactly; right: the expectation as printed, and"
            " that of the regular estimator"
        ),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def policy_gradient_theorem(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """The gradient of the objective against both forms of the theorem."""
    return CLAIMS[claim].judged(max_examples, seed)
