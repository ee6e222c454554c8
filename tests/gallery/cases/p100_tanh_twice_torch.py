"""P100: the entropy of a squashed Gaussian policy with the correction for tanh taken of the action,
to which tanh was applied already (boyu-ai/Hands-on-RL #44), or made twice, once by the distribution
and once by hand.
"""

import torch

from altpg_verify.audit.gaussian_spaces import gaussian
from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import entropy, value

SPACE = gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5, squash="tanh")
TARGET = value + 0.1 * entropy


def log_prob(mean, log_std, latent):
    return torch.distributions.Normal(mean, log_std.exp()).log_prob(latent)


def correction(latent):
    return torch.log(1 - torch.tanh(latent) ** 2)


@loss(space=SPACE, target=TARGET)
def corrected_twice(mean, log_std, noise, reward_function):
    latent = mean + log_std.exp() * noise
    log_pi = log_prob(mean, log_std, latent) - 2 * correction(latent)
    return (0.1 * log_pi - reward_function(torch.tanh(latent))).mean()


@loss(space=SPACE, target=TARGET)
def tanh_of_the_action(mean, log_std, noise, reward_function):
    latent = mean + log_std.exp() * noise
    action = torch.tanh(latent)
    log_pi = log_prob(mean, log_std, latent) - correction(action)
    return (0.1 * log_pi - reward_function(action)).mean()


@loss(space=SPACE, target=TARGET)
def corrected_once(mean, log_std, noise, reward_function):
    latent = mean + log_std.exp() * noise
    log_pi = log_prob(mean, log_std, latent) - correction(latent)
    return (0.1 * log_pi - reward_function(torch.tanh(latent))).mean()
