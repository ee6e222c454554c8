"""P87: DiCE: every reward is multiplied by exp(x - [x]) of the log-probabilities so far, and the
baseline by 1 - exp(x - [x]) of one's own. After `build_losses` of lola_dice/rpg.py at
alshedivat/lola @ 0e8b13e (MIT), for one agent; its first derivative is what is judged here.
"""

import torch

from altpg_verify.audit.fixtures import survival
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = survival(discount="9/10")


def magic_box(x):
    return torch.exp(x - x.detach())


@trainer_loss(space=SPACE)
def dice(logp, rewards, values, mask, gamma):
    discounts = gamma ** torch.arange(rewards.shape[1])
    baseline = (values * discounts * mask).detach()
    weights = magic_box(logp.cumsum(1))
    return (
        -(discounts * rewards * weights).sum(1).mean()
        - (baseline * (1 - magic_box(logp))).sum(1).mean()
    )


@trainer_loss(space=SPACE)
def every_factor_alone(logp, rewards, values, mask, gamma):
    discounts = gamma ** torch.arange(rewards.shape[1])
    baseline = (values * discounts * mask).detach()
    return (
        -(discounts * rewards * magic_box(logp)).sum(1).mean()
        - (baseline * (1 - magic_box(logp))).sum(1).mean()
    )
