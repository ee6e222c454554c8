"""P83: `done` is terminated or truncated, so that what a time limit cuts off counts for nothing.
After the advantages of cleanrl/ppo.py at vwxyzjn/cleanrl @ fe8d8a0 (MIT), for steps at which a
limit ends the episode; reported against other libraries in DLR-RM/stable-baselines3 #633 and
Toni-SM/skrl #449.
"""

import torch

from altpg_verify.audit.fixtures import time_limit
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = time_limit()


def gae(rewards, values, next_value, next_done, gamma, gae_lambda):
    advantages = torch.zeros_like(rewards)
    lastgaelam = 0
    for t in reversed(range(rewards.shape[1])):
        last = t == rewards.shape[1] - 1
        nextnonterminal = 1.0 - next_done if last else 1.0
        nextvalues = next_value if last else values[:, t + 1]
        delta = rewards[:, t] + gamma * nextvalues * nextnonterminal - values[:, t]
        advantages[:, t] = lastgaelam = delta + gamma * gae_lambda * nextnonterminal * lastgaelam
    return advantages


@trainer_loss(space=SPACE, gae_lambda=0.95)
def truncated_is_done(logprob, rewards, values, next_value, gamma, gae_lambda):
    next_done = torch.ones_like(next_value)
    return (
        -(logprob * gae(rewards, values, next_value, next_done, gamma, gae_lambda)).sum(-1).mean()
    )


@trainer_loss(space=SPACE, gae_lambda=0.95)
def truncated_goes_on(logprob, rewards, values, next_value, gamma, gae_lambda):
    next_done = torch.zeros_like(next_value)
    return (
        -(logprob * gae(rewards, values, next_value, next_done, gamma, gae_lambda)).sum(-1).mean()
    )
