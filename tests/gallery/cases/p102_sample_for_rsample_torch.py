"""P102: the action is drawn by `sample`, and the loss is differentiated through it. Reported in
jankrepl/deepdow #106.
"""

import torch

from altpg_verify.audit.gaussian_spaces import gaussian
from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import entropy, value

SPACE = gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5)


@loss(space=SPACE)
def sampled(mean, log_std, reward_function):
    action = torch.distributions.Normal(mean, log_std.exp()).sample()
    return -reward_function(action).mean()


@loss(space=SPACE, target=value + 0.1 * entropy)
def sampled_with_a_bonus(mean, log_std, reward_function):
    policy = torch.distributions.Normal(mean, log_std.exp())
    return -(reward_function(policy.sample()) + 0.1 * policy.entropy()).mean()


@loss(space=SPACE)
def reparameterised(mean, log_std, reward_function):
    action = torch.distributions.Normal(mean, log_std.exp()).rsample()
    return -reward_function(action).mean()
