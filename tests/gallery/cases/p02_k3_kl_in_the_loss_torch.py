"""P02 as torch losses."""

import torch

from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import kl_to_reference, value
from tests.gallery.cases.p02_k3_kl_in_the_loss import BETA, SPACE


def k3(logprobs, ref_logprobs):
    log_ratio = ref_logprobs - logprobs
    return torch.exp(log_ratio) - 1 - log_ratio


def k2(logprobs, ref_logprobs):
    return (logprobs - ref_logprobs) ** 2 / 2


@loss(space=SPACE, target="-kl_to_reference")
def k3_in_the_loss(logprobs, ref_logprobs):
    return k3(logprobs, ref_logprobs).mean()


@loss(space=SPACE, target=value - BETA * kl_to_reference)
def reward_with_k3_in_the_loss(logprobs, rewards, ref_logprobs):
    return (-logprobs * rewards + BETA * k3(logprobs, ref_logprobs)).mean()


@loss(space=SPACE, target="-kl_to_reference")
def k2_in_the_loss(logprobs, ref_logprobs):
    return k2(logprobs, ref_logprobs).mean()


@loss(space=SPACE, target=value - BETA * kl_to_reference)
def reward_with_k2_in_the_loss(logprobs, rewards, ref_logprobs):
    return (-logprobs * rewards + BETA * k2(logprobs, ref_logprobs)).mean()
