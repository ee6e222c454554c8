"""P62: the ratio of a sequence is the exponential of its mean log-ratio, and the mean is taken over
the padding as well: a padded row is pulled to 1, and padded places get a gradient. Reported in
MakazhanAlpamys/Soup #723, where the mean was over the batch.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(
    vocabulary=2, length=2, eos=0, pad=1, policy="shared", reward=lambda row: 1 + row.count(1)
)


@trainer_loss(space=SPACE, advantages="return")
def unmasked_mean(log_probs, old_log_probs, advantages, response_mask):
    log_ratio = log_probs - old_log_probs
    ratio = torch.exp(log_ratio.mean(-1))
    return -(ratio * advantages[:, 0] * response_mask.sum(-1)).mean()


@trainer_loss(space=SPACE, advantages="return")
def masked_mean(log_probs, old_log_probs, advantages, response_mask):
    log_ratio = (log_probs - old_log_probs) * response_mask
    ratio = torch.exp(log_ratio.sum(-1) / response_mask.sum(-1))
    return -(ratio * advantages[:, 0] * response_mask.sum(-1)).mean()
