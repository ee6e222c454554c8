"""The bias of the alternate estimator, the expected update for any eta, and averages over a
batch.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case, vector
from altpg_verify.estimators import Estimator, alternate, estimator, regular
from altpg_verify.exact import evaluate, expected_update, policy_gradient, variance
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.report.evidence.domains import ANYWHERE, CLOSED, OFF_VALUE
from altpg_verify.report.evidence.enumerated import Enumerated

MOST_OUTCOMES = 150
BASELINE_DISTANCES = tuple(Fraction(1, 10**n) for n in range(7))


def eta_family(eta: Any) -> Estimator:
    """(R - b)(e_A - η) for a given action-independent η: regular at η = π, alternate at η = 0
    (paper, appendix B).
    """

    @estimator(name="eta family")
    def formula(e, r, b):
        """(R - b)(e_A - η)."""
        return (e - eta) * (r - b)

    return formula


def plain_eta(case: Case) -> np.ndarray:
    """(k,) a vector η with nothing special about it: 2, -3/2, 4/3, ..."""
    return vector([Fraction((-1) ** a * (a + 2), a + 1) for a in range(case.k)])


def etas(case: Case) -> list[np.ndarray]:
    """Some vectors η that don't depend on the action drawn: the policy, zero, and a plain one."""
    return [case.pi, 0 * case.pi, plain_eta(case)]


def batches(est: Estimator, case: Case) -> list[tuple[Fraction, np.ndarray]]:
    """Probability and average estimate of every batch of independent draws: three, or two where
    three are too many to list.

    Args:
        est: the estimator.
        case: the policy, rewards and baseline; with n outcomes there are n² or n³ batches.
    """
    single = [
        (weight, evaluate(est, case, action, reward)) for weight, action, reward in case.draws()
    ]
    size = batch_size(case)
    return [
        (
            _product(weight for weight, _ in batch),
            sum((value for _, value in batch), 0 * case.pi) * Fraction(1, size),
        )
        for batch in product(single, repeat=size)
    ]


def batch_size(case: Case) -> int:
    """How many draws make a batch of this case."""
    return 3 if len(list(case.draws())) ** 3 <= MOST_OUTCOMES else 2


def _product(factors: Any) -> Fraction:
    result = Fraction(1)
    for factor in factors:
        result = result * factor
    return result


def batch_mean(est: Estimator, case: Case) -> np.ndarray:
    """(k,) the expected batch average, which is that of a single draw."""
    return sum(weight * value for weight, value in batches(est, case))  # type: ignore[return-value]


def batch_variance(est: Estimator, case: Case) -> np.ndarray:
    """(k,) the elementwise variance of the batch average: that of a draw over the size of the
    batch.
    """
    drawn = batches(est, case)
    mean = sum(weight * value for weight, value in drawn)
    return sum(weight * value * value for weight, value in drawn) - mean**2  # type: ignore[return-value, operator]


def _chain_of_updates(c: Case) -> tuple[object, object]:
    true, biased = c.pi * (c.q - c.v), c.pi * (c.q - c.b)
    left = [
        policy_gradient(c),
        expected_update(regular, c),
        expected_update(alternate, c),
        bool(all(true == biased)),
    ]
    return left, [true, true, biased, False]


def _bias_follows_baseline(c: Case) -> tuple[object, object]:
    nearer = [c.with_baseline(c.v + (c.b - c.v) * distance) for distance in BASELINE_DISTANCES]
    return [max(abs(expected_update(alternate, one) - policy_gradient(one))) for one in nearer], [
        abs(one.b - one.v) for one in nearer
    ]


_SMALL = ANYWHERE.where(
    "batches of two or three draws", lambda case: len(list(case.draws())) ** 2 <= MOST_OUTCOMES
)
_EXPERIMENT = CLOSED.where("three actions", lambda case: case.k == 3).each(
    "r = (1, 2, 3) with noise, b = 4 and b = -4",
    lambda case: [
        Case(
            tuple(case.pi),
            parse_case("pi=1,0,0; r=0@1/2|2@1/2,1@1/2|3@1/2,2@1/2|4@1/2; b=0").rewards,
            Fraction(b),
        )
        for b in (4, -4)
    ],
)

CLAIMS: dict[str, Enumerated] = {
    "biased-when-baseline-differs": Enumerated(
        lambda c: (policy_gradient(c), expected_update(alternate, c)), OFF_VALUE, "!="
    ),
    "expected-alternate-with-baseline": Enumerated(
        lambda c: (
            [expected_update(alternate, c), expected_update(eta_family(0), c)],
            [c.pi * (c.q - c.b)] * 2,
        ),
        ANYWHERE + CLOSED,
    ),
    "expected-update-any-eta": Enumerated(
        lambda c: (
            [expected_update(eta_family(eta), c) for eta in etas(c)],
            [c.pi * c.q - c.pi * c.b - c.v * eta + eta * c.b for eta in etas(c)],
        ),
        ANYWHERE,
        summary=(
            "the expected update for three vectors eta, from the list of every outcome, and the"
            " formula"
        ),
    ),
    "expected-update-eta-pi": Enumerated(
        lambda c: (expected_update(eta_family(c.pi), c), c.pi * (c.q - c.v)), ANYWHERE
    ),
    "expected-update-eta-zero": Enumerated(
        lambda c: (expected_update(eta_family(0), c), c.pi * (c.q - c.b)), ANYWHERE
    ),
    "expected-updates-differ": Enumerated(
        _chain_of_updates,
        OFF_VALUE,
        summary=(
            "each link of the chain, from the list of every outcome; last, 1 if the two ends agree"
        ),
    ),
    "alternate-asymptotically-unbiased": Enumerated(
        _bias_follows_baseline,
        ANYWHERE,
        "<=",
        summary=(
            "for b at 1, 1/10, ..., 10^-6 of its distance from the value: the largest entry of the"
            " bias, and |b - r_pi|"
        ),
    ),
    "alternate-biased-throughout": Enumerated(
        lambda c: (policy_gradient(c), expected_update(alternate, c)), _EXPERIMENT, "!="
    ),
    "batch-reduces-alternate-variance": Enumerated(
        lambda c: (sum(batch_variance(alternate, c)), sum(variance(alternate, c))),
        _SMALL.where("variance not zero", lambda case: any(variance(alternate, case))),
        "<",
        summary="the total variance of a batch's average, every batch listed, and that of one draw",
    ),
    "bias-independent-of-batch-size": Enumerated(
        lambda c: (
            batch_mean(alternate, c) - policy_gradient(c),
            expected_update(alternate, c) - policy_gradient(c),
        ),
        _SMALL,
        summary="the bias of a batch's average, every batch listed, and that of one draw",
    ),
}


@evidence(*CLAIMS, kind="enumeration")
def bias(claim: str, max_examples: int = 200, seed: int = 0) -> Finding:
    """Expected updates and biases against their formulas."""
    return CLAIMS[claim].judged(max_examples, seed)
