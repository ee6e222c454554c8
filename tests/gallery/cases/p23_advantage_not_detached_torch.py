"""P23 as torch losses."""

import torch

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p23_advantage_not_detached import FEATURE, SHARED, SPACE


@loss(space=SPACE)
def advantage_not_detached(theta, v, actions, rewards, c):
    logprobs = torch.log_softmax(theta, -1)[actions]
    advantage = rewards - v
    return (-logprobs * advantage + c * (v - rewards) ** 2).mean()


@loss(space=SPACE)
def advantage_detached(theta, v, actions, rewards, c):
    logprobs = torch.log_softmax(theta, -1)[actions]
    advantage = rewards - v
    return (-logprobs * advantage.detach() + c * (v - rewards) ** 2).mean()


@loss(space=SHARED, groups=("theta", "trunk"))
def shared_trunk(theta, trunk, actions, rewards, c):
    logprobs = torch.log_softmax(theta + trunk * torch.tensor(FEATURE), -1)[actions]
    advantage = rewards - trunk
    return (-logprobs * advantage + c * (trunk - rewards) ** 2).mean()
