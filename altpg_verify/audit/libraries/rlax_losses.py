"""rlax: JAX functions that turn logits, actions and advantages into losses."""

from __future__ import annotations

from functools import partial
from typing import Any

from altpg_verify.audit.fixtures import stop_or_go, three_arms
from altpg_verify.audit.jax_updates import from_jax
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.audit.libraries.shared import CLIPPING, two_steps
from altpg_verify.audit.libraries.targets import clipped_surrogate, regrets
from altpg_verify.audit.updates import Update

EPSILON = 0.2
"""Where the surrogate is clipped."""

_rlax = partial(LibraryAudit, package="rlax", version="0.1.9")


def _policy_gradient() -> Update:
    import jax.numpy as jnp
    import rlax

    def policy_gradient_loss(theta: Any, actions: Any, rewards: Any) -> Any:
        logits = jnp.broadcast_to(theta, (actions.size, theta.size))
        return rlax.policy_gradient_loss(logits, actions, rewards, jnp.ones_like(rewards))

    return from_jax(policy_gradient_loss, space=two_steps())


def _padded_policy_gradient() -> Update:
    import jax.numpy as jnp
    import rlax

    def policy_gradient_loss(theta: Any, states: Any, actions: Any, rewards: Any, mask: Any) -> Any:
        logits = jnp.stack([jnp.zeros_like(theta), theta], axis=-1)[states[0]]
        to_go = jnp.cumsum(rewards[0][::-1])[::-1]
        return rlax.policy_gradient_loss(logits, actions[0], to_go, mask[0])

    return from_jax(policy_gradient_loss, space=stop_or_go().batch(1))


def _entropy() -> Update:
    import jax.numpy as jnp
    import rlax

    def entropy_loss(theta: Any, actions: Any) -> Any:
        return rlax.entropy_loss(
            jnp.broadcast_to(theta, (actions.size, theta.size)), jnp.ones(actions.size)
        )

    return from_jax(entropy_loss, space=two_steps(), target="entropy")


def _all_actions(name: str, target: Any = "value") -> Update:
    import rlax

    function = getattr(rlax, name)

    def loss(theta: Any, q: Any) -> Any:
        return function(theta[None], q[None])

    return from_jax(loss, space=three_arms(), target=target, name=name)


def _surrogate(fresh: bool, target: Any = "value") -> Update:
    import jax
    import jax.numpy as jnp
    import rlax

    def clipped_surrogate_pg_loss(theta: Any, actions: Any, rewards: Any, old_logprobs: Any) -> Any:
        ratios = jnp.exp(jax.nn.log_softmax(theta)[actions] - old_logprobs)
        return rlax.clipped_surrogate_pg_loss(ratios, rewards, EPSILON)

    return from_jax(clipped_surrogate_pg_loss, space=two_steps(fresh=fresh), target=target)


_gradient_loss = partial(
    _rlax,
    calls="rlax.policy_gradient_loss",
    summary="a loss whose gradient corresponds to a policy gradient update (Williams)",
)
_all_action_loss = partial(_rlax, setting="all actions, exact action values")
_surrogate_loss = partial(
    _rlax,
    calls="rlax.clipped_surrogate_pg_loss",
    summary=(
        "a loss whose gradient corresponds to a clipped surrogate policy gradient update (Schulman"
        " et al.)"
    ),
    setting="sampled by the uniform policy, ε = 0.2, advantages are the rewards",
)

AUDITS = (
    _gradient_loss(
        name="rlax policy_gradient_loss",
        setting="two steps, advantages are the rewards, weights 1",
        update=_policy_gradient,
    ),
    _gradient_loss(
        name="rlax policy_gradient_loss, padded",
        setting=(
            "one episode padded to two steps, weights w_t are the mask, advantages are the returns"
            " to go"
        ),
        update=_padded_policy_gradient,
        design=(
            "the mean is over all steps, padding included: a constant factor, for whoever sets the"
            " learning rate"
        ),
    ),
    _rlax(
        name="rlax entropy_loss",
        calls="rlax.entropy_loss",
        summary="the entropy regularisation loss",
        setting="two steps, weights 1",
        update=_entropy,
    ),
    _all_action_loss(
        name="rlax qpg_loss",
        calls="rlax.qpg_loss",
        summary="Q-based policy gradient (Srinivasan et al.)",
        update=partial(_all_actions, "qpg_loss"),
    ),
    _all_action_loss(
        name="rlax rm_loss",
        calls="rlax.rm_loss",
        summary=(
            "regret matching policy gradient: the policy gradient update weighted with thresholded"
            " regret"
        ),
        update=partial(_all_actions, "rm_loss"),
        design=(
            "regret matching is another rule than the policy gradient, and the docstring says so"
        ),
    ),
    _all_action_loss(
        name="rlax rpg_loss",
        calls="rlax.rpg_loss",
        summary="regret policy gradient: weighted with regret",
        update=partial(_all_actions, "rpg_loss"),
        design=(
            "it descends the sum of the regrets; the factor is the number of actions better than"
            " the policy's value"
        ),
    ),
    _all_action_loss(
        name="rlax rpg_loss, for the regrets",
        calls="rlax.rpg_loss",
        summary="regret policy gradient: descends the sum of the regrets",
        update=partial(_all_actions, "rpg_loss", regrets),
    ),
    _surrogate_loss(
        name="rlax clipped_surrogate_pg_loss, first step",
        setting="the old policy is the current one, ε = 0.2, advantages are the rewards",
        update=partial(_surrogate, True),
    ),
    _surrogate_loss(
        name="rlax clipped_surrogate_pg_loss, later step",
        update=partial(_surrogate, False),
        design=CLIPPING,
    ),
    _surrogate_loss(
        name="rlax clipped_surrogate_pg_loss, for the surrogate",
        summary="L = -min(ρ A, clip(ρ, 1 - ε, 1 + ε) A) (Schulman et al.)",
        update=partial(_surrogate, False, clipped_surrogate(EPSILON)),
    ),
)
