"""What an update sees of normally distributed actions, from nodes and parameters, and the
objectives that it may follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from altpg_verify.audit import gaussian_values as values
from altpg_verify.audit.continuous import Continuous
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.gaussian_policies import GaussianPolicy
from altpg_verify.audit.gaussian_values import Reward, Slopes
from altpg_verify.audit.numbers import say, say_vector
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objectives import entropy, kl_from_reference, kl_to_reference
from altpg_verify.audit.objectives import value as the_value
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.reward_functions import Pays, other_reward
from altpg_verify.errors import BadInput

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "actions": (
            "floats as they are sampled, μ + σ ε or tanh of it: (N,), or (N, d) for actions of d"
            " numbers; N is 1 for one episode"
        ),
        "rewards": "(N,) what they earn; of bounded actions, what the clipped ones earn",
        "noise": "as actions: ε, standard normal",
        "latents": "as actions: μ + σ ε, before any tanh",
        "clipped_actions": "as actions: clipped to the bounds of the environment, if it has any",
        "means": "as actions: μ of the state",
        "stds": "as actions: σ of the state",
        "logprobs": (
            "(N,) log π(a | s), a density, summed over the numbers of an action; with tanh, less"
            " log(1 - a²)"
        ),
        "old_logprobs": "the same under the policy that was sampled",
        "ref_logprobs": "the same under the reference policy",
        "mean_scores": "(N, *mean's shape) ∇ log π(a | s) in the mean, at fixed actions",
        "log_std_scores": "the same in log σ, where that is the parameter",
        "raw_std_scores": "the same in softplus⁻¹(σ), where that is the parameter",
        "reward_function": (
            "a function of actions, and of states if there are several: what they earn;"
            " differentiable, for torch and numpy"
        ),
    }
)
"""What updates may ask for."""

REFUSED = frozenset({"pi", "mu", "ref", "q", "h", "e", "scores", "score", "final_values"})

LARGEST_STD, SMALLEST_STD = 1e3, 1e-3

latent_entropy = Objective(
    "the entropy H(u) before tanh", "H(u)", lambda tables, held: 0.0, lambda space: False
)
"""Of u = μ + σ ε where a = tanh u: what is left of H(π) if log π lacks the correction for tanh."""
jacobian_term = Objective(
    "E[log(1-a²)], the correction for tanh",
    "E[log(1-a²)]",
    lambda tables, held: 0.0,
    lambda space: False,
)
"""H(π) = H(u) + E[log(1 - a²)]."""
without_noise = Objective(
    "the reward of the mean action", "r(E[a])", lambda tables, held: 0.0, lambda space: False
)
"""r(μ), or r(tanh μ): what is earned if the noise is left out."""


@dataclass(frozen=True, eq=False)
class Gaussian:
    """What is computed from nodes and parameters for normally distributed actions; see
    `Continuous`.

    Args:
        policy: with its rule.
        rewards: one for each context.
        chances: (contexts,) of the contexts.
        reference: (contexts, d) μ and σ of a fixed policy, if there is one.
        bounds: to which the environment clips actions.
    """

    policy: GaussianPolicy
    rewards: tuple[Reward, ...]
    chances: tuple[Fraction, ...]
    reference: tuple[np.ndarray, np.ndarray] | None = None
    bounds: tuple[float, float] | None = None

    @property
    def names(self) -> Mapping[str, str]:
        """See `NAMES`; less what this space doesn't have."""
        lost = {"log_std_scores", "raw_std_scores"} - {f"{self.policy.std_group}_scores"}
        lost |= (set() if self.bounds else {"clipped_actions"}) | (
            set() if self.reference else {"ref_logprobs"}
        )
        return {name: what for name, what in NAMES.items() if name not in lost}

    @property
    def refused(self) -> frozenset[str]:
        """Tables over finitely many actions."""
        return REFUSED | (frozenset() if self.reference else {"ref_logprobs"})

    @property
    def noise(self) -> str:
        """What a draw calls its noise."""
        return "noise"

    @property
    def logits(self) -> bool:
        """The parameters are no logits."""
        return False

    @property
    def rule(self) -> str:
        """The rule in words."""
        return str(self.policy.rule)

    def episodes(self) -> tuple[Episode, ...]:
        """One for each context and node."""
        nodes = range(self.policy.rule.count**self.policy.size)
        return tuple(
            Episode(chance, (c,), (m,), (Fraction(0),))
            for c, chance in enumerate(self.chances)
            for m in nodes
        )

    # --- what is drawn
    # ----------------------------------------------------------------------------------------------

    def array(self, draws: Draws, name: str) -> Any:
        """See `NAMES`."""
        if name in ("value", "values"):
            return self._values(draws, name)
        if name == "reward_function":
            return self.pays
        if name not in NAMES:
            return NotImplemented
        tables = draws.held if draws.held is not None and name in draws.frozen else draws.tables
        several = isinstance(tables.parameters, tuple)
        grids = np.stack(
            [
                self._grid(name, point)
                for point in (tables.parameters if several else (tables.parameters,))
            ]
        )
        states, nodes = (
            draws.arrays.states[draws.indices, 0],
            draws.arrays.actions[draws.indices, 0],
        )
        which = (
            np.zeros((len(draws), 1), dtype=int)
            if draws.policy is None or not several
            else draws.policy[:, None]
        )
        found = grids[which, states, nodes]
        per_action = name in ("actions", "noise", "latents", "clipped_actions", "means", "stds")
        if name.endswith("_scores"):
            return found
        return found.reshape(*found.shape[:2], *self.policy.own) if per_action else found

    def _grid(self, name: str, parameters: Parameters) -> np.ndarray:
        """(contexts, M, ...) the name at every node."""
        policy = self.policy
        if name == "noise":
            return policy.nodes(parameters)[0]
        if name.endswith("_scores"):
            return policy.scores(parameters)[name.removesuffix("_scores")]
        latents = policy.latents(parameters)
        means, stds = policy.means_and_stds(parameters)
        match name:
            case "latents":
                return latents
            case "actions" | "clipped_actions":
                actions = np.tanh(latents) if policy.squashed else latents
                return (
                    np.clip(actions, *self.bounds)
                    if name == "clipped_actions" and self.bounds
                    else actions
                )
            case "means" | "stds":
                return np.broadcast_to((means if name == "means" else stds)[:, None], latents.shape)
            case "rewards":
                return np.stack(
                    [
                        reward.of_latents(one)
                        for reward, one in zip(self.rewards, latents, strict=True)
                    ]
                )
            case "ref_logprobs":
                assert self.reference is not None
                return policy.log_density(latents, *self.reference)
        return policy.log_density(latents, means, stds)

    def _values(self, draws: Draws, name: str) -> Any:
        tables = draws.held if draws.held is not None and name in draws.frozen else draws.tables
        several = isinstance(tables.parameters, tuple)
        each = [
            self._earned(point)
            for point in (tables.parameters if several else (tables.parameters,))
        ]
        found = np.array([[slopes[0] for slopes in one] for one in each])
        if name == "value":
            found = found @ np.array([float(chance) for chance in self.chances])
        # one policy: the same for all draws
        return (
            (found[0].item() if name == "value" else found[0])
            if draws.policy is None
            else found[draws.policy if several else 0]
        )

    @cached_property
    def pays(self) -> Pays:
        """The reward as a function that may be differentiated."""
        return Pays(self.rewards, self.policy.dimension)

    # --- objectives
    # ----------------------------------------------------------------------------------------------

    def value(self, parameters: Parameters) -> float:
        """V = Σ chance E[r]."""
        return sum(
            float(c) * each[0]
            for c, each in zip(self.chances, self._earned(parameters), strict=True)
        )

    def objectives(self) -> Sequence[Objective]:
        """Those that speak of tanh, and of the mean action."""
        return (without_noise, *((latent_entropy, jacobian_term) if self.policy.squashed else ()))

    def slopes(
        self, objective: Objective, parameters: Parameters
    ) -> tuple[float, Mapping[str, np.ndarray]] | None:
        """An objective's value and gradient by group; None if it isn't one of those that are in
        closed form.
        """
        each = self._means(objective, parameters)
        if each is None:
            return None
        shares = np.array([float(chance) for chance in self.chances])
        by_mean = shares[:, None] * np.stack([one[1] for one in each])
        by_std = shares[:, None] * np.stack([one[2] for one in each])
        return float(
            sum(share * one[0] for share, one in zip(shares, each, strict=True))
        ), self.policy.to_groups(by_mean, by_std, parameters)

    def _earned(self, parameters: Parameters) -> list[Slopes]:
        """For each context E[r] and its derivatives in μ and σ."""
        return [
            reward.mean(*place)
            for reward, place in zip(
                self.rewards, zip(*self.policy.means_and_stds(parameters), strict=True), strict=True
            )
        ]

    def _means(self, objective: Objective, parameters: Parameters) -> list[Slopes] | None:
        """For each context the objective and its derivatives in μ and σ."""
        means, stds = self.policy.means_and_stds(parameters)
        places = list(zip(means, stds, strict=True))
        if objective is the_value:
            return self._earned(parameters)
        if objective is latent_entropy and self.policy.squashed:
            return [values.entropy(*place) for place in places]
        if objective is jacobian_term and self.policy.squashed:
            return [values.mean_log_jacobian(*place) for place in places]
        if objective is entropy:
            found = [values.entropy(*place) for place in places]
            return (
                [
                    _sum(one, values.mean_log_jacobian(*place))
                    for one, place in zip(found, places, strict=True)
                ]
                if self.policy.squashed
                else found
            )
        if (
            objective is without_noise
            and self.bounds is None
            and all(reward.polynomial is not None for reward in self.rewards)
        ):
            return [
                values.at_mean(reward)(*place)
                for reward, place in zip(self.rewards, places, strict=True)
            ]
        if self.reference is not None and objective in (kl_to_reference, kl_from_reference):
            divergence = values.kl_to if objective is kl_to_reference else values.kl_from
            others = zip(*self.reference, strict=True)
            return [divergence(*place, other) for place, other in zip(places, others, strict=True)]
        return None

    # --- variations
    # ----------------------------------------------------------------------------------------------

    def finer(self) -> tuple[Continuous, GaussianPolicy, tuple[Episode, ...]]:
        """The same on a finer rule."""
        other = replace(self, policy=self.policy.finer())
        return other, other.policy, other.episodes()

    def refuse(self, parameters: Parameters) -> None:
        """Raises BadInput if a standard deviation is out of range."""
        with np.errstate(over="ignore"):
            _, stds = self.policy.means_and_stds(parameters)
        positive("std", stds)

    def shifted(self) -> Continuous:
        """1 more is paid."""
        return replace(
            self,
            rewards=tuple(
                other_reward(reward, 1, (0,) * self.policy.size) for reward in self.rewards
            ),
        )

    def varied(self, number: int) -> Continuous:
        """Other rewards: each times a number, and a few more times the action's numbers."""
        more = (Fraction(2, 3), Fraction(-5, 4))[number]
        each = [
            (Fraction(c, 7), (more + Fraction(c, 3),) * self.policy.size)
            for c in range(len(self.rewards))
        ]
        return replace(
            self,
            rewards=tuple(
                other_reward(reward, *one) for reward, one in zip(self.rewards, each, strict=True)
            ),
        )

    def describe(self, parameters: Parameters) -> str:
        """μ, σ and the rewards."""
        means, stds = self.policy.means_and_stds(parameters)
        form = "a = tanh(μ + σ ε)" if self.policy.squashed else "a = μ + σ ε"
        bounds = (
            f", clipped to [{say(self.bounds[0])}, {say(self.bounds[1])}]" if self.bounds else ""
        )
        paid = "; ".join(
            str(reward.polynomial) if reward.polynomial is not None else "a function"
            for reward in self.rewards
        )
        return f"{form}{bounds}, μ = {say_vector(means)}, σ = {say_vector(stds)}, r = {paid}"

    def spread(self, places: Sequence[Parameters]) -> str:
        """From which mean to which, and the same of the standard deviations."""
        found = [self.policy.means_and_stds(place) for place in places]
        means, stds = np.stack([one for one, _ in found]), np.stack([one for _, one in found])
        return (
            f"μ from {means.min():.2g} to {means.max():.2g}, σ from {stds.min():.2g} to"
            f" {stds.max():.2g}"
        )


def _sum(one: Slopes, other: Slopes) -> Slopes:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def positive(name: str, stds: np.ndarray) -> None:
    """Raises BadInput if a standard deviation isn't positive, or out of range."""
    if not (stds > 0).all():
        raise BadInput(
            f"{name}: {say(float(stds.min()))} is no standard deviation; give a number above 0"
        )
    if stds.max() > LARGEST_STD or stds.min() < SMALLEST_STD:
        farthest = stds.reshape(-1)[np.abs(np.log(stds)).argmax()]
        raise BadInput(
            f"{name}: {farthest:g} is not between {SMALLEST_STD:g} and {LARGEST_STD:g}; choose"
            " another unit of the action"
        )
