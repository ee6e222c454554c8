"""The paper's sampling tree, corrected, to be read: nodes and pointers, any arithmetic, visits
counted.

It differs from the algorithms as printed (`altpg_verify.sim.large.printed_algorithms`) in this:

- the middle of an even list is one of n/2 - 1 and n/2, which are integers;
- the node's own value is set when its preference changes;
- the aggregates change by e^θ_new - e^θ_old, the difference of the exponentials;
- the way up goes on while there is a parent, and asks before it looks at one.

The key's range needs the sum of all values, which the paper's algorithms don't keep: it is added up
along the right spine. In doubles this tree still overflows, underflows and drifts; `SamplingTree`
doesn't.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Node:
    """An action, its value e^θ, the sum of the values in its left sub-tree, and its neighbours in
    the tree.

    Args:
        action: an index.
        value: e^θ.
        parent: None at the root.
        left, right: sub-trees; None where there is none.
        aggregate: the sum of the values in the left sub-tree.
    """

    action: int
    value: Any
    parent: Node | None
    left: Node | None = None
    right: Node | None = None
    aggregate: Any = 0


@dataclass
class ReferenceTree:
    """A sampling tree of k preferences; any ordered numbers with + and - will do.

    Args:
        preferences: θ of each action.
        exp: e to the power of a preference.
        upper: how the middle of an even list is chosen; called once for each even sub-tree.
        root: None for no preferences.
        nodes: the nodes by action.

    `visits` counts the nodes that selecting and updating looked at.
    """

    preferences: Sequence[Any]
    exp: Callable[[Any], Any] = math.exp
    upper: Callable[[], bool] = lambda: False
    visits: int = 0
    root: Node | None = None
    nodes: list[Node] = field(default_factory=list)

    def __post_init__(self) -> None:
        values = [self.exp(theta) for theta in self.preferences]
        self.root = self._build(values, 0, len(values), None)
        self.nodes = sorted(self.in_order(), key=lambda node: node.action)
        self._aggregate(self.root)

    def _build(
        self, values: Sequence[Any], first: int, after: int, parent: Node | None
    ) -> Node | None:
        """The tree of the actions first, ..., after - 1; indices in the place of copied lists keep
        this linear.
        """
        n = after - first
        if n == 0:
            return None
        # the middle one of an odd number, or one of the two
        middle = first + (n // 2 if n % 2 or self.upper() else n // 2 - 1)
        node = Node(middle, values[middle], parent)
        node.left = self._build(values, first, middle, node)
        node.right = self._build(values, middle + 1, after, node)
        return node

    def _aggregate(self, node: Node | None) -> Any:
        """Set the aggregates of a sub-tree; the sum of its values."""
        if node is None:
            return 0
        node.aggregate = self._aggregate(node.left)
        return node.aggregate + node.value + self._aggregate(node.right)

    def in_order(self) -> Iterator[Node]:
        """The nodes from left to right."""
        node = self.root
        waiting: list[Node] = []
        while node is not None or waiting:
            while node is not None:
                waiting.append(node)
                node = node.left
            node = waiting.pop()
            yield node
            node = node.right

    def total(self) -> Any:
        """The sum of all values: along the right spine, each node's value and what lies left of
        it.

        log₂ k nodes; the paper's algorithms take this sum as given.
        """
        total: Any = 0
        node = self.root
        while node is not None:
            self.visits += 1
            total, node = total + node.aggregate + node.value, node.right
        return total

    def select(self, key: Any) -> int:
        """The action a with value_0 + ... + value_{a-1} <= key < value_0 + ... + value_a.

        Raises:
            ValueError: the key isn't in [0, total).
        """
        node = self.root
        # below the range no action has the key, as above
        if key < 0:
            node = None
        while node is not None:
            self.visits += 1
            if key < node.aggregate:
                node = node.left
            elif key - node.aggregate < node.value:
                return node.action
            else:
                key, node = key - node.aggregate - node.value, node.right
        raise ValueError("the key is not in the range of the cumulative sums")

    def update(self, action: int, preference: Any) -> None:
        """Set a preference and mend the aggregates on the way up to the root.

        Args:
            action: an index.
            preference: θ, whose exponential becomes the node's value.
        """
        node = self.nodes[action]
        value = self.exp(preference)
        difference = value - node.value
        node.value = value
        self.visits += 1
        while node.parent is not None:
            self.visits += 1
            if node.parent.left is node:
                node.parent.aggregate = node.parent.aggregate + difference
            node = node.parent
