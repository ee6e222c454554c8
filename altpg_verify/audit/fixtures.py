"""Small spaces with known answers, on which public reports about policy-gradient code were
reduced.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from altpg_verify.audit.environments import bandit, contexts, decisions
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.policies import TablePolicy, sigmoid_policy
from altpg_verify.audit.spaces import Space

HALF = Fraction(1, 2)


def three_arms(pi: tuple[Any, ...] = ("1/6", "1/3", "1/2")) -> Space:
    """B3: three arms that pay 1, 1/2 and 0."""
    return bandit([1, HALF, 0], pi=pi, name="three arms")


def three_arms_with_reference() -> Space:
    """B3 with the reference policy (1/2, 1/4, 1/4)."""
    return three_arms().against(["1/2", "1/4", "1/4"]).named("three arms with a reference")


def two_arms(p: Any = HALF) -> Space:
    """B2(p): two arms that pay 1 and 0; the first is taken with probability p."""
    return bandit([1, 0], pi=[Fraction(p), 1 - Fraction(p)], name=f"two arms, p = {Fraction(p)}")


def two_prompts(p: Any = HALF, q: Any = Fraction(1, 16)) -> Space:
    """2P: two prompts, equally likely, each a two-armed bandit with logits of its own."""
    pi = [[Fraction(p), 1 - Fraction(p)], [Fraction(q), 1 - Fraction(q)]]
    return contexts([[1, 0], [1, 0]], pi=pi, name="two prompts")


def stop_or_go(
    stop: Any = "1/5",
    *,
    discount: Any = 1,
    policy: TablePolicy | None = None,
    probabilities: tuple[Any, ...] = (HALF, HALF),
) -> Space:
    """M2: in state 0 stop (pays `stop`, ends) or go (pays 0); then in state 1 lose (0) or win (1).
    A logit for each state: go, win.
    """
    pays = Fraction(stop)
    episodes = [
        _episode((0,), (0,), (pays,)),
        _episode((0, 1), (1, 0), (0, 0)),
        _episode((0, 1), (1, 1), (0, 1)),
    ]
    return decisions(
        episodes, policy or sigmoid_policy(2), probabilities, discount=discount, name="stop or go"
    )


def two_decisions(*, discount: Any = 1) -> Space:
    """H2: two decisions always, each pays its own action bit; a logit for each."""
    episodes = [
        _episode((0, 1), (first, second), (first, second)) for first in (0, 1) for second in (0, 1)
    ]
    return decisions(
        episodes, sigmoid_policy(2), (HALF, HALF), discount=discount, name="two decisions"
    )


def survival(*, discount: Any = 1) -> Space:
    """E3: a bad first action ends with reward 1; a good one pays 1 and leads to a second that pays
    2 or 1.
    """
    episodes = [
        _episode((0,), (0,), (1,)),
        _episode((0, 1), (1, 0), (1, 1)),
        _episode((0, 1), (1, 1), (1, 2)),
    ]
    return decisions(episodes, sigmoid_policy(2), (HALF, HALF), discount=discount, name="survival")


def two_tokens() -> Space:
    """S2: two tokens, vocabulary 2; P(x₁ = 1) = 1/4, P(x₂ = 1 | 0) = 1/3, P(x₂ = 1 | 1) = 4/5; the
    reference is uniform; no reward.
    """
    episodes = [
        _episode((0, 1 + first), (first, second), (0, 0)) for first in (0, 1) for second in (0, 1)
    ]
    space = decisions(episodes, sigmoid_policy(3), ("1/4", "1/3", "4/5"), name="two tokens")
    return space.against([[HALF, HALF]] * 3)


def time_limit() -> Space:
    """T1: one step, then a time limit. The first arm pays 0 and leads to a state worth 1, the
    second pays 1/4 and leads to one worth 0.
    """
    episodes = (
        Episode(Fraction(1), (0,), (0,), (Fraction(0),), Fraction(1)),
        Episode(Fraction(1), (0,), (1,), (Fraction(1, 4),), Fraction(0)),
    )
    base = bandit([0, 0], name="time limit", discount="9/10")
    return Space(
        base.name, episodes, base.policy, base.parameters, base.weights, discount=base.discount
    )


def _episode(
    states: tuple[int, ...], actions: tuple[int, ...], rewards: tuple[Any, ...]
) -> Episode:
    return Episode(Fraction(1), states, actions, tuple(Fraction(reward) for reward in rewards))
