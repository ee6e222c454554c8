"""P51: generalised advantages take what the critic says of the padding for the value of the next
state. Reported in alibaba/ROLL #447.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=3, eos=0, reward=lambda row: 1 + row.count(1) ** 2)


def gae(rewards, values, mask, *, masked, lam=0.5):
    if masked:
        values = values * mask
    carried, advantages = 0, torch.zeros_like(rewards)
    for t in reversed(range(rewards.shape[1])):
        following = values[:, t + 1] if t + 1 < rewards.shape[1] else 0
        carried = rewards[:, t] + following - values[:, t] + lam * carried
        advantages[:, t] = carried
    return advantages


def padding_is_worth(number):
    def critic(values, mask):
        return values * mask + number * (1 - mask)

    return critic


@trainer_loss(space=SPACE)
def padding_has_a_value(log_prob, token_level_rewards, values, response_mask):
    values = padding_is_worth(6.0)(values, response_mask)
    advantages = gae(token_level_rewards, values, response_mask, masked=False)
    return -(log_prob * advantages * response_mask).sum(-1).mean()


@trainer_loss(space=SPACE)
def padding_is_masked(log_prob, token_level_rewards, values, response_mask):
    values = padding_is_worth(6.0)(values, response_mask)
    advantages = gae(token_level_rewards, values, response_mask, masked=True)
    return -(log_prob * advantages * response_mask).sum(-1).mean()
