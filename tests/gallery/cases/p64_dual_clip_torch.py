"""P64: the loss that verl calls vanilla: dual clip, mean over all tokens of the batch, advantages
of a group over its deviation. After `compute_policy_loss_vanilla` of verl/trainer/ppo/core_algos.py
at volcengine/verl @ b178a3c (Apache-2.0), shortened to one mode.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


@trainer_loss(space=SPACE, advantages="grpo", clip_ratio=0.2, clip_ratio_c=3.0)
def vanilla(old_log_prob, log_prob, advantages, response_mask, clip_ratio, clip_ratio_c):
    negative_approx_kl = torch.clamp(log_prob - old_log_prob, min=-20.0, max=20.0)
    ratio = torch.exp(negative_approx_kl)
    pg_losses1 = -advantages * ratio
    pg_losses2 = -advantages * torch.clamp(ratio, 1 - clip_ratio, 1 + clip_ratio)
    clip_pg_losses1 = torch.maximum(pg_losses1, pg_losses2)
    clip_pg_losses2 = torch.min(-advantages * clip_ratio_c, clip_pg_losses1)
    pg_losses = torch.where(advantages < 0, clip_pg_losses2, clip_pg_losses1)
    return (pg_losses * response_mask).sum() / response_mask.sum()
