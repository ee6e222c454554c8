"""P48: illegal actions are masked when acting, and not when the update scores them: the scores are
those of another policy. Reported in AgileRL/AgileRL #487.
"""

import torch

from altpg_verify.audit.losses import loss
from altpg_verify.audit.token_spaces import tokens


def all_but_two_at_first(row):
    return [True, True, bool(row)]


SPACE = tokens(
    vocabulary=3,
    length=2,
    legal=all_but_two_at_first,
    policy="shared",
    reward=lambda row: row[0] + 2 * row[1],
)


@loss(space=SPACE)
def scored_without_the_mask(theta, actions, rewards):
    log_probs = torch.log_softmax(theta, -1)[actions]
    return -log_probs.sum(-1) * rewards.sum(-1)


@loss(space=SPACE)
def scored_with_the_mask(logprobs, rewards):
    return -logprobs.sum(-1) * rewards.sum(-1)
