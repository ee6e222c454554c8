"""Exactness of the sampling distribution: what each of all 2⁵³ keys selects, against exact
cumulative sums.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.sim.large import SamplingTree
from tests.large.exact import UNIT, first_keys, shares

GENERATOR = np.random.default_rng(11)
PREFERENCES = {
    "one action": [0.3],
    "two": [0.0, 1.0],
    "seven, equal": [5.0] * 7,
    "eight": list(GENERATOR.normal(size=8)),
    "nine": list(GENERATOR.normal(size=9)),
    "a hundred": list(GENERATOR.normal(size=100) * 3),
    "a hundred, far apart": list(GENERATOR.normal(size=100) * 300),
    "all drifted": list(GENERATOR.normal(size=65) - 123456.789),
    "one dominates": [0.0] * 40 + [1000.0] + [0.0] * 40,
    "two dominate": [0.0] * 10 + [1000.0] + [-700.0] * 50 + [999.5] + [0.0] * 10,
    "several levels": list(GENERATOR.normal(size=600)),
}


def deviation(tree: SamplingTree, theta) -> Fraction:
    """The largest distance of an interval's lower end from the exact cumulative probability."""
    return max(
        abs(int(first) * UNIT - end)
        for first, end in zip(first_keys(tree), shares(theta), strict=False)
    )


@pytest.mark.parametrize("name", PREFERENCES)
def test_every_key_selects_what_cumulative_sums_say(name):
    theta = PREFERENCES[name]
    tree = SamplingTree(theta)
    # one key more, for keys are multiples of the unit
    assert deviation(tree, theta) <= Fraction(tree.boundary_error) + UNIT


@pytest.mark.thorough
def test_also_after_updates_that_move_the_units():
    generator = np.random.default_rng(4)
    theta = generator.normal(size=70)
    tree = SamplingTree(theta)
    for scale in (1.0, 30.0, 3000.0, 1e6, 1.0):
        for action in generator.integers(70, size=150):
            theta[action] = generator.normal() * scale
            tree.update(action, theta[action])
        assert deviation(tree, theta) <= Fraction(tree.boundary_error) + UNIT


def test_where_all_sums_are_exact_no_key_is_off():
    for k in (8, 64, 512):
        assert (first_keys(SamplingTree(np.zeros(k))) == np.arange(k) * (2**53 // k)).all()


def test_a_tiny_error_in_one_sum_would_be_seen():
    theta = PREFERENCES["a hundred"]
    tree = SamplingTree(theta)
    tree.arrays[1][0] *= 1 + 1e-12
    assert deviation(tree, theta) > Fraction(tree.boundary_error) + UNIT


def test_selecting_is_monotone_in_the_key():
    generator = np.random.default_rng(5)
    tree = SamplingTree(generator.normal(size=1000) * 20)
    keys = np.sort(generator.random(100_000))
    near = np.clip(
        np.concatenate([keys, np.nextafter(keys, 0.0), np.nextafter(keys, 1.0)]),
        0.0,
        1.0 - 2.0**-53,
    )
    assert (np.diff(tree.select_many(np.sort(near))) >= 0).all()


def test_one_key_and_many_keys_select_alike():
    generator = np.random.default_rng(6)
    tree = SamplingTree(generator.normal(size=333) * 5)
    keys = [0.0, 1.0 - 2.0**-53, *generator.random(200)]
    assert [tree.select(key) for key in keys] == tree.select_many(keys).tolist()


def test_actions_of_no_weight_are_never_selected():
    tree = SamplingTree([-2000.0, 0.0, -2000.0, -2000.0, 0.0, *[-2000.0] * 60])
    assert tree.select(0.0) == 1
    assert tree.select(1.0 - 2.0**-53) == 4
