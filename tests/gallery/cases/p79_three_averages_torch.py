"""P79: one surrogate and three averages: over each row and then over rows, over all tokens, and
over a fixed length. After the loss types "grpo", "bnpo" and "dr_grpo" of
trl/trainer/grpo_trainer.py at huggingface/trl @ f2cd577 (Apache-2.0), with unscaled advantages.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


def per_token(per_token_logps, old_per_token_logps, advantages, epsilon):
    coef_1 = torch.exp(per_token_logps - old_per_token_logps)
    coef_2 = torch.clamp(coef_1, 1 - epsilon, 1 + epsilon)
    return -torch.min(coef_1 * advantages, coef_2 * advantages)


@trainer_loss(space=SPACE, advantages="dr_grpo", epsilon=0.2)
def grpo(per_token_logps, old_per_token_logps, advantages, mask, epsilon):
    loss = per_token(per_token_logps, old_per_token_logps, advantages, epsilon)
    return ((loss * mask).sum(-1) / mask.sum(-1).clamp(min=1.0)).mean()


@trainer_loss(space=SPACE, advantages="dr_grpo", epsilon=0.2)
def bnpo(per_token_logps, old_per_token_logps, advantages, mask, epsilon):
    loss = per_token(per_token_logps, old_per_token_logps, advantages, epsilon)
    return (loss * mask).sum() / mask.sum().clamp(min=1.0)


@trainer_loss(space=SPACE, advantages="dr_grpo", epsilon=0.2, max_completion_length=2)
def dr_grpo(per_token_logps, old_per_token_logps, advantages, mask, epsilon, max_completion_length):
    loss = per_token(per_token_logps, old_per_token_logps, advantages, epsilon)
    return (loss * mask).sum() / (loss.size(0) * max_completion_length)
