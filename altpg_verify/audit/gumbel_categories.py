"""What is computed from nodes of Gumbel noise and θ: the category, its relaxation, the rewards, and the
objectives that estimators of their gradients follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np

from altpg_verify.audit.continuous import Continuous
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.gaussian_values import Reward
from altpg_verify.audit.gumbel_policies import REACH, GumbelPolicy
from altpg_verify.audit.numbers import say_vector
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objectives import entropy
from altpg_verify.audit.objectives import value as the_value
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.quadrature import legendre
from altpg_verify.audit.reward_functions import Pays, other_reward
from altpg_verify.errors import BadInput

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "actions": "(N,) the category, the arg-max of θ + G; (1,) of one episode",
        "rewards": "(N,) r(x) at its one-hot vector",
        "one_hot": "(N, k) x",
        "gumbels": "(N, k) G, up to a shift of all of a row",
        "relaxed": "(N, k) softmax((θ + G) / temperature)",
        "probs": "(k,), or (N, k) in a batch run at once: π = softmax(θ), a constant for losses",
        "logprobs": "(N,) log π of the category",
        "scores": "(N, k) ∇ log π of the category",
        "reward_function": "r as a function of vectors (..., k), differentiable",
    }
)
"""What updates may ask for; beside it `temperature`, a constant."""

REFUSED = frozenset(
    {
        *("pi", "mu", "ref", "q", "h", "e", "final_values", "old_logprobs", "ref_logprobs"),
        *("action", "score"),
    }
)

RAREST = 1e-4
"""The smallest probability of a category."""

of_the_mean = Objective(
    "the reward of the mean r(E[x])", "r(E[x])", lambda tables, held: 0.0, lambda space: False
)
"""r(π): what a straight-through estimator follows whose backward pass is at π, if r is of degree 1
in each number.
"""

relaxed_value = Objective(
    "the relaxed value E[r(y)], y the softmax at the temperature",
    "E[r(y)]",
    lambda tables, held: 0.0,
    lambda space: False,
)
"""E[r(softmax((θ + G) / temperature))]."""


@dataclass(frozen=True, eq=False)
class Gumbel:
    """What is computed from nodes and θ; see `Continuous`.

    Args:
        policy: with its nodes.
        reward: of vectors of k numbers.
        temperature: of the softmax that is near the one-hot vector.
    """

    policy: GumbelPolicy
    reward: Reward
    temperature: float

    @property
    def names(self) -> Mapping[str, str]:
        """See `NAMES`."""
        return NAMES

    @property
    def refused(self) -> frozenset[str]:
        """What isn't there."""
        return REFUSED

    @property
    def noise(self) -> str:
        """What a draw calls its noise."""
        return "gumbels"

    @property
    def logits(self) -> bool:
        """θ are logits."""
        return True

    @property
    def rule(self) -> str:
        """The rule in words."""
        return (
            f"each category with {self.policy.nodes} steps of the logarithm of each ratio of its"
            " noise"
        )

    def episodes(self) -> tuple[Episode, ...]:
        """One for each category and node."""
        return tuple(
            Episode(Fraction(1), (0,), (i,), (Fraction(0),))
            for i in range(self.policy.categories * self.policy.inner)
        )

    @cached_property
    def payoffs(self) -> np.ndarray:
        """(k,) r at the one-hot vectors."""
        return self.reward.of_actions(np.eye(self.policy.categories))

    def array(self, draws: Draws, name: str) -> Any:
        """See `NAMES`."""
        if name == "reward_function":
            return Pays((self.reward,), self.policy.categories)
        if name not in (
            *("actions", "rewards", "one_hot", "gumbels", "relaxed", "probs", "value"),
            *("values", "logprobs"),
        ):
            return NotImplemented
        tables = draws.held if draws.held is not None and name in draws.frozen else draws.tables
        several = isinstance(tables.parameters, tuple)
        points = tables.parameters if several else (tables.parameters,)
        which = (
            np.zeros(len(draws), dtype=int) if draws.policy is None or not several else draws.policy
        )
        if name in ("value", "values"):
            found = np.array([self.policy.probabilities(point) @ self.payoffs for point in points])
            found = found[:, None] if name == "values" else found
            return (
                (found[0] if name == "values" else found[0].item())
                if draws.policy is None
                else found[which]
            )
        if name == "probs":
            return np.stack([self.policy.probabilities(point) for point in points])[which]
        index = draws.arrays.actions[draws.indices, 0]
        category, node = index // self.policy.inner, index % self.policy.inner
        match name:
            case "actions":
                return category
            case "rewards":
                return self.payoffs[category]
            case "one_hot":
                return np.eye(self.policy.categories)[category]
            case "logprobs":
                return np.log(np.stack([self.policy.probabilities(point) for point in points]))[
                    which[:, None], category
                ]
        perturbed = np.stack([self.policy.perturbed(point) for point in points])[
            which[:, None], category, node
        ]
        if name == "gumbels":
            theta = np.stack(
                [np.asarray(point["theta"], dtype=float).reshape(-1) for point in points]
            )
            return perturbed - theta[which][:, None]
        return _softmax(perturbed / self.temperature)

    def value(self, parameters: Parameters) -> float:
        """V = Σ π r."""
        return float(self.policy.probabilities(parameters) @ self.payoffs)

    def objectives(self) -> Sequence[Objective]:
        """Those of the mean and of the relaxation."""
        return (of_the_mean, relaxed_value)

    def slopes(
        self, objective: Objective, parameters: Parameters
    ) -> tuple[float, Mapping[str, np.ndarray]] | None:
        """An objective's value and gradient in θ; None if it isn't one of these."""
        pi = self.policy.probabilities(parameters)
        if objective is the_value:
            value = float(pi @ self.payoffs)
            return value, {"theta": pi * (self.payoffs - value)}
        if objective is entropy:
            value = float(-(pi @ np.log(pi)))
            return value, {"theta": -pi * (np.log(pi) + value)}
        if objective is of_the_mean:
            slope = self._slope(pi[None])[0]
            return float(self.reward.of_actions(pi[None])[0]), {"theta": pi * (slope - pi @ slope)}
        if objective is relaxed_value:
            return self._relaxed(parameters)
        return None

    def _slope(self, vectors: np.ndarray) -> np.ndarray:
        """(..., k) the gradient of r at vectors."""
        assert self.reward.polynomial is not None
        ones, numbers = np.ones(vectors.shape[:-1]), list(np.moveaxis(vectors, -1, 0))
        return np.stack(
            [
                self.reward.polynomial.derivative(i).at(numbers, ones)
                for i in range(self.policy.categories)
            ],
            axis=-1,
        )

    def _relaxed(self, parameters: Parameters) -> tuple[float, Mapping[str, np.ndarray]]:
        """E[r(y)] and its derivative, E[(y_i ∂ᵢr - y_i Σ y ∂r)] / temperature, on Gauss-Legendre
        panels, with no region of the arg-max.
        """
        logs, weights = _panels(self.policy.categories)
        theta = np.asarray(parameters["theta"], dtype=float).reshape(-1)
        y = _softmax(
            (theta + np.concatenate([np.zeros((len(logs), 1)), -logs], axis=1)) / self.temperature
        )
        slope = self._slope(y)
        carried = y * (slope - (y * slope).sum(axis=1, keepdims=True)) / self.temperature
        return float(weights @ self.reward.of_actions(y)), {"theta": weights @ carried}

    def finer(self) -> tuple[Continuous, GumbelPolicy, tuple[Episode, ...]]:
        """The same on a finer rule."""
        other = replace(self, policy=self.policy.finer())
        return other, other.policy, other.episodes()

    def refuse(self, parameters: Parameters) -> None:
        """Raises BadInput if a category has next to no probability."""
        if self.policy.probabilities(parameters).min() < RAREST:
            raise BadInput(
                f"theta: a category has a probability below {RAREST:g}, and its noise isn't"
                " integrated; choose a policy farther inside"
            )

    def shifted(self) -> Continuous:
        """1 more is paid."""
        return replace(self, reward=other_reward(self.reward, 1, (0,) * self.policy.categories))

    def varied(self, number: int) -> Continuous:
        """Other rewards."""
        times = (
            (Fraction(2, 3), Fraction(-1, 2), Fraction(1)),
            (Fraction(-5, 4), Fraction(1), Fraction(1, 3)),
        )[number]
        return replace(self, reward=other_reward(self.reward, 0, times[: self.policy.categories]))

    def describe(self, parameters: Parameters) -> str:
        """π, the rewards at the one-hot vectors, the temperature."""
        pi = self.policy.probabilities(parameters)
        return (
            f"π = {say_vector(pi)}, r(x) = {say_vector(self.payoffs)} at the categories, r ="
            f" {self.reward.polynomial}"
        )

    def spread(self, places: Sequence[Parameters]) -> str:
        """The range of the probabilities."""
        tables = np.stack([self.policy.probabilities(place) for place in places])
        return f"probabilities from {tables.min():.1g} to {tables.max():.2g}"


def _softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)


@lru_cache(maxsize=2)
def _panels(categories: int) -> tuple[np.ndarray, np.ndarray]:
    """(M, k - 1) logarithms s_j of E_j / E_0 and (M,) weights, density d! e^Σs / (1 + Σ e^s)^(d+1),
    on nodes unlike those of the draws.
    """
    inner, shares = legendre(12)
    ends = np.linspace(-REACH, REACH, 34)
    middles, half = (ends[1:] + ends[:-1]) / 2, (ends[1] - ends[0]) / 2
    nodes, widths = (
        (middles[:, None] + half * inner).reshape(-1),
        np.tile(half * shares, len(middles)),
    )
    logs = np.stack(
        [grid.reshape(-1) for grid in np.meshgrid(*[nodes] * (categories - 1), indexing="ij")],
        axis=-1,
    )
    width = np.prod(
        [share.reshape(-1) for share in np.meshgrid(*[widths] * (categories - 1), indexing="ij")],
        axis=0,
    )
    # log(1 + Σ e^s) without overflow
    largest = np.maximum(logs.max(axis=1), 0.0)
    total = largest + np.log(np.exp(-largest) + np.exp(logs - largest[:, None]).sum(axis=1))
    weights = width * np.exp(logs.sum(axis=1) - categories * total)
    kept = weights > 1e-20 * weights.max()
    return logs[kept], weights[kept] / weights.sum()
