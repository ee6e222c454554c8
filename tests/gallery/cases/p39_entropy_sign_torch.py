"""P39 as torch losses."""

import torch

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import entropy, value
from tests.gallery.cases.p39_entropy_sign import BETA, SPACE


def entropy_of(logits):
    logprobs = torch.log_softmax(logits, -1)
    return -(logprobs.exp() * logprobs).sum()


@loss(space=SPACE, target=value + BETA * entropy)
def wrong_sign(logits, logprobs, rewards):
    return -(logprobs * rewards).mean() + BETA * entropy_of(logits)


@loss(space=SPACE, target=value + BETA * entropy)
def right_sign(logits, logprobs, rewards):
    return -(logprobs * rewards).mean() - BETA * entropy_of(logits)


@loss(space=three_arms(("1/50", "3/100", "19/20")), target=value + 0.5 * entropy)
def wrong_sign_from_a_bad_start(logits, logprobs, rewards):
    return -(logprobs * rewards).mean() + 0.5 * entropy_of(logits)
