"""A gradient bandit's step with every operation on its numbers counted: all preferences, or one
preference and a sampling tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from altpg_verify.estimators import alternate, regular


@dataclass
class Tally:
    """How many operations on single numbers were done.

    Args:
        operations: on single numbers, an array counted entry by entry.
    """

    operations: int = 0


class Counted:
    """A number or an array that counts: one operation for each entry of each result.

    Attributes:
        values: a number or an array.
        tally: where its operations are counted.
    """

    __slots__ = ("tally", "values")
    __array_ufunc__ = None

    def __init__(self, values: Any, tally: Tally) -> None:
        self.values, self.tally = values, tally

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> Counted:
        result = operation(self.values, other.values if isinstance(other, Counted) else other)
        self.tally.operations += np.size(result)
        return Counted(result, self.tally)

    def __add__(self, other: Any) -> Counted:
        return self._with(other, lambda one, two: one + two)

    def __sub__(self, other: Any) -> Counted:
        return self._with(other, lambda one, two: one - two)

    def __mul__(self, other: Any) -> Counted:
        return self._with(other, lambda one, two: one * two)

    def __truediv__(self, other: Any) -> Counted:
        return self._with(other, lambda one, two: one / two)

    def __lt__(self, other: Any) -> bool:
        return bool(self._with(other, lambda one, two: one < two).values)

    __radd__, __rmul__ = __add__, __mul__

    def exp(self) -> Counted:
        """e to the power of each entry."""
        return self._with(None, lambda one, _: np.exp(one))

    def sums(self) -> Counted:
        """The cumulative sums, an operation for each entry."""
        return self._with(None, lambda one, _: np.cumsum(one))


def regular_step(
    theta: np.ndarray, reward: Callable[[int], float], b: float, alpha: float, random: Random
) -> tuple[np.ndarray, int]:
    """One step of the gradient bandit with the regular estimator: new preferences and the
    operations they took.

    Computes the policy, samples by walking along its cumulative sums, estimates and updates: all of
    these take a number of operations in proportion to k.

    Args:
        theta: (k,) action preferences.
        reward: what an action pays.
        b: the baseline.
        alpha: the stepsize.
        random: the source of the draw.
    """
    tally = Tally()
    weights = Counted(theta, tally).exp()
    sums = weights.sums()
    total = Counted(sums.values[-1], tally)
    pi = weights / total
    key = total * random.random()
    action = int(np.searchsorted(sums.values, key.values, side="right"))
    # found faster by numpy; the walk it stands for compares once for each action up to this one
    tally.operations += action + 1
    e = np.zeros(len(theta))
    e[action] = 1.0
    estimate = regular.at(
        {"pi": pi, "e": Counted(e, tally), "r": Counted(reward(action), tally), "b": b}
    )
    return (Counted(theta, tally) + estimate * alpha).values, tally.operations


class SamplingTree:
    """A balanced tree of e^theta, each node with the sum of its left subtree (paper, appendix on
    per-timestep complexity).

    Node i has the children 2 i and 2 i + 1 and belongs to the action i - 1.

    Args:
        weights: (k,) e^theta; any numbers.
        size: k.
        weight: (k + 1,) e^theta by node; node 0 is none.
        left: (k + 1,) the sum of each node's left subtree.
        total: the sum of all weights.
    """

    def __init__(self, weights: Any) -> None:
        self.size = len(weights)
        self.weight = np.concatenate(
            [np.zeros(1, dtype=np.asarray(weights).dtype), np.asarray(weights)]
        )
        subtree = np.concatenate([self.weight, np.zeros(self.size + 2, dtype=self.weight.dtype)])
        last = self.size
        # one level at a time from the deepest, so that the children's sums are there
        for depth in range(last.bit_length() - 1, -1, -1):
            nodes = np.arange(2**depth, min(2 ** (depth + 1), last + 1))
            subtree[nodes] = subtree[nodes] + subtree[2 * nodes] + subtree[2 * nodes + 1]
        self.left = subtree[2 * np.arange(last + 1)]
        self.total = subtree[1]

    def select(self, key: Counted) -> int:
        """The action whose interval of cumulative weights, in the order of the tree, holds the key
        (Action-Select).

        Goes down from the root, with two comparisons at most for each level.

        Args:
            key: from 0 up to the total of all weights.
        """
        node = 1
        while True:
            if key < self.left[node]:
                node = 2 * node
                continue
            end = Counted(self.left[node], key.tally) + self.weight[node]
            # a key rounded up to the total belongs to the last action
            if key < end.values or 2 * node + 1 > self.size:
                return node - 1
            key = key - end.values
            node = 2 * node + 1

    def change(self, action: int, weight: Counted) -> None:
        """Set e^theta of one action and mend the sums on the way up (Fix-Upstream), one for each
        level at most.

        Args:
            action: from 0.
            weight: its new e^theta.
        """
        node = action + 1
        difference = weight - self.weight[node]
        self.weight[node] = weight.values
        self.total = (difference + self.total).values
        while node > 1:
            if node % 2 == 0:
                self.left[node // 2] = (difference + self.left[node // 2]).values
            node //= 2

    def in_order(self) -> list[int]:
        """The actions in the order of the tree: left subtree, node, right subtree, which is the
        order of the intervals.
        """

        def walk(node: int) -> list[int]:
            return [*walk(2 * node), node - 1, *walk(2 * node + 1)] if node <= self.size else []

        return walk(1)


def alternate_step(
    theta: np.ndarray,
    tree: SamplingTree,
    reward: Callable[[int], float],
    b: float,
    alpha: float,
    random: Random,
) -> tuple[int, int]:
    """One step of the gradient bandit with the alternate estimator, in place: the action and the
    operations it took.

    The estimate is zero except for the sampled action, so that it is computed there only.
    """
    tally = Tally()
    action = tree.select(Counted(tree.total, tally) * random.random())
    estimate = alternate.at({"e": 1, "r": Counted(reward(action), tally), "b": b})
    moved = Counted(theta[action], tally) + estimate * alpha
    theta[action] = moved.values
    tree.change(action, moved.exp())
    return action, tally.operations
