"""How a trainer samples from a policy that it scores otherwise: temperature, top-k, top-p and a
mixture with uniform exploration.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from altpg_verify.audit.declarations import whole
from altpg_verify.audit.policies import Parameters, Policy
from altpg_verify.errors import BadInput

ROUNDING = 1e-12
"""By so much a cumulated probability may miss top-p."""


@dataclass(frozen=True)
class Decoding:
    """A behaviour policy: parameters -> (states, actions), for `space.sampled_by`; in the order in
    which decoders apply them.

    Args:
        policy: what is scored.
        temperature: μ ∝ π^(1/temperature).
        top_k: only the k likeliest actions are sampled; of equally likely ones those with the lower
            numbers.
        top_p: only the smallest set of likeliest actions that has this probability.
        epsilon: with this probability an action is sampled uniformly among those that the policy
            can take.

    Raises:
        BadInput: a setting is out of range.
    """

    policy: Policy
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float = 1.0
    epsilon: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < float(self.temperature) < math.inf:
            raise BadInput(
                f"temperature: {self.temperature} is not above 0; give 1 to sample from the policy"
                " itself"
            )
        if self.top_k is not None:
            whole("top_k", self.top_k)
        if not 0 < float(self.top_p) <= 1:
            raise BadInput(
                f"top_p: {self.top_p} is not above 0 and at most 1; give the probability to keep"
            )
        if not 0 <= float(self.epsilon) <= 1:
            raise BadInput(
                f"epsilon: {self.epsilon} is not between 0 and 1; give the share of uniform"
                " exploration"
            )

    def __call__(self, parameters: Parameters) -> np.ndarray:
        """(states, actions) the probabilities with which actions are sampled."""
        pi = self.policy.table(parameters)
        with np.errstate(divide="ignore"):
            logits = np.log(pi) / float(self.temperature)
        mu = _normalised(np.exp(logits - logits.max(axis=1, keepdims=True)))
        order = np.argsort(-mu, axis=1, kind="stable")
        rank = np.argsort(order, axis=1, kind="stable")
        if self.top_k is not None:
            mu = _normalised(np.where(rank < self.top_k, mu, 0.0))
        if self.top_p < 1:
            before = np.cumsum(np.take_along_axis(mu, order, 1), axis=1) - np.take_along_axis(
                mu, order, 1
            )
            kept = np.take_along_axis(before < float(self.top_p) - ROUNDING, rank, 1)
            mu = _normalised(np.where(kept, mu, 0.0))
        return (1 - float(self.epsilon)) * mu + float(self.epsilon) * _normalised(
            (pi > 0).astype(float)
        )


def _normalised(weights: np.ndarray) -> np.ndarray:
    return weights / weights.sum(axis=1, keepdims=True)
