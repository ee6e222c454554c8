"""The three estimators of the paper against every law, many exact cases a law, through the public
door.
"""

from __future__ import annotations

import pytest

from altpg_verify import (
    LAWS,
    Verdict,
    alternate,
    check_estimator,
    escort,
    estimator,
    expected_gradient,
    parametrize_with_checks,
    regular,
)


@parametrize_with_checks([regular, alternate], max_examples=10, thorough=True)
def test_estimator(estimator, check):
    result = check(estimator)
    assert result.verdict is Verdict.REFUTED or result.examples >= 10


@pytest.mark.slow
@parametrize_with_checks([regular, alternate, expected_gradient], max_examples=200, thorough=True)
def test_two_hundred_cases(estimator, check):
    result = check(estimator)
    assert result.verdict is Verdict.REFUTED or result.examples >= 200


@estimator
def escort_regular(theta, e, r, b):
    """(R - b) ∇ log π for the escort transform with p = 2."""
    return (r - b) * 2 * (e / theta - theta / (theta * theta).sum())


@pytest.mark.slow
@parametrize_with_checks(
    [escort_regular], laws=tuple(law for law in LAWS if law.required), parameterisation=escort(2)
)
def test_a_second_parameterisation_fits_without_touching_the_checks(estimator, check):
    assert check(estimator).ok


@pytest.mark.thorough
def test_escort_score_is_unbiased_for_escort_and_the_softmax_one_is_not():
    assert (
        check_estimator(escort_regular, only=["unbiased"], parameterisation=escort(2))[
            "unbiased"
        ].verdict
        is Verdict.PROVED
    )
    report = check_estimator(
        regular, only=["unbiased"], parameterisation=escort(2), on_fail="return"
    )
    assert report["unbiased"].verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("estimator", "law", "gap"),
    [
        (alternate, "unbiased", "(v - b) π   [proved for k = 2, 3, 4]"),
        (alternate, "quiet_at_corner", "σ² π   [proved for k = 2, 3, 4]"),
        (regular, "keeps_noise_at_corner", "-σ² π   [proved for k = 2, 3, 4]"),
        (alternate, "zero_sum", "(R - b)   [proved for k = 2, 3, 4]"),
    ],
)
def test_the_gap_is_recognised_as_a_formula_and_proved(estimator, law, gap):
    assert check_estimator(estimator, only=[law], on_fail="return")[law].gap == gap


def test_the_bias_of_the_alternate_estimator_vanishes_at_the_value_and_nowhere_else_in_general():
    result = check_estimator(alternate, only=["unbiased"], on_fail="return")["unbiased"]
    assert [condition.split(" (")[0] for condition in result.holds_when] == ["b = v"]
