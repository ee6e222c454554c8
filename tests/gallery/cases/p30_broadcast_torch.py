"""P30 as torch losses."""

import torch

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p30_broadcast import SPACE


@loss(space=SPACE)
def broadcast(logits, actions, rewards):
    logprobs = torch.log_softmax(logits, -1)[actions]
    advantages = rewards.unsqueeze(-1)
    return -(logprobs * advantages).mean()


@loss(space=SPACE)
def broadcast_whitened(logits, actions, rewards):
    logprobs = torch.log_softmax(logits, -1)[actions]
    advantages = ((rewards - rewards.mean()) / (rewards.std() + 1e-8)).unsqueeze(-1)
    return -(logprobs * advantages).mean()
