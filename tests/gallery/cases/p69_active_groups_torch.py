"""P69: GPG weighs a batch up by the share of it that teaches something. verl counts the rows whose
reward isn't 0 where the paper counts groups whose rewards differ, so that the weight follows the
rewards themselves. After `compute_gpg_outcome_advantage` and `compute_policy_loss_gpg` of
verl/trainer/ppo/core_algos.py at volcengine/verl @ b178a3c (Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=1, reward=lambda row: row[0]).group(3)


@trainer_loss(space=SPACE)
def rows_that_pay(token_level_rewards, log_prob, response_mask):
    scores = token_level_rewards.sum(dim=-1)
    alpha = len(scores) / torch.count_nonzero(scores).clamp(min=1)
    advantages = (alpha * (scores - scores.mean())).unsqueeze(-1) * response_mask
    return (-log_prob * advantages * response_mask).sum() / response_mask.sum()


@trainer_loss(space=SPACE)
def groups_that_differ(token_level_rewards, log_prob, response_mask):
    scores = token_level_rewards.sum(dim=-1)
    advantages = (scores - scores.mean()).unsqueeze(-1) * response_mask
    return (-log_prob * advantages * response_mask).sum() / response_mask.sum()
