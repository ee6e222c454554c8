"""P50: the KL term of the loss is computed under no_grad: it is in the loss, and nobody is pulled
by it. Reported in allenai/open-instruct #530.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

UNIFORM = [["1/2", "1/2"]] * 3
SPACE = tokens(
    vocabulary=2, length=2, eos=0, pi=["1/4", "3/4"], reward=lambda row: row.count(1)
).against(UNIFORM)


def k2(log_probs, ref_log_probs, mask):
    return 0.5 * ((log_probs - ref_log_probs) * mask).sum(-1) ** 2


@trainer_loss(space=SPACE, target="-kl_to_reference")
def under_no_grad(log_probs, ref_log_probs, response_mask):
    with torch.no_grad():
        kl = k2(log_probs, ref_log_probs, response_mask)
    return kl.mean() + 0 * log_probs.sum()


@trainer_loss(space=SPACE, target="-kl_to_reference")
def differentiated(log_probs, ref_log_probs, response_mask):
    return k2(log_probs, ref_log_probs, response_mask).mean()
