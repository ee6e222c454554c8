"""The paper's algorithms of appendix B.1 as printed, line by line, in any exact arithmetic. For
evidence, not for use.

Where a line can't be carried out, `Fault` says so: an index that is no integer, a field of nil that
is read. Names are the paper's; `nil` and `T.nil` are taken to be the same. A random choice asks
`coin` for one of its two alternatives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Coin = Callable[[Fraction, Fraction], Fraction]


class Fault(Exception):
    """A line of the pseudocode that can't be carried out."""


class FaultOfNil(Fault, AttributeError):
    """A field of nil; an AttributeError too, so that `hasattr` answers for nil as for anything."""


class _Nil:
    """Nothing: it has no fields."""

    def __getattr__(self, name: str) -> Any:
        raise FaultOfNil(f"nil.{name} is read")

    def __setattr__(self, name: str, value: Any) -> None:
        raise FaultOfNil(f"nil.{name} is written")

    def __repr__(self) -> str:
        return "nil"


nil: Any = _Nil()


class Node:
    """A node of the sampling tree with the paper's fields.

    Attributes:
        act: the action.
        val: its value, e^θ.
        agg: the sum of the values in the left sub-tree.
        p: the parent; nil at the root.
        left, right: sub-trees; nil where there is none.
    """

    act: Any
    val: Any
    agg: Any
    p: Any
    left: Any
    right: Any


class Tree:
    """A tree as Fix-Upstream takes it, of which it only uses T.nil.

    Attributes:
        nil: the leaf that ends every branch.
    """

    nil = nil


def entry(items: Sequence[Any], index: Fraction) -> Any:
    """list[m], which needs an integer m in the list."""
    if index.denominator != 1 or not 0 <= index < len(items):
        raise Fault(f"a list of {len(items)} has no entry {index}")
    return items[int(index)]


def part(items: Sequence[Any], i: Fraction, j: Fraction) -> Sequence[Any]:
    """list[i -> j] := {list[i], list[i+1], ..., list[j-1]}."""
    if i.denominator != 1 or j.denominator != 1:
        raise Fault(f"a list has no part from {i} to {j}")
    return items[int(i) : int(j)]


def full_procedure(
    a_list: Sequence[Any], theta_list: Sequence[Any], exp: Callable[[Any], Any], coin: Coin
) -> Any:
    """Full Procedure for Initializing the Sampling Tree (appendix B.1): the head node.

    Args:
        a_list, theta_list: actions and their preferences, in the order of the tree's nodes.
        exp: e to the power of a preference, in the arithmetic of the run.
        coin: chooses one of its two arguments, the middles that the paper allows for an even list.

    Raises:
        Fault: a line can't be carried out, as with any even list: its middle is no integer.
    """
    head = build_sampling_tree(a_list, theta_list, nil, exp, coin)
    compute_aggregate(head)
    return head


def build_sampling_tree(
    a_list: Sequence[Any],
    theta_list: Sequence[Any],
    parent: Any,
    exp: Callable[[Any], Any],
    coin: Coin,
) -> Any:
    """Build-Sampling-Tree(a_list, theta_list, parent) (appendix B.1); nil for an empty list.

    Raises:
        Fault: the middle of an even list, (n ± 1)/2, is no index.
    """
    n = Fraction(len(a_list))
    if n == 0:
        return nil
    # exact division: for even n neither alternative is a whole number
    # the coin is tossed for even n only, as printed
    m = (n - 1) / 2 if n % 2 == 1 else coin((n - 1) / 2, (n + 1) / 2)
    z = Node()
    z.act = entry(a_list, m)
    z.val = exp(entry(theta_list, m))
    z.p = parent
    z.left = build_sampling_tree(
        part(a_list, Fraction(0), m), part(theta_list, Fraction(0), m), z, exp, coin
    )
    z.right = build_sampling_tree(part(a_list, m + 1, n), part(theta_list, m + 1, n), z, exp, coin)
    return z


def compute_aggregate(z: Any) -> Any:
    """Compute-Aggregate(z) (appendix B.1): sets z.agg in a sub-tree and returns the sum of its
    values.
    """
    if z is nil:
        return 0
    left = compute_aggregate(z.left)
    right = compute_aggregate(z.right)
    z.agg = left
    return left + z.val + right


def action_select(z: Any, x: Any) -> Any:
    """Action-Select(z, x) (appendix B.1): the action whose interval of cumulative sums holds the
    key x.

    Raises:
        FaultOfNil: x isn't below the sum of all values.
    """
    if x < z.agg:
        return action_select(z.left, x)
    if z.agg <= x < z.agg + z.val:
        return z.act
    x_new = x - z.agg - z.val
    return action_select(z.right, x_new)


def call_fix_upstream(tree: Tree, z: Any, theta_new: Any, theta_old: Any) -> None:
    """The call of Fix-Upstream as printed, with δ = θ_new - θ_old, the difference of the
    preferences.

    It should be e^θ_new - e^θ_old: the aggregates are sums of exponentials.
    """
    fix_upstream(tree, z, theta_new - theta_old)


def fix_upstream(tree: Tree, z: Any, delta: Any, passes: list[Any] | None = None) -> None:
    """Fix-Upstream(T, z, δ) as printed; the nodes at which a pass begins are noted in `passes`.

    "until z.p ≠ T.nil" ends after one pass unless the root is reached, where the next pass reads a
    field of nil.
    """
    while True:
        if passes is not None:
            passes.append(z)
        if z.p.left is z:
            z.p.agg = z.p.agg + delta
        z = z.p
        if z.p is not tree.nil:
            return
