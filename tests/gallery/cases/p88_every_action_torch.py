"""P88: policy gradients from action values, over all actions: with the advantage as weight (QPG),
with its positive part held (RMPG), and the positive part differentiated itself (RPG). After
`qpg_loss`, `rm_loss` and `rpg_loss` of rlax/_src/policy_gradients.py at google-deepmind/rlax @
4c5d25b (Apache-2.0), in torch and with exact action values.
"""

import torch

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.losses import loss

SPACE = three_arms()


def advantages(pi, q):
    return q - (pi * q).sum(-1, keepdim=True)


@loss(space=SPACE)
def qpg_loss(pi, q):
    return (-pi * advantages(pi, q).detach()).sum(-1).mean()


@loss(space=SPACE)
def rm_loss(pi, q):
    return (-pi * torch.relu(advantages(pi, q)).detach()).sum(-1).mean()


@loss(space=SPACE)
def rpg_loss(pi, q):
    return torch.relu(advantages(pi, q)).sum(-1).mean()
