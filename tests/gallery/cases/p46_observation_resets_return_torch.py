"""P46: returns to go that are set to zero at every masked token, to stop at the padding, and so at
what a tool says between two turns as well: the first turn never hears of the outcome. Reported in
verl-project/verl #7278.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss


def tool(turn):
    return [0] if len(turn) == 1 else []


SPACE = tokens(vocabulary=2, length=2, turns=tool, reward=lambda row: 1 + row[0] + row[-1])


def returns_to_go(token_level_rewards, response_mask, *, resets):
    running, returns = 0, torch.zeros_like(token_level_rewards)
    for t in reversed(range(token_level_rewards.shape[1])):
        running = token_level_rewards[:, t] + running
        returns[:, t] = running
        if resets:
            running = running * response_mask[:, t]
    return returns


@trainer_loss(space=SPACE)
def reset_at_every_masked_token(log_prob, token_level_rewards, response_mask):
    returns = returns_to_go(token_level_rewards, response_mask, resets=True)
    return -(log_prob * returns * response_mask).sum(-1).mean()


@trainer_loss(space=SPACE)
def carried_across(log_prob, token_level_rewards, response_mask):
    returns = returns_to_go(token_level_rewards, response_mask, resets=False)
    return -(log_prob * returns * response_mask).sum(-1).mean()
