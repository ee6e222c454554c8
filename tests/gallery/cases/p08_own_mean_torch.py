"""P08 as torch losses."""

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p08_own_mean import SPACE


@loss(space=SPACE)
def no_baseline(logprobs, rewards):
    return -(logprobs * rewards).mean()


@loss(space=SPACE)
def own_mean(logprobs, rewards):
    return -(logprobs * (rewards - rewards.mean())).mean()


@loss(space=SPACE)
def leave_one_out(logprobs, rewards):
    others = (rewards.sum() - rewards) / (len(rewards) - 1)
    return -(logprobs * (rewards - others)).mean()
