"""Confidence intervals hold what they promise: coverage is computed exactly, over every sample
there is.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from altpg_verify.audit.intervals import betting, normal, unseen
from tests.shares import share


def missed(interval, outcomes, chances, draws):
    """The exact probability that an interval of so many draws misses the mean."""
    mean = float(np.dot(outcomes, chances))
    total = 0.0
    for which in product(range(len(outcomes)), repeat=draws):
        low, high = interval(np.array([outcomes[i] for i in which], dtype=float))
        if not low - 1e-12 <= mean <= high + 1e-12:
            total += float(np.prod([chances[i] for i in which]))
    return total


@pytest.mark.thorough
@pytest.mark.parametrize("chance", share([0.1, 0.02, 0.3, 0.5, 0.9], 5))
@pytest.mark.parametrize("rate", [0.05, 0.3])
def test_bets_miss_no_more_often_than_stated(chance, rate):
    assert missed(lambda x: betting(x, 0.0, 1.0, rate), (0.0, 1.0), (1 - chance, chance), 9) <= rate


@pytest.mark.thorough
def test_bets_with_three_outcomes_and_another_range():
    outcomes, chances = (-3.0, 0.5, 5.0), (0.1, 0.8, 0.1)
    assert missed(lambda x: betting(x, -3.0, 5.0, 0.2), outcomes, chances, 6) <= 0.2


@pytest.mark.thorough
def test_a_stake_that_looks_ahead_would_be_found(monkeypatch):
    """Planted: intervals of half the length miss more often than stated."""

    def short(x):
        low, high = betting(x, 0.0, 1.0, 0.3)
        return (low + high) / 2 - (high - low) / 8, (low + high) / 2 + (high - low) / 8

    assert missed(short, (0.0, 1.0), (0.5, 0.5), 9) > 0.3


def test_bets_come_close_to_the_normal_limit_where_that_holds():
    values = np.random.default_rng(0).random(20_000)
    (low, high), (below, above) = betting(values, 0.0, 1.0, 0.01), normal(values, 0.01)
    assert low < below < above < high
    assert high - low < 1.5 * (above - below)


def test_a_rare_outlier_that_was_not_drawn_is_outside_the_normal_interval_and_inside_the_other():
    """1e6 with a chance of 1e-6, else 0: its mean is 1, and 10,000 draws see it once in a hundred
    times.
    """
    values = np.zeros(10_000)
    assert normal(values, 0.01) == (0.0, 0.0)
    low, high = betting(values, 0.0, 1e6, 0.01)
    assert low == pytest.approx(0)
    assert high > 1


def test_a_constant_is_known_as_well_as_its_range_allows():
    low, high = betting(np.full(5000, 0.5), 0.0, 1.0, 0.01)
    assert low < 0.5 < high
    assert high - low < 0.02
    assert betting(np.full(10, 2.0), 2.0, 2.0, 0.01) == (2.0, 2.0)


def test_what_may_have_been_missed():
    draws, rate = 1000, 0.01
    assert (1 - unseen(draws, rate)) ** draws == pytest.approx(rate)


@pytest.mark.slow
def test_bets_miss_no_more_often_than_stated_in_larger_samples():
    from scipy.stats import binom

    rate, repetitions = 0.1, 4000
    generator = np.random.default_rng(5)
    for chance in (0.003, 0.05, 0.5):
        misses = 0
        for _ in range(repetitions):
            low, high = betting((generator.random(300) < chance).astype(float), 0.0, 1.0, rate)
            misses += not low <= chance <= high
        assert misses <= binom.isf(1e-4, repetitions, rate)
