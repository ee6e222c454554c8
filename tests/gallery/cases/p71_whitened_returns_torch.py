"""P71: REINFORCE++: returns to go, whitened over all tokens of the batch, and their running sum is
set back at every masked token. After `compute_reinforce_plus_plus_outcome_advantage` of
verl/trainer/ppo/core_algos.py at volcengine/verl @ b178a3c (Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).batch(2)


def masked_whiten(values, mask):
    mean = (values * mask).sum() / mask.sum()
    variance = ((values - mean) ** 2 * mask).sum() / (mask.sum() - 1)
    return (values - mean) * torch.rsqrt(variance + 1e-8)


def reinforce_plus_plus(token_level_rewards, response_mask, gamma):
    returns = torch.zeros_like(token_level_rewards)
    running_return = 0
    for t in reversed(range(token_level_rewards.shape[1])):
        running_return = token_level_rewards[:, t] + gamma * running_return
        returns[:, t] = running_return
        running_return = running_return * response_mask[:, t]
    return masked_whiten(returns, response_mask) * response_mask


@trainer_loss(space=SPACE, advantages=reinforce_plus_plus, cliprange=0.2)
def whitened_returns(old_log_prob, log_prob, advantages, response_mask, cliprange):
    ratio = torch.exp(log_prob - old_log_prob)
    pg_losses = torch.max(
        -advantages * ratio, -advantages * torch.clamp(ratio, 1.0 - cliprange, 1.0 + cliprange)
    )
    return (pg_losses * response_mask).sum() / response_mask.sum()
