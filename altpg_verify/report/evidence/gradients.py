"""The gradient in all its printed forms, and the regular estimator's expectation (sections 2 and
3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altpg_verify.cases import Case, vector
from altpg_verify.estimators import alternate, estimator, expected_gradient, regular
from altpg_verify.exact import expected_update, outcomes, policy_gradient
from altpg_verify.forward_mode import gradient_of
from altpg_verify.judging import Finding
from altpg_verify.laws import law_named
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import ANYWHERE
from altpg_verify.report.evidence.enumerated import Enumerated

_GRADIENT = (
    "left: the derivative of the expected reward, differentiated exactly; right: the form as"
    " printed"
)


@estimator
def regular_in_components(pi, e, r, b):
    """(R - b)(I(A = a) - π(a)), entry by entry (paper, eq. regular_bandit_estimator_scalar)."""
    return [(r - b) * (int(e[a] == 1) - pi[a]) for a in range(len(pi))]


@estimator
def score_times_mean(pi, e, q):
    """r(A)(e_A - π), with the mean reward of the sampled action (paper, section 3)."""
    return (q * e).sum() * (e - pi)


def identity(k: int) -> np.ndarray:
    """(k, k) the identity matrix in whole numbers."""
    return diagonal(vector([1] * k))


def diagonal(entries: np.ndarray) -> np.ndarray:
    """(k, k) the diagonal matrix of a vector of any numbers."""
    return np.array(
        [[entry if a == c else 0 for c in range(len(entries))] for a, entry in enumerate(entries)],
        dtype=object,
    )


def printed_jacobian(case: Case) -> np.ndarray:
    """(k, k) (I - π 1ᵀ) diag(π), row a, column c."""
    ones = vector([1] * case.k)
    return (identity(case.k) - np.outer(case.pi, ones)).dot(diagonal(case.pi))


def policy_jacobian(case: Case) -> list[Any]:
    """The derivatives of π(a) in θ_c by exact differentiation, row a after row a."""
    return [gradient_of(entry, case.k) for entry in case.lifted().pi]


CLAIMS: dict[str, Enumerated] = {
    "gradient-bandit-componentwise-corrected": Enumerated(
        lambda c: (policy_gradient(c), [c.pi[i] * (c.q[i] - c.v) for i in range(c.k)]),
        ANYWHERE,
        summary=_GRADIENT,
    ),
    "regular-scalar-form-unbiased": Enumerated(
        lambda c: (policy_gradient(c), expected_update(regular_in_components, c)),
        ANYWHERE,
        summary=_GRADIENT,
    ),
    "expectation-is-inner-product": Enumerated(
        lambda c: (
            [c.expectation(lambda a, r: r)] * 2,
            [sum(c.pi[a] * c.q[a] for a in range(c.k)), c.pi.dot(c.q)],
        ),
        ANYWHERE,
    ),
    "softmax-jacobian": Enumerated(
        lambda c: (policy_jacobian(c), printed_jacobian(c)),
        ANYWHERE,
        summary="left: the policy differentiated exactly; right: the matrix as printed, row by row",
    ),
    "gradient-as-jacobian-times-reward": Enumerated(
        lambda c: (policy_gradient(c), printed_jacobian(c).dot(c.q)), ANYWHERE, summary=_GRADIENT
    ),
    "gradient-as-expected-score": Enumerated(
        lambda c: (policy_gradient(c), expected_update(score_times_mean, c)),
        ANYWHERE,
        summary=_GRADIENT,
    ),
    "gradient-as-regular-with-true-baseline": Enumerated(
        lambda c: law_named("unbiased_at_value").sides(regular, c.at_value()), ANYWHERE
    ),
    "regular-vector-form-agrees": Enumerated(
        lambda c: (outcomes(regular, c), outcomes(regular_in_components, c)),
        ANYWHERE,
        summary="every draw of the estimator, as a vector and in components",
    ),
    "regular-unbiased-any-baseline": Enumerated(
        lambda c: law_named("unbiased").sides(regular, c), ANYWHERE
    ),
    "alternate-form-outer-product": Enumerated(
        lambda c: (
            [policy_gradient(c)] * 2,
            [printed_jacobian(c).dot(c.q), (diagonal(c.q) - np.outer(c.pi, c.q)).dot(c.pi)],
        ),
        ANYWHERE,
        summary=_GRADIENT,
    ),
    "alternate-form-scalar-product": Enumerated(
        lambda c: (
            [policy_gradient(c)] * 2,
            [
                diagonal(c.q).dot(c.pi) - c.pi.dot(c.q) * c.pi,
                (diagonal(c.q) - c.pi.dot(c.q) * identity(c.k)).dot(c.pi),
            ],
        ),
        ANYWHERE,
        summary=_GRADIENT,
    ),
    "gradient-as-alternate-with-true-baseline": Enumerated(
        lambda c: law_named("unbiased_at_value").sides(alternate, c.at_value()), ANYWHERE
    ),
    "gradient-is-pi-times-advantage": Enumerated(
        lambda c: (
            [policy_gradient(c)] * 2,
            [expected_update(expected_gradient, c), c.pi * (c.q - c.v)],
        ),
        ANYWHERE,
        summary=_GRADIENT,
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def gradient_forms(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """The gradient by exact differentiation against each printed form."""
    return CLAIMS[claim].judged(max_examples, seed)
