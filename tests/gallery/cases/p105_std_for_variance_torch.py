"""P105: the log-density of a Gaussian policy with the standard deviation where the variance
belongs, and half its logarithm. Reported in hill-a/stable-baselines #1059.
"""

import torch

from altpg_verify.audit.gaussian_spaces import gaussian
from altpg_verify.audit.losses import loss

SPACE = gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5)


@loss(space=SPACE)
def std_for_variance(mean, log_std, actions, rewards):
    log_prob = -((actions - mean) ** 2) / (2 * log_std.exp()) - 0.5 * log_std
    return -(log_prob * rewards).mean()


@loss(space=SPACE)
def variance(mean, log_std, actions, rewards):
    log_prob = -((actions - mean) ** 2) / (2 * torch.exp(2 * log_std)) - log_std
    return -(log_prob * rewards).mean()
