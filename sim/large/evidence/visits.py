"""Nodes and blocks visited, counted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.judging import Finding, searched
from altpg_verify.ledger import evidence
from altpg_verify.sim.large.reference import ReferenceTree

BIG = sorted({2**power + extra for power in range(1, 11) for extra in (-1, 0, 1)})
HUGE = (10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)


@evidence(
    "table-sample-tree",
    "table-structure-tree",
    "action-select-logarithmic",
    "fix-upstream-logarithmic",
    kind="execution",
)
def nodes_visited() -> Finding:
    """Nodes visited in the reference tree, the most over all actions, against ⌈log₂(n + 1)⌉."""

    def sides(n: int) -> tuple[list[int], list[int]]:
        tree = ReferenceTree([0] * n, exp=lambda theta: Fraction(1))
        return [max(_visits(tree, walk, a) for a in range(n)) for walk in ("select", "update")], [
            n.bit_length()
        ] * 2

    return searched(
        "the most nodes visited by a search and by an update, and the smallest whole number not"
        " below log2(n + 1)",
        BIG,
        sides,
        "<=",
        domain="trees of 1 to 1025 actions, every action searched for and updated",
        describe=lambda n: {"actions": n},
    )


def _visits(tree: ReferenceTree, walk: str, action: int) -> int:
    tree.visits = 0
    if walk == "select":
        tree.select(Fraction(2 * action + 1, 2))
    else:
        tree.update(action, 0)
    return tree.visits


@evidence("block-tree-visits", kind="execution")
def blocks_visited() -> Finding:
    """Blocks visited by `SamplingTree`, counted as the units of blocks that the walks look up."""

    def sides(k: int) -> tuple[list[int], list[int]]:
        down, up = _blocks(k)
        return [down, up], [k.bit_length()] * 2

    return searched(
        "the most blocks visited by 20 searches and by as many updates, and the smallest whole"
        " number not below log2(k + 1)",
        HUGE,
        sides,
        "<=",
        domain="10, 100, ..., 10^7 actions",
        describe=lambda k: {"actions": k},
    )


class _Watched:
    """An array that notes which entries are read."""

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.size = values, values.size
        self.read: set[int] = set()

    def __getitem__(self, index: Any) -> Any:
        self.read.add(int(index))
        return self.values[index]


def _blocks(k: int) -> tuple[int, int]:
    from altpg_verify.sim.large import blocks
    from altpg_verify.sim.large.sampling_tree import SamplingTree

    tree = SamplingTree(np.zeros(k))
    theta, weight, exponent, offset = tree.arrays
    most = [0, 0]
    for share in range(20):
        down, up = _Watched(exponent), _Watched(exponent)
        action = blocks.descend.py_func(weight, down, offset, share / 20 * k)
        blocks.settle.py_func(theta, weight, up, offset, action)
        most = [max(most[0], len(down.read)), max(most[1], len(up.read))]
    return most[0], most[1]
