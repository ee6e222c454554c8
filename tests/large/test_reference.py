"""The corrected tree to be read: exact in fractions, for every key and every shape."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate, product
from random import Random

import pytest

from altpg_verify.sim.large.reference import Node, ReferenceTree


def two(theta) -> Fraction:
    return Fraction(2) ** theta


def intervals(
    node: Node | None, low: Fraction, high: Fraction
) -> list[tuple[Fraction, Fraction, int]]:
    """What Action-Select does with all keys in [low, high) at once: the keys, counted from `low`,
    that return each action.

    The comparisons of the algorithm cut the interval; nothing is assumed of the aggregates.
    """
    if low >= high:
        return []
    assert node is not None, f"keys from {low} to {high} leave the tree"
    first, second = node.aggregate, node.aggregate + node.value
    found = intervals(node.left, low, min(high, first))
    if max(low, first) < min(high, second):
        found.append((max(low, first), min(high, second), node.action))
    rest = intervals(node.right, max(low, second) - second, high - second)
    return [*found, *((begin + second, end + second, action) for begin, end, action in rest)]


def expected(values: list[Fraction]) -> list[tuple[Fraction, Fraction, int]]:
    ends = [Fraction(0), *accumulate(values)]
    return [(ends[a], ends[a + 1], a) for a in range(len(values))]


@pytest.mark.parametrize("k", range(1, 10))
def test_every_real_key_selects_by_cumulative_sums_in_every_balanced_tree(k):
    generator = Random(k)
    for coins in product((False, True), repeat=min(k, 4)):
        flips = iter([*coins, *(generator.random() < 0.5 for _ in range(k))]).__next__
        theta = [generator.randint(-3, 3) for _ in range(k)]
        tree = ReferenceTree(theta, exp=two, upper=flips)
        assert [node.action for node in tree.in_order()] == list(range(k))
        assert intervals(tree.root, Fraction(0), tree.total()) == expected([two(t) for t in theta])


def test_every_key_after_updates():
    generator = Random(0)
    theta = [0] * 11
    tree = ReferenceTree(theta, exp=two)
    for _ in range(200):
        action, preference = generator.randrange(11), generator.randint(-40, 40)
        theta[action] = preference
        tree.update(action, preference)
        assert intervals(tree.root, Fraction(0), tree.total()) == expected([two(t) for t in theta])


def test_select_agrees_with_what_it_does_to_intervals():
    tree = ReferenceTree([0, 3, -2, 1, 1], exp=two)
    for low, high, action in intervals(tree.root, Fraction(0), tree.total()):
        assert [tree.select(key) for key in (low, (low + high) / 2, high - Fraction(1, 10**9))] == [
            action
        ] * 3


def test_a_wrong_aggregate_would_be_seen():
    tree = ReferenceTree([0, 1, 2], exp=two)
    assert tree.root is not None
    tree.root.aggregate += Fraction(1, 10**6)
    with pytest.raises(AssertionError, match="leave the tree"):
        assert intervals(tree.root, Fraction(0), Fraction(7)) == expected(
            [two(t) for t in (0, 1, 2)]
        )


def test_keys_outside_and_floats():
    tree = ReferenceTree([0.0, 1.0])
    with pytest.raises(ValueError, match="key"):
        tree.select(-0.5)
    with pytest.raises(ValueError, match="key"):
        tree.select(1.0 + math.e)
    assert tree.select(1.0) == 1
    assert ReferenceTree([0.5]).total() == math.exp(0.5)
