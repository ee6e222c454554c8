"""Trainers' own advantage functions with a fault in them, and losses that take time limits for
ends.
"""

import torch

from altpg_verify.audit import mdp, tokens, trainer_loss
from altpg_verify.audit.fixtures import time_limit

ROWS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))


def reinforce(logp, adv, mask):
    return -(logp * adv * mask).sum(-1).mean()


def halved(sequence_rewards, response_mask):
    return (sequence_rewards / 2)[:, None] * response_mask


def returns_to_go(rewards, gamma):
    running, returns = 0, torch.zeros_like(rewards)
    for t in reversed(range(rewards.shape[1])):
        running = rewards[:, t] + gamma * running
        returns[:, t] = running
    return returns


def one_step(logp, rewards, values, mask, gamma):
    following, advantages = 0, torch.zeros_like(rewards)
    for t in reversed(range(rewards.shape[1])):
        advantages[:, t] = rewards[:, t] + gamma * following - values[:, t]
        following = values[:, t]
    return -(logp * advantages * mask).sum(-1).mean()


def from_zeros(logp, rewards, mask, gamma):
    running, returns = torch.zeros(rewards.shape[0]), []
    for t in reversed(range(rewards.shape[1])):
        running = rewards[:, t] + gamma * running
        returns.insert(0, running)
    discounts = gamma ** torch.arange(rewards.shape[1])
    return -(logp * torch.stack(returns, 1) * discounts * mask).sum(-1).mean()


# an episode that ends by itself as well as one that is cut off, and a discount
DISCOUNTED = mdp(
    [[[1, 0, 0], [0, 1, 0]], [[0, 0, 1], [0, 1, 0]], [[0, 0, 1], [0, 0, 1]]],
    [[1, 0], [2, 1], [0, 0]],
    [1, 0, 0],
    ends=[2],
    horizon=2,
    at_limit=[3, 1, 0],
    discount="1/2",
)

ZEROS = trainer_loss(from_zeros, space=DISCOUNTED)
HALVED = trainer_loss(reinforce, space=ROWS, advantages=halved)
RETURNS = trainer_loss(reinforce, space=time_limit(), advantages=returns_to_go)
ONE_STEP = trainer_loss(one_step, space=time_limit())
UNLIMITED = trainer_loss(one_step, space=ROWS)
