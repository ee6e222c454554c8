"""P80: LUSPO: the sequence's ratio, times the sequence's length. After the loss type "luspo" of
trl/trainer/grpo_trainer.py at huggingface/trl @ f2cd577 (Apache-2.0): the length undoes the mean
inside the ratio.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


def sequence_loss(per_token_logps, old_per_token_logps, advantages, mask, epsilon):
    log_ratio = per_token_logps - old_per_token_logps
    coef_1 = torch.exp(((log_ratio * mask).sum(-1) / mask.sum(-1).clamp(min=1.0)).unsqueeze(-1))
    coef_2 = torch.clamp(coef_1, 1 - epsilon, 1 + epsilon)
    advantages = advantages[:, :1]
    return -torch.min(coef_1 * advantages, coef_2 * advantages)


@trainer_loss(space=SPACE, advantages="rloo", epsilon=0.2)
def luspo(per_token_logps, old_per_token_logps, advantages, mask, epsilon):
    loss = sequence_loss(per_token_logps, old_per_token_logps, advantages, mask, epsilon)
    return (loss * mask.sum(1, keepdim=True)).mean()


@trainer_loss(space=SPACE, advantages="rloo", epsilon=0.2)
def without_length(per_token_logps, old_per_token_logps, advantages, mask, epsilon):
    return sequence_loss(per_token_logps, old_per_token_logps, advantages, mask, epsilon).mean()
