"""softmax(θ) with the nodes of the Gumbel noise by which its categories are drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from altpg_verify.audit.policies import Parameters

REACH = 33.0
"""Logarithms of ratios beyond this have a probability below e^-33."""

STRETCH = 3.0
"""s = 3 sinh t, with equal steps of t: dense where the integrand changes, sparse in its exponential
tails.
"""


@dataclass(frozen=True)
class GumbelPolicy:
    """softmax(θ), each category with the nodes of the noise that goes with it.

    Args:
        categories: k.
        nodes: K, of each of the k - 1 ratios.
        shift: how far all of G is shifted together, by another number at each node: what depends on
            that isn't integrated, and is noticed.
    """

    categories: int
    nodes: int
    shift: float = 0.0

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """θ, one logit for each category."""
        return {"theta": (self.categories,)}

    @property
    def inner(self) -> int:
        """M, the nodes of one category."""
        return self.nodes ** (self.categories - 1)

    def probabilities(self, parameters: Parameters) -> np.ndarray:
        """(k,) π."""
        theta = np.asarray(parameters["theta"], dtype=float).reshape(-1)
        weights = np.exp(theta - theta.max())
        return weights / weights.sum()

    @cached_property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        """(M, k - 1) logarithms of ratios E_j / E_a of exponential numbers, and (M,) weights.

        Two ratios are r U and r (1 - U): U is uniform and independent of r, the ratio of a sum of
        two to one.
        """
        steps = np.linspace(-1, 1, self.nodes) * math.asinh(REACH / STRETCH)
        logs, widths = STRETCH * np.sinh(steps), np.cosh(steps)
        alone = widths * np.exp(logs - 2 * np.logaddexp(0.0, logs))
        if self.categories == 2:
            return logs[:, None], alone / alone.sum()
        pair = widths * np.exp(2 * logs - 3 * np.logaddexp(0.0, logs))
        u, v = (each.reshape(-1) for each in np.meshgrid(logs, logs, indexing="ij"))
        weights = np.outer(alone, pair).reshape(-1)
        return (
            np.stack([v - np.logaddexp(0.0, -u), v - np.logaddexp(0.0, u)], axis=-1),
            weights / weights.sum(),
        )

    def table(self, parameters: Parameters) -> np.ndarray:
        """(1, k M) the weights, category by category."""
        return (self.probabilities(parameters)[:, None] * self.grid[1]).reshape(1, -1)

    def scores(self, parameters: Parameters) -> dict[str, np.ndarray]:
        """{"theta": (1, k M, k)} ∇ log π of the category."""
        found = np.eye(self.categories) - self.probabilities(parameters)
        return {"theta": np.repeat(found, self.inner, axis=0)[None]}

    def perturbed(self, parameters: Parameters) -> np.ndarray:
        """(k, M, k) θ + G at every node of every category, with the largest at log Z but for the
        shift.
        """
        theta = np.asarray(parameters["theta"], dtype=float).reshape(-1)
        total = theta.max() + np.log(np.exp(theta - theta.max()).sum())
        out = np.empty((self.categories, self.inner, self.categories))
        for a in range(self.categories):
            others = [j for j in range(self.categories) if j != a]
            # with E_a = 1: -log(E_j e^-θ_j + 1 / Z)
            out[a, :, others] = -np.logaddexp(self.grid[0].T - theta[others][:, None], -total)
            out[a, :, a] = total
        if not self.shift:
            return out
        # another number for each category and node, without any order, so that nothing averages it
        # away
        return out + self.shift * np.random.default_rng(1).standard_normal(
            (self.categories, self.inner, 1)
        )

    def finer(self) -> GumbelPolicy:
        """The same with more nodes, and other shifts."""
        return replace(self, nodes=self.nodes + max(9, self.nodes // 5), shift=self.shift + 0.7)
