"""The trees in double precision: the paper's, corrected, and the one of blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from random import Random
from typing import Any

import numpy as np

from altpg_verify.estimators import alternate
from altpg_verify.judging import Finding, searched
from altpg_verify.ledger import evidence
from altpg_verify.sim.large.reference import ReferenceTree

REWARDS, BASELINE = (1.0, 2.0, 3.0), 4.0
HARMONIC = 1 / sum(1 / (BASELINE - r) for r in REWARDS)
"""K: every preference falls by α K a step, on average."""


@dataclass(frozen=True)
class Run:
    """A gradient bandit on the reference tree in doubles.

    Args:
        alpha: the stepsize, a double.
        seed: of Python's generator, which draws the keys.
    """

    alpha: float
    seed: int

    def described(self) -> dict[str, Any]:
        """The instance as a reader wants it; the stepsize as the fraction that the double is."""
        return {"alpha": str(Fraction(self.alpha)), "seed": self.seed}

    def wrong_after(self) -> int:
        """The first step after which the tree's own probabilities are 0.01 or more away from the
        policy, in total variation.

        Until then, preferences have fallen by 50 at most: e^-50 is lost beside what rounding left
        in the aggregates.
        """
        # python's own generator, so that nothing of the package under test is used
        random, theta = Random(self.seed), [0.0] * len(REWARDS)
        tree = ReferenceTree(theta)
        step = 0
        while _variation(tree, theta) < 0.01:
            action = tree.select(random.random() * tree.total())
            theta[action] += self.alpha * alternate(e=1.0, r=REWARDS[action], b=BASELINE)
            tree.update(action, theta[action])
            step += 1
        return step


def _variation(tree: ReferenceTree, theta: Sequence[float]) -> float:
    """Total variation between softmax(θ) and the shares of keys that select each action of a tree
    of three.
    """
    root, total = tree.root, tree.total()
    assert root is not None
    if not total > 0.0:
        return 1.0
    # with three actions the root's two comparisons cut all keys into three shares
    cuts = [
        0.0,
        *(min(max(cut, 0.0), total) for cut in (root.aggregate, root.aggregate + root.value)),
        total,
    ]
    weights = [math.exp(t - max(theta)) for t in theta]
    return (
        sum(
            abs((after - before) / total - w / sum(weights))
            for (before, after), w in zip(pairwise(cuts), weights, strict=True)
        )
        / 2
    )


@evidence("tree-in-doubles-goes-wrong", kind="execution")
def raw_exponentials_in_doubles() -> Finding:
    """The corrected tree as an agent would use it: how long until it samples another policy."""

    def sides(run: Run) -> tuple[int, int]:
        return round(run.wrong_after() * run.alpha * HARMONIC), 50

    return searched(
        "alpha K times the step after which the tree's own probabilities are 1 % off, rounded,"
        " and 50",
        [Run(alpha, seed) for alpha in (0.25, 0.5, 1.0, 2.0) for seed in range(10)],
        sides,
        "<=",
        domain="r = (1, 2, 3), b = 4, alternate estimator, alpha = 1/4, 1/2, 1, 2, ten runs each",
        describe=Run.described,
    )


@evidence("block-tree-no-drift", kind="execution")
def no_drift() -> Finding:
    """Every entry of every block after many updates, against a tree that is built from the present
    preferences.
    """
    from altpg_verify.sim.large.sampling_tree import SamplingTree

    def sides(scale: int) -> tuple[int, int]:
        generator = np.random.default_rng(scale)
        tree = SamplingTree(generator.normal(size=4000))
        # 100,000 updates; a tree of added differences would have drifted by then
        for _ in range(400):
            tree.update_many(generator.integers(4000, size=250), generator.normal(size=250) * scale)
        fresh = SamplingTree(tree.preferences)
        return int((tree.policy() != fresh.policy()).sum()), 0

    return searched(
        "probabilities that differ, in any bit, from those of a tree just built, after 100,000"
        " updates, and 0",
        [1, 30, 1000, 10**6],
        sides,
        domain="4000 actions, normal preferences with standard deviations 1, 30, 1000 and 10^6",
        describe=lambda scale: {"standard deviation": scale},
    )


@evidence("block-tree-every-key", kind="execution")
def every_key_of_a_generator() -> Finding:
    """The ends of the actions' intervals among all 2⁵³ keys, by bisection, against exact cumulative
    probabilities.
    """

    def sides(theta: tuple[float, ...]) -> tuple[Fraction, Fraction]:
        return _largest_deviation(np.array(theta))

    generator = np.random.default_rng(2022)
    cases = [
        tuple(generator.normal(size=k) * scale)
        for k in (1, 2, 9, 70)
        for scale in (1.0, 30.0, 1000.0)
    ]
    return searched(
        "the largest distance of an interval's end from the cumulative probability, and (16 L + 8)"
        " 2^-53 and one key",
        cases,
        sides,
        "<=",
        domain=(
            "all 2^53 keys; 1, 2, 9 and 70 actions, normal preferences with standard deviations 1,"
            " 30, 1000"
        ),
        describe=lambda theta: {
            "actions": len(theta),
            "theta": ", ".join(f"{t:.17g}" for t in theta[:3]) + (", ..." if theta[3:] else ""),
        },
    )


def _largest_deviation(theta: np.ndarray) -> tuple[Fraction, Fraction]:
    from altpg_verify.sim.large.sampling_tree import SamplingTree

    tree, k = SamplingTree(theta), theta.size
    # for each action the smallest key at which it or a later one is selected
    low, high = np.full(k, -1, dtype=np.int64), np.full(k, 2**53, dtype=np.int64)
    while (high - low > 1).any():
        middle = (low + high) // 2
        reached = (tree.select_many(np.clip(middle, 0, 2**53 - 1) * 2.0**-53) >= np.arange(k)) & (
            middle >= 0
        )
        high, low = np.where(reached, middle, high), np.where(reached, low, middle)
    ends, unit = _cumulative(theta), Fraction(1, 2**53)
    return (
        max(abs(int(first) * unit - end) for first, end in zip(high, ends, strict=False)),
        Fraction(tree.boundary_error) + unit,
    )


def _cumulative(theta: np.ndarray) -> list[Fraction]:
    """0, π_0, π_0 + π_1, ..., rounded in the sixtieth digit."""
    from mpmath import mp, mpf

    with mp.workdps(60):
        weights = [mp.exp(mpf(float(t)) - mpf(float(theta.max()))) for t in theta]
        total = mp.fsum(weights)
        sums = [mpf(0), *accumulate(weights)]
        return [Fraction(int(mp.floor(s / total * mpf(10) ** 60)), 10**60) for s in sums]
