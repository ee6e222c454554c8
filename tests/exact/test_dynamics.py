"""Fixed points: the paper's numbers, exactly, and what they do to a policy nearby."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import alternate, bandit, estimator, fixed_points, regular
from altpg_verify.exact import expected_update

REWARDS = (1, 2, 3)


def test_an_optimistic_baseline_has_one_attractor_at_the_papers_policy():
    (point,) = fixed_points(alternate, REWARDS, 4)
    assert point.exact
    assert point.pi == (Fraction(2, 11), Fraction(3, 11), Fraction(6, 11))
    assert point.value == Fraction(26, 11)
    assert point.kappa == Fraction(-6, 11)
    assert point.kind == "attractor"
    assert point.stepsize_limit == pytest.approx(11 / 3, rel=1e-9)


def test_a_pessimistic_baseline_has_a_repeller_and_every_corner_attracts():
    points = fixed_points(alternate, REWARDS, -4)
    assert [point.kind for point in points] == ["attractor"] * 3 + ["repeller"]
    assert points[-1].pi == (Fraction(42, 107), Fraction(35, 107), Fraction(30, 107))
    assert [point.value for point in points[:3]] == [3, 2, 1]


def test_the_regular_estimator_ends_at_the_best_action_whatever_the_baseline():
    for b in (4, -4, 0):
        (point,) = fixed_points(regular, REWARDS, b)
        assert point.pi == (0, 0, 1)


def test_past_the_local_stepsize_limit_the_attractor_is_lost_and_before_it_is_kept():
    (point,) = fixed_points(alternate, REWARDS, 4)

    def spread_after(alpha):
        theta = np.log(np.array([float(p) for p in point.pi])) + np.array([1e-3, -1e-3, 0])
        for _ in range(400):
            weights = np.exp(theta - theta.max())
            pi = weights / weights.sum()
            theta = theta + alpha * pi * (np.array(REWARDS) - 4)
        return np.abs(pi - np.array([float(p) for p in point.pi])).max()

    assert spread_after(0.97 * point.stepsize_limit) < 1e-4
    assert spread_after(1.03 * point.stepsize_limit) > 1e-2


def test_an_irrational_fixed_point_is_reported_as_a_float_that_solves_the_equation():
    @estimator
    def half_regular(pi, e, r, b):
        return (r - b) * (e - pi / 2)

    (point,) = fixed_points(half_regular, REWARDS, 4)
    assert not point.exact
    assert point.kind == "attractor"
    case = bandit(
        REWARDS,
        [Fraction(p).limit_denominator(10**15) for p in point.pi[:2]]
        + [1 - sum(Fraction(p).limit_denominator(10**15) for p in point.pi[:2])],
        4,
    )
    update = [float(u) for u in expected_update(half_regular, case)]
    assert max(update) - min(update) < 1e-10
