"""P81: a ratio that is clamped before it is compared: above `delta` nothing pulls a bad action down
any more. After the option `delta` of trl/trainer/grpo_trainer.py at huggingface/trl @ f2cd577
(Apache-2.0), which is the dual clip of others in one line.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


@trainer_loss(space=SPACE, advantages="grpo", epsilon=0.2, delta=3.0)
def two_sided(
    per_token_logps, old_per_token_logps, advantages, num_items_in_batch, mask, epsilon, delta
):
    coef_1 = torch.exp(per_token_logps - old_per_token_logps)
    coef_2 = torch.clamp(coef_1, 1 - epsilon, 1 + epsilon)
    coef_1 = torch.clamp(coef_1, max=delta)
    per_token_loss = -torch.min(coef_1 * advantages, coef_2 * advantages)
    return (per_token_loss * mask).sum() / num_items_in_batch
