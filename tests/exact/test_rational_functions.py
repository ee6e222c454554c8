"""Rational functions as numbers: they decide equality and refuse to be branched on."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import Verdict, check_estimator, estimator
from altpg_verify.estimators import alternate
from altpg_verify.exact import expected_update, policy_gradient
from altpg_verify.opaque_numbers import NotRational
from altpg_verify.symbolic import generic


def test_equality_is_decided_by_the_normal_form():
    p = generic(2).x[0]
    assert (p * p - 1) / (p - 1) == p + 1
    assert (p * p - 1) / (p - 1) != p
    assert p - p == 0
    assert 0.5 * p == p / 2 == p * Fraction(1, 2) == p * np.int64(1) / 2


@pytest.mark.parametrize(
    "branch", [lambda p: p < 0, lambda p: p >= 1, bool, abs, float, lambda p: p**0.5]
)
def test_branching_is_refused(branch):
    with pytest.raises(NotRational):
        branch(generic(2).x[0])


def test_the_symbolic_expectation_is_the_formula():
    case = generic(3)
    assert list(expected_update(alternate, case)) == [
        case.pi[a] * (case.q[a] - case.b) for a in range(3)
    ]
    assert list(policy_gradient(case)) == [case.pi[a] * (case.q[a] - case.v) for a in range(3)]


def test_rewards_enter_through_their_moments():
    case = generic(2)
    square = case.expectation(lambda action, reward: reward * reward)
    assert square == sum(case.pi[a] * (case.sigma2[a] + case.q[a] * case.q[a]) for a in range(2))


def test_equal_functions_are_one_key_and_a_plus_changes_nothing():
    case = generic(2)
    b = case.b
    assert +b == b
    assert len({b + b, 2 * b, b * b}) == 2


# tests/checkers/test_hostile.py asks the same of more formulas
@pytest.mark.slow
def test_a_formula_that_branches_is_never_proved_but_still_refuted_or_tried():
    @estimator
    def clipped(pi, e, r, b):
        return np.clip(r - b, -1, 1) * (e - pi)

    report = check_estimator(clipped, on_fail="return", facts=False, max_examples=30)
    assert report["unbiased"].verdict is Verdict.REFUTED
    assert report["zero_sum"].verdict is Verdict.HOLDS


@pytest.mark.thorough
def test_a_special_case_on_a_thin_set_is_not_proved_away():
    @estimator
    def trapdoor(pi, e, r, b):
        """Right, except when the policy is exactly uniform."""
        scale = 2 if pi[0] == pi[-1] else 1
        return scale * (r - b) * (e - pi)

    result = check_estimator(trapdoor, only=["unbiased"], on_fail="return")["unbiased"]
    assert result.verdict is Verdict.REFUTED
    assert result.counterexample.case == "π = (1/2, 1/2)   r = (0, 1)   b = 0"
