"""P32: a categorical distribution built with probabilities in the slot of the logits.

Reported in keiohta/tf2rl #140 and ekapolc/RL_course_2019 PR #6.
"""

import numpy as np

from altpg_verify.audit.environments import with_policy
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import from_function, update


def softmax(logits):
    weights = np.exp(logits - np.max(logits))
    return weights / weights.sum()


def capped(parameters):
    """Softmax of the probabilities: no action gets more than e / (e + k - 1)."""
    return softmax(parameters["theta"])


SAMPLED_AS_MEANT = three_arms()
SAMPLED_SO_TOO = with_policy(three_arms(), capped, theta=three_arms().parameters["theta"])


def score_of_capped(theta, action):
    """∇ log softmax(softmax(θ))(a) by the chain rule."""
    inner = softmax(theta)
    return (np.diag(inner) - np.outer(inner, inner)) @ (np.eye(len(theta))[action] - softmax(inner))


@update(space=SAMPLED_AS_MEANT)
def scored_only(theta, action, reward):
    """Sampled from softmax(θ), scored as softmax(softmax(θ))."""
    return reward * score_of_capped(theta, action)


@update(space=SAMPLED_SO_TOO)
def consistent(theta, action, reward):
    """Sampled from and scored as softmax(softmax(θ))."""
    return reward * score_of_capped(theta, action)


def with_baseline(theta, action, reward):
    return (reward - 1) * score_of_capped(theta, action)


scored_only_with_baseline = from_function(
    with_baseline, space=SAMPLED_AS_MEANT, name="scored_only_with_baseline"
)
