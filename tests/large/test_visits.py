"""O(log k) by counting: which blocks and nodes a walk looks at, not how long it takes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.sim.large import SamplingTree, blocks
from altpg_verify.sim.large.blocks import offsets
from altpg_verify.sim.large.reference import ReferenceTree


def bound(k: int) -> int:
    """⌈log₂(k + 1)⌉."""
    return k.bit_length()


class Watched:
    """An array that notes which entries were read."""

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.read, self.size = values, [], values.size

    def __getitem__(self, index):
        self.read.append(int(index))
        return self.values[index]


@pytest.mark.parametrize("k", [1, 2, 8, 9, 64, 65, 1000, 4097])
def test_a_walk_visits_one_block_a_level_and_no_more_than_the_bound(k):
    """The plain Python form of the walks is asked: they look up the units of every block that they
    visit.
    """
    generator = np.random.default_rng(k)
    tree = SamplingTree(generator.normal(size=k))
    theta, weight, exponent, offset = tree.arrays
    for key in [0.0, 0.999999, *generator.random(20)]:
        down, up = Watched(exponent), Watched(exponent)
        action = blocks.descend.py_func(weight, down, offset, key * weight[:8].sum())
        assert action == tree.select(key)
        blocks.settle.py_func(theta, weight, up, offset, action)
        assert set(down.read) == set(up.read)
        assert len(set(down.read)) == tree.levels <= bound(k)


def test_levels_for_all_sizes_up_to_a_hundred_million():
    sizes = {1, 2, 3, 10_000_000, 100_000_000}
    sizes |= {8**n + extra for n in range(1, 9) for extra in (-1, 0, 1)} | {
        2**n + extra for n in range(1, 26) for extra in (-1, 0, 1)
    }
    for k in sizes:
        levels = offsets(k).size - 1
        assert levels == max(1, math.ceil(math.log(k, 8) - 1e-12))
        assert levels <= bound(k)


@pytest.mark.parametrize("upper", [False, True])
def test_the_reference_tree_visits_no_more_than_the_bound(upper):
    for k in range(1, 130):
        tree = ReferenceTree([0] * k, exp=lambda theta: Fraction(1), upper=lambda: upper)
        visits = {
            "select": [visits_of(tree, tree.select, a) for a in range(k)],
            "update": [visits_of(tree, tree.update, a, 0) for a in range(k)],
        }
        assert max(visits["select"]) == max(visits["update"]) == bound(k)
        assert visits_of(tree, tree.total) <= bound(k)


def visits_of(tree: ReferenceTree, walk, *arguments) -> int:
    tree.visits = 0
    walk(*arguments)
    return tree.visits


def test_however_far_a_preference_jumps_only_the_blocks_above_it_change():
    tree = SamplingTree(np.zeros(4096))
    weight, exponent = tree.arrays[1], tree.arrays[2]
    path = {
        int(tree.arrays[3][level]) + (77 >> 3 * (tree.levels - level))
        for level in range(tree.levels)
    }
    for preference in (1e5, -1e5, 1e9, 0.0):
        before, units = weight.copy(), exponent.copy()
        tree.update(77, preference)
        changed = np.flatnonzero(
            (weight != before).reshape(-1, 8).any(axis=1) | (exponent != units)
        )
        assert set(changed.tolist()) <= path
