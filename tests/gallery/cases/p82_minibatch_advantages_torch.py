"""P82: advantages are standardised inside each minibatch. After the policy loss of cleanrl/ppo.py
at vwxyzjn/cleanrl @ fe8d8a0 (MIT), here with a minibatch of two steps and exact advantages: of two
different ones only the order is left.
"""

import torch

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = three_arms().batch(2)


def clipped(newlogprob, b_logprobs, mb_advantages, clip_coef):
    ratio = (newlogprob - b_logprobs).exp()
    pg_loss1 = -mb_advantages * ratio
    pg_loss2 = -mb_advantages * torch.clamp(ratio, 1 - clip_coef, 1 + clip_coef)
    return torch.max(pg_loss1, pg_loss2).mean()


@trainer_loss(space=SPACE, advantages="exact", clip_coef=0.2)
def norm_adv(newlogprob, b_logprobs, mb_advantages, clip_coef):
    mb_advantages = (mb_advantages - mb_advantages.mean()) / (mb_advantages.std() + 1e-8)
    return clipped(newlogprob, b_logprobs, mb_advantages, clip_coef)


@trainer_loss(space=SPACE, advantages="exact", clip_coef=0.2)
def no_norm_adv(newlogprob, b_logprobs, mb_advantages, clip_coef):
    return clipped(newlogprob, b_logprobs, mb_advantages, clip_coef)
