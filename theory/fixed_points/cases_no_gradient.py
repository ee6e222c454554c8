"""The biased update as a would-be gradient: mixed partial derivatives, potentials, the Hessian of
the true objective.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, dot
from altpg_verify.theory.exact_cases.bandits import ANY_REWARDS, EQUAL, INTERIOR
from altpg_verify.theory.exact_cases.statements import Statement

_DOMAIN = "interior policies, two and three actions"
_UNEQUAL = _DOMAIN + ", rewards not all equal"


def _biased_derivative(m: Bandit, c: int, a: int) -> Fraction:
    """d/d theta_c of pi(a)(r(a) - b), by the quotient rule."""
    return m.jacobian()[a][c] * (m.r[a] - m.b)


def _pairs(m: Bandit) -> list[tuple[int, int]]:
    return [(a, c) for a in m.actions for c in m.actions if a < c]


@dataclass(frozen=True)
class Pair:
    """Two actions of a bandit.

    Args:
        m: bandit, policy and baseline.
        a, c: the two actions, counted from 0.
    """

    m: Bandit
    a: int
    c: int

    @property
    def rewards_differ(self) -> bool:
        """r(a) is not r(c)."""
        return self.m.r[self.a] != self.m.r[self.c]

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it; actions are counted from 1."""
        return {**self.m.described(), "a": f"action {self.a + 1}", "c": f"action {self.c + 1}"}


_ALL_PAIRS = [Pair(m, a, c) for m in ANY_REWARDS for a, c in _pairs(m)]


def _log_sum_gradient(m: Bandit) -> Vec:
    """The gradient of (r_1 - b) log sum_a e^theta_a, by the chain rule on weights w = e^theta."""
    w = m.p * 7
    return (m.r[0] - m.b) * Vec(*(w[a] / sum(w.entries, Fraction(0)) for a in m.actions))


def _true_derivative(m: Bandit, c: int, a: int) -> Fraction:
    """d/d theta_c of pi(a)(r(a) - r_pi), by the product and quotient rules."""
    jacobian = m.jacobian()
    return jacobian[a][c] * (m.r[a] - m.value) - m.p[a] * dot(
        Vec(*(row[c] for row in jacobian)), m.r
    )


_POTENTIAL = (
    "left: the gradient of (r_1 - b) log sum_a e^theta_a; right: the biased update; no function's"
    " gradient may equal it"
)

_NO_GRADIENT = Statement(
    _log_sum_gradient,
    lambda m: m.p * (m.r - m.b),
    [*EQUAL, *INTERIOR],
    _DOMAIN,
    "!=",
    summary=_POTENTIAL,
    shows=("pi", "r", "b"),
)
_PARTIALS_DIFFER = Statement(
    lambda m: Vec(*(_biased_derivative(m, c, a) for a, c in _pairs(m))),
    lambda m: Vec(*(_biased_derivative(m, a, c) for a, c in _pairs(m))),
    INTERIOR,
    _UNEQUAL,
    "!=",
    summary="the mixed partial derivatives in both orders, which would agree for a gradient",
)

STATEMENTS: dict[str, Statement] = {
    "biased-update-not-a-gradient": _NO_GRADIENT,
    "biased-update-not-a-gradient-corrected": _PARTIALS_DIFFER,
    "biased-update-no-potential": _NO_GRADIENT,
    "biased-update-no-potential-corrected": _PARTIALS_DIFFER,
    "mixed-partials-of-biased-update": Statement(
        lambda m: Vec(*(_biased_derivative(m, c, a) for a in m.actions for c in m.actions)),
        lambda m: Vec(
            *(m.p[a] * ((a == c) - m.p[c]) * (m.r[a] - m.b) for a in m.actions for c in m.actions)
        ),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "mixed-partials-disagree": Statement(
        lambda s: _biased_derivative(s.m, s.c, s.a),
        lambda s: _biased_derivative(s.m, s.a, s.c),
        _ALL_PAIRS,
        _DOMAIN,
        "!=",
        summary="the mixed partial derivatives in both orders, by the quotient rule",
        shows=("pi", "r", "b", "a", "c"),
    ),
    "mixed-partials-disagree-corrected": Statement(
        lambda s: _biased_derivative(s.m, s.c, s.a),
        lambda s: _biased_derivative(s.m, s.a, s.c),
        [pair for pair in _ALL_PAIRS if pair.rewards_differ],
        _DOMAIN + ", two actions of different reward",
        "!=",
    ),
    "true-gradient-hessian": Statement(
        lambda m: Vec(*(_true_derivative(m, c, a) for a in m.actions for c in m.actions)),
        lambda m: Vec(
            *(
                -m.p[a] * m.p[c] * (m.r[a] + m.r[c] - 2 * m.value)
                + m.p[a] * (a == c) * (m.r[a] - m.value)
                for a in m.actions
                for c in m.actions
            )
        ),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "true-gradient-hessian-symmetric": Statement(
        lambda m: Vec(*(_true_derivative(m, c, a) for a, c in _pairs(m))),
        lambda m: Vec(*(_true_derivative(m, a, c) for a, c in _pairs(m))),
        ANY_REWARDS,
        _DOMAIN,
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def no_gradient(claim: str) -> Finding:
    """Both sides of each statement on derivatives of the biased and the true update, case by
    case.

    A gradient has symmetric second derivatives, so one pair of actions with ∂f_a/∂θ_c ≠ ∂f_c/∂θ_a
    shows that there is no potential. That there never is one, as printed, is refuted by equal
    rewards.
    """
    return STATEMENTS[claim].judged()
