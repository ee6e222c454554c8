"""Right over long runs: extremes, drift of the preferences, and no drift of the sums."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from mpmath import mp, mpf

from altpg_verify.estimators import alternate
from altpg_verify.sim.large import LogBandit, SamplingTree, tree_peers
from altpg_verify.sim.large.blocks import HIGH, LOW
from tests.large.exact import UNIT, canonical, exponentials, first_keys, shares


def same_sums(tree: SamplingTree) -> bool:
    """Whether all sums are those of a tree built from the present preferences, bit for bit up to
    the units of the blocks.

    An entry below 2⁻¹⁰²² in its block's units is 0 in one of them and may be there in the other:
    such entries count as 0.
    """
    fresh = SamplingTree(tree.preferences)
    (mantissa, power), (other, other_power) = canonical(tree), canonical(fresh)
    top = power.max(axis=1, keepdims=True)
    seen, also = (mantissa != 0) & (power > top - 800), (other != 0) & (other_power > top - 800)
    return bool(
        (seen == also).all()
        and (mantissa == other)[seen].all()
        and (power == other_power)[seen].all()
    )


def in_range(tree: SamplingTree) -> bool:
    """Every block's sum lies strictly between the bounds."""
    sums = tree.arrays[1].reshape(-1, 8).sum(axis=1)
    return bool((sums > LOW / 2).all() and (sums < HIGH * 2).all())


def largest_relative_error(tree: SamplingTree) -> float:
    """Of the total, in units of 2⁻⁵³."""
    _, weight, exponent, _ = tree.arrays
    with mp.workdps(60):
        total = mp.ldexp(mp.fsum(mpf(float(entry)) for entry in weight[:8]), int(exponent[0]))
        exact = mp.fsum(exponentials(tree.preferences)) * mp.exp(mpf(float(tree.preferences.max())))
        return float(abs(total / exact - 1) * 2**53)


EXTREMES = {
    "beyond 700": np.array([710.0, 800.0, 1000.0, 1000.5, -900.0]),
    "far below": np.array([-1e6, -1e6 + 1, -1e6 - 3]),
    "all equal, huge": np.full(100, 1e9),
    "all equal, hugely negative": np.full(100, -1e9),
    "one dominates by e^1000": np.r_[np.zeros(500), 1000.0, np.zeros(500)],
    "a ladder of e^100": 100.0 * np.arange(-600, 600),
    "limits": np.array([2.0**30, -(2.0**30)]),
}


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_are_sampled_rightly(name):
    theta = EXTREMES[name]
    tree = SamplingTree(theta)
    ends = shares(theta)
    pi = np.array([float(after - before) for before, after in pairwise(ends)])
    assert in_range(tree)
    assert np.allclose(
        tree.policy(),
        np.where(pi < 1e-307, 0.0, pi),
        rtol=1e-14 * max(1, abs(theta).max() / 1e9),
        atol=1e-307,
    )
    assert largest_relative_error(tree) <= 3 * tree.levels + 3
    worst = max(
        abs(int(first) * UNIT - end) for first, end in zip(first_keys(tree), ends, strict=False)
    )
    assert worst <= Fraction(tree.boundary_error) + UNIT


def test_the_others_come_back_when_a_dominating_action_falls():
    theta = np.random.default_rng(1).normal(size=200)
    tree = SamplingTree(theta)
    before = tree.policy()
    for top in (1000.0, 1e5, 1e9):
        tree.update(77, top)
        assert tree.policy()[77] == 1.0
        assert tree.log_probabilities()[3] == pytest.approx(theta[3] - top, rel=1e-15)
        tree.update(77, theta[77])
        assert (tree.policy() == before).all()
        assert same_sums(tree)


def test_preferences_drift_away_together():
    # as with an optimistic baseline: every preference falls without end, their differences stay
    differences = np.random.default_rng(2).normal(size=90)
    tree = SamplingTree(differences)
    for step in range(1, 60):
        offset = -(137.0**2) * step
        for action in np.random.default_rng(step).permutation(90):
            tree.update(int(action), differences[action] + offset)
            assert in_range(tree)
        assert same_sums(tree)
    exact = SamplingTree(differences).policy()
    assert np.allclose(tree.policy(), exact, rtol=1e-9)


@pytest.mark.parametrize("scale", [1.0, 100.0, 1e4, 1e7])
def test_sums_are_those_of_a_tree_just_built(scale):
    generator = np.random.default_rng(int(scale))
    tree = SamplingTree(generator.normal(size=300) * scale)
    for _ in range(40):
        tree.update_many(generator.integers(300, size=15), generator.normal(size=15) * scale)
        assert in_range(tree)
        assert same_sums(tree)


def test_a_lost_bit_in_one_sum_would_be_seen():
    tree = SamplingTree(np.random.default_rng(3).normal(size=300))
    assert same_sums(tree)
    tree.arrays[1][1] = np.nextafter(tree.arrays[1][1], 2.0 * tree.arrays[1][1])
    assert not same_sums(tree)


def agent(steps: int, k: int) -> LogBandit:
    """An agent whose preferences fall on average, with jumps in both directions from the noise."""
    rewards = np.random.default_rng(9).uniform(1.0, 3.0, k)
    bandit = LogBandit(alternate, rewards, alpha=0.25, b=4.0, sigma=3.0)
    bandit.run(steps)
    return bandit


def check_agent(bandit: LogBandit) -> None:
    tree = bandit.tree
    assert same_sums(tree)
    assert in_range(tree)
    assert largest_relative_error(tree) <= 3 * tree.levels + 3
    ends = shares(tree.preferences)
    worst = max(
        abs(int(first) * UNIT - end) for first, end in zip(first_keys(tree), ends, strict=False)
    )
    assert worst <= Fraction(tree.boundary_error) + UNIT


def test_three_hundred_thousand_steps_leave_no_trace_in_the_sums():
    bandit = agent(300_000, 20)
    assert bandit.tree.preferences.max() < -700, "raw exponentials would have underflowed"
    check_agent(bandit)


@pytest.mark.slow
def test_a_hundred_million_steps_leave_no_trace_in_the_sums():
    bandit = agent(100_000_000, 1000)
    assert bandit.tree.preferences.max() < -10_000
    check_agent(bandit)


@pytest.mark.slow
def test_a_hundred_million_updates_of_every_size():
    generator = np.random.default_rng(12)
    tree = SamplingTree(np.zeros(4096))
    for _ in range(10_000):
        scale = 10.0 ** generator.uniform(-3, 6)
        # 256 at a time, so that they are made one by one
        for _ in range(40):
            actions, values = generator.integers(4096, size=250), generator.normal(size=250) * scale
            tree.update_many(actions, values)
    assert in_range(tree)
    assert same_sums(tree)


@pytest.mark.thorough
def test_a_plain_fenwick_tree_does_drift():
    """The contrast: where differences are added, a large weight that comes and goes takes the small
    ones with it.
    """
    theta = np.array([0.0, 40.0])
    weight, sums, total = np.zeros(2), np.zeros(3), np.zeros(1)
    tree_peers._fenwick_build(theta, weight, sums, total)
    tree_peers._fenwick_change(weight, sums, total, np.uint64(1), 0.0)
    assert weight.tolist() == [1.0, 1.0]
    assert total[0] == 0.0
    tree = SamplingTree(theta)
    tree.update(1, 0.0)
    assert tree.policy().tolist() == [0.5, 0.5]
