"""P43: the straight-through one-hot: the sample forward, the softmax backward, through a critic of
the one-hot.

Reported in danijar/dreamerv2 #37, openai/maddpg #9, kengz/SLM-Lab PR #422.
"""

import numpy as np

from altpg_verify.audit.environments import bandit
from altpg_verify.audit.function_updates import update

U = (1.0, 0.5, 0.0)
PI = ("1/6", "1/3", "1/2")
LINEAR = bandit([1, "1/2", 0], pi=PI, name="linear critic").having(u=U)
SQUARE = bandit([1, "1/4", 0], pi=PI, name="square critic").having(u=U)


def softmax_backward(pi, slopes):
    return pi * (slopes - pi @ slopes)


@update(space=LINEAR)
def linear_critic(pi, u):
    return softmax_backward(pi, np.array(u))


@update(space=SQUARE)
def square_critic(pi, e, u):
    """The critic (u·x)² has slope 2 (u·x) u at the sampled one-hot x."""
    u = np.array(u)
    return softmax_backward(pi, 2 * (u @ e) * u)
