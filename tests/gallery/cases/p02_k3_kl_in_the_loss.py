"""P02: the k3 estimate r - 1 - log r with r = ref/π, differentiated as a term of the loss on own
samples.

Reported in huggingface/trl #4967 and verl-project/verl PR #2953; see arXiv 2506.09477.
"""

import numpy as np

from altpg_verify.audit.fixtures import three_arms_with_reference
from altpg_verify.audit.function_updates import update
from altpg_verify.audit.objectives import kl_to_reference, value

BETA = 0.5
SPACE = three_arms_with_reference()


@update(space=SPACE, target="-kl_to_reference")
def k3_in_the_loss(logprobs, ref_logprobs, score):
    """Minus the gradient of r - 1 - log r, which is (1 - r) ∇ log π."""
    r = np.exp(ref_logprobs - logprobs)[0]
    return -(1 - r) * score


@update(space=SPACE, target=value - BETA * kl_to_reference)
def reward_with_k3_in_the_loss(reward, logprobs, ref_logprobs, score):
    """The policy-gradient term, and β times the k3 term."""
    r = np.exp(ref_logprobs - logprobs)[0]
    return reward * score - BETA * (1 - r) * score


@update(space=SPACE, target="-kl_to_reference")
def k2_in_the_loss(logprobs, ref_logprobs, score):
    """Minus the gradient of (log π/ref)² / 2."""
    return -(logprobs - ref_logprobs)[0] * score


@update(space=SPACE, target=value - BETA * kl_to_reference)
def reward_with_k2_in_the_loss(reward, logprobs, ref_logprobs, score):
    """The policy-gradient term, and β times the k2 term."""
    return reward * score - BETA * (logprobs - ref_logprobs)[0] * score
