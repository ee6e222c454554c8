"""Building and updating as printed, executed line by line, smallest cases first: a refutation is
the smallest instance.

To see one fault alone, what comes before it is done rightly.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Finding, searched
from altpg_verify.ledger import evidence
from altpg_verify.sim.large import printed_algorithms as printed
from altpg_verify.sim.large.printed_algorithms import Fault, Node, nil
from altpg_verify.sim.large.reference import ReferenceTree


def two(theta: Any) -> Fraction:
    """2^θ, which is rational: where it doesn't matter that the base is e."""
    return Fraction(2) ** theta


@evidence("build-middle-even", kind="execution")
def printed_building() -> Finding:
    """Build-Sampling-Tree as printed, with exact division."""

    def sides(n: int) -> tuple[list[int], list[int]]:
        return [_built(n, choose) for choose in (min, max)], [n, n]

    return searched(
        "the nodes of the tree that is built, for the smaller and the larger middle (0 if a list"
        " has no such entry), and the actions",
        range(10),
        sides,
        domain="lists of no to nine actions",
        describe=lambda n: {"actions": n, "stopped by": _fault(n)},
    )


def _built(n: int, choose: Any) -> int:
    try:
        return _count(printed.full_procedure(range(n), [0] * n, two, choose))
    except Fault:
        return 0


def _fault(n: int) -> str:
    try:
        printed.full_procedure(range(n), [0] * n, two, min)
    except Fault as fault:
        return str(fault)
    return "nothing"


def _count(z: Any) -> int:
    return 0 if z is nil else 1 + _count(z.left) + _count(z.right)


def balanced(thetas: Sequence[int], exp: Any = two) -> list[Node]:
    """The nodes, in order, of a balanced tree that was built with the corrected middle and
    aggregated as printed.

    Args:
        thetas: preferences, by action.
        exp: their exponential; 2^θ by default, which is rational.
    """

    def build(first: int, after: int, parent: Any) -> Any:
        if first == after:
            return nil
        middle = (first + after) // 2
        z = Node()
        z.act, z.val, z.p = middle, exp(thetas[middle]), parent
        z.left, z.right = build(first, middle, z), build(middle + 1, after, z)
        found.append(z)
        return z

    found: list[Node] = []
    printed.compute_aggregate(build(0, len(thetas), nil))
    return sorted(found, key=lambda z: z.act)


def _depth(z: Any) -> int:
    return 0 if z.p is nil else 1 + _depth(z.p)


@dataclass(frozen=True)
class Update:
    """One action of a balanced tree of n equal preferences goes up by one.

    Args:
        n: how many actions.
        action: the one that changes, counted from 0.
    """

    n: int
    action: int

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it; the action is counted from 1."""
        return {
            "actions": self.n,
            "theta": str((0,) * self.n),
            "updated": f"action {self.action + 1}",
            "new theta": 1,
        }


UPDATES = [Update(n, action) for n in range(1, 9) for action in range(n)]


@evidence("fix-upstream-loop", kind="execution")
def printed_loop() -> Finding:
    """The loop as printed: at which nodes a pass begins, and at which it should."""

    def sides(update: Update) -> tuple[int, int]:
        z = balanced((0,) * update.n)[update.action]
        passes: list[Any] = []
        with suppress(Fault):
            printed.fix_upstream(printed.Tree(), z, Fraction(1), passes)
        return len(passes), _depth(z)

    return searched(
        "passes through the loop, and steps from the node to the root; a pass that begins at the"
        " root reads the left child of nil",
        UPDATES,
        sides,
        domain="balanced trees of one to eight actions",
        describe=Update.described,
    )


@evidence("fix-upstream-difference", kind="execution")
def printed_difference() -> Finding:
    """The call as printed: the root's aggregate after its left child went from θ = 0 to θ = 1,
    which must be e > 5/2.
    """

    def sides(update: Update) -> tuple[Fraction, Fraction]:
        # e^0 is 1; a lower bound of e^1 is enough: 1 + 1 + 1/2
        # two actions: the second is the root, the first its left child
        tree = balanced((0, 0), exp=lambda theta: Fraction(1))
        z = tree[update.action]
        with suppress(Fault):
            printed.call_fix_upstream(printed.Tree(), z, Fraction(1), Fraction(0))
        return tree[1].agg, Fraction(5, 2)

    return searched(
        "the root's aggregate after the call with the difference of the preferences; it must be e,"
        " which is more than 5/2",
        [Update(2, 0)],
        sides,
        ">=",
        domain="a tree of two actions, its left child updated",
        describe=Update.described,
    )


@evidence("fix-upstream-own-value", kind="execution")
def printed_own_value() -> Finding:
    """Fix-Upstream as printed: the updated node's own value afterwards."""

    def sides(update: Update) -> tuple[Fraction, Fraction]:
        z = balanced((0,) * update.n)[update.action]
        with suppress(Fault):
            printed.fix_upstream(printed.Tree(), z, two(1) - two(0))
        return z.val, two(1)

    return searched(
        "the value of the updated node after Fix-Upstream, and 2^theta of its new preference (2 in"
        " the place of e)",
        UPDATES,
        sides,
        domain="balanced trees of one to eight actions",
        describe=Update.described,
    )


@evidence(
    "fix-upstream-own-value-corrected",
    "fix-upstream-difference-corrected",
    "fix-upstream-loop-corrected",
    kind="execution",
)
def corrected_update() -> Finding:
    """The reference tree after an update, against one that is built from the new preferences."""

    def sides(update: Update) -> tuple[list[Fraction], list[Fraction]]:
        thetas = [0] * update.n
        tree = ReferenceTree(thetas, exp=two)
        tree.update(update.action, 1)
        thetas[update.action] = 1
        return [
            part
            for tree in (tree, ReferenceTree(thetas, exp=two))
            for node in tree.nodes
            for part in (node.value, node.aggregate)
        ], [
            part
            for _ in range(2)
            for node in ReferenceTree(thetas, exp=two).nodes
            for part in (node.value, node.aggregate)
        ]

    return searched(
        "values and aggregates of all nodes after an update, and of a tree built from the new"
        " preferences (2^theta for e^theta)",
        [Update(n, action) for n in range(1, 40) for action in range(n)],
        sides,
        domain="trees of one to 39 actions, each of them updated",
        describe=Update.described,
    )
