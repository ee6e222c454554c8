"""Samples against the policy, with a declared error rate: each test raises a false alarm once in a
million runs of fresh seeds.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from altpg_verify.estimators import alternate
from altpg_verify.sim.large import LogBandit, SamplingTree
from tests.large.exact import shares

FALSE_ALARM = 1e-6
DRAWS = 1_000_000


def probability(theta) -> np.ndarray:
    return np.array([float(after - before) for before, after in pairwise(shares(theta))])


def p_values(counts: np.ndarray, pi: np.ndarray) -> tuple[float, float]:
    """Of Pearson's chi-square and of the G test; cells with fewer than ten expected draws are
    merged.
    """
    from scipy import stats

    expected = pi * counts.sum()
    rare = expected < 10
    if rare.any():
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
        if expected[-1] < 10:
            counts, expected = (
                np.append(counts[:-2], counts[-2:].sum()),
                np.append(expected[:-2], expected[-2:].sum()),
            )
    return tuple(
        float(stats.power_divergence(counts, expected, lambda_=power).pvalue)
        for power in ("pearson", "log-likelihood")
    )


POLICIES = {
    "uniform": np.zeros(64),
    "spread": np.random.default_rng(1).normal(size=200),
    "skewed": np.random.default_rng(2).normal(size=100) * 4,
    "far below zero": np.random.default_rng(3).normal(size=70) - 5000.0,
    "nearly settled": np.r_[np.zeros(30), 8.0],
}


@pytest.mark.parametrize("name", POLICIES)
def test_samples_fit_the_policy(name):
    theta = POLICIES[name]
    drawn = SamplingTree(theta).sample_many(DRAWS, np.random.default_rng(20))
    counts = np.bincount(drawn, minlength=theta.size)
    # two tests share the error rate
    assert min(p_values(counts, probability(theta))) > FALSE_ALARM / 2


@pytest.mark.thorough
def test_samples_fit_also_after_many_updates():
    generator = np.random.default_rng(21)
    tree = SamplingTree(np.zeros(64))
    for scale in (1e6, 300.0, 1.0):
        tree.update_many(np.tile(np.arange(64), 3), generator.normal(size=192) * scale)
        for action in range(64):
            tree.update(action, generator.normal() * scale)
    counts = np.bincount(tree.sample_many(DRAWS, generator), minlength=64)
    assert min(p_values(counts, probability(tree.preferences))) > FALSE_ALARM / 2


@pytest.mark.thorough
def test_the_agents_own_draws_fit_the_policy():
    """With a stepsize of 2⁻⁴⁰ the policy stays what it is, and the preferences count the draws."""
    theta = np.random.default_rng(4).normal(size=50)
    bandit = LogBandit(
        alternate, np.zeros(50), alpha=2.0**-40, b=-1.0, theta=np.round(theta * 64) / 64
    )
    start = bandit.tree.preferences.copy()
    bandit.run(DRAWS)
    counts = np.rint((bandit.tree.preferences - start) * 2.0**40)
    assert counts.sum() == DRAWS
    assert min(p_values(counts, probability(start))) > FALSE_ALARM / 2


def test_neighbours_in_the_stream_are_independent():
    tree = SamplingTree(np.random.default_rng(5).normal(size=10))
    drawn = tree.sample_many(DRAWS, np.random.default_rng(6))
    pairs = np.bincount(drawn[:-1:2] * 10 + drawn[1::2], minlength=100)
    pi = tree.policy()
    assert min(p_values(pairs, np.outer(pi, pi).ravel())) > FALSE_ALARM / 2


def test_a_probability_that_is_off_by_a_hundredth_would_be_seen():
    theta = POLICIES["uniform"]
    tree = SamplingTree(theta)
    tree.arrays[1][0] *= 1.01
    counts = np.bincount(tree.sample_many(DRAWS, np.random.default_rng(20)), minlength=64)
    assert max(p_values(counts, probability(theta))) < FALSE_ALARM


@pytest.mark.thorough
def test_false_alarms_come_as_often_as_declared():
    """At the rate of 1 in 20, over 400 fresh streams: the count lies within the central 1 - 1e-6 of
    its binomial.
    """
    from scipy import stats

    tree = SamplingTree(np.random.default_rng(7).normal(size=40))
    pi = tree.policy()
    alarms = 0
    for seed in range(1000, 1400):
        counts = np.bincount(tree.sample_many(20_000, np.random.default_rng(seed)), minlength=40)
        alarms += p_values(counts, pi)[0] < 0.05
    assert (
        stats.binom.ppf(FALSE_ALARM / 2, 400, 0.05)
        <= alarms
        <= stats.binom.ppf(1 - FALSE_ALARM / 2, 400, 0.05)
    )
