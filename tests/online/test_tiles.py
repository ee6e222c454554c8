"""The wrapping tile coder against the definition of the library that the authors' code takes it
from, on the unit cube.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from altpg_verify.sim.jit import compile_kernel
from altpg_verify.sim.online.lanes import FLOATS, NEXT, NUMBERS, SCALED, UINTS, WHOLES
from altpg_verify.sim.online.tiles import find_tiles, place_tilings
from tests.online.reference import library_tile
from tests.shares import share

LANES = 16


def coder(dimensions, wraps=True):
    """A function from points (dimensions, 16) of the unit cube and offsets (8, dimensions, 16) to
    tile numbers (8, 16).
    """

    def find(numbers, wholes):
        find_tiles(numbers, wholes, 0, LANES, LANES, dimensions, wraps)

    kernel = compile_kernel(find, (FLOATS, UINTS), keep=False)

    def tiles(points, offsets):
        numbers, wholes = np.zeros((NUMBERS, LANES)), np.zeros((WHOLES, LANES), np.uint64)
        for tiling in range(8):
            for d in range(dimensions):
                place_tilings(numbers, wholes, tiling, d, offsets[tiling, d], np.full(LANES, wraps))
        numbers[SCALED : SCALED + dimensions] = 4.0 * points
        kernel(numbers.reshape(-1), wholes.reshape(-1))
        numbered = wholes[NEXT : NEXT + 8].astype(int)
        assert (numbered % 4 == 0).all()
        return numbered // 4

    return tiles


@pytest.fixture(scope="module")
def square():
    return coder(2)


def library(points, offsets):
    size = 4 ** len(points)
    return np.array(
        [
            [
                k * size + library_tile(points[:, i], offsets[k, :, i])
                for i in range(points.shape[1])
            ]
            for k in range(8)
        ]
    )


@pytest.mark.thorough
@pytest.mark.parametrize("dimensions", share([6, 2], 2))
def test_tiles_are_the_librarys(dimensions):
    generator, tiles = np.random.default_rng(0), coder(dimensions)
    for _ in range(60):
        points, offsets = (
            generator.random((dimensions, LANES)),
            generator.random((8, dimensions, LANES)),
        )
        assert (tiles(points, offsets) == library(points, offsets)).all()


def test_tiles_at_edges_and_corners_are_the_librarys(square):
    generator = np.random.default_rng(1)
    edge = np.array([0.0, 1.0, 0.25, 0.5])
    points = np.array([[x, y] for x in edge for y in edge]).T
    for _ in range(40):
        offsets = generator.random((8, 2, LANES))
        assert (square(points, offsets) == library(points, offsets)).all()


def test_only_points_at_a_border_can_differ(square):
    # with no offset the borders are where the library's small constants decide; everywhere else
    # nothing differs
    generator, none = np.random.default_rng(2), np.zeros((8, 2, LANES))
    points = generator.integers(0, 5, (2, LANES)) / 4 + generator.uniform(-1e-11, 1e-11, (2, LANES))
    points = np.clip(points, 0.0, 1.0)
    for shift in (1e-10, 1e-6, 0.01):
        moved = np.clip(points + shift, 0.0, 1.0 - 1e-9)
        assert (square(moved, none) == library(moved, none)).all()


def test_a_tiling_has_sixteen_tiles_and_each_point_one_of_each(square):
    grid = (np.arange(64) + 0.5) / 64
    points = np.array([[x, y] for x in grid for y in grid]).T
    offsets = np.repeat(np.random.default_rng(3).random((8, 2, 1)), LANES, axis=2)
    found = np.concatenate(
        [square(points[:, i : i + LANES], offsets) for i in range(0, points.shape[1], LANES)],
        axis=1,
    )
    for tiling, numbers in enumerate(found):
        assert set(numbers) == set(range(16 * tiling, 16 * tiling + 16))


def test_both_ends_of_the_second_coordinate_share_all_tiles(square):
    # that of the authors' car: full speed left and full speed right look the same
    generator = np.random.default_rng(4)
    x = generator.random(LANES)
    offsets = generator.random((8, 2, LANES))
    low, high = (square(np.array([x, np.full(LANES, end)]), offsets) for end in (0.0, 1.0))
    assert (low == high).all()
    clamped = coder(2, wraps=False)
    assert not (
        clamped(np.array([x, np.zeros(LANES)]), offsets)
        == clamped(np.array([x, np.ones(LANES)]), offsets)
    ).any()


def test_overlap_of_neighbours_is_that_of_independent_uniform_offsets(square):
    # two points at a distance of h < 1/4 along a coordinate share a tile with probability 1 - 4 h,
    # if nothing wraps onto it
    generator, h, shared, number = np.random.default_rng(5), 0.1, 0, 0
    for _ in range(400):
        points = np.array([generator.uniform(0, 1 - h, LANES), generator.random(LANES)])
        offsets = generator.random((8, 2, LANES))
        shared += (
            square(points, offsets) == square(points + np.array([[h], [0.0]]), offsets)
        ).sum()
        number += 8 * LANES
    assert abs(shared / number - (1 - 4 * h)) < 6 * math.sqrt(0.24 / number)


def test_a_coder_that_carries_the_other_way_is_noticed(square):
    generator = np.random.default_rng(6)
    points, offsets = generator.random((2, LANES)), generator.random((8, 2, LANES))
    assert not (square(points[::-1], offsets[:, ::-1]) == library(points, offsets)).all()
