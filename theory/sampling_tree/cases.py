"""Appendix B.1: the algorithms executed in fractions against a plain reference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate, pairwise, repeat
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.theory.exact_cases.arithmetic import Vec
from altpg_verify.theory.exact_cases.statements import Statement
from altpg_verify.theory.sampling_tree.cases_as_executed import (
    Node,
    action_select,
    build,
    compute_aggregate,
    exponential,
    fix_upstream,
    fix_upstream_printed,
    heads_first,
    height,
    middle,
    nodes,
    power_of_two,
    shape,
)


@dataclass(frozen=True)
class Case:
    """A list of preferences, the coin of the even middles, the index and amount of one update, and
    what stands for e^theta.

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
        """0, e^theta_1, e^theta_1 + e^theta_2, ..."""
        return [Fraction(0), *accumulate(self.values)]

    @property
    def keys(self) -> list[Fraction]:
        """Search keys at every lower end, and between the ends."""
        shares = (Fraction(0), Fraction(1, 2), Fraction(99, 100))
        return [
            end + (after - end) * share for end, after in pairwise(self.sums) for share in shares
        ]

    def after_update(self, fix: Callable[[Node, Fraction], None], difference: Fraction) -> Node:
        """The tree after one preference changed and the aggregates were fixed."""
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
        """e^theta_new - e^theta_old of the updated action."""
        return self.exp(self.thetas[self.updated] + self.change) - self.exp(
            self.thetas[self.updated]
        )

    @property
    def path(self) -> set[int]:
        """The actions on the way from the updated node to the root."""
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
    """floor(log2 n)."""
    return n.bit_length() - 1


_TREES = [
    Case(tuple((3 * i) % 5 - 2 for i in range(n)), upper)
    for n in range(1, 10)
    for upper in (False, True)
]
_UPDATES = [
    replace(case, updated=updated, change=change)
    for case in _TREES
    for updated in range(case.n)
    for change in (1, -2)
]
_ONE_LEFT_CHILD = [Case((0, 0), True), *_UPDATES]
_ONE_ACTION = [Case((0,), exp=power_of_two)]
_FOUR = [Case((0, 0, 0, 0), True, exp=power_of_two)]
_BIG = [2**power + extra for power in range(1, 11) for extra in (0, 1)]
_PAPER = Case((4, 1, 3, 2), actions=(3, 0, 2, 1))
_SMALL = "all trees of one to nine actions with both choices of the middle"


def select_calls(n: int) -> int:
    """The most nodes that a search visits in a tree of n equally likely actions."""
    case = Case((0,) * n)
    root, longest = case.tree(), 0
    for k in range(n):
        visited: list[tuple[Node, Fraction]] = []
        action_select(root, Fraction(2 * k + 1, 2), visited)
        longest = max(longest, len(visited))
    return longest


def fix_calls(n: int) -> int:
    """The most steps from a node up to the root."""
    root, longest = Case((0,) * n).tree(), 0
    for node in nodes(root):
        visited: list[Node] = []
        fix_upstream(node, Fraction(1), visited)
        longest = max(longest, len(visited))
    return longest


def _subcalls(case: Case) -> Vec:
    """1 for each search whose every recursive call is on the sub-tree, and with a key in the range,
    that the proof states.
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


def _last_root_case(case: Case) -> Vec:
    found = []
    for x in case.keys:
        visited: list[tuple[Node, Fraction]] = []
        action = action_select(case.tree(), x, visited)
        z, key = visited[-1]
        found.append(int(z.agg <= key < z.agg + z.val and action == z.act))
    return Vec(*found)


def _interval(case: Case, x: Fraction) -> int:
    """The reference: the first action whose cumulative sum exceeds the key."""
    return next(k for k, end in enumerate(case.sums[1:]) if x < end)


def values_after_update(case: Case, sets_own: bool) -> Vec:
    """The nodes' values after Fix-Upstream with loop and difference corrected, which may begin with
    z.val <- z.val + delta.
    """
    root = case.tree()
    node = nodes(root)[case.updated]
    if sets_own:
        node.val += case.difference
    fix_upstream(node, case.difference, [])
    return Vec(*(node.val for node in nodes(root)))


ENUMERATED: dict[str, Statement] = {
    "tree-example-head": Statement(
        lambda c: Vec(*(c.actions[middle(4, upper)] for upper in (False, True))),
        lambda c: Vec(0, 2),
        [_PAPER],
        "the example's list",
    ),
    "tree-example-subtrees": Statement(
        lambda c: Vec(
            *(
                node.act
                for node in heads_first(
                    build(
                        list(c.actions),
                        c.values,
                        None,
                        iter([True, False, True, True, True, True, True]),
                    )
                )
            )
        ),
        lambda c: Vec(2, 3, 0, 1),
        [_PAPER],
        "the example's list and choices",
        summary="the head, its left child, the right child of that, and the head's right child",
    ),
    "build-middle-odd": Statement(
        lambda n: Fraction(n - 1, 2),
        lambda n: len(range(n)[: n // 2]),
        range(1, 20, 2),
        "odd lists up to 19",
        summary="the index, and the number of actions before the middle",
    ),
    "build-middle-even": Statement(
        lambda n: Vec(Fraction(n - 1, 2).denominator, Fraction(n + 1, 2).denominator),
        lambda n: Vec(1, 1),
        range(2, 20, 2),
        "even lists up to 18",
        summary="the denominators of (n - 1)/2 and (n + 1)/2, which are 1 for an index",
    ),
    "build-middle-even-corrected": Statement(
        lambda n: Vec(Fraction(n - 2, 2).denominator, Fraction(n, 2).denominator),
        lambda n: Vec(1, 1),
        range(2, 20, 2),
        "even lists up to 18",
    ),
}

EXECUTED: dict[str, Statement] = {
    "build-gives-balanced-tree": Statement(
        lambda c: Vec(height(c.tree()), *(node.act for node in nodes(c.tree()))),
        lambda c: Vec(logarithm(c.n) + 1, *range(c.n)),
        _TREES,
        _SMALL,
    ),
    "compute-aggregate-correct": Statement(
        lambda c: Vec(*(node.agg for node in nodes(c.tree())), compute_aggregate(c.tree())),
        lambda c: Vec(
            *(
                sum((below.val for below in nodes(node.left)), Fraction(0))
                for node in nodes(c.tree())
            ),
            c.sums[-1],
        ),
        _TREES,
        _SMALL,
    ),
    "action-select-interval": Statement(
        lambda c: Vec(*(action_select(c.tree(), x, []) for x in c.keys)),
        lambda c: Vec(*(_interval(c, x) for x in c.keys)),
        _TREES,
        _SMALL + ", keys at and between the ends",
        summary="the action returned, and the first whose cumulative sum exceeds the key",
    ),
    "action-select-base-case": Statement(
        lambda c: Vec(*(action_select(c.tree(), x, []) for x in c.keys)),
        lambda c: Vec(0, 0, 0),
        [Case((theta,)) for theta in (-2, 0, 3)],
        "trees of one action",
    ),
    "action-select-left-case": Statement(
        _subcalls, lambda c: Vec(*(1 for _ in c.keys)), _TREES, _SMALL
    ),
    "action-select-root-case": Statement(
        _last_root_case, lambda c: Vec(*(1 for _ in c.keys)), _TREES, _SMALL
    ),
    "action-select-right-case": Statement(
        _subcalls, lambda c: Vec(*(1 for _ in c.keys)), _TREES, _SMALL
    ),
    "tree-sampling-is-softmax": Statement(
        lambda c: Vec(*((c.sums[k + 1] - c.sums[k]) / c.sums[-1] for k in range(c.n))),
        lambda c: Vec(
            *(exponential(theta) / sum(map(exponential, c.thetas)) for theta in c.thetas)
        ),
        _TREES,
        _SMALL,
        summary="the share of the keys that select each action, and its softmax probability",
    ),
    "update-touches-path-only": Statement(
        lambda c: Vec(
            *(
                int(one.agg != two.agg)
                for one, two in zip(nodes(c.tree()), nodes(c.changed.tree()), strict=True)
                if one.act not in c.path
            )
        ),
        lambda c: Vec(*(0 for node in nodes(c.tree()) if node.act not in c.path)),
        _UPDATES,
        _SMALL + ", one preference changed",
        summary="1 for each aggregate off the path that the update changes",
    ),
    "fix-upstream-logarithmic": Statement(
        fix_calls,
        logarithm,
        _BIG,
        "up to 1025 actions",
        "<=",
        summary="the longest way up, and floor(log2 n)",
    ),
    "tree-updated-in-logarithmic-time": Statement(
        fix_calls,
        logarithm,
        _BIG,
        "up to 1025 actions",
        "<=",
        summary="the longest way up, and floor(log2 n)",
    ),
    "table-structure-tree": Statement(
        fix_calls,
        logarithm,
        _BIG,
        "up to 1025 actions",
        "<=",
        summary="the longest way up, and floor(log2 n)",
    ),
    "action-select-logarithmic": Statement(
        select_calls,
        lambda n: logarithm(n) + 1,
        _BIG,
        "up to 1025 actions",
        "<=",
        summary="the most nodes that a search visits, and floor(log2 n) + 1",
    ),
    "table-sample-tree": Statement(
        select_calls,
        lambda n: logarithm(n) + 1,
        _BIG,
        "up to 1025 actions",
        "<=",
        summary="the most nodes that a search visits, and floor(log2 n) + 1",
    ),
    "alternate-step-costs-logarithmic": Statement(
        lambda n: select_calls(n) + 1 + fix_calls(n),
        lambda n: 2 * logarithm(n) + 2,
        _BIG,
        "up to 1025 actions",
        "<=",
        summary=(
            "nodes visited by a search and by the way up, and one preference written, against 2"
            " log2 n + 2"
        ),
    ),
    "tree-structure-unchanged": Statement(
        lambda c: int(
            shape(c.tree())
            == shape(c.after_update(lambda z, d: fix_upstream(z, d, []), c.difference))
        ),
        lambda c: 1,
        _UPDATES,
        _SMALL,
    ),
    "fix-upstream-own-value": Statement(
        lambda c: values_after_update(c, False),
        lambda c: Vec(*c.changed.values),
        _ONE_ACTION,
        _SMALL + ", one preference changed",
        summary=(
            "the nodes' values after the procedure as printed, and those of the new preferences;"
            " 2^theta for e^theta"
        ),
    ),
    "fix-upstream-own-value-corrected": Statement(
        lambda c: values_after_update(c, True),
        lambda c: Vec(*c.changed.values),
        [*_ONE_ACTION, *_UPDATES],
        _SMALL + ", one preference changed",
    ),
    "fix-upstream-difference": Statement(
        lambda c: aggregates(
            c.after_update(lambda z, d: fix_upstream(z, d, []), Fraction(c.change))
        ),
        lambda c: aggregates(c.changed.tree()),
        _ONE_LEFT_CHILD,
        _SMALL + ", one preference changed",
        summary=(
            "the aggregates after the call with the difference of the preferences, and those of the"
            " new preferences (e to 30 digits)"
        ),
    ),
    "fix-upstream-difference-corrected": Statement(
        lambda c: aggregates(c.after_update(lambda z, d: fix_upstream(z, d, []), c.difference)),
        lambda c: aggregates(c.changed.tree()),
        _ONE_LEFT_CHILD,
        _SMALL + ", one preference changed",
    ),
    "fix-upstream-loop": Statement(
        lambda c: aggregates(c.after_update(fix_upstream_printed, c.difference)),
        lambda c: aggregates(c.changed.tree()),
        _FOUR,
        "a tree whose root is two steps above the updated node",
        summary=(
            "the aggregates after the loop as printed, which stops below the root, and those of the"
            " new preferences; 2^theta for e^theta"
        ),
    ),
    "fix-upstream-loop-corrected": Statement(
        lambda c: aggregates(c.after_update(lambda z, d: fix_upstream(z, d, []), c.difference)),
        lambda c: aggregates(c.changed.tree()),
        [*_FOUR, *_UPDATES],
        _SMALL + ", one preference changed",
    ),
}


STATEMENTS = {**ENUMERATED, **EXECUTED}


@evidence(*ENUMERATED, kind="enumeration")
def tree_examples(claim: str) -> Finding:
    """The example and the middle index, in fractions."""
    return ENUMERATED[claim].judged()


@evidence(*EXECUTED, kind="execution")
def tree_algorithms(claim: str) -> Finding:
    """The pseudocode executed against a plain reference, operations counted."""
    return EXECUTED[claim].judged()
