"""A JAX loss that a small edit mends; in a file of its own, since it is its source that is
edited.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp

from altpg_verify.audit import bandit, loss


@loss(space=bandit([1, "1/2", 0]).batch(2), framework="jax")
def baseline_with_a_gradient(logits, actions, rewards):
    logprobs = jax.nn.log_softmax(logits)[actions]
    baseline = (jax.nn.softmax(logits) * jnp.array([1.0, 0.5, 0.0])).sum()
    return -((rewards - baseline) * logprobs).mean()
