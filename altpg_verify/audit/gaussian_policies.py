"""Normally distributed actions, μ + σ ε or tanh of it, with a mean and a standard deviation for
each context, on the nodes of a rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.quadrature import Rule

StdGroup = Literal["log_std", "raw_std", ""]
"""σ = e^log_std, or softplus(raw_std) = log(1 + e^raw_std), or no parameter."""

LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class GaussianPolicy:
    """u = μ + σ ε in each context, a = u or tanh u; what a table lists as its actions are the nodes
    of ε.

    Args:
        contexts: how many, each with a mean of its own.
        dimension: numbers of an action; None if an action is a number.
        rule: the nodes.
        std_group: what the parameters of σ are called, and what they are.
        shared: all contexts have the same σ.
        squashed: a = tanh u.
        fixed: σ, context by context, where it is no parameter.
        power: σ to this power is the standard deviation: a policy for comparison, of somebody who
            takes one for the variance.
    """

    contexts: int
    dimension: int | None
    rule: Rule
    std_group: StdGroup = "log_std"
    shared: bool = False
    squashed: bool = False
    fixed: tuple[float, ...] = ()
    power: float = 1.0

    @property
    def size(self) -> int:
        """d, the numbers of an action."""
        return 1 if self.dimension is None else self.dimension

    @property
    def own(self) -> tuple[int, ...]:
        """The axis that an action has of its own: (d,), or none."""
        return () if self.dimension is None else (self.dimension,)

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """mean: (contexts,), or (contexts, d), (d,) for one context; the group of σ likewise,
        without contexts where it is shared.
        """
        several = self.contexts > 1 or self.dimension is None
        mean = (*([self.contexts] if several else []), *self.own)
        std = mean if not self.shared else (1,) if self.dimension is None else self.own
        return {"mean": mean, **({self.std_group: std} if self.std_group else {})}

    def means_and_stds(self, parameters: Parameters) -> tuple[np.ndarray, np.ndarray]:
        """(contexts, d) μ and σ."""
        means = np.asarray(parameters["mean"], dtype=float).reshape(self.contexts, self.size)
        return means, self._stds(parameters) ** self.power

    def _stds(self, parameters: Parameters) -> np.ndarray:
        """(contexts, d) σ as the group of parameters has it."""
        if not self.std_group:
            return np.array(self.fixed).reshape(self.contexts, self.size)
        raw = np.asarray(parameters[self.std_group], dtype=float).reshape(-1, self.size)
        return np.broadcast_to(
            np.exp(raw) if self.std_group == "log_std" else np.logaddexp(0.0, raw),
            (self.contexts, self.size),
        )

    def to_groups(
        self, by_mean: np.ndarray, by_std: np.ndarray, parameters: Parameters
    ) -> dict[str, np.ndarray]:
        """Derivatives in μ and σ as those in the groups: ∂σ/∂log_std = σ, ∂σ/∂raw_std = 1 / (1 +
        e^-raw_std), summed where σ is shared.

        Args:
            by_mean, by_std: (contexts, ..., contexts, d), the last two axes those of μ and σ.
        """
        lead, shapes = by_mean.shape[:-2], self.shapes
        found = {"mean": by_mean.reshape(*lead, *shapes["mean"])}
        if not self.std_group:
            return found
        stds = self._stds(parameters)
        slopes = (
            self.power
            * stds ** (self.power - 1)
            * (stds if self.std_group == "log_std" else -np.expm1(-stds))
        )
        carried = by_std * slopes
        if self.shared:
            carried = carried.sum(axis=-2)
        return {**found, self.std_group: carried.reshape(*lead, *shapes[self.std_group])}

    def nodes(self, parameters: Parameters) -> tuple[np.ndarray, np.ndarray]:
        """(contexts, M, d) ε and (contexts, M) weights, M = K^d."""
        means, stds = self.means_and_stds(parameters)
        noise, weights = [], []
        for mean, std in zip(means, stds, strict=True):
            each = [self.rule.at(float(m), float(s)) for m, s in zip(mean, std, strict=True)]
            grids = np.meshgrid(*(nodes for nodes, _ in each), indexing="ij")
            noise.append(np.stack([grid.reshape(-1) for grid in grids], axis=-1))
            shares = np.meshgrid(*(weights for _, weights in each), indexing="ij")
            weights.append(np.prod([share.reshape(-1) for share in shares], axis=0))
        return np.stack(noise), np.stack(weights)

    def table(self, parameters: Parameters) -> np.ndarray:
        """(contexts, M) the weights of the nodes."""
        return self.nodes(parameters)[1]

    def scores(self, parameters: Parameters) -> dict[str, np.ndarray]:
        """For each group (contexts, M, *shape): ∇ log π(a) at fixed a; ε/σ for the mean, (ε² - 1)/σ
        for σ. No tanh changes it.
        """
        noise, _ = self.nodes(parameters)
        _, stds = self.means_and_stds(parameters)
        which = np.eye(self.contexts)[:, None, :, None]
        by_mean = which * (noise / stds[:, None])[:, :, None, :]
        by_std = which * ((noise**2 - 1) / stds[:, None])[:, :, None, :]
        return self.to_groups(by_mean, by_std, parameters)

    def latents(self, parameters: Parameters) -> np.ndarray:
        """(contexts, M, d) u = μ + σ ε."""
        noise, _ = self.nodes(parameters)
        means, stds = self.means_and_stds(parameters)
        return means[:, None] + stds[:, None] * noise

    def log_density(self, latents: np.ndarray, means: np.ndarray, stds: np.ndarray) -> np.ndarray:
        """(contexts, M) log π(a) of a = u or tanh u, summed over the numbers of an action, for the
        policy of these means and stds.
        """
        z = (latents - means[:, None]) / stds[:, None]
        logs = -(z**2) / 2 - np.log(stds[:, None]) - LOG_2PI / 2
        return (logs - (log_jacobian(latents) if self.squashed else 0.0)).sum(axis=-1)

    def finer(self) -> GaussianPolicy:
        """The same on the nodes of a finer rule."""
        return replace(self, rule=self.rule.finer())


def log_jacobian(latents: np.ndarray) -> np.ndarray:
    """log(1 - tanh² u) = 2 (log 2 - u - log(1 + e^-2u)), without cancellation."""
    return 2 * (np.log(2.0) - latents - np.logaddexp(0.0, -2 * latents))
