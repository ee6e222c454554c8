"""P68: CISPO in four libraries: the clipped ratio is a weight, held, so that clipped tokens still
learn. They differ in the bounds: verl clips on both sides, TRL and open-instruct above only, and
TRL's `epsilon_high` is the bound itself, not what is added to 1. After volcengine/verl @ b178a3c
verl/trainer/ppo/core_algos.py, huggingface/trl @ f2cd577 trl/trainer/grpo_trainer.py,
allenai/open-instruct @ e6c3044 open_instruct/grpo_utils.py and THUDM/slime @ 624b824
slime/utils/ppo_utils.py (all Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


@trainer_loss(space=SPACE, advantages="grpo", low=0.2, high=0.2)
def cispo_in_verl(old_log_prob, log_prob, advantages, response_mask, low, high):
    ratio = torch.exp(torch.clamp(log_prob - old_log_prob, min=-20.0, max=20.0))
    clipped_ratio_sg = torch.clamp(ratio, 1 - low, 1 + high).detach()
    pg_losses = -clipped_ratio_sg * advantages * log_prob
    return (pg_losses * response_mask).sum() / response_mask.sum()


@trainer_loss(space=SPACE, advantages="grpo", epsilon_high=5.0)
def cispo_in_trl(
    per_token_logps,
    old_per_token_logps,
    advantages,
    completion_mask,
    num_items_in_batch,
    epsilon_high,
):
    coef_1 = torch.exp(per_token_logps - old_per_token_logps)
    clamped_ratios = torch.clamp(coef_1, max=epsilon_high).detach()
    per_token_loss = -clamped_ratios * advantages * per_token_logps
    return (per_token_loss * completion_mask).sum() / num_items_in_batch


@trainer_loss(space=SPACE, advantages="grpo", clip_higher=0.272)
def cispo_in_open_instruct(new_logprobs, old_logprobs, advantages, response_mask, clip_higher):
    ratio = torch.exp(new_logprobs - old_logprobs)
    pg_loss = -advantages * torch.clamp(ratio.detach(), max=1.0 + clip_higher) * new_logprobs
    return (pg_loss * response_mask).sum() / response_mask.sum()


@trainer_loss(space=SPACE, advantages="grpo", eps_clip=1.0, eps_clip_high=0.28)
def cispo_in_slime(log_probs, old_log_probs, advantages, loss_mask, eps_clip, eps_clip_high):
    ratio = (log_probs - old_log_probs).exp()
    ratio_truncated = torch.clamp(ratio, min=1.0 - eps_clip, max=1.0 + eps_clip_high)
    pg_losses = -ratio_truncated.detach() * advantages * log_probs
    return ((pg_losses * loss_mask).sum(-1) / loss_mask.sum(-1)).mean()
