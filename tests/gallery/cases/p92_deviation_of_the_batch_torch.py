"""P92: rewards less the mean of their prompt's group, over the deviation of the whole batch. After
`scale_rewards="batch"` of trl/trainer/grpo_trainer.py at huggingface/trl @ f2cd577 (Apache-2.0):
unlike a group's deviation it weighs all prompts of a batch alike, and is as random.
"""

from altpg_verify.audit.fixtures import two_prompts
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = two_prompts().group(2, every_start=True)


def grouped(rewards, group_ids):
    same = (group_ids[:, None] == group_ids[None, :]).to(rewards.dtype)
    return rewards - same @ rewards / same.sum(-1)


@trainer_loss(space=SPACE)
def scaled_by_batch(sequence_rewards, per_token_logps, group_ids):
    advantages = grouped(sequence_rewards, group_ids) / (sequence_rewards.std() + 1e-4)
    return -(per_token_logps.sum(-1) * advantages).mean()


@trainer_loss(space=SPACE)
def scaled_by_group(sequence_rewards, per_token_logps, group_ids):
    same = (group_ids[:, None] == group_ids[None, :]).to(sequence_rewards.dtype)
    centred = grouped(sequence_rewards, group_ids)
    std = (same @ centred**2 / (same.sum(-1) - 1)).sqrt()
    return -(per_token_logps.sum(-1) * centred / (std + 1e-4)).mean()


@trainer_loss(space=SPACE)
def unscaled(sequence_rewards, per_token_logps, group_ids):
    return -(per_token_logps.sum(-1) * grouped(sequence_rewards, group_ids)).mean()
