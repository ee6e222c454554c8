"""P43 as JAX losses."""

import jax

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p43_straight_through import LINEAR, SQUARE


def straight_through(logits, actions):
    probabilities = jax.nn.softmax(logits)
    return (
        jax.nn.one_hot(actions, len(logits)) + probabilities - jax.lax.stop_gradient(probabilities)
    )


@loss(space=LINEAR, framework="jax")
def linear_critic(logits, actions, u):
    return -(straight_through(logits, actions) @ u).mean()


@loss(space=SQUARE, framework="jax")
def square_critic(logits, actions, u):
    return -((straight_through(logits, actions) @ u) ** 2).mean()
