"""First and second moments of the reward and the sampled action, and the variance of (e_A - eta)(R
- b) line by line.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.estimators import Estimator, estimator
from altpg_verify.exact import evaluate, expected_update, outcomes, variance
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.bias import eta_family, plain_eta
from altpg_verify.report.evidence.domains import ANYWHERE, CLOSED, CORNERS, corner_of
from altpg_verify.report.evidence.enumerated import Enumerated

_CASES = ANYWHERE + CLOSED
_LINES = (
    "the elementwise variance for eta = (2, -3/2, 4/3, ...), from the list of every outcome, and"
    " the terms as printed"
)


@estimator
def basis(e):
    """e_A."""
    return e


@estimator
def basis_times_reward(e, r):
    """e_A R."""
    return e * r


@estimator
def basis_times_squared_reward(e, r):
    """e_A R²."""
    return e * r * r


@estimator
def basis_times_baseline(e, b):
    """e_A b."""
    return e * b


@estimator
def reward_everywhere(e, r):
    """R 1."""
    return 0 * e + r


def reward_times(eta: Any) -> Estimator:
    """η R for a given action-independent η."""

    @estimator(name="eta times reward")
    def formula(r):
        """η R."""
        return eta * r

    return formula


def multiplied_out(eta: Any, *, constant: bool) -> Estimator:
    """e_A R - e_A b - η R, and + η b if `constant`."""

    @estimator(name="multiplied out")
    def formula(e, r, b):
        """e_A R - e_A b - η R (+ η b)."""
        return e * r - e * b - eta * r + (eta * b if constant else 0)

    return formula


def covariance(one: Estimator, other: Estimator, case: Case) -> np.ndarray:
    """(k,) E[X ⊙ Y] - E[X] ⊙ E[Y], the paper's elementwise covariance (appendix A.2)."""
    together = case.expectation(
        lambda action, reward: (
            evaluate(one, case, action, reward) * evaluate(other, case, action, reward)
        )
    )
    return together - expected_update(one, case) * expected_update(other, case)


def first_line(c: Case, eta: Any) -> np.ndarray:
    """(k,) the corrected first line of the expansion of V[(R - b)(e_A - η)]: variances and
    covariances of e_A R, e_A b and η R; η b is constant and drops out.

    Args:
        c: the policy, rewards and baseline.
        eta: (k,) not dependent on the action drawn.
    """
    weighted = reward_times(eta)
    return (
        variance(basis_times_reward, c)
        + variance(basis_times_baseline, c)
        + variance(weighted, c)
        - 2 * covariance(basis_times_reward, basis_times_baseline, c)
        - 2 * covariance(basis_times_reward, weighted, c)
        + 2 * covariance(basis_times_baseline, weighted, c)
    )


def expansion(c: Case, eta: Any) -> np.ndarray:
    """(k,) eq. gradient_bandit_estimators_variance_expression, V[(R - b)(e_A - η)] with b and η
    taken out of the variances.

    Args:
        c: the policy, rewards and baseline.
        eta: (k,) not dependent on the action drawn.
    """
    return (
        variance(basis_times_reward, c)
        + variance(basis, c) * c.b**2
        + variance(reward_everywhere, c) * eta**2
        - 2 * covariance(basis_times_reward, basis, c) * c.b
        - 2 * covariance(basis_times_reward, reward_everywhere, c) * eta
        + 2 * covariance(basis, reward_everywhere, c) * eta * c.b
    )


def _corner_terms(c: Case, eta: Any) -> np.ndarray:
    e, noise = c.one_hot(corner_of(c)), c.sigma2[corner_of(c)]
    return e * c.sigma2 + noise * eta**2 - 2 * c.sigma2 * e * eta


def _corner_simplified(c: Case, eta: Any) -> np.ndarray:
    e, noise = c.one_hot(corner_of(c)), c.sigma2[corner_of(c)]
    return noise * e + noise * eta**2 - 2 * noise * eta[corner_of(c)] * e


def _without_constant(c: Case, eta: Any) -> tuple[object, object]:
    whole, long, short = (
        eta_family(eta),
        multiplied_out(eta, constant=True),
        multiplied_out(eta, constant=False),
    )
    return [outcomes(whole, c), variance(whole, c)], [outcomes(long, c), variance(short, c)]


CLAIMS: dict[str, Enumerated] = {
    "mean-reward": Enumerated(
        lambda c: (
            [c.expectation(lambda a, r: r)] * 3,
            [
                sum(c.pi[a] * sum(p * x for x, p in c.rewards[a]) for a in range(c.k)),
                sum(c.pi[a] * c.q[a] for a in range(c.k)),
                c.v,
            ],
        ),
        _CASES,
    ),
    "second-moment-by-conditioning": Enumerated(
        lambda c: (
            [
                c.expectation(lambda a, r: r * r),
                c.expectation(lambda a, r: c.sigma2[a] + c.q[a] ** 2),
            ],
            [sum(c.pi[a] * (c.sigma2[a] + c.q[a] ** 2) for a in range(c.k))] * 2,
        ),
        _CASES,
    ),
    "second-moment-as-inner-product": Enumerated(
        lambda c: (c.expectation(lambda a, r: r * r), c.pi.dot(c.sigma2 + c.q**2)), _CASES
    ),
    "mean-basis-vector": Enumerated(
        lambda c: (
            [expected_update(basis, c)] * 2,
            [sum(c.pi[a] * c.one_hot(a) for a in range(c.k)), c.pi],
        ),
        _CASES,
    ),
    "mean-basis-times-reward": Enumerated(
        lambda c: (
            [expected_update(basis_times_reward, c)] * 3,
            [
                sum(
                    c.pi[a] * c.one_hot(a) * sum(p * x for x, p in c.rewards[a]) for a in range(c.k)
                ),
                sum(c.pi[a] * c.one_hot(a) * c.q[a] for a in range(c.k)),
                c.pi * c.q,
            ],
        ),
        _CASES,
    ),
    "mean-basis-times-squared-reward": Enumerated(
        lambda c: (
            [expected_update(basis_times_squared_reward, c)] * 2,
            [
                sum(c.pi[a] * c.one_hot(a) * (c.sigma2[a] + c.q[a] ** 2) for a in range(c.k)),
                c.pi * (c.sigma2 + c.q**2),
            ],
        ),
        _CASES,
    ),
    "variance-drops-constant": Enumerated(
        lambda c: _without_constant(c, plain_eta(c)),
        _CASES,
        summary=(
            "every draw of (e - eta)(R - b) and its variance; every draw multiplied out, and the"
            " variance without the constant"
        ),
    ),
    "variance-expansion-first-line-corrected": Enumerated(
        lambda c: (
            variance(multiplied_out(plain_eta(c), constant=False), c),
            first_line(c, plain_eta(c)),
        ),
        ANYWHERE,
        summary=_LINES,
    ),
    "variance-expansion": Enumerated(
        lambda c: (variance(eta_family(plain_eta(c)), c), expansion(c, plain_eta(c))),
        ANYWHERE,
        summary=_LINES,
    ),
    "corner-variance-terms-corrected": Enumerated(
        lambda c: (expansion(c, plain_eta(c)), _corner_terms(c, plain_eta(c))),
        CORNERS,
        summary=_LINES,
    ),
    "corner-variance-simplified-corrected": Enumerated(
        lambda c: (variance(eta_family(plain_eta(c)), c), _corner_simplified(c, plain_eta(c))),
        CORNERS,
        summary=_LINES,
    ),
    "corner-variance-at-eta-zero": Enumerated(
        lambda c: (variance(eta_family(0), c), c.sigma2[corner_of(c)] * c.one_hot(corner_of(c))),
        CORNERS,
    ),
    "corner-variance-at-eta-pi": Enumerated(
        lambda c: ([variance(eta_family(c.pi), c), c.pi], [0 * c.pi, c.one_hot(corner_of(c))]),
        CORNERS,
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def moments(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Moments and variances from the list of every outcome against each printed line."""
    return CLAIMS[claim].judged(max_examples, seed)
