"""P09 as torch losses."""

import torch

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p09_leave_one_out_std import SPACE


def others(rewards):
    return torch.stack([torch.cat([rewards[:i], rewards[i + 1 :]]) for i in range(len(rewards))])


@loss(space=SPACE)
def leave_one_out_std(logprobs, rewards, eps, ddof):
    rest = others(rewards)
    advantages = (rewards - rest.mean(1)) / (rest.std(1, correction=int(ddof)) + eps)
    return -(logprobs * advantages).mean()


@loss(space=SPACE)
def division_skipped(logprobs, rewards, eps, ddof):
    rest = others(rewards)
    std = rest.std(1, correction=int(ddof))
    advantages = rewards - rest.mean(1)
    advantages = torch.where(std > 0, advantages / (std + eps), advantages)
    return -(logprobs * advantages).mean()
