"""P24 as a JAX loss."""

import jax
import jax.numpy as jnp

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p24_ratio_is_one import SPACE


@loss(space=SPACE, framework="jax")
def ratio_is_one(logits, actions, rewards):
    logprobs = jax.nn.log_softmax(logits)[actions]
    ratio = jnp.exp(logprobs - jax.lax.stop_gradient(logprobs))
    return -(ratio * rewards).mean()
