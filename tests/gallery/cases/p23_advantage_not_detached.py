"""P23: -log π(a) (r - v) + c (v - r)², with the advantage not detached, so that the policy's term
trains the critic as well.

Reported in keras-team/keras-io #194 and astariul/encode-attend-navigate-pytorch #2.
"""

import numpy as np

from altpg_verify.audit.environments import with_policy
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

SPACE = three_arms().training(v=np.zeros(1)).having(c=0.5)
FEATURE = np.array([1.0, 0.0, -1.0])


def shared_logits(parameters):
    """The trunk feeds the logits, along FEATURE, and the value."""
    return parameters["theta"] + parameters["trunk"] * FEATURE


SHARED = with_policy(
    three_arms(), shared_logits, theta=three_arms().parameters["theta"], trunk=np.zeros(1)
).having(c=0.5)


@update(space=SPACE)
def advantage_not_detached(reward, logprobs, score, v, c):
    advantage = reward - v[0]
    return {"theta": advantage * score, "v": -logprobs + 2 * c * advantage}


@update(space=SPACE)
def advantage_detached(reward, score, v, c):
    advantage = reward - v[0]
    return {"theta": advantage * score, "v": np.array([2 * c * advantage])}


@update(space=SHARED, groups=("theta", "trunk"))
def shared_trunk(reward, action, pi, logprobs, trunk, c):
    """The value is the trunk itself: what reaches the critic reaches the policy."""
    score = np.eye(3)[action] - pi
    advantage = reward - trunk[0]
    return {
        "theta": advantage * score,
        "trunk": advantage * (score @ FEATURE) - logprobs + 2 * c * advantage,
    }
