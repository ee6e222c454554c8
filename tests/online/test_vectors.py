"""Vector values act lane by lane: each lane has the bits of the function of one number, for any
number of lanes.
"""

from __future__ import annotations

import numpy as np
import pytest
from numba import njit

from altpg_verify.sim import portable_math, streams
from altpg_verify.sim.online import vectors
from tests.shares import share

NUMBERS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.3,
    -0.7,
    5e-324,
    1e-300,
    -706.9,
    -707.1,
    709.6,
    709.8,
    31.4,
    -31.4,
    1e4,
    np.inf,
    -np.inf,
    np.nan,
]


def in_lanes(function, lanes):
    """A compiled loop over rows: from (rows * lanes,) numbers to those of the function."""

    @njit(error_model="numpy")
    def run(numbers, out):
        for row in range(numbers.size // lanes):
            vectors.store(out, row, lanes, function(vectors.load(numbers, row, lanes)))

    return run


def one_by_one(function, numbers):
    return np.array([function(x) for x in numbers])


def same_bits(x, y):
    return np.array_equal(np.isnan(x), np.isnan(y)) and np.array_equal(
        x[~np.isnan(x)].view(np.uint64), y[~np.isnan(y)].view(np.uint64)
    )


@pytest.mark.thorough
@pytest.mark.parametrize("lanes", share([3, 1, 16], 3))
@pytest.mark.parametrize("name", ["exp", "log", "cos"])
def test_functions_have_the_bits_of_the_functions_of_one_number(name, lanes):
    generator = np.random.default_rng(0)
    numbers = np.concatenate(
        [NUMBERS, generator.normal(scale=30.0, size=1002), generator.normal(size=1002)]
    )
    numbers = numbers if name == "exp" else numbers[np.abs(numbers) < 1e5]
    numbers = np.abs(numbers[np.abs(numbers) > 1e-300]) if name == "log" else numbers
    numbers = numbers[: numbers.size // 48 * 48]
    out = np.empty_like(numbers)
    in_lanes(getattr(vectors, name), lanes)(numbers, out)
    assert same_bits(out, one_by_one(getattr(portable_math, name), numbers))


@pytest.mark.thorough
@pytest.mark.parametrize("lanes", share([3, 1, 16], 3))
def test_uniforms_are_those_of_the_streams(lanes):
    state = np.random.default_rng(1).integers(0, 2**63, (4, lanes), dtype=np.uint64)
    state[0] += np.uint64(2**63)
    other, expected = state.copy(), np.empty(lanes)

    @njit(error_model="numpy")
    def draw(wholes, out):
        vectors.store(out, 0, lanes, vectors.uniforms(wholes, 0, lanes))

    found = np.empty(lanes)
    for _ in range(20):
        draw(state.reshape(-1), found)
        streams.uniforms(other, expected)
        assert np.array_equal(found, expected)
        assert np.array_equal(state, other)
        assert (found >= 0).all()
        assert (found < 1).all()


def test_a_comparison_with_nan_is_no_and_any_lane_counts():
    @njit(error_model="numpy")
    def run(numbers, out):
        x = vectors.load(numbers, 0, 4)
        vectors.store(out, 0, 4, vectors.where(x < 1.0, 1.0, 0.0))
        vectors.store(out, 1, 4, vectors.where((x >= 1.0) | (x != x), 1.0, 0.0))
        return vectors.anywhere(x > 2.0), vectors.anywhere(x > 3.0)

    out = np.empty(8)
    assert run(np.array([0.0, 1.0, np.nan, 3.0]), out) == (True, False)
    assert out.tolist() == [1, 0, 0, 0, 0, 1, 1, 1]
