"""Normally distributed actions as spaces: means are sums over the nodes of a rule, objectives are
in closed form.

gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5).batch(2)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from altpg_verify.audit.declarations import checked_chances, float_array, shown, whole
from altpg_verify.audit.gaussian_actions import Gaussian, positive
from altpg_verify.audit.gaussian_policies import GaussianPolicy, StdGroup
from altpg_verify.audit.gaussian_values import Reward
from altpg_verify.audit.polynomials import polynomial_of
from altpg_verify.audit.quadrature import Rule
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput

GROUPS: Mapping[str, StdGroup] = MappingProxyType(
    {"log": "log_std", "softplus": "raw_std", "fixed": ""}
)
"""How σ may depend on a parameter -> what that is called."""

MOST_NODES = 400
"""Nodes of a number."""

MOST_EPISODES = 20_000
"""Nodes in all."""


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
    """Actions a = μ + σ ε with ε standard normal, or tanh of it, each paid a reward; a context
    draws its own μ and σ.

    Groups of parameters: `mean`, and `log_std` or `raw_std`, of shape (contexts,), or (d,) or
    (contexts, d) for actions of d numbers.

    Args:
        reward: of an action: a polynomial as a function of it, as [c₀, c₁, ...], or as
            {(exponents): coefficient}; or a list of such functions or mappings, one for each
            context. Of actions of d numbers, a function of the vector.
        mean, std: μ and σ where the audit stands: a number, or an array shaped like the groups.
        dimension: d, if actions are vectors; None for numbers.
        squash: "tanh" for a = tanh(μ + σ ε).
        bounds: the environment clips actions to [low, high] before it pays; updates are shown them
            as sampled, and `clipped_actions`.
        std_parameter: "log" for σ = e^log_std, "softplus" for σ = log(1 + e^raw_std), "fixed" if it
            isn't one.
        shared_std: all contexts have the same σ.
        reference: μ and σ of a fixed policy, for `ref_logprobs` and KL divergences.
        chances: of the contexts; equal by default.
        smooth: a reward that isn't a polynomial is smooth, so that it can be integrated.
        nodes: of the rule for each number; chosen by the reward's degree and by σ if left out.
        name: what reports call the space.

    Raises:
        BadInput: σ isn't positive, the reward isn't a polynomial and not declared smooth, or
            something is no finite number.

    Examples:
        >>> from altpg_verify.audit import gaussian
        >>> str(gaussian(lambda a: -a * a))
        'Gaussian policy, one episode a draw'
    """
    if dimension is not None:
        whole("dimension", dimension, most=3)
    if squash not in (None, "tanh"):
        raise BadInput(f"squash: {shown(squash)} is not known; write 'tanh', or leave it out")
    if std_parameter not in GROUPS:
        raise BadInput(
            f"std_parameter: {shown(std_parameter)} is not known; write 'log', 'softplus' or"
            " 'fixed'"
        )
    if squash and bounds is not None:
        raise BadInput(
            "bounds: tanh keeps actions between -1 and 1 already; give one of squash and bounds"
        )
    limits = None if bounds is None else _bounds(bounds)
    size = 1 if dimension is None else dimension
    several = isinstance(reward, list | tuple) and any(
        callable(one) or isinstance(one, Mapping | list | tuple) for one in reward
    )
    rewards = tuple(
        _reward(one, size, dimension is None, smooth, limits, squash is not None)
        for one in (reward if several else [reward])
    )
    contexts = len(rewards)
    shares = (
        tuple(Fraction(1, contexts) for _ in rewards)
        if chances is None
        else checked_chances("chances", chances, positive=True)
    )
    if len(shares) != contexts:
        raise BadInput(f"chances: {len(shares)} for {contexts} contexts; give one for each")
    group = GROUPS[std_parameter]
    shape = GaussianPolicy(
        contexts, dimension, Rule("hermite", 1), group, bool(shared_std), squash is not None
    )
    means, stds = (
        _filled("mean", mean, shape.shapes["mean"]),
        _filled("std", std, shape.shapes[group or "mean"]),
    )
    positive("std", stds)
    beside = None if reference is None else _reference(reference, shape)
    rule = _rule(rewards, limits, squash is not None, float(stds.max()), nodes)
    if contexts * rule.count**size > MOST_EPISODES:
        raise BadInput(
            f"nodes: {contexts} context{'s' if contexts > 1 else ''} with {rule.count} nodes for"
            f" each of {size} numbers are more than the {MOST_EPISODES:,} that are listed; give"
            " fewer nodes or numbers"
        )
    policy = replace(shape, rule=rule, fixed=() if group else tuple(stds.reshape(-1).tolist()))
    made = Gaussian(policy, rewards, shares, beside, limits)
    parameters = {
        "mean": means,
        "log_std": np.log(stds),
        "raw_std": stds + np.log(-np.expm1(-stds)),
    }
    title = name or ("tanh-Gaussian policy" if squash else "Gaussian policy")
    return Space(
        title,
        made.episodes(),
        made.policy,
        {each: parameters[each] for each in policy.shapes},
        continuous=made,
    )


def _reward(
    given: Any,
    size: int,
    scalar: bool,
    smooth: bool,
    limits: tuple[float, float] | None,
    squashed: bool,
) -> Reward:
    found = polynomial_of(given, size, scalar=scalar)
    if found is not None:
        return Reward(found, None, limits, squashed)
    if not smooth:
        raise BadInput(
            "reward: it isn't a polynomial of the action, so that its mean has no closed form; give"
            " a polynomial, or smooth=True if it is smooth, and it is integrated numerically"
        )
    function = _numeric(given, size, scalar)
    return Reward(None, function, limits, squashed)


def _numeric(
    given: Callable[[Any], Any], size: int, scalar: bool
) -> Callable[[np.ndarray], np.ndarray]:
    """A function of (..., d) actions from somebody's, tried on a few."""

    def function(actions: np.ndarray) -> np.ndarray:
        try:
            found = np.asarray(given(actions[..., 0] if scalar else actions), dtype=float)
        except Exception as error:
            raise BadInput(
                f"reward raised {type(error).__name__}: {shown(str(error))}; it takes a numpy array"
                " of actions"
            ) from error
        if found.shape != actions.shape[:-1] or not np.isfinite(found).all():
            raise BadInput(
                f"reward: it gives shape {found.shape} for actions of shape {actions.shape}, or"
                " numbers that aren't finite"
            )
        return found

    function(np.linspace(-1, 1, 3 * size).reshape(3, size))
    return function


def _bounds(bounds: Any) -> tuple[float, float]:
    found = float_array("bounds", bounds)
    if found.shape != (2,) or not found[0] < found[1]:
        raise BadInput(
            f"bounds: {shown(bounds)} are not two numbers of which the first is smaller; write"
            " bounds=(-1, 1)"
        )
    return float(found[0]), float(found[1])


def _filled(name: str, given: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A number, or an array of the group's shape, as such an array."""
    found = float_array(name, given if np.ndim(given) else [given])
    if found.shape not in (shape, (1,)):
        raise BadInput(
            f"{name} has shape {found.shape}, and the policy has {shape}; give a number, or as many"
        )
    return np.broadcast_to(found, shape).copy() if found.shape != shape else found


def _reference(given: Any, shape: GaussianPolicy) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise BadInput(
            f"reference: {shown(given)} is no pair of a mean and a std; write reference=(0, 1)"
        )
    means = _filled("mean of the reference", given[0], shape.shapes["mean"])
    stds = _filled("std of the reference", given[1], shape.shapes["mean"])
    positive("std of the reference", stds)
    return means.reshape(shape.contexts, shape.size), stds.reshape(shape.contexts, shape.size)


def _rule(
    rewards: tuple[Reward, ...], limits: Any, squashed: bool, std: float, nodes: int | None
) -> Rule:
    """Enough nodes for the rewards and for the square of an update's noise."""
    if nodes is not None:
        whole("nodes", nodes, 2, MOST_NODES)
    if limits is not None:
        return Rule("pieces", nodes or 32, limits)
    if squashed:
        # the singularity of tanh nearest to the real line is π/2 away, in units of σ
        return Rule("steps", nodes or min(MOST_NODES, math.ceil(19 / min(0.5, 0.2 / std))))
    # other rewards have a cubic term, see `other_reward`
    degree = max(
        3,
        *(reward.polynomial.degree if reward.polynomial is not None else 40 for reward in rewards),
    )
    return Rule("hermite", nodes or degree + 6)
