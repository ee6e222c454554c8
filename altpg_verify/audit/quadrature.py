"""Rules that turn a mean over a normally distributed number into a sum over nodes.

Hermite: exact for polynomials of the number up to degree 2K - 1. Equal steps: for functions that
are analytic about the real line, such as tanh, where its error falls like e^(-2π d / h) with the
distance d of the nearest singularity. Pieces: Gauss-Legendre between the places at which a function
has a kink, such as the bounds to which an action is clipped.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

REACH = 9.5
"""Standard deviations beyond which nothing is left in float64: the density is below 10^-19
there.
"""


@dataclass(frozen=True)
class Rule:
    """Nodes and weights for ε ~ N(0, 1).

    Args:
        kind: "hermite", "steps" or "pieces".
        nodes: how many; for pieces, in each.
        breaks: of u = μ + σ ε, where a function may have kinks.
    """

    kind: Literal["hermite", "steps", "pieces"]
    nodes: int
    breaks: tuple[float, ...] = ()

    @property
    def count(self) -> int:
        """The number of nodes in all."""
        return self.nodes * (len(self.breaks) + 1) if self.kind == "pieces" else self.nodes

    def at(self, mean: float, std: float) -> tuple[np.ndarray, np.ndarray]:
        """(K,) nodes ε and (K,) weights that add up to 1."""
        if self.kind == "hermite":
            return hermite(self.nodes)
        if self.kind == "steps":
            nodes = np.linspace(-REACH, REACH, self.nodes)
            weights = density(nodes)
            return nodes, weights / weights.sum()
        ends = [
            -REACH,
            *(float(np.clip((each - mean) / std, -REACH, REACH)) for each in sorted(self.breaks)),
            REACH,
        ]
        inner, shares = legendre(self.nodes)
        pieces = list(itertools.pairwise(ends))
        nodes = np.concatenate(
            [(low + high) / 2 + (high - low) / 2 * inner for low, high in pieces]
        )
        weights = np.concatenate([(high - low) / 2 * shares for low, high in pieces]) * density(
            nodes
        )
        return nodes, weights / weights.sum()

    def finer(self) -> Rule:
        """A rule that has none of its inner nodes, or few, and more of them."""
        more = {"hermite": 5, "steps": max(12, self.nodes // 4), "pieces": 9}[self.kind]
        return Rule(self.kind, self.nodes + more, self.breaks)

    def __str__(self) -> str:
        if self.kind == "hermite":
            return (
                f"Gauss-Hermite with {self.nodes} nodes, exact for polynomials of the noise up to"
                f" degree {2 * self.nodes - 1}"
            )
        if self.kind == "steps":
            return f"{self.nodes} equal steps"
        return f"Gauss-Legendre with {self.nodes} nodes on each side of the bounds and between them"


@lru_cache(maxsize=64)
def hermite(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss-Hermite for the standard normal density."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(count)
    return nodes, weights / weights.sum()


@lru_cache(maxsize=64)
def legendre(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of Gauss-Legendre on [-1, 1]."""
    return np.polynomial.legendre.leggauss(count)


def density(number: np.ndarray) -> np.ndarray:
    """The standard normal density."""
    return np.exp(-(number**2) / 2) / math.sqrt(2 * math.pi)


PANELS, PER_PANEL = 19, 20


@lru_cache(maxsize=1)
def panels() -> tuple[np.ndarray, np.ndarray]:
    """(nodes, weights) of a rule that shares no node with those above: Gauss-Legendre on panels one
    standard deviation wide.

    Objectives without a closed form are computed by it, so that an update and what it is compared
    with don't share their error.
    """
    inner, shares = legendre(PER_PANEL)
    ends = np.linspace(-REACH, REACH, PANELS + 1)
    middles, half = (ends[1:] + ends[:-1]) / 2, (ends[1] - ends[0]) / 2
    nodes = (middles[:, None] + half * inner).reshape(-1)
    weights = np.tile(half * shares, PANELS) * density(nodes)
    return nodes, weights / weights.sum()
