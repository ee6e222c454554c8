"""Values, entropies and divergences of normally distributed actions, and their derivatives in μ and
σ, without the rule of the draws.

Polynomial rewards: moments in closed form, evaluated in exact numbers; of clipped actions, moments
of the truncated normal distribution. With tanh, and for other smooth rewards: another rule on other
nodes (`quadrature.panels`), and derivatives of the reward, not scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.gaussian_policies import LOG_2PI, log_jacobian
from altpg_verify.audit.polynomials import Polynomial
from altpg_verify.audit.quadrature import density, panels

Slopes = tuple[float, np.ndarray, np.ndarray]
"""A number, and (d,) its derivatives in μ and in σ."""


@dataclass(frozen=True)
class Reward:
    """What an action earns in one context.

    Args:
        polynomial: of the action's numbers, as they reach the environment; None if it isn't one.
        function: a numpy function of (..., d) actions, for one that isn't.
        bounds: to which actions are clipped before they are paid.
        squashed: the action is tanh u.
    """

    polynomial: Polynomial | None
    function: Callable[[np.ndarray], np.ndarray] | None = None
    bounds: tuple[float, float] | None = None
    squashed: bool = False

    def of_latents(self, latents: np.ndarray) -> np.ndarray:
        """(...,) what u = μ + σ ε of shape (..., d) earns."""
        actions = np.tanh(latents) if self.squashed else latents
        return self.of_actions(actions if self.bounds is None else np.clip(actions, *self.bounds))

    def of_actions(self, actions: np.ndarray) -> np.ndarray:
        """(...,) what actions of shape (..., d) earn, as they reach the environment."""
        if self.polynomial is not None:
            return self.polynomial.at(
                list(np.moveaxis(actions, -1, 0)), np.ones(actions.shape[:-1])
            )
        assert self.function is not None
        return self.function(actions)

    def mean(self, mean: np.ndarray, std: np.ndarray) -> Slopes:
        """E[r] and its derivatives, at (d,) μ and σ."""
        if self.polynomial is None:
            return self._by_scores(mean, std)
        if self.squashed:
            return self._by_panels(self.polynomial, mean, std)
        if self.bounds is not None:
            return self._clipped(self.polynomial, self.bounds, mean, std)
        return self._closed(mean, std)

    @cached_property
    def _moments(self) -> tuple[Polynomial, list[Polynomial]]:
        assert self.polynomial is not None
        found = self.polynomial.mean_under_normals()
        return found, [found.derivative(i) for i in range(found.size)]

    def _closed(self, mean: np.ndarray, std: np.ndarray) -> Slopes:
        at = [Fraction(float(entry)) for entry in (*mean, *std)]
        value, slopes = self._moments
        found = np.array([float(slope.at(at, Fraction(1))) for slope in slopes])
        return float(value.at(at, Fraction(1))), found[: len(mean)], found[len(mean) :]

    def _clipped(
        self, polynomial: Polynomial, bounds: tuple[float, float], mean: np.ndarray, std: np.ndarray
    ) -> Slopes:
        d = len(mean)
        powers = [
            [_clipped_power(e, bounds, float(m), float(s)) for e in range(polynomial.degree + 1)]
            for m, s in zip(mean, std, strict=True)
        ]
        value, by_mean, by_std = 0.0, np.zeros(d), np.zeros(d)
        for exponents, c in polynomial.terms.items():
            each = [powers[i][e] for i, e in enumerate(exponents)]
            value += float(c) * math.prod(one[0] for one in each)
            for i in range(d):
                rest = float(c) * math.prod(one[0] for j, one in enumerate(each) if j != i)
                by_mean[i] += rest * each[i][1]
                by_std[i] += rest * each[i][2]
        return value, by_mean, by_std

    def _by_panels(self, polynomial: Polynomial, mean: np.ndarray, std: np.ndarray) -> Slopes:
        noise, weights = _grid(len(mean))
        actions = np.tanh(mean + std * noise)
        value = float(weights @ self.of_actions(actions))
        by_mean, by_std = np.zeros(len(mean)), np.zeros(len(mean))
        for i in range(len(mean)):
            slope = polynomial.derivative(i).at(list(actions.T), np.ones(len(weights))) * (
                1 - actions[:, i] ** 2
            )
            by_mean[i], by_std[i] = weights @ slope, weights @ (slope * noise[:, i])
        return value, by_mean, by_std

    def _by_scores(self, mean: np.ndarray, std: np.ndarray) -> Slopes:
        noise, weights = _grid(len(mean))
        paid = self.of_latents(mean + std * noise)
        value = float(weights @ paid)
        # less the mean, so that less cancels
        return (
            value,
            (weights * (paid - value)) @ (noise / std),
            (weights * (paid - value)) @ ((noise**2 - 1) / std),
        )


def _grid(size: int) -> tuple[np.ndarray, np.ndarray]:
    """(M, d) nodes and (M,) weights of the independent rule."""
    nodes, weights = panels()
    grids = np.meshgrid(*[nodes] * size, indexing="ij")
    shares = np.meshgrid(*[weights] * size, indexing="ij")
    return np.stack([grid.reshape(-1) for grid in grids], axis=-1), np.prod(
        [share.reshape(-1) for share in shares], axis=0
    )


def _clipped_power(
    power: int, bounds: tuple[float, float], mean: float, std: float
) -> tuple[float, float, float]:
    """E[clip(u)^k], and its derivatives k E[u^(k-1) 1] and k E[u^(k-1) ε 1], where 1 says that u is
    inside the bounds.
    """
    low, high = ((bound - mean) / std for bound in bounds)
    inside = _truncated(power + 1, low, high)

    def power_inside(k: int, more: int) -> float:
        return sum(
            math.comb(k, j) * mean ** (k - j) * std**j * inside[j + more] for j in range(k + 1)
        )

    value = (
        bounds[0] ** power * _below(low)
        + bounds[1] ** power * _below(-high)
        + power_inside(power, 0)
    )
    if not power:
        return value, 0.0, 0.0
    return value, power * power_inside(power - 1, 0), power * power_inside(power - 1, 1)


def _truncated(most: int, low: float, high: float) -> list[float]:
    """E[εʲ 1(low < ε < high)] for j up to `most`: (j-1) M_(j-2) + low^(j-1) φ(low) - high^(j-1)
    φ(high).
    """
    at_low, at_high = (float(density(np.array(end))) for end in (low, high))
    found = [_below(high) - _below(low), at_low - at_high]
    for j in range(2, most + 1):
        found.append((j - 1) * found[j - 2] + low ** (j - 1) * at_low - high ** (j - 1) * at_high)
    return found[: most + 1]


def _below(number: float) -> float:
    """Φ."""
    return math.erfc(-number / math.sqrt(2)) / 2


def entropy(mean: np.ndarray, std: np.ndarray) -> Slopes:
    """Σ log σ + ½ log 2πe, of u before any tanh."""
    return float(np.log(std).sum() + len(std) * (LOG_2PI + 1) / 2), np.zeros(len(mean)), 1 / std


def mean_log_jacobian(mean: np.ndarray, std: np.ndarray) -> Slopes:
    """Σ E[log(1 - tanh² u)]; its derivative in u is -2 tanh u."""
    nodes, weights = panels()
    latents = mean[:, None] + std[:, None] * nodes
    slopes = -2 * np.tanh(latents)
    return (
        float((log_jacobian(latents) @ weights).sum()),
        slopes @ weights,
        (slopes * nodes) @ weights,
    )


def kl_to(mean: np.ndarray, std: np.ndarray, other: Sequence[np.ndarray]) -> Slopes:
    """Σ log(σ'/σ) + (σ² + (μ - μ')²) / 2σ'² - ½; the same of tanh u."""
    m, s = other
    value = np.log(s / std) + (std**2 + (mean - m) ** 2) / (2 * s**2) - 0.5
    return float(value.sum()), (mean - m) / s**2, std / s**2 - 1 / std


def kl_from(mean: np.ndarray, std: np.ndarray, other: Sequence[np.ndarray]) -> Slopes:
    """The same the other way round."""
    m, s = other
    value = np.log(std / s) + (s**2 + (mean - m) ** 2) / (2 * std**2) - 0.5
    return float(value.sum()), (mean - m) / std**2, 1 / std - (s**2 + (mean - m) ** 2) / std**3


def at_mean(reward: Reward) -> Callable[[np.ndarray, np.ndarray], Slopes]:
    """r(μ), what is earned without noise, in place of E[r]; of polynomial rewards without
    bounds.
    """

    def found(mean: np.ndarray, std: np.ndarray) -> Slopes:
        assert reward.polynomial is not None
        action = np.tanh(mean) if reward.squashed else mean
        inner: Any = 1 - action**2 if reward.squashed else np.ones(len(mean))
        slopes = np.array(
            [float(reward.polynomial.derivative(i).at(list(action), 1.0)) for i in range(len(mean))]
        )
        return float(reward.polynomial.at(list(action), 1.0)), slopes * inner, np.zeros(len(mean))

    return found
