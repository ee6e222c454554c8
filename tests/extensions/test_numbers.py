"""The formulas beyond the paper against numbers found another way: root finding, another
integrator, fractions, high precision.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest

from altpg_verify.estimators import alternate, expected_gradient, regular
from altpg_verify.sim.experiments import bandit_escape_times, bandit_spread
from altpg_verify.sim.experiments.chain_fixed_points import exact_point, value
from altpg_verify.sim.experiments.expected_steps import expected_update, fixed_point, policies_of
from altpg_verify.sim.results import Record

R, B = np.array([1.0, 2.0, 3.0]), 4.0


def stepped(pi: np.ndarray, r: np.ndarray, b: float, alpha: float) -> np.ndarray:
    """One expected step, written out by hand."""
    weight = pi * np.exp(alpha * pi * (r - b))
    return weight / weight.sum()


@pytest.mark.thorough
def test_the_expected_update_is_the_estimators_mean():
    pi = np.array([[0.2, 0.1], [0.3, 0.1], [0.5, 0.8]])
    q = R[:, None]
    assert expected_update(alternate, pi, q, B) == pytest.approx(pi * (q - B))
    assert expected_update(regular, pi, q, B) == pytest.approx(pi * (q - (pi * q).sum(axis=0)))
    assert expected_update(expected_gradient, pi, q, B) == pytest.approx(
        pi * (q - (pi * q).sum(axis=0))
    )
    assert policies_of(3, 2)(np.log(pi)) == pytest.approx(pi)


@pytest.mark.parametrize("ratio", [2.05, 2.5, 4.0])
def test_two_arms_cycle_where_the_proof_says(ratio):
    from scipy.optimize import brentq

    r = np.array([1.0, 2.5])
    star, kappa = fixed_point(r, 3.0)
    rho = star[0] / star[1]
    bump = lambda y: 2 * math.atanh(y) - ratio * y  # noqa: E731
    y = brentq(lambda y: bump(y) + bump(rho * y), 1e-6, 1 - 1e-12)
    pi = star * np.array([1 + y, 1 - rho * y])
    after = stepped(pi, r, 3.0, ratio / kappa)
    assert after == pytest.approx(2 * star - pi, abs=1e-12)
    assert stepped(after, r, 3.0, ratio / kappa) == pytest.approx(pi, abs=1e-12)
    assert y > 0.1


def test_below_the_threshold_the_function_of_the_proof_increases():
    y = np.linspace(-0.999, 0.999, 2001)
    assert np.all(np.diff(2 * np.arctanh(y) - 2 * y) > 0)
    assert not np.all(np.diff(2 * np.arctanh(y) - 2.1 * y) > 0)


@pytest.mark.parametrize("alpha", [0.5, 3.0, 20.0])
def test_log_ratios_grow_no_faster_than_the_bound(alpha):
    theta, reach = np.array([2.0, -1.0, 0.0]), alpha * (B - R).max()
    start, mean, steps = np.ptp(theta), np.zeros(3), 3000
    for t in range(steps):
        assert np.ptp(theta) <= max(reach, start) + math.log1p(reach * t) + 1e-9
        pi = np.exp(theta - theta.max())
        pi /= pi.sum()
        mean += pi / steps
        theta = theta + alpha * pi * (R - B)
    error = (2 * max(reach, start) + math.log1p(reach * steps)) / (alpha * steps)
    assert np.all(np.abs(mean - fixed_point(R, B)[0]) <= 2 * error / (B - R))


@pytest.mark.parametrize("s", ["1.001", "1.2", "3"])
def test_the_divergence_grows_on_the_sharp_family(s):
    with mpmath.workdps(40):
        s = mpmath.mpf(s)
        v = s - 1
        eps = v**2 / (2 * (2 + v) ** 2)
        d, pi = (mpmath.mpf(1), eps), (v / (2 * s), 1 - v / (2 * s))
        kappa = 1 / sum(1 / x for x in d)
        alpha, star = s / kappa, [kappa / x for x in d]
        weight = [p * mpmath.exp(-alpha * p * x) for p, x in zip(pi, d, strict=True)]
        after = [x / sum(weight) for x in weight]
        change = sum(q * mpmath.log(p / n) for q, p, n in zip(star, pi, after, strict=True))
        assert change > 0


def test_descent_up_to_the_uniform_stepsizes():
    generator = np.random.default_rng(5)
    for _ in range(400):
        k = int(generator.integers(2, 7))
        d, pi = 10 ** generator.uniform(-1, 1, k), generator.dirichlet(np.ones(k))
        two = np.sort(d)[-2:].sum()
        star, kappa = fixed_point(-d, 0.0)
        assert k / d.max() <= 1 / kappa * (1 + 1e-12)
        for alpha in (k / d.max(), 1 / kappa, 0.999 * 8 / two):
            after = stepped(pi, -d, 0.0, alpha)
            assert star @ np.log(pi / after) < 1e-12


MATH = {5.0: (1.904, 34.09), 10.0: (3.577, 4594.7), 20.0: (6.910, 1.011e8)}


@pytest.fixture(scope="module")
def escape():
    setting = {
        "rewards": [1.0, 2.0, 3.0],
        "b": 4.0,
        "gaps": [5.0, 10.0, 20.0],
        "steps": 1200,
        "end": 0.5,
        "runs": 1,
    }
    return Record(setting, bandit_escape_times.BANDIT_ESCAPE_TIMES.run("test", setting, 1))


@pytest.mark.thorough
def test_escape_times_are_the_known_ones(escape):
    for i, gap in enumerate(escape.setting["gaps"]):
        assert escape["alternate"][i] == pytest.approx(MATH[gap][0], abs=1e-3)
        assert escape["gradient"][i] == pytest.approx(MATH[gap][1], rel=1e-3)
    low, high, slow = bandit_escape_times.envelopes(escape)
    assert low == pytest.approx([1.764, 3.436, 6.769], abs=1e-3)
    assert high == pytest.approx([2.344, 4.018, 7.351], abs=1e-3)
    assert slow == pytest.approx([19.38, 2755, 6.06e7], rel=1e-3)


@pytest.mark.parametrize("name", ["alternate", "gradient"])
def test_another_integrator_in_time_agrees(name, escape):
    from scipy.integrate import solve_ivp

    def velocity(_, theta):
        pi = np.exp(theta - theta.max())
        pi /= pi.sum()
        return pi * (R - (B if name == "alternate" else pi @ R))

    def left(_, theta):
        return 1 / np.exp(np.subtract(theta, theta[0])).sum() - 0.5

    left.terminal = True
    found = solve_ivp(
        velocity,
        (0, 1e4),
        np.array([5.0, 0.0, 0.0]),
        events=left,
        rtol=1e-10,
        atol=1e-12,
        method="LSODA",
    )
    assert found.t_events[0][0] == pytest.approx(escape[name][0], rel=1e-6)


def test_two_arms_leave_exactly_as_the_formula_says():
    from scipy.integrate import solve_ivp

    found = solve_ivp(
        lambda _, logit: -2 / (2 + np.exp(logit) + np.exp(-logit)),
        (0, 6 + math.sinh(6)),
        [6.0],
        rtol=1e-11,
        atol=1e-12,
    )
    assert found.y[0, -1] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("alpha", "linear", "bound"),
    [
        (1 / 64, 0.00369, 0.0083),
        (1 / 8, 0.03044, 0.0668),
        (1.0, 0.32344, 0.5341),
        (2.0, 1.03501, 1.0682),
    ],
)
def test_spread_formulas_on_the_papers_bandit(alpha, linear, bound):
    kappa = fixed_point(R, B)[1]
    law = bandit_spread._law(
        Record({"rewards": R.tolist(), "b": B, "sigma": 1.0, "ratio": alpha * kappa}, {})
    )
    assert law["linear"] == pytest.approx(linear, abs=6e-6)
    assert law["bound"] == pytest.approx(bound, abs=6e-5)


def test_one_step_drift_of_the_divergence_is_below_its_bound():
    # two-point noise, so that the mean over actions and rewards is a finite sum
    star, _ = fixed_point(R, B)
    for pi in np.random.default_rng(2).dirichlet(np.ones(3), 50):
        for alpha in (0.1, 1.0, 5.0):
            drift = sum(
                pi[c] * 0.5 * (np.log1p(pi[c] * np.expm1(eta)) - star[c] * eta)
                for c, sign in product(range(3), (-1, 1))
                for eta in [alpha * (R[c] + sign - B)]
            )
            bound = -alpha * (B - R) @ (pi - star) ** 2 + alpha**2 / 8 * pi @ (1 + (B - R) ** 2)
            assert drift <= bound + 1e-12


def test_variance_gap_in_fractions():
    pi, r, variance = (
        [Fraction(n, 10) for n in (1, 3, 6)],
        [Fraction(n) for n in (2, -1, 4)],
        Fraction(3, 2) ** 2,
    )
    value_ = sum(p * x for p, x in zip(pi, r, strict=True))
    totals = []
    for score in (lambda a, c: Fraction(a == c), lambda a, c: Fraction(a == c) - pi[a]):
        total = Fraction(0)
        for a in range(3):
            draws = [
                (pi[c] / 2, (r[c] + sign * Fraction(3, 2) - value_) * score(a, c))
                for c in range(3)
                for sign in (-1, 1)
            ]
            mean = sum(p * g for p, g in draws)
            total += sum(p * g * g for p, g in draws) - mean**2
        totals.append(total)
    h = [x - value_ for x in r]
    square = sum(p * p for p in pi)
    gap = variance * square + 2 * sum(p * p * x * x for p, x in zip(pi, h, strict=True))
    gap -= square * sum(p * x * x for p, x in zip(pi, h, strict=True))
    assert totals[0] - totals[1] == gap


def test_value_falls_from_the_best_reward_to_the_mean():
    values = [float(fixed_point(R, b)[0] @ R) for b in (3.0 + 1e-9, 3.01, 3.5, 4.0, 6.0, 20.0, 1e6)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(3, abs=1e-6)
    assert values[-1] == pytest.approx(2, abs=1e-5)
    assert values[3] == pytest.approx(26 / 11)


@pytest.mark.parametrize(
    ("b", "known"),
    [(1.05, 0.586), (1.2, 0.488), (1.5, 0.407), (2.0, 0.354), (4.0, 0.298), (10.0, 0.272)],
)
def test_the_chains_sweep(b, known):
    assert value(exact_point(b)) == pytest.approx(known, abs=6e-4)


def improved(
    pi: np.ndarray, kernel: np.ndarray, rewards: np.ndarray, gamma: float, b: float
) -> np.ndarray:
    """Φ of a policy (states, actions): 1/(b - q), normalised."""
    v = np.linalg.solve(
        np.eye(len(pi)) - gamma * np.einsum("sk,skt->st", pi, kernel), (pi * rewards).sum(axis=1)
    )
    inverse = 1 / (b - rewards - gamma * kernel @ v)
    return inverse / inverse.sum(axis=1, keepdims=True)


def test_the_map_contracts_on_random_processes():
    generator, gamma = np.random.default_rng(7), 0.8
    for _ in range(30):
        kernel, rewards = generator.dirichlet(np.ones(3), (3, 3)), generator.uniform(0, 1, (3, 3))
        one, other = generator.dirichlet(np.ones(3) / 3, (2, 3))
        # no action value is outside of these
        low, high = rewards.min() / (1 - gamma), rewards.max() / (1 - gamma)
        b = high + gamma * (high - low) / (2 * (1 - gamma))
        change = (
            np.abs(
                improved(one, kernel, rewards, gamma, b)
                - improved(other, kernel, rewards, gamma, b)
            )
            .sum(axis=1)
            .max()
        )
        assert change <= np.abs(one - other).sum(axis=1).max()
