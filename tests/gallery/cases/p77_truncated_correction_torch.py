"""P77: what corrects for a sampler that isn't the trainer's policy: ratios truncated (TIS), or
dropped where they are far (IcePop). After `PolicyLoss` of openrlhf/models/loss.py at
OpenRLHF/OpenRLHF @ 3c3be62 and `icepop_function` of slime/backends/megatron_utils/loss.py at
THUDM/slime @ 624b824 (both Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = (
    tokens(vocabulary=3, length=1, reward=lambda row: 1 + row[0] ** 2)
    .decoded(temperature=2, epsilon=0.25)
    .at(table=[[0.0, 1.0, 2.0]])
)


@trainer_loss(space=SPACE, advantages="return", low=0.5, high=1.2)
def truncated(log_probs, rollout_log_probs, advantages, low, high):
    vllm_is = torch.exp(log_probs - rollout_log_probs).clamp(min=low, max=high).detach()
    return -(vllm_is * log_probs * advantages).mean()


@trainer_loss(space=SPACE, advantages="return", low=0.5, high=1.2)
def dropped(log_probs, rollout_log_probs, advantages, low, high):
    ice_ratio = torch.exp(log_probs - rollout_log_probs).detach()
    ice_weight = torch.where(
        (ice_ratio >= low) & (ice_ratio <= high), ice_ratio, torch.zeros_like(ice_ratio)
    )
    return -(ice_weight * log_probs * advantages).mean()


@trainer_loss(space=SPACE, advantages="return")
def uncorrected(log_probs, advantages):
    return -(log_probs * advantages).mean()


@trainer_loss(space=SPACE, advantages="return")
def corrected(log_probs, rollout_log_probs, advantages):
    ratio = torch.exp(log_probs - rollout_log_probs).detach()
    return -(ratio * log_probs * advantages).mean()
