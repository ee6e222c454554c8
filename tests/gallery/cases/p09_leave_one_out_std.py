"""P09: advantages centred by the mean of the others and divided by the standard deviation of the
others.

Reported in NVIDIA-NeMo/RL #1518 (PRs #1519, #4158, #4161). eps and ddof are declared: the verdict
turns on them.
"""

import numpy as np

from altpg_verify.audit.fixtures import two_arms
from altpg_verify.audit.function_updates import update

SPACE = two_arms("1/4").batch(4).having(eps=1e-6, ddof=0)


def others(rewards):
    """(N, N - 1): for each sample the rewards of the others."""
    return np.stack([np.delete(rewards, i) for i in range(len(rewards))])


@update(space=SPACE)
def leave_one_out_std(rewards, scores, eps, ddof):
    rest = others(rewards)
    advantages = (rewards - rest.mean(axis=1)) / (rest.std(axis=1, ddof=ddof) + eps)
    return (advantages[:, None] * scores).mean(axis=0)


@update(space=SPACE)
def division_skipped(rewards, scores, eps, ddof):
    """The first patch: no division where the others are all equal."""
    rest = others(rewards)
    std = rest.std(axis=1, ddof=ddof)
    advantages = rewards - rest.mean(axis=1)
    advantages = np.where(std > 0, advantages / (std + eps), advantages)
    return (advantages[:, None] * scores).mean(axis=0)
