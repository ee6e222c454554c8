"""P16 as torch losses, as in the well-known example."""

import torch

from altpg_verify.audit.torch_updates import from_torch
from tests.gallery.cases.p16_missing_discount import SHARED, SPACE


def rewards_to_go(rewards, discount):
    returns: list[torch.Tensor] = []
    following = 0
    for reward in rewards.flip(0):
        following = reward + discount * following
        returns.insert(0, following)
    return torch.stack(returns)


def reward_to_go(logprobs, rewards, discount):
    return -(logprobs * rewards_to_go(rewards, discount)).sum()


def discounted_reward_to_go(logprobs, rewards, discount):
    weights = discount ** torch.arange(len(rewards))
    return -(weights * logprobs * rewards_to_go(rewards, discount)).sum()


without_discount = from_torch(reward_to_go, space=SPACE, name="without_discount")
with_discount = from_torch(discounted_reward_to_go, space=SPACE, name="with_discount")
for_the_undiscounted = from_torch(
    reward_to_go, space=SPACE, target="undiscounted_value", name="for_the_undiscounted"
)
shared_logit = without_discount.on(SHARED)
shared_logit_with_discount = with_discount.on(SHARED)
