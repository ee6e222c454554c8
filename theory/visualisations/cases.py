"""Appendix B.5 and the variances of appendix D.2: what is said of single updates, on small
bandits.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.attraction.cases import Step
from altpg_verify.theory.exact_cases.arithmetic import (
    Bandit,
    Vec,
    basis,
    constant,
    dot,
    join,
    total,
)
from altpg_verify.theory.exact_cases.bandits import ANY_REWARDS
from altpg_verify.theory.exact_cases.statements import Statement

_THIRD = Fraction(1, 3)
_R001, _R123 = Vec(0, 0, 1), Vec(1, 2, 3)


def _near(c: int, far: Fraction) -> Vec:
    """A policy with all but `far` on action c, the rest unevenly on the others."""
    shares = iter((far / 4, 3 * far / 4))
    return Vec(*(1 - far if a == c else next(shares) for a in range(3)))


_INNER = [
    Vec(_THIRD, _THIRD, _THIRD),
    Vec(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
    Vec(Fraction(1, 6), Fraction(1, 2), _THIRD),
]
_FAR = (Fraction(1, 10), Fraction(1, 1000))


def _bandits(policies: list[Vec], r: Vec, sigma: int, b: int) -> list[Bandit]:
    return [Bandit(p, r, constant(sigma, 3), Fraction(b), constant(0, 3)) for p in policies]


_NEAR_FIRST = _bandits([_near(0, far) for far in _FAR], _R001, 1, 0)
_NEAR_ALL_QUIET = _bandits([_near(c, far) for c in range(3) for far in _FAR], _R001, 0, 0)
_CORNERS_NOISY = _bandits([basis(c, 3) for c in range(3)], _R001, 1, 0)
_CORNERS_QUIET = _bandits([basis(c, 3) for c in range(3)], _R001, 0, 0)
_OPTIMISTIC = _bandits([_near(c, far) for c in range(3) for far in _FAR], _R123, 0, 4)
_NOISE = "r = (0, 0, 1), noise of variance one"
_NO_NOISE = "r = (0, 0, 1), no noise"


def _total_variances(m: Bandit) -> Vec:
    """The sums of the elementwise variances with the true r_pi: alternate, regular."""
    return Vec(
        total(m.var(lambda e, x: (x - m.value) * e)),
        total(m.var(lambda e, x: (x - m.value) * (e - m.p))),
    )


def _square(vector: Vec) -> Fraction:
    return dot(vector, vector)


def _all_variances(m: Bandit) -> list[Vec]:
    """Elementwise variances: regular with r_pi, without baseline; alternate with r_pi, without
    baseline.
    """
    regular = [m.var(lambda e, x: (x - m.value) * (e - m.p)), m.var(lambda e, x: x * (e - m.p))]
    return [*regular, m.var(lambda e, x: (x - m.value) * e), m.var(lambda e, x: x * e)]


STATEMENTS: dict[str, Statement] = {
    "update-example-preferences": Statement(
        # the softmax of log p is p: weights e^theta = p
        lambda p: p / total(p),
        lambda p: Vec(_THIRD, _THIRD, _THIRD),
        [Vec(_THIRD, _THIRD, _THIRD)],
        "the example",
        summary="the softmax of the logarithms, and the policy",
    ),
    "update-example-estimate": Statement(
        lambda m: join(
            [(m.r[2] + 1 - 0) * (basis(2, 3) - m.p), 2 * Vec(-_THIRD, -_THIRD, 2 * _THIRD)]
        ),
        lambda m: join(
            [2 * Vec(-_THIRD, -_THIRD, 2 * _THIRD), Vec(-2 * _THIRD, -2 * _THIRD, 4 * _THIRD)]
        ),
        _bandits(_INNER[:1], _R001, 1, 0),
        "the example",
    ),
    "three-expected-updates-equal": Statement(
        lambda m: join(
            [m.mean(lambda e, x: (x - m.value) * e), m.mean(lambda e, x: (x - m.value) * (e - m.p))]
        ),
        lambda m: join(
            [m.mean(lambda e, x: (x - 0) * (e - m.p)), m.mean(lambda e, x: (x - 0) * (e - m.p))]
        ),
        _bandits(_INNER, _R001, 1, 0),
        _NOISE,
    ),
    "alternate-may-leave-corner": Statement(
        # the change of log pi(0) - log pi(1) for a draw of a_0 with noise -1: alternate, and the
        # size of the regular one
        lambda m: Vec(m.r[0] - 1 - m.value, abs((m.r[0] - 1 - m.value) * (1 - m.p[0] + m.p[1]))),
        lambda m: Vec(0, 2 * (1 - m.p[0]) * abs(m.r[0] - 1 - m.value)),
        _NEAR_FIRST,
        _NOISE + ", 0.9 and 0.999 of the mass on a_0",
        "<",
    ),
    "score-vanishes-basis-stays": Statement(
        lambda m: Vec(max(map(abs, basis(m.top, 3) - m.p)), -max(basis(m.top, 3))),
        lambda m: Vec(1 - m.p[m.top], -1),
        _NEAR_ALL_QUIET,
        "0.9 and 0.999 of the mass on one action",
        "<=",
    ),
    "zero-baseline-alternate-biased": Statement(
        lambda m: m.mean(lambda e, x: x * e),
        lambda m: m.gradient(),
        _bandits(_INNER, _R001, 1, 0),
        _NOISE + ", interior policies",
        "!=",
    ),
    "zero-baseline-same-direction": Statement(
        lambda m: _turn(m)[0],
        lambda m: _turn(m)[1],
        _bandits(_INNER, _R001, 0, 0),
        _NOISE + ", interior policies",
        summary=(
            "products of differences of preferences, crosswise: equal if both updates move the"
            " policy in one direction"
        ),
        shows=("pi", "r"),
    ),
    "zero-baseline-acute-angle": Statement(
        lambda m: dot(m.mean(lambda e, x: x * e), m.gradient()),
        lambda m: 0,
        _bandits(_INNER, _R001, 1, 0),
        _NOISE + ", interior policies",
        ">",
    ),
    "corner-variances-in-example": Statement(
        lambda m: Vec(*(int(total(variance) > 0) for variance in _all_variances(m))),
        lambda m: Vec(0, 0, 1, 1),
        _CORNERS_NOISY,
        _NOISE + ", all corners",
        summary=(
            "1 where the variance is not zero: regular with r_pi and without baseline, alternate"
            " with and without"
        ),
    ),
    "no-noise-alternate-stuck-at-corner": Statement(
        lambda m: join(
            [(m.r[m.top] - m.value) * basis(m.top, 3), (m.r[m.top] - 0) * basis(m.top, 3)]
        ),
        lambda m: constant(0, 6),
        _CORNERS_QUIET[:2],
        _NO_NOISE + ", the corners of a_0 and a_1",
        summary=(
            "the only draw of the alternate estimator that can happen, with r_pi and without"
            " baseline"
        ),
    ),
    "no-noise-alternate-larger-own-action": Statement(
        lambda m: (m.r[m.top] - m.value) ** 2,
        lambda m: (m.r[m.top] - m.value) ** 2 * _square(basis(m.top, 3) - m.p),
        _NEAR_ALL_QUIET,
        _NO_NOISE + ", 0.9 and 0.999 of the mass on one action",
        ">",
        summary="squared lengths of the alternate and the regular update for the corner's action",
    ),
    "no-noise-variance-zero-at-corners": Statement(
        lambda m: join(_all_variances(m)),
        lambda m: constant(0, 12),
        _CORNERS_QUIET,
        _NO_NOISE + ", all corners",
    ),
    "zero-is-pessimistic-for-123": Statement(
        lambda r: Fraction(0), lambda r: min(r), [_R123], "r = (1, 2, 3)", "<"
    ),
    "zero-baseline-drives-into-corner": Statement(
        lambda m: m.r[0] + 1,
        lambda m: (m.r[0] + 1) * (1 - m.p[0] + max(m.p[1], m.p[2])),
        _bandits([_near(0, far) for far in _FAR], _R123, 1, 0),
        "r = (1, 2, 3), b = 0, 0.9 and 0.999 of the mass on a_0, positive reward",
        ">",
        summary=(
            "the growth of log pi(0) over the others for a draw of a_0: alternate, and the most by"
            " the regular estimator"
        ),
    ),
    "pessimistic-moves-off-fixed-point": Statement(
        lambda s: s.mean_exp(s.harmonic),
        lambda s: 1,
        [
            Step(m, Fraction(alpha))
            for m in _bandits(_INNER, _R123, 0, 0)
            for alpha in (Fraction(1, 4), 1)
        ],
        "r = (1, 2, 3), b = 0, interior policies",
        ">",
        summary=(
            "a rational number near the exponential of the change of the divergence from pi*,"
            " and one"
        ),
    ),
    "optimistic-draws-lower-saturated-action": Statement(
        lambda m: Vec(
            m.r[m.top] - m.b,
            *((m.r[m.top] - m.b) * (1 - m.p[m.top] + m.p[a]) for a in m.actions if a != m.top),
        ),
        lambda m: Vec(0, 0, 0),
        _OPTIMISTIC,
        "r = (1, 2, 3), b = 4, 0.9 and 0.999 of the mass on the drawn action",
        "<",
        summary=(
            "the change of log pi(c) over the others: alternate, and regular over each of the"
            " others"
        ),
    ),
    "optimistic-attraction-stronger-near-corners": Statement(
        lambda m: _square(m.mean(lambda e, x: (x - m.b) * e)),
        lambda m: 25 * _square(m.gradient()),
        [m for m in _OPTIMISTIC if max(m.p) > Fraction(99, 100)],
        "r = (1, 2, 3), b = 4, 0.999 of the mass on one action",
        ">",
        summary="squared lengths: the expected alternate update, and 25 times the true gradient",
    ),
    "pessimistic-towards-a-corner": Statement(
        lambda m: _lead(m.p * (m.r - m.b)),
        lambda m: 0,
        _bandits([*_INNER, *(_near(c, far) for c in range(3) for far in _FAR)], _R123, 0, -4),
        "r = (1, 2, 3), b = -4, interior policies",
        ">",
        summary=(
            "how much the leading preference gains on the next one in a step: the lead grows, so it"
            " goes on to that corner"
        ),
    ),
    "alternate-noisier-with-noise": Statement(
        lambda m: _total_variances(m)[0],
        lambda m: _total_variances(m)[1],
        _bandits([*_INNER, *(_near(c, far) for c in range(3) for far in _FAR)], _R001, 1, 0),
        _NOISE + ", interior policies",
        ">",
    ),
    "alternate-less-variance-without-noise": Statement(
        lambda m: _total_variances(m)[0],
        lambda m: _total_variances(m)[1],
        _bandits(_INNER, _R001, 0, 0),
        _NO_NOISE + ", interior policies",
        "<",
        summary="total variance with the true r_pi: alternate, regular",
        shows=("pi", "r"),
    ),
    "alternate-less-variance-near-optimum": Statement(
        lambda m: _total_variances(m)[0],
        lambda m: _total_variances(m)[1],
        _bandits(
            [_near(2, far) for far in (Fraction(1, 10), Fraction(1, 20), Fraction(1, 1000))],
            _R001,
            0,
            0,
        ),
        _NO_NOISE + ", at least 0.9 of the mass on a_2",
        "<",
    ),
    "neurd-more-aggressive": Statement(
        lambda m: min(abs(m.r[a] - m.value) - abs(m.p[a] * (m.r[a] - m.value)) for a in m.actions),
        lambda m: 0,
        ANY_REWARDS,
        "interior policies of one state, two and three actions",
        ">=",
        summary=(
            "the size of each entry of the update without the policy weight, less that of the entry"
            " with it, the smallest"
        ),
    ),
    "baseline-effect-weaker-for-regular": Statement(
        lambda m: total(Vec(*map(abs, _shift(m, True)))),
        lambda m: total(Vec(*map(abs, _shift(m, False)))),
        ANY_REWARDS,
        "interior policies, two and three actions, the baseline raised by one",
        "<",
        summary="how much the expected update changes: regular, alternate",
    ),
}


def _lead(steps: Vec) -> Fraction:
    """The largest entry less the second largest."""
    ordered = sorted(steps)
    return ordered[-1] - ordered[-2]


def _turn(m: Bandit) -> Vec:
    """(u0 - u1)(g2 - g1) and (u2 - u1)(g0 - g1) for the update u without baseline and the gradient
    g: equal if parallel up to a shift.
    """
    u, g = m.mean(lambda e, x: x * e), m.gradient()
    return Vec((u[0] - u[1]) * (g[2] - g[1]), (u[2] - u[1]) * (g[0] - g[1]))


def _shift(m: Bandit, regular: bool) -> Vec:
    """The change of the expected update when b grows by one."""

    def expected(one: Bandit) -> Vec:
        return one.mean(lambda e, x: (x - one.b) * (e - one.p if regular else e))

    return expected(replace(m, b=m.b + 1)) - expected(m)


@evidence(*STATEMENTS, kind="enumeration")
def single_updates(claim: str) -> Finding:
    """Both sides of each statement on single updates and their variances, case by case.

    The noise has two values, ±σ, so the plotted draws are all of its outcomes; policies are near a
    corner, at one, or inside.
    """
    return STATEMENTS[claim].judged()
