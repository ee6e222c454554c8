"""Enumeration against formulas written out by hand in other arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from altpg_verify import alternate, bandit, escort, expected_gradient, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case
from altpg_verify.exact import (
    expected_update,
    outcomes,
    policy_gradient,
    update_jacobian,
    variance,
    without_shift,
)
from altpg_verify.strategies import cases, corners, policies

HALF = Fraction(1, 2)


@pytest.mark.thorough
@given(cases())
@settings(max_examples=200)
def test_variance_is_the_mean_square_less_the_squared_mean(case):
    for estimator in (regular, alternate):
        mean = [Fraction(0)] * case.k
        square = [Fraction(0)] * case.k
        for a in range(case.k):
            for reward, weight in case.rewards[a]:
                eta = case.pi if estimator is regular else [0] * case.k
                for i in range(case.k):
                    g = (reward - case.b) * ((a == i) - eta[i])
                    mean[i] += case.pi[a] * weight * g
                    square[i] += case.pi[a] * weight * g * g
        assert list(expected_update(estimator, case)) == mean
        assert list(variance(estimator, case)) == [
            s - m * m for s, m in zip(square, mean, strict=True)
        ]


@given(cases())
@settings(max_examples=100)
def test_softmax_gradient_equals_finite_differences_of_the_value(case):
    gradient = [float(g) for g in policy_gradient(case)]
    theta = np.log(np.array([float(p) for p in case.pi]))
    q = np.array([float(value) for value in case.q])

    def value(at):
        weights = np.exp(at - at.max())
        return weights @ q / weights.sum()

    step = 1e-5
    slopes = [
        (value(theta + step * unit) - value(theta - step * unit)) / (2 * step)
        for unit in np.eye(case.k)
    ]
    assert gradient == pytest.approx(slopes, abs=1e-8)


@given(cases(escort(3)))
@settings(max_examples=100)
def test_escort_gradient_equals_finite_differences_of_the_value(case):
    theta = np.array([float(x) for x in case.x])
    q = np.array([float(value) for value in case.q])

    def value(at):
        weights = np.abs(at) ** 3
        return weights @ q / weights.sum()

    step = 1e-5
    slopes = [
        (value(theta + step * unit) - value(theta - step * unit)) / (2 * step)
        for unit in np.eye(case.k)
    ]
    assert [float(g) for g in policy_gradient(case)] == pytest.approx(slopes, abs=1e-7)


@given(cases())
@settings(max_examples=50)
def test_the_jacobian_of_the_alternate_update_has_the_papers_curl(case):
    jacobian = update_jacobian(alternate, case)
    for a in range(case.k):
        for c in range(a + 1, case.k):
            assert jacobian[a, c] - jacobian[c, a] == case.pi[a] * case.pi[c] * (
                case.q[c] - case.q[a]
            )


def test_worked_example():
    case = bandit([1, 2, 3], ["2/11", "3/11", "6/11"], 4)
    assert case.v == Fraction(26, 11)
    assert list(expected_update(alternate, case)) == [Fraction(-6, 11)] * 3
    assert list(policy_gradient(case)) == list(expected_update(expected_gradient, case))
    assert [list(estimate) for estimate in outcomes(alternate, case)] == [
        [-3, 0, 0],
        [0, -2, 0],
        [0, 0, -1],
    ]


def test_taking_out_the_shift():
    assert list(without_shift(np.array([HALF, HALF, 2 * HALF], dtype=object))) == [
        Fraction(-1, 6),
        Fraction(-1, 6),
        Fraction(1, 3),
    ]
    assert without_shift(np.array([[1, 2], [3, 4]], dtype=object)).tolist() == [[0, 0], [0, 0]]


def test_a_case_reads_back_what_it_prints():
    for text in ("pi=1/2,1/2; r=0,1; b=-1/3", "pi=1/4,3/4; r=0@1/2|2@1/2,5; b=0"):
        assert str(parse_case(text)) == text
    escort_case = parse_case("theta=-1,2; r=0,1; b=1", "escort:2")
    assert list(escort_case.pi) == [Fraction(1, 5), Fraction(4, 5)]
    assert parse_case(str(escort_case), "escort:2") == escort_case


def test_boundary_policies_never_draw_an_impossible_action():
    case = Case(
        (Fraction(1), Fraction(0)),
        (((Fraction(5), Fraction(1)),), ((Fraction(7), Fraction(1)),)),
        Fraction(0),
    )
    assert [(action, reward) for _, action, reward in case.draws()] == [(0, 5)]


def test_preferences_reproduce_the_policy():
    case = bandit([0, 0], ["1/4", "3/4"], 0)
    weights = [math.exp(theta) for theta in case.theta]
    assert weights[0] / sum(weights) == pytest.approx(0.25)


@pytest.mark.thorough
def test_strategies_shrink_to_the_simplest_case():
    from hypothesis import find

    quiet = settings(database=None)
    assert find(policies(), lambda pi: True, settings=quiet) == (HALF, HALF)
    assert find(corners(), lambda pi: True, settings=quiet) == (1, 0)
    assert str(find(cases(), lambda case: True, settings=quiet)) == "pi=1/2,1/2; r=0,0; b=0"
