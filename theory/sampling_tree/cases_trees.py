"""Trees in fractions, and what the algorithms do on them, counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise, repeat
from typing import Any

from altpg_verify.theory.exact_cases.arithmetic import Vec
from altpg_verify.theory.sampling_tree.cases_as_executed import (
    Node,
    action_select,
    build,
    compute_aggregate,
    exponential,
    fix_upstream,
    nodes,
)


@dataclass(frozen=True)
class Case:
    """A list of preferences, the coin of the even middles, the index and amount of one update, and
    what stands for e^theta.

    The tree is built anew by each call of `tree`, since the algorithms change it.

    Args:
        thetas: (n,) whole preferences.
        upper: of two middles, the upper one becomes the root.
        updated: the index of the updated action, counted from 0.
        change: what is added to its preference.
        actions: (n,) the order of the actions in the list; 0, 1, ... if empty.
        exp: theta -> what stands for e^theta.
    """

    thetas: tuple[int, ...]
    upper: bool = False
    updated: int = 0
    change: int = 1
    actions: tuple[int, ...] = ()
    exp: Callable[[int], Fraction] = exponential

    @property
    def n(self) -> int:
        """The number of actions."""
        return len(self.thetas)

    @property
    def values(self) -> list[Fraction]:
        """(n,) what stands for e^theta of each."""
        return [self.exp(theta) for theta in self.thetas]

    def tree(self) -> Node:
        """The root of the tree as the paper builds it, with its aggregates computed."""
        root = build(list(self.actions or range(self.n)), self.values, None, repeat(self.upper))
        assert root is not None
        compute_aggregate(root)
        return root

    @property
    def sums(self) -> list[Fraction]:
        """0, e^theta_1, e^theta_1 + e^theta_2, ...

        (n + 1,) ends of the intervals; action k has the keys from sums[k] to below sums[k + 1].
        """
        return [Fraction(0), *accumulate(self.values)]

    @property
    def keys(self) -> list[Fraction]:
        """Search keys at every lower end, and between the ends.

        3 n keys, the lower ends included, as mistakes of < and ≤ show there.
        """
        shares = (Fraction(0), Fraction(1, 2), Fraction(99, 100))
        return [
            end + (after - end) * share for end, after in pairwise(self.sums) for share in shares
        ]

    def after_update(self, fix: Callable[[Node, Fraction], None], difference: Fraction) -> Node:
        """The tree after one preference changed and the aggregates were fixed.

        The value of the node is set first, then `fix` is called with the difference, as the paper's
        text has it.
        """
        root = self.tree()
        node = nodes(root)[self.updated]
        node.val = self.exp(self.thetas[self.updated] + self.change)
        fix(node, difference)
        return root

    @property
    def changed(self) -> Case:
        """The same list after the update."""
        thetas = list(self.thetas)
        thetas[self.updated] += self.change
        return replace(self, thetas=tuple(thetas))

    @property
    def difference(self) -> Fraction:
        """e^theta_new - e^theta_old of the updated action.

        The right argument of Fix-Upstream; the source passes the difference of the preferences.
        """
        return self.exp(self.thetas[self.updated] + self.change) - self.exp(
            self.thetas[self.updated]
        )

    @property
    def path(self) -> set[int]:
        """The actions on the way from the updated node to the root.

        Indices of actions; the nodes whose aggregates may change, and the updated one.
        """
        node: Node | None = nodes(self.tree())[self.updated]
        found = set()
        while node is not None:
            found.add(node.act)
            node = node.p
        return found

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it; actions are counted from 1."""
        return {
            "theta": Vec(*self.thetas),
            "updated": f"action {self.updated + 1}",
            "by": self.change,
        }


def aggregates(root: Node) -> Vec:
    """The aggregate of every node, in the order of `nodes`."""
    return Vec(*(node.agg for node in nodes(root)))


def logarithm(n: int) -> int:
    """floor(log2 n).

    For n ≥ 1, by the length in bits: no rounding.
    """
    return n.bit_length() - 1


def select_calls(n: int) -> int:
    """The most nodes that a search visits in a tree of n equally likely actions.

    One key in the middle of each action's interval reaches every node.
    """
    case = Case((0,) * n)
    root, longest = case.tree(), 0
    for k in range(n):
        visited: list[tuple[Node, Fraction]] = []
        action_select(root, Fraction(2 * k + 1, 2), visited)
        longest = max(longest, len(visited))
    return longest


def fix_calls(n: int) -> int:
    """The most steps from a node up to the root.

    The depth of the tree, as the loop goes from a node to the root.
    """
    root, longest = Case((0,) * n).tree(), 0
    for node in nodes(root):
        visited: list[Node] = []
        fix_upstream(node, Fraction(1), visited)
        longest = max(longest, len(visited))
    return longest


def subcalls(case: Case) -> Vec:
    """1 for each search whose every recursive call is on the sub-tree, and with a key in the range,
    that the proof states.

    The invariant of the induction: each call has 0 ≤ key < the sum of its sub-tree, whose size
    falls.
    """
    good = []
    for x in case.keys:
        visited: list[tuple[Node, Fraction]] = []
        action_select(case.tree(), x, visited)
        good.append(
            all(
                0 <= key < sum((node.val for node in nodes(z)), Fraction(0))
                and len(nodes(z)) <= case.n - depth
                for depth, (z, key) in enumerate(visited)
            )
        )
    return Vec(*good)


def last_root_case(case: Case) -> Vec:
    """1 for each search whose last call finds the key at its own root."""
    found = []
    for x in case.keys:
        visited: list[tuple[Node, Fraction]] = []
        action = action_select(case.tree(), x, visited)
        z, key = visited[-1]
        found.append(int(z.agg <= key < z.agg + z.val and action == z.act))
    return Vec(*found)


def interval_of(case: Case, x: Fraction) -> int:
    """The reference: the first action whose cumulative sum exceeds the key.

    A linear search on the cumulative sums, in the order of the list; independent of the tree.
    """
    return next(k for k, end in enumerate(case.sums[1:]) if x < end)


def values_after_update(case: Case, sets_own: bool) -> Vec:
    """The nodes' values after Fix-Upstream with loop and difference corrected, which may begin with
    z.val <- z.val + delta.

    As printed the procedure leaves z.val as it is; the corrected one begins with it.
    """
    root = case.tree()
    node = nodes(root)[case.updated]
    if sets_own:
        node.val += case.difference
    fix_upstream(node, case.difference, [])
    return Vec(*(node.val for node in nodes(root)))
