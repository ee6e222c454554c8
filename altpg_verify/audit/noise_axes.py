"""The single numbers that continuous noise consists of: the density and the rule of each, and a
space whose draws are any nodes one likes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from altpg_verify.audit.gaussian_actions import Gaussian
from altpg_verify.audit.gaussian_policies import GaussianPolicy
from altpg_verify.audit.gumbel_categories import Gumbel
from altpg_verify.audit.gumbel_policies import REACH as GUMBEL_REACH
from altpg_verify.audit.gumbel_policies import STRETCH, GumbelPolicy
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.quadrature import REACH, density
from altpg_verify.audit.spaces import Space


@dataclass(frozen=True, eq=False)
class Axis:
    """One number of the noise of one context or category.

    Args:
        group: which context or category.
        number: which of its numbers.
        reach: it is run through from minus to plus this.
        density: of it, up to a factor.
        nodes, weights: (K,) of the rule that the verdict is by.
        kinks: where that rule is split already.
    """

    group: int
    number: int
    reach: float
    density: Callable[[np.ndarray], np.ndarray]
    nodes: np.ndarray
    weights: np.ndarray
    kinks: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class ListedGaussian(GaussianPolicy):
    """The same policy on nodes that are listed, all of one weight. Args: listed: (contexts, M, d)
    ε.
    """

    listed: np.ndarray = field(default_factory=lambda: np.zeros((1, 1, 1)))

    def nodes(self, parameters: Parameters) -> tuple[np.ndarray, np.ndarray]:
        """As listed."""
        return self.listed, np.full(self.listed.shape[:2], 1 / self.listed.shape[1])


@dataclass(frozen=True, eq=False)
class ListedGumbel(GumbelPolicy):
    """The same policy on nodes that are listed, all of one weight. Args: listed: (M, k - 1)
    logarithms of ratios.
    """

    listed: np.ndarray = field(default_factory=lambda: np.zeros((1, 1)))

    @property
    def inner(self) -> int:
        """M."""
        return len(self.listed)

    @cached_property
    def grid(self) -> tuple[np.ndarray, np.ndarray]:
        """As listed."""
        return self.listed, np.full(len(self.listed), 1 / len(self.listed))


def axes(space: Space, parameters: Parameters) -> list[Axis]:
    """All numbers of a space's noise at one policy."""
    match space.continuous:
        case Gaussian(policy=policy):
            means, stds = policy.means_and_stds(parameters)
            found = []
            for c in range(policy.contexts):
                for j in range(policy.size):
                    mean, std = float(means[c, j]), float(stds[c, j])
                    nodes, weights = policy.rule.at(mean, std)
                    reach = max(REACH, float(np.abs(nodes).max()))
                    kinks = tuple((each - mean) / std for each in policy.rule.breaks)
                    found.append(Axis(c, j, reach, density, nodes, weights, kinks))
            return found
        case Gumbel(policy=policy):
            return [
                Axis(a, j, GUMBEL_REACH, each, *_stretched(policy.nodes, each))
                for a in range(policy.categories)
                for j, each in enumerate((_of_a_ratio, _of_a_sum)[: policy.categories - 1])
            ]
    return []


def listed(space: Space, nodes: np.ndarray) -> Space:
    """The same space with other draws. Args: nodes: (groups, M, numbers); of Gumbel noise all
    groups have the same.
    """
    match space.continuous:
        case Gaussian() as continuous:
            normal = ListedGaussian(**vars(continuous.policy), listed=nodes)
            first = continuous.episodes()[0]
            episodes = tuple(
                replace(first, chance=chance, states=(c,), actions=(m,))
                for c, chance in enumerate(continuous.chances)
                for m in range(nodes.shape[1])
            )
            other = replace(continuous, policy=normal)
            return replace(space, continuous=other, policy=normal, episodes=episodes, _process=None)
        case Gumbel() as drawn:
            policy, logs = drawn.policy, nodes[0]
            if policy.categories == 3:
                # r U and r (1 - U), of the logarithms of U / (1 - U) and of r
                u, v = logs[:, 0], logs[:, 1]
                logs = np.stack([v - np.logaddexp(0.0, -u), v - np.logaddexp(0.0, u)], axis=-1)
            gumbel = ListedGumbel(policy.categories, policy.nodes, policy.shift, listed=logs)
            drawn = replace(drawn, policy=gumbel)
            return replace(
                space, continuous=drawn, policy=gumbel, episodes=drawn.episodes(), _process=None
            )
    raise AssertionError(f"{space} has no noise to list")


def _of_a_ratio(logs: np.ndarray) -> np.ndarray:
    return np.exp(logs - 2 * np.logaddexp(0.0, logs))


def _of_a_sum(logs: np.ndarray) -> np.ndarray:
    return np.exp(2 * logs - 3 * np.logaddexp(0.0, logs))


def _stretched(
    count: int, each: Callable[[np.ndarray], np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    steps = np.linspace(-1, 1, count) * math.asinh(GUMBEL_REACH / STRETCH)
    nodes = STRETCH * np.sinh(steps)
    weights = np.cosh(steps) * each(nodes)
    return nodes, weights / weights.sum()
