"""P11 as a torch loss."""

import torch

from altpg_verify.audit.torch_updates import from_torch
from tests.gallery.cases.p11_group_std import COIN, PROMPTS, THREE


def grpo(logprobs, rewards, ddof):
    std = rewards.std(-1, correction=int(ddof), keepdim=True)
    centred = rewards - rewards.mean(-1, keepdim=True)
    advantages = torch.where(
        std > 0,
        centred / torch.where(std > 0, std, torch.ones_like(std)),
        torch.zeros_like(centred),
    )
    return -(logprobs * advantages).mean()


grpo_on_a_coin = from_torch(grpo, space=COIN, name="grpo_on_a_coin")
grpo_on_three_arms = from_torch(grpo, space=THREE, name="grpo_on_three_arms")
grpo_on_two_prompts = from_torch(grpo, space=PROMPTS, name="grpo_on_two_prompts")
