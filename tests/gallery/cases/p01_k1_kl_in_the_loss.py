"""P01: the first-order KL estimate log(π(a)/ref(a)), differentiated as a term of the loss. Its
gradient doesn't know the reference.

Reported in allenai/open-instruct #534.
"""

from altpg_verify.audit.fixtures import three_arms_with_reference
from altpg_verify.audit.function_updates import update
from altpg_verify.audit.objectives import kl_to_reference, value

BETA = 0.5
SPACE = three_arms_with_reference()


@update(space=SPACE, target="-kl_to_reference")
def k1_in_the_loss(score):
    """Minus the gradient of log π(a) - log ref(a): the second term has none."""
    return -score


@update(space=SPACE, target=value - BETA * kl_to_reference)
def reward_with_k1_in_the_loss(reward, score):
    """The policy-gradient term, and β times the KL term beside it."""
    return reward * score - BETA * score


@update(space=SPACE, target=value - BETA * kl_to_reference)
def k1_in_the_reward(reward, logprobs, ref_logprobs, score):
    """The same estimate as a penalty in the reward, not differentiated."""
    return (reward - BETA * (logprobs - ref_logprobs)[0]) * score
