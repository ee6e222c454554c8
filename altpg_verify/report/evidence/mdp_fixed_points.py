"""Fixed points of the expected alternate update in MDPs: the map whose fixed points they are brings
policies together, or their values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from altpg_verify.estimators import alternate
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.chain import POLICIES
from altpg_verify.report.evidence.enumerated import Enumerated
from altpg_verify.report.evidence.mdps import Mdp
from altpg_verify.report.evidence.policy_gradients import MDPS

MARGIN = Fraction(1, 100)
CHAIN_BOUND = Fraction(11, 2)


@dataclass(frozen=True)
class TwoPolicies:
    """Two policies of one MDP with a fixed baseline.

    Args:
        one, other: the same MDP and baseline with either policy.
    """

    one: Mdp
    other: Mdp

    def described(self) -> dict[str, object]:
        """The instance as a reader wants it."""
        return {**self.one.described(), "other policy": self.other.policy}


def stated_bound(mdp: Mdp) -> Fraction:
    """q_max + gamma / (2 (1 - gamma)) (q_max - q_min) over all policies; deterministic ones attain
    both.
    """
    choices = product(*(range(len(policy)) for policy in mdp.policy))
    values = [
        value
        for choice in choices
        for value in action_values(
            replace(mdp, policy=tuple(_always(a, len(mdp.policy[s])) for s, a in enumerate(choice)))
        )
    ]
    return max(values) + mdp.gamma / (2 * (1 - mdp.gamma)) * (max(values) - min(values))


def _always(action: int, actions: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(a == action)) for a in range(actions))


def action_values(mdp: Mdp) -> list[Fraction]:
    """Every q(s, a), state after state."""
    return [value for s in mdp.states for value in mdp.action_values(s)]


def matched_policy(mdp: Mdp) -> Mdp:
    """The MDP with the policy pi(a | s) in proportion to 1 / (b - q(s, a)): its own policy exactly
    at a fixed point.
    """
    policies = []
    for s in mdp.states:
        weights = 1 / (mdp.b[s] - mdp.action_values(s))
        policies.append(tuple(weights / weights.sum()))
    return replace(mdp, policy=tuple(policies))


def apart(one: Mdp, other: Mdp) -> Fraction:
    """The largest difference of their action values."""
    return max(abs(p - q) for p, q in zip(action_values(one), action_values(other), strict=True))


def _brought_together(pair: TwoPolicies) -> tuple[object, object]:
    return apart(matched_policy(pair.one), matched_policy(pair.other)), apart(pair.one, pair.other)


def _pairs(mdp: Mdp, bound: Fraction) -> Iterable[TwoPolicies]:
    turned = tuple(tuple(reversed(policy)) for policy in mdp.policy)
    one = replace(mdp, b=(bound + MARGIN,) * len(mdp.states))
    other = replace(one, policy=turned)
    if apart(one, other) > 0:
        yield TwoPolicies(one, other)


PAIRS = MDPS.where("discounts below one", lambda mdp: mdp.gamma < 1).each(
    "two policies of each, b above the bound by 1/100", lambda mdp: _pairs(mdp, stated_bound(mdp))
) + POLICIES.each("two policies of the chain, b = 5.51", lambda mdp: _pairs(mdp, CHAIN_BOUND))


def _with_fours(mdp: Mdp) -> Iterable[TwoPolicies]:
    turned = tuple(tuple(reversed(policy)) for policy in mdp.policy)
    for other in (turned, mdp.policy[::-1], turned[::-1]):
        if other != mdp.policy:
            yield TwoPolicies(mdp, replace(mdp, policy=other))


def _attracted(pair: TwoPolicies) -> tuple[object, object]:
    targets = matched_policy(pair.one), matched_policy(pair.other)
    between = [_furthest(*targets), _furthest(pair.one, pair.other)]
    moved = pair.one.expected(alternate)
    # along the expected update the odds of right grow exactly where the target's probability of
    # right is larger
    away = [
        -(update[1] - update[0]) * (target[1] - policy[1])
        for update, target, policy in zip(moved, targets[0].policy, pair.one.policy, strict=True)
        if target[1] != policy[1]
    ]
    return [between[0], away], [between[1], [0] * len(away)]


def _furthest(one: Mdp, other: Mdp) -> Fraction:
    """The largest difference of their probabilities."""
    policies = zip(one.policy, other.policy, strict=True)
    return max(abs(p - q) for left, right in policies for p, q in zip(left, right, strict=True))


CLAIMS: dict[str, Enumerated] = {
    "theorem-may-hold-for-mdps": Enumerated(
        _attracted,
        POLICIES.each(
            "each with itself turned over, left for right, the states in reverse, or both",
            _with_fours,
        ),
        "<",
        summary=(
            "the largest difference of two policies after each is replaced by pi(a|s) in proportion"
            " to 1 / (b - q), and before, so that repeating it ends in one fixed point; then, state"
            " by state, minus the expected update's push towards that, and zero"
        ),
    ),
    "mdp-fixed-point-unique-above": Enumerated(
        _brought_together,
        PAIRS,
        "<",
        summary=(
            "the largest difference of action values after each policy is replaced by pi(a|s) in"
            " proportion to 1 / (b - q), and before: two fixed points would stay as far apart as"
            " they are"
        ),
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def fixed_points_of_mdps(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Pairs of policies of small MDPs."""
    return CLAIMS[claim].judged(max_examples, seed)
