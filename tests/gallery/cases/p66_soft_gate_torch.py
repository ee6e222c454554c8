"""P66: SAPO: in place of a clip a sigmoid of the ratio, steeper for negative advantages. After
`compute_policy_loss_sapo` of verl/trainer/ppo/core_algos.py at volcengine/verl @ b178a3c
(Apache-2.0); at ratio 1 its slope is 1 on both sides.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


@trainer_loss(space=SPACE, advantages="grpo", tau_pos=1.0, tau_neg=1.05)
def sapo(old_log_prob, log_prob, advantages, response_mask, tau_pos, tau_neg):
    ratio = torch.exp(torch.clamp(log_prob - old_log_prob, min=-20.0, max=20.0))
    tau_pos, tau_neg = (
        torch.as_tensor(each, dtype=advantages.dtype) for each in (tau_pos, tau_neg)
    )
    tau = torch.where(advantages > 0, tau_pos, tau_neg)
    gates = torch.sigmoid(tau * (ratio - 1.0)) * (4.0 / tau)
    seq_losses = torch.sum(-gates * advantages * response_mask, dim=-1) / (
        response_mask.sum(-1) + 1e-8
    )
    return seq_losses.mean()
