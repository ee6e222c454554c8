"""The lemma on fixed points, its proof, and what the text says of the point pi*."""

from __future__ import annotations

from fractions import Fraction

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Bandit, Vec, basis, constant, dot, total
from altpg_verify.theory.exact_cases.bandits import (
    ANY_REWARDS,
    CLOSED_SIMPLEX,
    FACES,
    NEAR_CORNERS,
    OPTIMISTIC,
    OUTSIDE,
    SKEWED,
    fixed_point,
    kappa,
)
from altpg_verify.theory.exact_cases.statements import Statement

_OUTSIDE = "baselines below and above all rewards, two and three actions"
_CLOSED = "policies on the closed simplex, baselines below, between, at and above the rewards"
_BETWEEN = [
    case for case in CLOSED_SIMPLEX if min(case.r) < case.b < max(case.r) and case.b not in case.r
]
_INNER_BETWEEN = [case for case in _BETWEEN if all(case.p)]
_AT_A_REWARD = [case for case in CLOSED_SIMPLEX if case.b in case.r]
_ABOVE = [case for case in OUTSIDE if case.b > max(case.r)]
_ONE_BEST = [case for case in _ABOVE if list(case.r).count(max(case.r)) == 1]
_ON_THEIR_FACE = [
    Bandit(
        case.p, case.r, case.sigma, next(case.r[a] for a in case.actions if case.p[a] > 0), case.eta
    )
    for case in FACES
]


def _at_fixed_point(m: Bandit) -> Bandit:
    return Bandit(fixed_point(m), m.r, m.sigma, m.b, m.eta)


def _expected(m: Bandit) -> Vec:
    """E[(R - b) e_A], from the list of outcomes."""
    return m.mean(lambda e, x: (x - m.b) * e)


def _all_equal(vector: Vec) -> bool:
    return len(set(vector)) == 1


def _flattening(p: Vec) -> Fraction:
    """Minus the rate of sum p^2 when p is added to the preferences: dp = p (p - sum p^2)."""
    return -2 * dot(p, p * (p - dot(p, p)))


def _best(m: Bandit) -> int:
    return max(m.actions, key=lambda a: m.r[a])


def _square(vector: Vec) -> Fraction:
    return dot(vector, vector)


STATEMENTS: dict[str, Statement] = {
    "lemma-case-1-never-zero": Statement(
        _expected,
        lambda m: 0 * m.p,
        _BETWEEN,
        "closed simplex, baselines between the rewards",
        "!=",
    ),
    "lemma-case-2-zero-on-face": Statement(
        _expected, lambda m: 0 * m.p, _ON_THEIR_FACE, "faces on which every reward is the baseline"
    ),
    "lemma-case-3-zero-at-pi-star": Statement(
        lambda m: _expected(_at_fixed_point(m)),
        lambda m: 0 * m.p,
        [_at_fixed_point(case) for case in OUTSIDE],
        _OUTSIDE,
        summary=(
            "left: the expected alternate update at the policy pi*, from the list of outcomes;"
            " right: zero, as printed"
        ),
        shows=("pi", "r", "b"),
    ),
    "lemma-case-3-policy-fixed-point": Statement(
        lambda m: _expected(_at_fixed_point(m)),
        lambda m: constant(kappa(m), m.k),
        OUTSIDE,
        _OUTSIDE,
        summary="the expected alternate update at the policy pi*, and kappa in every entry",
    ),
    "pi-star-inside-simplex": Statement(
        lambda m: min(fixed_point(m)) if total(fixed_point(m)) == 1 else -1,
        lambda m: 0,
        OUTSIDE,
        _OUTSIDE,
        ">",
    ),
    "value-at-pi-star-harmonic": Statement(
        lambda m: _at_fixed_point(m).value,
        lambda m: m.b - m.k / total(1 / (m.b - m.r)),
        _ABOVE,
        "baselines above all rewards",
    ),
    "lemma-case-1-no-fixed-point": Statement(
        lambda m: int(_all_equal(_expected(m))),
        lambda m: 0,
        _INNER_BETWEEN,
        "interior policies, baselines between the rewards",
    ),
    "fixed-point-constant-gradient": Statement(
        lambda m: int(_all_equal(_expected(m))),
        lambda m: int(m.p == fixed_point(m)),
        [*map(_at_fixed_point, OUTSIDE), *OUTSIDE],
        _OUTSIDE,
        summary=(
            "left: 1 if all entries of the expected update are equal; right: 1 if the policy is pi*"
        ),
    ),
    "fixed-point-equations-linear": Statement(
        # an affine map sends the middle of two points to the middle of their images
        lambda m: (m.p + m.r) / 2 * (m.r - m.b) - (m.b + m.value) / 2,
        lambda m: (m.p * (m.r - m.b) - m.b + m.r * (m.r - m.b) - m.value) / 2,
        ANY_REWARDS,
        "the map (pi, kappa) to pi (r - b) - kappa at the middle of two points",
    ),
    "gradient-equations-linear": Statement(
        lambda m: _true_equations(m, (m.p + basis(0, m.k)) / 2),
        lambda m: (_true_equations(m, m.p) + _true_equations(m, basis(0, m.k))) / 2,
        [case for case in ANY_REWARDS if len(set(case.r)) > 1],
        "the map pi to pi (r - r_pi), two and three actions",
        summary=(
            "left: the map pi to pi (r - r_pi) in the middle between pi and e_1; right: the middle"
            " of both images, equal for a linear map"
        ),
        shows=("pi", "r"),
    ),
    "gradient-equations-quadratic": Statement(
        lambda m: (
            _true_equations(m, m.p + 3 * m.eta)
            - 3 * _true_equations(m, m.p + 2 * m.eta)
            + 3 * _true_equations(m, m.p + m.eta)
            - _true_equations(m, m.p)
        ),
        lambda m: 0 * m.p,
        ANY_REWARDS,
        "third differences of the map pi to pi (r - r_pi), zero for a polynomial of degree two",
    ),
    "case-1-signs": Statement(
        lambda m: Vec(-min(_expected(m)), max(_expected(m))),
        lambda m: Vec(0, 0),
        _INNER_BETWEEN,
        "interior policies, baselines between the rewards",
        ">",
    ),
    "case-1-no-kappa": Statement(
        lambda m: int(_all_equal(_expected(m))),
        lambda m: 0,
        _BETWEEN,
        "closed simplex, baselines between the rewards",
    ),
    "case-2-kappa-zero": Statement(
        lambda m: max(map(abs, _expected(m))) if _all_equal(_expected(m)) else 0,
        lambda m: 0,
        _AT_A_REWARD,
        "closed simplex, b equal to a reward",
    ),
    "case-2-face": Statement(
        lambda m: int(_all_equal(_expected(m))),
        lambda m: int(total(Vec(*(m.p[a] for a in m.actions if m.r[a] == m.b))) == 1),
        _AT_A_REWARD,
        "closed simplex, b equal to a reward",
        summary=(
            "left: 1 if all entries of the expected update are equal; right: 1 if the policy is on"
            " the face"
        ),
    ),
    "case-3-policy-from-kappa": Statement(
        lambda m: m.p,
        lambda m: _expected(m)[0] / (m.r - m.b),
        [*map(_at_fixed_point, OUTSIDE)],
        "policies that solve the equations",
    ),
    "kappa-formula": Statement(
        lambda m: _expected(m),
        lambda m: constant(1 / total(1 / (m.r - m.b)), m.k),
        [*map(_at_fixed_point, OUTSIDE)],
        "policies that solve the equations",
    ),
    "fixed-point-formula": Statement(
        lambda m: int(_all_equal(_expected(m))),
        lambda m: int(m.p == 1 / (m.r - m.b) * (1 / total(1 / (m.r - m.b)))),
        [*map(_at_fixed_point, OUTSIDE), *OUTSIDE],
        _OUTSIDE,
        summary=(
            "left: 1 if all entries of the expected update are equal; right: 1 if the policy is the"
            " printed one"
        ),
    ),
    "footnote-true-gradient-component": Statement(
        lambda m: m.gradient(),
        lambda m: m.p * (m.r - m.b),
        [case for case in ANY_REWARDS if len(set(case.r)) > 1],
        "interior policies, two and three actions",
        summary="left: the true gradient by the quotient rule; right: the formula as printed",
        shows=("pi", "r", "b"),
    ),
    "footnote-true-gradient-component-corrected": Statement(
        lambda m: m.gradient(),
        lambda m: m.p * (m.r - m.value),
        ANY_REWARDS,
        "interior policies, two and three actions",
    ),
    "footnote-true-kappa-zero": Statement(
        lambda m: total(m.p * (m.r - m.value)), lambda m: 0, ANY_REWARDS, "interior policies"
    ),
    "corners-fixed-on-closed-simplex": Statement(
        lambda m: m.p * (m.r**2 + 1) / dot(m.p, m.r**2 + 1),
        lambda m: m.p,
        [case for case in CLOSED_SIMPLEX if max(case.p) == 1],
        "corners; the exponentials stand for any positive factors",
    ),
    "pi-star-quoted": Statement(
        fixed_point,
        lambda m: 1 / (m.r - m.b) * total(1 / (m.r - m.b)),
        OUTSIDE,
        _OUTSIDE,
        summary="left: the fixed point; right: the expression as quoted",
        shows=("r", "b"),
    ),
    "pi-star-quoted-corrected": Statement(
        fixed_point, lambda m: 1 / (m.r - m.b) / total(1 / (m.r - m.b)), OUTSIDE, _OUTSIDE
    ),
    "optimistic-moves-to-more-uniform": Statement(
        lambda m: max(fixed_point(m)),
        lambda m: max(m.p),
        OPTIMISTIC,
        "interior policies other than pi*, baselines above all rewards",
        "<",
        summary="the largest probability, of pi* and of the agent's policy: smaller is more uniform",
        shows=("pi", "r", "b"),
    ),
    "optimistic-flattens-saturated-policy": Statement(
        # pi_{t+1}(c) < pi_t(c) exactly if e^{x_c} is below the mean of e^x, sure if x_c is below
        # all others
        lambda m: max(
            m.p[m.top] * (m.r[m.top] - m.b) - m.p[a] * (m.r[a] - m.b)
            for a in m.actions
            if a != m.top
        ),
        lambda m: 0,
        [case for case in NEAR_CORNERS if case.b > max(case.r)],
        "interior policies with 0.9 and 0.999 of the mass on one action, an optimistic baseline",
        "<",
        summary="the change of log pi(c) - log pi(a), the largest over a, for a stepsize of one",
    ),
    "critic-bias-increases-entropy": Statement(
        lambda m: (m.value - m.b) * _flattening(m.p),
        lambda m: 0,
        SKEWED,
        "policies that are not uniform, baselines below and above the rewards",
        ">",
        summary=(
            "minus the rate of sum pi^2 under the bias, of one sign with that of the entropy:"
            " covariances of pi with increasing functions of it"
        ),
        shows=("pi", "r", "b"),
    ),
    "optimistic-bias-increases-entropy": Statement(
        lambda m: (m.value - m.b) * _flattening(m.p),
        lambda m: 0,
        [case for case in SKEWED if case.b > case.value],
        "policies that are not uniform, baselines above the rewards",
        ">",
    ),
    "bias-makes-policy-more-uniform": Statement(
        lambda m: max((m.value - m.b) * (m.p[m.top] - m.p[a]) for a in m.actions if a != m.top),
        lambda m: 0,
        SKEWED,
        "policies with one most likely action, baselines below and above the rewards",
        "<",
        summary=(
            "what the bias alone adds to log pi(c) - log pi(a), c the likeliest action, alpha = 1:"
            " negative is more uniform"
        ),
        shows=("pi", "r", "b"),
    ),
    "optimistic-bias-makes-policy-more-uniform": Statement(
        lambda m: max((m.value - m.b) * (m.p[m.top] - m.p[a]) for a in m.actions if a != m.top),
        lambda m: 0,
        [case for case in SKEWED if case.b > case.value],
        "policies with one most likely action, baselines above the rewards",
        "<",
    ),
    "pi-star-prefers-best-action": Statement(
        lambda m: fixed_point(m)[_best(m)],
        lambda m: max(fixed_point(m)[a] for a in m.actions if a != _best(m)),
        _ONE_BEST,
        "baselines above all rewards, one best action",
        ">",
    ),
    "pi-star-differs-from-optimal": Statement(
        lambda m: _at_fixed_point(m).value,
        lambda m: max(m.r),
        _ONE_BEST,
        "baselines above all rewards, one best action",
        "<",
    ),
    "pi-star-nearest-to-optimal-corner": Statement(
        lambda m: _square(fixed_point(m) - basis(_best(m), m.k)),
        lambda m: min(_square(fixed_point(m) - basis(a, m.k)) for a in m.actions if a != _best(m)),
        _ONE_BEST,
        "baselines above all rewards, one best action",
        "<",
        summary="squared distances of pi* from the optimal corner and from the nearest other one",
    ),
    "pessimistic-can-saturate-wrongly": Statement(
        lambda m: m.p[0] * (m.r[0] - m.b) - m.p[1] * (m.r[1] - m.b),
        lambda m: 0,
        [
            Bandit(Vec(1 - far, far), Vec(1, 2), Vec(0, 0), Fraction(0), Vec(0, 0))
            for far in (Fraction(1, 5), Fraction(1, 10), Fraction(1, 100), Fraction(1, 10**6))
        ],
        "r = (1, 2), b = 0, from 0.8 to 0.999999 of the mass on the worse action",
        ">",
        summary=(
            "the step of log pi(1) - log pi(2) for a stepsize of one: the worse action grows from"
            " everywhere on its way to its corner"
        ),
    ),
    "biased-update-larger-when-saturated": Statement(
        lambda m: _square(_expected(m)),
        lambda m: 25 * _square(m.gradient()),
        [case for case in NEAR_CORNERS if max(case.p) > Fraction(99, 100) and case.b not in case.r],
        "interior policies with 0.999 of the mass on one action",
        ">",
        summary="squared lengths: the expected alternate update, and 25 times the true gradient",
    ),
}


def _true_equations(m: Bandit, x: Vec) -> Vec:
    """x(a)(r(a) - sum_c x(c) r(c)): the left sides of the equations for a zero gradient, at any
    x.
    """
    return x * (m.r - dot(x, m.r))


@evidence(*STATEMENTS, kind="enumeration")
def fixed_points(claim: str) -> Finding:
    """Both sides of each statement on fixed points, case by case.

    Baselines stand below, between, at and above the rewards, one for each case of lemma 2.1;
    policies on the closed simplex include its faces, where case 2 has its fixed points.
    """
    return STATEMENTS[claim].judged()
