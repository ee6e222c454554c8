"""P24 as a torch loss."""

import torch

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p24_ratio_is_one import SPACE


@loss(space=SPACE)
def ratio_is_one(logits, actions, rewards):
    logprobs = torch.log_softmax(logits, -1)[actions]
    ratio = torch.exp(logprobs - logprobs.detach())
    return -(ratio * rewards).mean()
