"""P30: log-probabilities of shape (N,) times advantages of shape (N, 1): an (N, N) table, whose
mean is a product of means.

Reported in pytorch/rl #1243.
"""

import numpy as np

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

SPACE = three_arms().batch(2)


@update(space=SPACE)
def broadcast(rewards, scores):
    table = rewards[:, None, None] * scores[None, :, :]
    return table.mean(axis=(0, 1))


@update(space=SPACE)
def broadcast_whitened(rewards, scores):
    advantages = (rewards - rewards.mean()) / (np.std(rewards) + 1e-8)
    table = advantages[:, None, None] * scores[None, :, :]
    return table.mean(axis=(0, 1))
