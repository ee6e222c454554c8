"""P13: groups whose rewards are all equal are dropped and drawn again.

Reported in OpenRLHF/OpenRLHF #1270 and verl-project/verl PR #5228.
"""

import numpy as np

from altpg_verify.audit.fixtures import two_arms, two_prompts
from altpg_verify.audit.function_updates import from_function


def mixed(draw):
    """Every group has both rewards in it."""
    rewards = np.asarray(draw["rewards"])
    return bool((rewards != rewards[..., :1]).any(axis=-1).all())


def leave_one_out(rewards, scores):
    size = rewards.shape[-1]
    advantages = rewards - (rewards.sum(axis=-1, keepdims=True) - rewards) / (size - 1)
    weighted = (
        advantages.reshape(*advantages.shape, *[1] * (scores.ndim - advantages.ndim)) * scores
    )
    return weighted.mean(axis=tuple(range(advantages.ndim)))


PROMPTS = two_prompts().group(4, every_start=True)
mixed_groups_only = from_function(
    leave_one_out, space=two_arms("1/4").batch(4).keeping(mixed), name="mixed_groups_only"
)
mixed_groups_of_two_prompts = from_function(
    leave_one_out, space=PROMPTS.keeping(mixed), name="mixed_groups_of_two_prompts"
)
every_group_of_two_prompts = from_function(
    leave_one_out, space=PROMPTS, name="every_group_of_two_prompts"
)


def dynamic_sampling(rng, pi, rewards):
    """A trainer's step with a loop of its own: it draws groups until one is mixed. Only sampling
    can judge it.
    """
    size = len(rewards)
    while True:
        actions = rng.choice(len(pi), size=size, p=pi)
        drawn = 1.0 - actions
        if drawn.min() < drawn.max():
            break
    advantages = drawn - (drawn.sum() - drawn) / (size - 1)
    return (advantages[:, None] * (np.eye(len(pi))[actions] - pi)).mean(axis=0)


trainer_step = from_function(dynamic_sampling, space=two_arms("1/4").batch(4), name="trainer_step")
