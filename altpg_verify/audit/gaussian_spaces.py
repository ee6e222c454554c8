"""Normally distributed actions as spaces: means are sums over the nodes of a rule, objectives are in closed form.

gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5).batch(2)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from altpg_verify.audit import gaussian_values as values
from altpg_verify.audit.continuous import Continuous
from altpg_verify.audit.declarations import checked_chances, float_array, shown, whole
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.gaussian_policies import GaussianPolicy, StdGroup
from altpg_verify.audit.gaussian_values import Reward, Slopes
from altpg_verify.audit.numbers import say, say_vector
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objectives import entropy, kl_from_reference, kl_to_reference
from altpg_verify.audit.objectives import value as the_value
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.polynomials import Polynomial, polynomial_of
from altpg_verify.audit.quadrature import Rule
from altpg_verify.audit.spaces import Episode, Space
from altpg_verify.errors import BadInput

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "actions": "floats as they are sampled, μ + σ ε or tanh of it: (N,), or (N, d) for actions of d numbers; N is 1 for one episode",
        "rewards": "(N,) what they earn; of bounded actions, what the clipped ones earn",
        "noise": "as actions: ε, standard normal",
        "latents": "as actions: μ + σ ε, before any tanh",
        "clipped_actions": "as actions: clipped to the bounds of the environment, if it has any",
        "means": "as actions: μ of the state",
        "stds": "as actions: σ of the state",
        "logprobs": "(N,) log π(a | s), a density, summed over the numbers of an action; with tanh, less log(1 - a²)",
        "old_logprobs": "the same under the policy that was sampled",
        "ref_logprobs": "the same under the reference policy",
        "mean_scores": "(N, *mean's shape) ∇ log π(a | s) in the mean, at fixed actions",
        "log_std_scores": "the same in log σ, where that is the parameter",
        "raw_std_scores": "the same in softplus⁻¹(σ), where that is the parameter",
        "reward_function": "a function of actions, and of states if there are several: what they earn; differentiable, for torch and numpy",
    }
)
"""What updates may ask for."""

GROUPS: Mapping[str, StdGroup] = MappingProxyType({"log": "log_std", "softplus": "raw_std", "fixed": ""})
"""How σ may depend on a parameter -> what that is called."""

REFUSED = frozenset({"pi", "mu", "ref", "q", "h", "e", "scores", "score", "final_values"})

MOST_NODES = 400
"""Nodes of a number."""

MOST_EPISODES = 20_000
"""Nodes in all."""

LARGEST_STD, SMALLEST_STD = 1e3, 1e-3

latent_entropy = Objective("the entropy H(u) before tanh", "H(u)", lambda tables, held: 0.0, lambda space: False)
"""Of u = μ + σ ε where a = tanh u: what is left of H(π) if log π lacks the correction for tanh."""
jacobian_term = Objective("E[log(1-a²)], the correction for tanh", "E[log(1-a²)]", lambda tables, held: 0.0, lambda space: False)
"""H(π) = H(u) + E[log(1 - a²)]."""
without_noise = Objective("the reward of the mean action", "r(E[a])", lambda tables, held: 0.0, lambda space: False)
"""r(μ), or r(tanh μ): what is earned if the noise is left out."""


@dataclass(frozen=True, eq=False)
class Gaussian:
    """What is computed from nodes and parameters for normally distributed actions; see `Continuous`.

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
        lost |= (set() if self.bounds else {"clipped_actions"}) | (set() if self.reference else {"ref_logprobs"})
        return {name: what for name, what in NAMES.items() if name not in lost}

    @property
    def refused(self) -> frozenset[str]:
        """Tables over finitely many actions."""
        return REFUSED | (frozenset() if self.reference else {"ref_logprobs"})

    @property
    def reward_names(self) -> frozenset[str]:
        """Through which an update sees what is paid."""
        return frozenset({"rewards", "reward", "r", "reward_function", "value", "v", "values"})

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
        return tuple(Episode(chance, (c,), (m,), (Fraction(0),)) for c, chance in enumerate(self.chances) for m in nodes)

    # --- what is drawn ----------------------------------------------------------------------------------------------

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
        grids = np.stack([self._grid(name, point) for point in (tables.parameters if several else (tables.parameters,))])
        states, nodes = draws.arrays.states[draws.indices, 0], draws.arrays.actions[draws.indices, 0]
        which = np.zeros((len(draws), 1), dtype=int) if draws.policy is None or not several else draws.policy[:, None]
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
                return np.clip(actions, *self.bounds) if name == "clipped_actions" and self.bounds else actions
            case "means" | "stds":
                return np.broadcast_to((means if name == "means" else stds)[:, None], latents.shape)
            case "rewards":
                return np.stack([reward.of_latents(one) for reward, one in zip(self.rewards, latents, strict=True)])
            case "ref_logprobs":
                assert self.reference is not None
                return policy.log_density(latents, *self.reference)
        return policy.log_density(latents, means, stds)

    def _values(self, draws: Draws, name: str) -> Any:
        tables = draws.held if draws.held is not None and name in draws.frozen else draws.tables
        several = isinstance(tables.parameters, tuple)
        each = [self._earned(point) for point in (tables.parameters if several else (tables.parameters,))]
        found = np.array([[slopes[0] for slopes in one] for one in each])
        if name == "value":
            found = found @ np.array([float(chance) for chance in self.chances])
        # one policy: the same for all draws
        return (found[0].item() if name == "value" else found[0]) if draws.policy is None else found[draws.policy if several else 0]

    @cached_property
    def pays(self) -> Pays:
        """The reward as a function that may be differentiated."""
        return Pays(self.rewards, self.policy.dimension)

    # --- objectives -------------------------------------------------------------------------------------------------

    def value(self, parameters: Parameters) -> float:
        """V = Σ chance E[r]."""
        return sum(float(c) * each[0] for c, each in zip(self.chances, self._earned(parameters), strict=True))

    def objectives(self) -> Sequence[Objective]:
        """Those that speak of tanh, and of the mean action."""
        return (without_noise, *((latent_entropy, jacobian_term) if self.policy.squashed else ()))

    def slopes(self, objective: Objective, parameters: Parameters) -> tuple[float, Mapping[str, np.ndarray]] | None:
        """An objective's value and gradient by group; None if it isn't one of those that are in closed form."""
        each = self._means(objective, parameters)
        if each is None:
            return None
        shares = np.array([float(chance) for chance in self.chances])
        by_mean = shares[:, None] * np.stack([one[1] for one in each])
        by_std = shares[:, None] * np.stack([one[2] for one in each])
        return float(sum(share * one[0] for share, one in zip(shares, each, strict=True))), self.policy.to_groups(
            by_mean, by_std, parameters
        )

    def _earned(self, parameters: Parameters) -> list[Slopes]:
        """For each context E[r] and its derivatives in μ and σ."""
        return [
            reward.mean(*place)
            for reward, place in zip(self.rewards, zip(*self.policy.means_and_stds(parameters), strict=True), strict=True)
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
                [_sum(one, values.mean_log_jacobian(*place)) for one, place in zip(found, places, strict=True)]
                if self.policy.squashed
                else found
            )
        if objective is without_noise and self.bounds is None and all(reward.polynomial is not None for reward in self.rewards):
            return [values.at_mean(reward)(*place) for reward, place in zip(self.rewards, places, strict=True)]
        if self.reference is not None and objective in (kl_to_reference, kl_from_reference):
            divergence = values.kl_to if objective is kl_to_reference else values.kl_from
            others = zip(*self.reference, strict=True)
            return [divergence(*place, other) for place, other in zip(places, others, strict=True)]
        return None

    # --- variations -------------------------------------------------------------------------------------------------

    def finer(self) -> tuple[Continuous, GaussianPolicy, tuple[Episode, ...]]:
        """The same on a finer rule."""
        other = replace(self, policy=self.policy.finer())
        return other, other.policy, other.episodes()

    def shifted(self) -> Continuous:
        """1 more is paid."""
        return replace(self, rewards=tuple(other_reward(reward, 1, (0,) * self.policy.size) for reward in self.rewards))

    def varied(self, number: int) -> Continuous:
        """Other rewards: each times a number, and a few more times the action's numbers."""
        more = (Fraction(2, 3), Fraction(-5, 4))[number]
        each = [(Fraction(c, 7), (more + Fraction(c, 3),) * self.policy.size) for c in range(len(self.rewards))]
        return replace(self, rewards=tuple(other_reward(reward, *one) for reward, one in zip(self.rewards, each, strict=True)))

    def describe(self, parameters: Parameters) -> str:
        """μ, σ and the rewards."""
        means, stds = self.policy.means_and_stds(parameters)
        form = "a = tanh(μ + σ ε)" if self.policy.squashed else "a = μ + σ ε"
        bounds = f", clipped to [{say(self.bounds[0])}, {say(self.bounds[1])}]" if self.bounds else ""
        paid = "; ".join(str(reward.polynomial) if reward.polynomial is not None else "a function" for reward in self.rewards)
        return f"{form}{bounds}, μ = {say_vector(means)}, σ = {say_vector(stds)}, r = {paid}"

    def spread(self, places: Sequence[Parameters]) -> str:
        """From which mean to which, and the same of the standard deviations."""
        found = [self.policy.means_and_stds(place) for place in places]
        means, stds = np.stack([one for one, _ in found]), np.stack([one for _, one in found])
        return f"μ from {means.min():.2g} to {means.max():.2g}, σ from {stds.min():.2g} to {stds.max():.2g}"


@dataclass(frozen=True)
class Pays:
    """What actions earn, as they reach the environment: a function of actions, and of states if there are several.

    Args:
        rewards: one for each state.
        dimension: numbers of an action; None if it is a number.
    """

    rewards: tuple[Reward, ...]
    dimension: int | None

    def __call__(self, actions: Any, states: Any = None) -> Any:
        """(...,) for actions of shape (...,), or (..., d)."""
        if len(self.rewards) > 1 and states is None:
            raise BadInput(f"reward_function: there are {len(self.rewards)} states; write reward_function(actions, states)")
        numbers = [actions] if self.dimension is None else [actions[..., i] for i in range(self.dimension)]
        each = [self._paid(reward, actions, numbers) for reward in self.rewards]
        if states is None:
            return each[0]
        return sum(one * (states == s) for s, one in enumerate(each))

    def _paid(self, reward: Reward, actions: Any, numbers: list[Any]) -> Any:
        if reward.bounds is not None:
            numbers = [one.clip(*reward.bounds) for one in numbers]
        if reward.polynomial is not None:
            return reward.polynomial.at(numbers, numbers[0] * 0 + 1)
        raise BadInput("reward_function: the reward is no polynomial, and can't be differentiated here; use your own function in the loss")


def other_reward(reward: Reward, constant: Any, times: Sequence[Any]) -> Reward:
    """What is paid, plus a constant and for each of the action's numbers a multiple of a + a³/5: of a line or parabola much is true.

    Args:
        reward: what is paid.
        constant: what is added.
        times: the multiples, one for each number.
    """
    if reward.polynomial is not None:
        size = reward.polynomial.size
        each = [Polynomial.variable(size, i) for i in range(size)]
        more = sum(((a + a**3 / 5) * Fraction(factor) for a, factor in zip(each, times, strict=True)), start=Polynomial.of(size, {}))
        return replace(reward, polynomial=reward.polynomial + more + constant)
    function, factors = reward.function, np.array([float(factor) for factor in times])
    assert function is not None
    return replace(reward, function=lambda actions: function(actions) + float(constant) + (actions + actions**3 / 5) @ factors)


def _sum(one: Slopes, other: Slopes) -> Slopes:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def gaussian(
    reward: Any,
    *,
    mean: Any = 0.0,
    std: Any = 1.0,
    dimension: int | None = None,
    squash: Literal["tanh"] | None = None,
    bounds: tuple[float, float] | None = None,
    std_parameter: Literal["log", "softplus", "fixed"] = "log",
    shared_std: bool = False,
    reference: tuple[Any, Any] | None = None,
    chances: Sequence[Any] | None = None,
    smooth: bool = False,
    nodes: int | None = None,
    name: str = "",
) -> Space:
    """Actions a = μ + σ ε with ε standard normal, or tanh of it, each paid a reward; a context draws its own μ and σ.

    Groups of parameters: `mean`, and `log_std` or `raw_std`, of shape (contexts,), or (d,) or (contexts, d) for actions of d numbers.

    Args:
        reward: of an action: a polynomial as a function of it, as [c₀, c₁, ...], or as {(exponents): coefficient}; or a list of such
            functions or mappings, one for each context. Of actions of d numbers, a function of the vector.
        mean, std: μ and σ where the audit stands: a number, or an array shaped like the groups.
        dimension: d, if actions are vectors; None for numbers.
        squash: "tanh" for a = tanh(μ + σ ε).
        bounds: the environment clips actions to [low, high] before it pays; updates are shown them as sampled, and `clipped_actions`.
        std_parameter: "log" for σ = e^log_std, "softplus" for σ = log(1 + e^raw_std), "fixed" if it isn't one.
        shared_std: all contexts have the same σ.
        reference: μ and σ of a fixed policy, for `ref_logprobs` and KL divergences.
        chances: of the contexts; equal by default.
        smooth: a reward that isn't a polynomial is smooth, so that it can be integrated.
        nodes: of the rule for each number; chosen by the reward's degree and by σ if left out.
        name: what reports call the space.

    Raises:
        BadInput: σ isn't positive, the reward isn't a polynomial and not declared smooth, or something is no finite number.
    """
    if dimension is not None:
        whole("dimension", dimension, most=3)
    if squash not in (None, "tanh"):
        raise BadInput(f"squash: {shown(squash)} is not known; write 'tanh', or leave it out")
    if std_parameter not in GROUPS:
        raise BadInput(f"std_parameter: {shown(std_parameter)} is not known; write 'log', 'softplus' or 'fixed'")
    if squash and bounds is not None:
        raise BadInput("bounds: tanh keeps actions between -1 and 1 already; give one of squash and bounds")
    limits = None if bounds is None else _bounds(bounds)
    size = 1 if dimension is None else dimension
    several = isinstance(reward, list | tuple) and any(callable(one) or isinstance(one, Mapping | list | tuple) for one in reward)
    rewards = tuple(_reward(one, size, dimension is None, smooth, limits, squash is not None) for one in (reward if several else [reward]))
    contexts = len(rewards)
    shares = tuple(Fraction(1, contexts) for _ in rewards) if chances is None else checked_chances("chances", chances, positive=True)
    if len(shares) != contexts:
        raise BadInput(f"chances: {len(shares)} for {contexts} contexts; give one for each")
    group = GROUPS[std_parameter]
    shape = GaussianPolicy(contexts, dimension, Rule("hermite", 1), group, bool(shared_std), squash is not None)
    means, stds = _filled("mean", mean, shape.shapes["mean"]), _filled("std", std, shape.shapes[group or "mean"])
    _positive("std", stds)
    beside = None if reference is None else _reference(reference, shape)
    rule = _rule(rewards, limits, squash is not None, float(stds.max()), nodes)
    if contexts * rule.count**size > MOST_EPISODES:
        raise BadInput(
            f"nodes: {contexts} context{'s' if contexts > 1 else ''} with {rule.count} nodes for each of {size} numbers are more than the "
            f"{MOST_EPISODES:,} that are listed; give fewer nodes or numbers"
        )
    policy = replace(shape, rule=rule, fixed=() if group else tuple(stds.reshape(-1).tolist()))
    made = Gaussian(policy, rewards, shares, beside, limits)
    parameters = {"mean": means, "log_std": np.log(stds), "raw_std": stds + np.log(-np.expm1(-stds))}
    title = name or ("tanh-Gaussian policy" if squash else "Gaussian policy")
    return Space(title, made.episodes(), made.policy, {each: parameters[each] for each in policy.shapes}, continuous=made)


def _reward(given: Any, size: int, scalar: bool, smooth: bool, limits: tuple[float, float] | None, squashed: bool) -> Reward:
    found = polynomial_of(given, size, scalar=scalar)
    if found is not None:
        return Reward(found, None, limits, squashed)
    if not smooth:
        raise BadInput(
            "reward: it isn't a polynomial of the action, so that its mean has no closed form; give a polynomial, or smooth=True if it is "
            "smooth, and it is integrated numerically"
        )
    function = _numeric(given, size, scalar)
    return Reward(None, function, limits, squashed)


def _numeric(given: Callable[[Any], Any], size: int, scalar: bool) -> Callable[[np.ndarray], np.ndarray]:
    """A function of (..., d) actions from somebody's, tried on a few."""

    def function(actions: np.ndarray) -> np.ndarray:
        try:
            found = np.asarray(given(actions[..., 0] if scalar else actions), dtype=float)
        except Exception as error:
            raise BadInput(f"reward raised {type(error).__name__}: {shown(str(error))}; it takes a numpy array of actions") from error
        if found.shape != actions.shape[:-1] or not np.isfinite(found).all():
            raise BadInput(f"reward: it gives shape {found.shape} for actions of shape {actions.shape}, or numbers that aren't finite")
        return found

    function(np.linspace(-1, 1, 3 * size).reshape(3, size))
    return function


def _bounds(bounds: Any) -> tuple[float, float]:
    found = float_array("bounds", bounds)
    if found.shape != (2,) or not found[0] < found[1]:
        raise BadInput(f"bounds: {shown(bounds)} are not two numbers of which the first is smaller; write bounds=(-1, 1)")
    return float(found[0]), float(found[1])


def _filled(name: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A number, or an array of the group's shape, as such an array."""
    found = float_array(name, given if np.ndim(given) else [given])
    if found.shape not in (shape, (1,)):
        raise BadInput(f"{name} has shape {found.shape}, and the policy has {shape}; give a number, or as many")
    return np.broadcast_to(found, shape).copy() if found.shape != shape else found


def _positive(name: str, stds: np.ndarray) -> None:
    if not (stds > 0).all():
        raise BadInput(f"{name}: {say(float(stds.min()))} is no standard deviation; give a number above 0")
    if stds.max() > LARGEST_STD or stds.min() < SMALLEST_STD:
        raise BadInput(f"{name}: {say_vector(stds)} is not between {SMALLEST_STD:g} and {LARGEST_STD:g}; choose another unit of the action")


def _reference(given: Any, shape: GaussianPolicy) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise BadInput(f"reference: {shown(given)} is no pair of a mean and a std; write reference=(0, 1)")
    means = _filled("mean of the reference", given[0], shape.shapes["mean"])
    stds = _filled("std of the reference", given[1], shape.shapes["mean"])
    _positive("std of the reference", stds)
    return means.reshape(shape.contexts, shape.size), stds.reshape(shape.contexts, shape.size)


def _rule(rewards: tuple[Reward, ...], limits: Any, squashed: bool, std: float, nodes: int | None) -> Rule:
    """Enough nodes for the rewards and for the square of an update's noise."""
    if nodes is not None:
        whole("nodes", nodes, 2, MOST_NODES)
    if limits is not None:
        return Rule("pieces", nodes or 32, limits)
    if squashed:
        # the singularity of tanh nearest to the real line is π/2 away, in units of σ
        return Rule("steps", nodes or min(MOST_NODES, math.ceil(19 / min(0.5, 0.2 / std))))
    # other rewards have a cubic term, see `other_reward`
    degree = max(3, *(reward.polynomial.degree if reward.polynomial is not None else 40 for reward in rewards))
    return Rule("hermite", nodes or degree + 6)
