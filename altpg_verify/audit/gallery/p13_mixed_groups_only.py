"""P13: groups whose rewards are all equal are dropped and drawn again.

Reported in OpenRLHF/OpenRLHF #1270 and verl-project/verl PR #5228.
"""

import numpy as np

from altpg_verify.audit.fixtures import two_arms, two_prompts
from altpg_verify.audit.updates import from_function


def mixed(draw):
    """Every group has both rewards in it."""
    rewards = np.asarray(draw["rewards"])
    return bool((rewards != rewards[..., :1]).any(axis=-1).all())


def leave_one_out(rewards, scores):
    size = rewards.shape[-1]
    advantages = rewards - (rewards.sum(axis=-1, keepdims=True) - rewards) / (size - 1)
    weighted = advantages.reshape(*advantages.shape, *[1] * (scores.ndim - advantages.ndim)) * scores
    return weighted.mean(axis=tuple(range(advantages.ndim)))


PROMPTS = two_prompts().group(4, every_start=True)
mixed_groups_only = from_function(leave_one_out, space=two_arms("1/4").batch(4).keeping(mixed), name="mixed_groups_only")
mixed_groups_of_two_prompts = from_function(leave_one_out, space=PROMPTS.keeping(mixed), name="mixed_groups_of_two_prompts")
every_group_of_two_prompts = from_function(leave_one_out, space=PROMPTS, name="every_group_of_two_prompts")
