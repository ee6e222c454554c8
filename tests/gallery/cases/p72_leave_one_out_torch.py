"""P72: leave-one-out as three libraries have it: verl as a weighted count, TRL through the group's
sum with a ratio of whole sequences, and NeMo-RL over the others' deviation, by default. After
volcengine/verl @ b178a3c verl/trainer/ppo/core_algos.py, huggingface/trl @ f2cd577
trl/trainer/rloo_trainer.py and NVIDIA-NeMo/RL @ 7ea279a nemo_rl/algorithms/advantage_estimator.py
(all Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(3)


def rloo_vectorized(token_level_rewards, response_mask, group_ids):
    scores = token_level_rewards.sum(dim=-1)
    inv = torch.unique(group_ids, return_inverse=True)[1]
    c = torch.bincount(inv)[inv].to(scores.dtype)
    adv = ((c * scores - torch.bincount(inv, weights=scores)[inv]) / (c - 1).clamp_min(1)) * (c > 1)
    return adv.unsqueeze(-1) * response_mask


@trainer_loss(space=SPACE, advantages=rloo_vectorized)
def rloo_in_verl(log_prob, advantages, response_mask):
    return -(log_prob * advantages * response_mask).sum(-1).mean()


@trainer_loss(space=SPACE, epsilon_low=0.2, epsilon_high=0.2)
def rloo_in_trl(
    rewards, per_token_logps, old_per_token_logps, completion_mask, epsilon_low, epsilon_high
):
    grouped = rewards.sum(-1)
    baselines = (grouped.sum() - grouped) / (len(grouped) - 1)
    advantages = grouped - baselines
    coef_1 = torch.exp(((per_token_logps - old_per_token_logps) * completion_mask).sum(1))
    coef_2 = torch.clamp(coef_1, 1 - epsilon_low, 1 + epsilon_high)
    return -torch.min(coef_1 * advantages, coef_2 * advantages).mean()


@trainer_loss(space=SPACE)
def normalised_in_nemo_rl(sequence_rewards, curr_logprobs, token_mask):
    others = 1 - torch.eye(len(sequence_rewards), dtype=sequence_rewards.dtype)
    count = len(sequence_rewards) - 1
    baseline = others @ sequence_rewards / count
    square = others @ sequence_rewards**2 / count
    std = ((square - baseline**2).clamp_min(0) * (count / (count - 1))).sqrt()
    advantages = sequence_rewards - baseline
    advantages = torch.where(std > 0, advantages / (std + 1e-6), advantages)
    return -(curr_logprobs * advantages.unsqueeze(-1) * token_mask).sum(-1).mean()
