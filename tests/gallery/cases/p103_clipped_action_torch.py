"""P103: actions are clipped to the bounds of the environment, and the clipped ones are stored and
scored. Reported in thu-ml/tianshou #312.
"""

import torch

from altpg_verify.audit.gaussian_spaces import gaussian
from altpg_verify.audit.losses import loss

SPACE = gaussian(lambda a: 2 * a - a**2, mean=0.3, std=0.5, bounds=(-0.5, 0.8))


@loss(space=SPACE)
def clipped_is_scored(mean, log_std, clipped_actions, rewards):
    return -(
        torch.distributions.Normal(mean, log_std.exp()).log_prob(clipped_actions) * rewards
    ).mean()


@loss(space=SPACE)
def sampled_is_scored(mean, log_std, actions, rewards):
    return -(torch.distributions.Normal(mean, log_std.exp()).log_prob(actions) * rewards).mean()
