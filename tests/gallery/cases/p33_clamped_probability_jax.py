"""P33 as JAX losses."""

import jax
import jax.numpy as jnp

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.losses import loss
from tests.gallery.cases.p33_clamped_probability import RARE, SPACE


@loss(space=RARE, framework="jax")
def clamped(logits, actions, rewards, low, high):
    probabilities = jax.nn.softmax(logits)[actions]
    return -(jnp.log(jnp.clip(probabilities, low, high)) * rewards).mean()


@loss(space=SPACE, framework="jax")
def epsilon_added(logits, actions, rewards, eps):
    probabilities = jax.nn.softmax(logits)[actions]
    return -(jnp.log(probabilities + eps) * rewards).mean()


tiny_epsilon_added = epsilon_added.on(three_arms().having(eps=1e-8))
