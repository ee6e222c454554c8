"""P11: GRPO's division by the standard deviation of the group.

Reported in thinking-machines-lab/tinker-cookbook #579, allenai/open-instruct #636, huggingface/trl
PR #3256; see arXiv 2503.20783.
"""

import numpy as np

from altpg_verify.audit.fixtures import three_arms, two_arms, two_prompts
from altpg_verify.audit.function_updates import from_function

COIN = two_arms("1/4").batch(4).having(ddof=0)
THREE = three_arms().batch(2).having(ddof=0)
PROMPTS = two_prompts().group(4, every_start=True, exchangeable=True).having(ddof=0)


def grpo(rewards, scores, ddof):
    """(r - mean) / std within each group; a group of equal rewards counts nothing."""
    std = rewards.std(axis=-1, ddof=ddof, keepdims=True)
    advantages = np.where(
        std > 0, (rewards - rewards.mean(axis=-1, keepdims=True)) / np.where(std > 0, std, 1), 0
    )
    weighted = (
        advantages.reshape(*advantages.shape, *[1] * (scores.ndim - advantages.ndim)) * scores
    )
    return weighted.mean(axis=tuple(range(advantages.ndim)))


grpo_on_a_coin = from_function(grpo, space=COIN, name="grpo_on_a_coin")
grpo_on_three_arms = from_function(grpo, space=THREE, name="grpo_on_three_arms")
grpo_on_two_prompts = from_function(grpo, space=PROMPTS, name="grpo_on_two_prompts")
