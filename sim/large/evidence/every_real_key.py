"""Action-Select as printed, for all real keys of all small trees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

from altpg_verify.judging import Finding, searched
from altpg_verify.ledger import evidence
from altpg_verify.sim.large import printed_algorithms as printed
from altpg_verify.sim.large.printed_algorithms import Node, nil

WEIGHTS = ((1, 1, 1, 1, 1, 1), (1, 2, 4, 8, 16, 32), (7, 1, 3, 1, 5, 2))
"""Values of the nodes in the small trees."""


def shapes(first: int, after: int, values: Sequence[int], parent: Any = nil) -> Iterator[Any]:
    """Every binary tree whose nodes in order are the actions first, ..., after - 1, aggregates
    computed as printed.

    There are C_n = (2n)! / (n! (n+1)!) of them, balanced or not.

    Args:
        values: of all actions; parent: of the root.
    """
    if first == after:
        yield nil
        return
    for root in range(first, after):
        for left in shapes(first, root, values):
            for right in shapes(root + 1, after, values):
                z = Node()
                z.act, z.val, z.p = root, Fraction(values[root]), parent
                z.left, z.right = left, right
                for child in (left, right):
                    if child is not nil:
                        child.p = z
                yield z


class Key:
    """A search key that notes, on its original scale, every number it is compared with.

    Attributes:
        value: the key as it is now.
        taken: what has been subtracted from it.
        thresholds: the numbers that it was compared with, on the scale of the key as it was at
            first; shared with keys made of this one.
    """

    def __init__(self, value: Fraction, taken: Fraction, thresholds: set[Fraction]) -> None:
        self.value, self.taken, self.thresholds = value, taken, thresholds

    def _note(self, other: Fraction) -> Fraction:
        self.thresholds.add(other + self.taken)
        return other

    def __lt__(self, other: Fraction) -> bool:
        return self.value < self._note(other)

    def __ge__(self, other: Fraction) -> bool:
        return self.value >= self._note(other)

    def __sub__(self, other: Fraction) -> Key:
        return Key(self.value - other, self.taken + other, self.thresholds)


@dataclass(frozen=True)
class Small:
    """A tree of any shape, with values of its nodes.

    Args:
        head: the root, a node of `printed_algorithms`; nil for no tree.
        values: what stands for e^theta of the nodes, from left to right.
    """

    head: Any
    values: tuple[int, ...]

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it."""
        return {"values in order": str(self.values), "tree": _words(self.head)}


def _words(z: Any) -> str:
    return "." if z is nil else f"({_words(z.left)} {z.act} {_words(z.right)})"


def every_key(small: Small) -> tuple[list[int], list[int]]:
    """What Action-Select returns for all real keys in the range, and what the cumulative sums say.

    The range is cut at the cumulative sums and one key inside each piece, and each piece's lower
    end, is searched for. That stands for every key of the piece if no comparison on the way was
    with a number strictly inside it: 1 is noted if so.
    """
    printed.compute_aggregate(small.head)
    ends = [Fraction(0), *accumulate(Fraction(value) for value in small.values)]
    returned, expected = [], []
    for action, (low, high) in enumerate(pairwise(ends)):
        thresholds: set[Fraction] = set()
        # between two thresholds all keys go the same way, so the lower end and one inner key stand
        # for all
        for x in (low, (low + high) / 2):
            returned.append(printed.action_select(small.head, Key(x, Fraction(0), thresholds)))
            expected.append(action)
        returned.append(int(not any(low < cut < high for cut in thresholds)))
        expected.append(1)
    return returned, expected


def small_trees(most: int) -> Iterator[Small]:
    """All shapes of up to `most` nodes with each of the values.

    With six nodes at most: 1 + 2 + 5 + 14 + 42 + 132 shapes.
    """
    for n in range(1, most + 1):
        for values in WEIGHTS:
            for head in shapes(0, n, values[:n]):
                yield Small(head, values[:n])


@evidence("action-select-interval", "tree-sampling-is-softmax", kind="execution")
def all_keys_of_all_small_trees() -> Finding:
    """Action-Select as printed, for every real key: no search is left out."""
    return searched(
        "the action for each lower end and each inner key of the pieces between cumulative sums,"
        " and that no comparison cuts a piece",
        small_trees(6),
        every_key,
        domain=(
            "all real keys, in all binary trees of one to six nodes (balanced or not) with three"
            " choices of values"
        ),
        describe=Small.described,
    )


@evidence("tree-only-needs-balance", kind="execution")
def balance_is_all_it_takes() -> Finding:
    """Every shape selects rightly; the longest search is the height, which is least in a balanced
    tree.
    """

    def sides(small: Small) -> tuple[list[int], list[int]]:
        returned, expected = every_key(small)
        return [*returned, _height(small.head)], [*expected, _longest(small)]

    return searched(
        "what every key returns, as the cumulative sums say, whatever the shape; and the height,"
        " the most nodes a search visits",
        small_trees(6),
        sides,
        domain="all binary trees of one to six nodes with three choices of values",
        describe=Small.described,
    )


def _height(z: Any) -> int:
    return 0 if z is nil else 1 + max(_height(z.left), _height(z.right))


def _longest(small: Small) -> int:
    """The most nodes that Action-Select visits: those on whose aggregate the keys were compared."""
    longest = 0
    ends = [Fraction(0), *accumulate(Fraction(value) for value in small.values)]
    for low, high in pairwise(ends):
        z, x, visited = small.head, (low + high) / 2, 0
        while True:
            visited += 1
            if x < z.agg:
                z = z.left
            elif x < z.agg + z.val:
                break
            else:
                x, z = x - z.agg - z.val, z.right
        longest = max(longest, visited)
    return longest
