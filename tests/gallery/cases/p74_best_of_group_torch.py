"""P74: pass@k: only the best row of a group learns, by what it is better than the second. After
`compute_grpo_passk_outcome_advantage` of verl/trainer/ppo/core_algos.py at volcengine/verl @
b178a3c (Apache-2.0), which divides by the group's deviation unless told otherwise.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=1, reward=lambda row: row[0]).group(3)


def passk(token_level_rewards, response_mask, *, norm_adv_by_std_in_grpo):
    rewards = token_level_rewards.sum(dim=-1)
    topk, topk_idx = torch.topk(rewards, 2)
    advantage = topk[0] - topk[1]
    if norm_adv_by_std_in_grpo:
        advantage = advantage / (torch.std(rewards) + 1e-6)
    best = torch.zeros_like(rewards).index_fill(0, topk_idx[:1], 1.0)
    return (best * advantage).unsqueeze(-1) * response_mask


@trainer_loss(space=SPACE, target="best_of_group")
def over_the_deviation(token_level_rewards, log_prob, response_mask):
    advantages = passk(token_level_rewards, response_mask, norm_adv_by_std_in_grpo=True)
    return -(log_prob * advantages * response_mask).sum()


@trainer_loss(space=SPACE, target="best_of_group")
def as_printed(token_level_rewards, log_prob, response_mask):
    advantages = passk(token_level_rewards, response_mask, norm_adv_by_std_in_grpo=False)
    return -(log_prob * advantages * response_mask).sum()
