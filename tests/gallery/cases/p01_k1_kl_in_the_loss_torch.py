"""P01 as a torch loss."""

import torch

from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import kl_to_reference, value
from tests.gallery.cases.p01_k1_kl_in_the_loss import BETA, SPACE


@loss(space=SPACE, target="-kl_to_reference")
def k1_in_the_loss(logits, actions, ref_logprobs):
    logprobs = torch.log_softmax(logits, -1)[actions]
    return (logprobs - ref_logprobs).mean()


@loss(space=SPACE, target=value - BETA * kl_to_reference)
def reward_with_k1_in_the_loss(logits, actions, rewards, ref_logprobs):
    logprobs = torch.log_softmax(logits, -1)[actions]
    return (-logprobs * rewards + BETA * (logprobs - ref_logprobs)).mean()


@loss(space=SPACE, target=value - BETA * kl_to_reference)
def k1_in_the_reward(logits, actions, rewards, ref_logprobs):
    logprobs = torch.log_softmax(logits, -1)[actions]
    penalised = rewards - BETA * (logprobs - ref_logprobs).detach()
    return -(logprobs * penalised).mean()
