"""The sampling tree of appendix B.1: its algorithms, line by line as printed, and the corrected
loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from altpg_verify.theory.exact_cases.arithmetic import exp_bounds


@cache
def exponential(theta: int) -> Fraction:
    """e^theta, rounded down in the thirtieth digit: the algorithms use no more of it than that it
    is a number.

    Both sides of a comparison use the same number, so its error decides nothing.
    """
    return exp_bounds(Fraction(theta))[0]


def power_of_two(theta: int) -> Fraction:
    """2^theta: whole numbers, where a claim is about the tree and not about e.

    Exact, so sums that ought to be equal are.
    """
    return Fraction(2) ** theta


@dataclass(eq=False)
class Node:
    """A node of the sampling tree, with the paper's fields.

    Compared by identity (`eq=False`), since parent and child refer to each other.

    Args:
        act: the action, an index.
        val: its value, e^theta.
        p: the parent; None at the root.
        left, right: the children.
        agg: the aggregate: the sum of the values in the left sub-tree.
    """

    act: int
    val: Fraction
    p: Node | None
    left: Node | None = None
    right: Node | None = None
    agg: Fraction = Fraction(0)


def middle(n: int, upper: bool) -> int:
    """The index of the head node: (n - 1)/2 for odd n, n/2 - 1 or n/2 for even n.

    The index counts from zero; the printed rule for even n gives no whole number, and `upper` picks
    one of the two that it lies between.
    """
    return (n - 1) // 2 if n % 2 or not upper else n // 2


def build(
    actions: list[int], values: list[Fraction], parent: Node | None, coins: Iterator[bool]
) -> Node | None:
    """Build-Sampling-Tree, with the even case's middle rounded down.

    The lists are in order, so that an in-order walk of the tree gives the actions back. `coins`
    says for each call which of two middles to take.

    Returns:
        The root; None for an empty list.
    """
    n = len(actions)
    if n == 0:
        return None
    m = middle(n, next(coins))
    z = Node(actions[m], values[m], parent)
    z.left = build(actions[0:m], values[0:m], z, coins)
    z.right = build(actions[m + 1 : n], values[m + 1 : n], z, coins)
    return z


def compute_aggregate(z: Node | None) -> Fraction:
    """Compute-Aggregate as printed.

    Sets `agg` of every node, children first, and returns the sum of the whole tree; each node is
    visited once.
    """
    if z is None:
        return Fraction(0)
    left = compute_aggregate(z.left)
    right = compute_aggregate(z.right)
    z.agg = left
    return left + z.val + right


def action_select(z: Node | None, x: Fraction, visited: list[tuple[Node, Fraction]]) -> int:
    """Action-Select as printed; the nodes visited and their keys are noted.

    The key x lies in [0, sum of the tree); a key outside fails the assertion. The boundary z.agg
    belongs to the node, z.agg + z.val to the right sub-tree.
    """
    assert z is not None, "the search left the tree"
    visited.append((z, x))
    if x < z.agg:
        return action_select(z.left, x, visited)
    if z.agg <= x < z.agg + z.val:
        return z.act
    return action_select(z.right, x - z.agg - z.val, visited)


def fix_upstream_printed(z: Node, delta: Fraction) -> None:
    """Fix-Upstream as printed: the body first, then stop if z.p is not nil.

    It stops after one step or, from the root and its children, runs past the root, which fails the
    assertion.
    """
    while True:
        assert z.p is not None, "the loop ran past the root"
        if z.p.left is z:
            z.p.agg += delta
        z = z.p
        if z.p is not None:
            return


def fix_upstream(z: Node, delta: Fraction, visited: list[Node]) -> None:
    """Fix-Upstream with the loop corrected: while z.p is not nil.

    Only nodes whose left sub-tree contains z hold its value in their aggregate, so only those
    change.
    """
    while z.p is not None:
        visited.append(z)
        if z.p.left is z:
            z.p.agg += delta
        z = z.p


def nodes(z: Node | None) -> list[Node]:
    """The tree in order."""
    return [] if z is None else [*nodes(z.left), z, *nodes(z.right)]


def height(z: Node | None) -> int:
    """Nodes on the longest way down from z, itself included; 0 for no tree.

    floor(log2 n) + 1 for a balanced tree of n nodes.
    """
    return 0 if z is None else 1 + max(height(z.left), height(z.right))


def shape(z: Node | None) -> Any:
    """The actions as nested triples (action, left, right): equal for trees of one shape."""
    return None if z is None else (z.act, shape(z.left), shape(z.right))


def heads_first(z: Node | None) -> list[Node]:
    """The tree, heads before their children."""
    return [] if z is None else [z, *heads_first(z.left), *heads_first(z.right)]
