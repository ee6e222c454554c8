"""P67: GMPO: the geometric mean of a sequence's ratios, each clipped in its logarithm before it is
averaged. After `compute_policy_loss_geo_mean` of verl/trainer/ppo/core_algos.py at volcengine/verl
@ b178a3c (Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


@trainer_loss(space=SPACE, advantages="grpo", clip_low=0.4, clip_high=0.4)
def geo_mean(old_log_prob, log_prob, advantages, response_mask, clip_low, clip_high):
    negative_approx_kl = log_prob - old_log_prob
    sgn_advantage = torch.sign(advantages)
    clamped = torch.clamp(negative_approx_kl, -clip_low, clip_high)
    kept = sgn_advantage * torch.min(sgn_advantage * negative_approx_kl, sgn_advantage * clamped)
    length = response_mask.sum(dim=-1)
    ratio = torch.exp((kept * response_mask).sum(dim=-1) / (length + 1e-8))
    advantage = (advantages * response_mask).sum(dim=-1) / (length + 1e-8)
    return torch.mean(-advantage * ratio)
