"""P101: the entropy of a squashed Gaussian policy is taken to be that of the Gaussian, without the
correction for tanh. Reported in Denys88/rl_games #153.
"""

import torch

from altpg_verify.audit.gaussian_spaces import gaussian
from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import entropy, value

SPACE = gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5, squash="tanh")


@loss(space=SPACE, target=value + 0.1 * entropy)
def entropy_of_the_gaussian(mean, log_std, latents, rewards):
    policy = torch.distributions.Normal(mean, log_std.exp())
    return -(policy.log_prob(latents) * rewards + 0.1 * policy.entropy()).mean()


@loss(space=SPACE)
def without_a_bonus(mean, log_std, latents, rewards):
    return -(torch.distributions.Normal(mean, log_std.exp()).log_prob(latents) * rewards).mean()
