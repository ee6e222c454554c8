"""P27 as a JAX loss: the gradient of a sampled mean is zero, silently."""

import jax.numpy as jnp

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p27_no_score_term import SPACE

REWARDS = jnp.array([1.0, 0.5, 0.0])


@loss(space=SPACE, framework="jax")
def no_score_term(logits, actions):
    return -REWARDS[actions].mean() + 0 * logits.sum()
