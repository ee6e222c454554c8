"""P78: OPSM: rows that are worse than their group and have moved away from the policy that sampled
them are left out. After `compute_opsm_mask` of slime/utils/ppo_utils.py at THUDM/slime @ 624b824
(Apache-2.0). A threshold below 0 leaves everything bad out.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


def opsm(log_probs, old_log_probs, advantages, mask, delta):
    seq_kl = ((old_log_probs - log_probs) * mask).sum(-1, keepdim=True) / mask.sum(
        -1, keepdim=True
    ).clamp_min(1)
    return 1 - ((advantages < 0) & (seq_kl > delta)).double()


@trainer_loss(space=SPACE, advantages="rloo", delta=1e-4)
def near(log_probs, old_log_probs, advantages, loss_mask, delta):
    kept = opsm(log_probs, old_log_probs, advantages, loss_mask, delta)
    return -(torch.exp(log_probs - old_log_probs) * advantages * kept * loss_mask).sum(-1).mean()


@trainer_loss(space=SPACE, advantages="rloo", delta=-1e-4)
def everything_bad(log_probs, old_log_probs, advantages, loss_mask, delta):
    kept = opsm(log_probs, old_log_probs, advantages, loss_mask, delta)
    return -(torch.exp(log_probs - old_log_probs) * advantages * kept * loss_mask).sum(-1).mean()
