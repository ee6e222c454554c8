"""P65: GSPO as two libraries have it: each token's gradient weighted by the sequence's ratio, with
the bracket held (verl), and the sequence's ratio differentiated itself (OpenRLHF). After
`compute_policy_loss_gspo` of verl/trainer/ppo/core_algos.py at volcengine/verl @ b178a3c and
`PolicyLoss` of openrlhf/models/loss.py at OpenRLHF/OpenRLHF @ 3c3be62 (both Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


def sequence_means(losses, mask):
    return ((losses * mask).sum(-1) / mask.sum(-1)).mean()


@trainer_loss(space=SPACE, advantages="grpo", low=3e-4, high=4e-4)
def gspo_in_verl(old_log_prob, log_prob, advantages, response_mask, low, high):
    seq_lengths = torch.sum(response_mask, dim=-1).clamp(min=1)
    negative_approx_kl_seq = (
        torch.sum((log_prob - old_log_prob) * response_mask, dim=-1) / seq_lengths
    )
    log_ratio = log_prob - log_prob.detach() + negative_approx_kl_seq.detach().unsqueeze(-1)
    ratio = torch.exp(torch.clamp(log_ratio, max=10.0))
    pg_losses = torch.maximum(
        -advantages * ratio, -advantages * torch.clamp(ratio, 1 - low, 1 + high)
    )
    return sequence_means(pg_losses, response_mask)


@trainer_loss(space=SPACE, advantages="grpo", low=3e-4, high=4e-4)
def gspo_in_openrlhf(log_probs, old_log_probs, advantages, action_mask, low, high):
    log_ratio = log_probs - old_log_probs
    ratio = (log_ratio * action_mask).sum(dim=-1) / action_mask.sum(dim=-1).clamp(min=1)
    ratio = ratio.exp().unsqueeze(-1) * action_mask
    loss = -torch.min(ratio * advantages, ratio.clamp(1 - low, 1 + high) * advantages)
    return sequence_means(loss, action_mask)
