"""REINFORCE, online actor-critic and the objective itself (appendix C.2), by listing every
episode.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.mdps.cases_environment import MDPS, TREE, Mdp

_LISTED = "all episodes of an MDP without cycles"
_SMALL = "three small MDPs, with and without cycles"


def _reinforce(m: Mdp, direction: Callable[[int, int], Vec]) -> Vec:
    """E[sum_t gamma^t direction(S_t, A_t) (G_t - v(S_t))], by listing the episodes."""
    found = 0 * m.weight_gradient()
    for weight, path in m.episodes():
        for t, (s, a, _, _) in enumerate(path):
            g = sum(
                (m.gamma**later * reward for later, (_, _, reward, _) in enumerate(path[t:])),
                Fraction(0),
            )
            found = found + direction(s, a) * (weight * m.gamma**t * (g - m.v[s]))
    return found


def _actor_critic(m: Mdp, direction: Callable[[int, int], Vec]) -> Vec:
    """E[T] times the printed expectation under d(s, k) = P(S_k = s) / E[T], by listing the
    episodes.
    """
    found = 0 * m.weight_gradient()
    for weight, path in m.episodes():
        for k, (s, a, reward, to) in enumerate(path):
            after = Fraction(0) if to is None else m.v[to]
            found = found + direction(s, a) * (
                weight * m.gamma**k * (reward + m.gamma * after - m.v[s])
            )
    return found


STATEMENTS: dict[str, Statement] = {
    "reinforce-regular-unbiased": Statement(
        Mdp.weight_gradient, lambda m: _reinforce(m, m.score), [TREE], _LISTED
    ),
    "reinforce-alternate-unbiased": Statement(
        Mdp.weight_gradient, lambda m: _reinforce(m, m.preference_slope), [TREE], _LISTED
    ),
    "actor-critic-regular-unbiased": Statement(
        Mdp.weight_gradient, lambda m: _actor_critic(m, m.score), [TREE], _LISTED
    ),
    "actor-critic-alternate-unbiased": Statement(
        Mdp.weight_gradient, lambda m: _actor_critic(m, m.preference_slope), [TREE], _LISTED
    ),
    "original-objective-as-double-sum": Statement(
        lambda m: m.objective,
        lambda m: sum(
            (m.nu[s] * m.p[s][a] * m.q[s][a] for s in m.states for a in m.actions), Fraction(0)
        ),
        MDPS,
        _SMALL,
        summary="left: the expected return from the start; right: the double sum as printed",
    ),
    "original-objective-as-double-sum-corrected": Statement(
        lambda m: m.objective,
        lambda m: sum(
            (m.nu[s] * m.p[s][a] * m.reward(s, a) for s in m.states for a in m.actions), Fraction(0)
        ),
        MDPS,
        _SMALL,
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def mdp_algorithms(claim: str) -> Finding:
    """Both sides of each statement, expectations by listing the episodes.

    Appendix C.2. Only `TREE` has finitely many episodes; with cycles the sum over time is the
    occupancy's.
    """
    return STATEMENTS[claim].judged()
