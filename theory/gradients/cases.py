"""The gradient in all its printed forms, and both estimators (sections 2 and 3)."""

from __future__ import annotations

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec, basis, dot, join, total
from altpg_verify.theory.exact_cases.bandits import ANY_REWARDS, INTERIOR
from altpg_verify.theory.exact_cases.statements import Statement

_DOMAIN = "interior policies, two and three actions, noisy and noiseless rewards"

STATEMENTS: dict[str, Statement] = {
    "gradient-bandit-componentwise": Statement(
        lambda m: m.gradient(),
        lambda m: m.r * m.p * (1 - m.p),
        INTERIOR,
        _DOMAIN,
        summary=(
            "left: the derivative of the expected reward by the quotient rule; right: the formula"
            " as printed"
        ),
        shows=("pi", "r"),
    ),
    "gradient-bandit-componentwise-corrected": Statement(
        lambda m: m.gradient(), lambda m: m.p * (m.r - m.value), ANY_REWARDS, _DOMAIN
    ),
    "regular-scalar-form-unbiased": Statement(
        lambda m: m.gradient(),
        lambda m: m.mean(
            lambda e, x: Vec(*((x - m.b) * ((e[a] == 1) - m.p[a]) for a in m.actions))
        ),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "expectation-is-inner-product": Statement(
        lambda m: m.mean(lambda e, x: Vec(x)), lambda m: Vec(dot(m.p, m.r)), ANY_REWARDS, _DOMAIN
    ),
    "softmax-jacobian": Statement(
        lambda m: join(m.jacobian()),
        # (I - pi 1^T) diag(pi), row by row
        lambda m: join([(basis(a, m.k) - m.p[a]) * m.p for a in m.actions]),
        ANY_REWARDS,
        _DOMAIN,
        summary=(
            "left: the derivative of the softmax by the quotient rule; right: the matrix as"
            " printed, row by row"
        ),
    ),
    "gradient-as-jacobian-times-reward": Statement(
        lambda m: m.gradient(),
        lambda m: Vec(*(dot((basis(a, m.k) - m.p[a]) * m.p, m.r) for a in m.actions)),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "gradient-as-expected-score": Statement(
        lambda m: m.gradient(),
        lambda m: m.mean(lambda e, x: dot(e, m.r) * (e - m.p)),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "gradient-as-regular-with-true-baseline": Statement(
        lambda m: m.gradient(),
        lambda m: m.mean(lambda e, x: (x - m.value) * (e - m.p)),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "regular-vector-form-agrees": Statement(
        lambda m: join(
            [Vec(*((x - m.b) * ((e[a] == 1) - m.p[a]) for a in m.actions)) for _, e, x in m.draws]
        ),
        lambda m: join([(x - m.b) * (e - m.p) for _, e, x in m.draws]),
        ANY_REWARDS,
        _DOMAIN,
        summary="every draw of the estimator, in components and as a vector",
    ),
    "regular-unbiased-any-baseline": Statement(
        lambda m: m.gradient(),
        lambda m: m.mean(lambda e, x: (x - m.b) * (e - m.p)),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "alternate-form-outer-product": Statement(
        lambda m: m.gradient(),
        # (diag(r) - pi r^T) pi, row by row
        lambda m: Vec(*(dot(basis(a, m.k) * m.r - m.p[a] * m.r, m.p) for a in m.actions)),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "alternate-form-scalar-product": Statement(
        lambda m: join([m.gradient(), m.gradient()]),
        lambda m: join([m.r * m.p - dot(m.p, m.r) * m.p, (m.r - dot(m.p, m.r)) * m.p]),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "gradient-as-alternate-with-true-baseline": Statement(
        lambda m: m.gradient(),
        lambda m: m.mean(lambda e, x: (x - m.value) * e),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "regular-updates-all-components": Statement(
        lambda m: Vec(
            *(any(((x - m.b) * (e - m.p))[a] != 0 for _, e, x in m.draws) for a in m.actions)
        ),
        lambda m: Vec(*(1 for a in m.actions)),
        [case for case in INTERIOR if any(x != case.b for _, _, x in case.draws)],
        _DOMAIN + ", some reward different from the baseline",
        summary="1 for each component that some draw of the regular estimator moves",
    ),
    "alternate-updates-single-component": Statement(
        lambda m: join([(1 - e) * ((x - m.b) * e) for _, e, x in m.draws]),
        lambda m: join([0 * e for _, e, x in m.draws]),
        ANY_REWARDS,
        _DOMAIN,
        summary="every draw of the alternate estimator in the components of the actions not taken",
    ),
    "components-that-move": Statement(
        lambda m: join(
            [
                Vec(*(int(u != 0) for u in join([(x - m.b) * (e - m.p), (x - m.b) * e])))
                for _, e, x in m.draws
            ]
        ),
        lambda m: join([int(x != m.b) * join([1 + 0 * e, e]) for _, e, x in m.draws]),
        ANY_REWARDS,
        _DOMAIN,
        summary="1 for each component that a draw moves, regular and alternate",
    ),
    "gradient-is-pi-times-advantage": Statement(
        lambda m: m.gradient(), lambda m: m.p * (m.r - m.value), ANY_REWARDS, _DOMAIN
    ),
    "biased-when-baseline-differs": Statement(
        lambda m: m.gradient(),
        lambda m: m.mean(lambda e, x: (x - m.b) * e),
        [case for case in ANY_REWARDS if case.b != case.value],
        _DOMAIN + ", b different from the expected reward",
        "!=",
    ),
    "expected-alternate-with-baseline": Statement(
        lambda m: m.mean(lambda e, x: (x - m.b) * e),
        lambda m: m.p * (m.r - m.b),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "expected-update-any-eta": Statement(
        lambda m: m.mean(lambda e, x: (e - m.eta) * (x - m.b)),
        lambda m: m.p * m.r - m.p * m.b - m.value * m.eta + m.eta * m.b,
        ANY_REWARDS,
        _DOMAIN,
    ),
    "expected-update-eta-pi": Statement(
        lambda m: m.mean(lambda e, x: (e - m.p) * (x - m.b)),
        lambda m: m.p * (m.r - m.value),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "expected-update-eta-zero": Statement(
        lambda m: m.mean(lambda e, x: (e - 0) * (x - m.b)),
        lambda m: m.p * (m.r - m.b),
        ANY_REWARDS,
        _DOMAIN,
    ),
    "expected-updates-differ": Statement(
        lambda m: m.p * (m.r - m.value),
        lambda m: m.p * (m.r - m.b),
        [case for case in ANY_REWARDS if case.b != case.value],
        _DOMAIN + ", b different from the expected reward",
        "!=",
    ),
    "alternate-asymptotically-unbiased": Statement(
        lambda m: total(Vec(*map(abs, m.mean(lambda e, x: (x - m.b) * e) - m.gradient()))),
        lambda m: abs(m.b - m.value),
        ANY_REWARDS,
        _DOMAIN,
        summary="the sum of the absolute biases, and how far the baseline is from the expected reward",
    ),
}


@evidence(*STATEMENTS, kind="enumeration")
def gradient_forms(claim: str) -> Finding:
    """Both sides of each printed form of the gradient, case by case.

    The left side is the quotient rule on J = Σ w r / Σ w with w = e^θ (`Bandit.gradient`), so no
    printed form is used to check another. A form that misses the paper's own (r_a instead of r_a −
    r_π, say) is refuted by two actions with rewards 0 and 1.
    """
    return STATEMENTS[claim].judged()
