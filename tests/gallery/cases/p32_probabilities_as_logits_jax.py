"""P32 as JAX losses."""

import jax

from altpg_verify.audit.jax_updates import from_jax
from tests.gallery.cases.p32_probabilities_as_logits import SAMPLED_AS_MEANT, SAMPLED_SO_TOO


def probabilities_as_logits(theta, actions, rewards):
    probabilities = jax.nn.softmax(theta)
    return -(jax.nn.log_softmax(probabilities)[actions] * rewards).mean()


def with_baseline(theta, actions, rewards):
    return probabilities_as_logits(theta, actions, rewards - 1)


scored_only = from_jax(probabilities_as_logits, space=SAMPLED_AS_MEANT, name="scored_only")
consistent = from_jax(probabilities_as_logits, space=SAMPLED_SO_TOO, name="consistent")
scored_only_with_baseline = from_jax(
    with_baseline, space=SAMPLED_AS_MEANT, name="scored_only_with_baseline"
)
