"""P08: the mean of the batch as a baseline, the own sample included.

Reported in thinking-machines-lab/tinker-cookbook PR #135 and hunkim/ReinforcementZeroToAll PR #5.
"""

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

SPACE = three_arms().batch(4)


@update(space=SPACE)
def no_baseline(rewards, scores):
    return (rewards[:, None] * scores).mean(axis=0)


@update(space=SPACE)
def own_mean(rewards, scores):
    advantages = rewards - rewards.mean()
    return (advantages[:, None] * scores).mean(axis=0)


@update(space=SPACE)
def leave_one_out(rewards, scores):
    others = (rewards.sum() - rewards) / (len(rewards) - 1)
    return ((rewards - others)[:, None] * scores).mean(axis=0)
