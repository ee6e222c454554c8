"""P90: the log-ratio is clamped, not the ratio, and standardised advantages are an option. After
`ClipPPOLoss` of torchrl/objectives/ppo.py at pytorch/rl @ ae9719f (MIT): the same clip as
everybody's, at the logarithms of its bounds.
"""

import math

import torch

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = three_arms().batch(2)


def clipped_gain(log_weight, advantage, eps):
    gain1 = log_weight.exp() * advantage
    log_weight_clip = log_weight.clamp(math.log1p(-eps), math.log1p(eps))
    return torch.stack([gain1, log_weight_clip.exp() * advantage], -1).min(dim=-1)[0]


@trainer_loss(space=SPACE, advantages="exact", eps=0.2)
def standardised(log_prob, old_log_prob, advantage, eps):
    loc, scale = advantage.mean(), advantage.std().clamp_min(1e-6)
    return -clipped_gain(log_prob - old_log_prob, (advantage - loc) / scale, eps).mean()


@trainer_loss(space=SPACE, advantages="exact", eps=0.2)
def as_given(log_prob, old_log_prob, advantage, eps):
    return -clipped_gain(log_prob - old_log_prob, advantage, eps).mean()
