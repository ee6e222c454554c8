"""P49: a weight for a whole sequence from the sum of its tokens' log-ratios, truncated, where the
mean over its tokens was meant: long sequences lose their weight. Reported in NVIDIA-NeMo/RL
#2269.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=3, eos=0, reward=lambda row: row.count(1)).decoded(
    temperature=2
)


def weight(log_probs, old_log_probs, mask, *, mean):
    difference = ((log_probs - old_log_probs) * mask).sum(-1, keepdim=True)
    return torch.exp(difference / mask.sum(-1, keepdim=True) if mean else difference).detach()


@trainer_loss(space=SPACE, advantages="return", cap=1.2)
def summed_and_truncated(log_probs, old_log_probs, advantages, response_mask, cap):
    ratio = weight(log_probs, old_log_probs, response_mask, mean=False).clamp(max=cap)
    return -(ratio * log_probs * advantages * response_mask).sum(-1).mean()


@trainer_loss(space=SPACE, advantages="return", cap=1.2)
def mean_and_truncated(log_probs, old_log_probs, advantages, response_mask, cap):
    ratio = weight(log_probs, old_log_probs, response_mask, mean=True).clamp(max=cap)
    return -(ratio * log_probs * advantages * response_mask).sum(-1).mean()


@trainer_loss(space=SPACE, advantages="return")
def summed(log_probs, old_log_probs, advantages, response_mask):
    ratio = weight(log_probs, old_log_probs, response_mask, mean=False)
    return -(ratio * log_probs * advantages * response_mask).sum(-1).mean()
