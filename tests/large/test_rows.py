"""Rows of eight words: compared with whole numbers of Python."""

from __future__ import annotations

import numpy as np
from numba import njit

from altpg_verify.sim.large.rows import add_beyond, not_above, product


@njit
def product_of(a, b):
    return product(a, b)


@njit
def count(array, first, x):
    return not_above(array, first, x)


@njit
def add(array, first, index, place, amount):
    add_beyond(array, first, index, place, amount)


def words(*numbers):
    return tuple(np.uint64(number) for number in numbers)


def test_products_have_two_words():
    generator = np.random.default_rng(1)
    for a, b in [
        (0, 5),
        (2**64 - 1, 2**64 - 1),
        *generator.integers(0, 2**64, size=(200, 2), dtype=np.uint64).tolist(),
    ]:
        assert product_of(*words(a, b)) == divmod(a * b, 2**64)


def test_counting_and_adding_in_a_row():
    generator = np.random.default_rng(2)
    for _ in range(200):
        array = generator.integers(0, 2**64, size=24, dtype=np.uint64)
        x, amount = generator.integers(0, 2**64, size=2, dtype=np.uint64).tolist()
        first, index, place = (
            int(generator.integers(17)),
            8 * int(generator.integers(2)),
            int(generator.integers(16)),
        )
        for bound in (x, int(array[first + place % 8])):
            assert count(array, *words(first, bound)) == sum(
                int(entry) <= bound for entry in array[first : first + 8]
            )
        expected = [int(entry) for entry in array]
        for i in range(8):
            expected[first + i] += amount * (index + i > place)
        add(array, *words(first, index, place, amount))
        assert array.tolist() == [entry % 2**64 for entry in expected]
