"""P70: KL-Cov: the tokens at which advantage and log-probability go together most get a penalty on
their log-ratio. The absolute value of the log-ratio has slope 0 where the two policies agree, so
that the first step has no penalty in it. After `compute_policy_loss_kl_cov` of
verl/trainer/ppo/core_algos.py at volcengine/verl @ b178a3c (Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


@trainer_loss(space=SPACE, advantages="rloo", kl_cov_ratio=0.5, ppo_kl_coef=1.0)
def kl_cov(old_log_prob, log_prob, advantages, response_mask, kl_cov_ratio, ppo_kl_coef):
    negative_approx_kl = log_prob - old_log_prob
    ratio = torch.exp(negative_approx_kl)
    pg_losses = -advantages * ratio
    with_penalty = pg_losses + ppo_kl_coef * negative_approx_kl.abs()
    there = torch.nonzero(response_mask.reshape(-1), as_tuple=True)[0]
    a, logp = advantages.reshape(-1)[there], log_prob.detach().reshape(-1)[there]
    covariances = (a - a.mean()) * (logp - logp.mean())
    largest = there[torch.topk(covariances, max(1, int(len(there) * kl_cov_ratio))).indices]
    chosen = (
        torch.zeros_like(response_mask)
        .reshape(-1)
        .index_fill(0, largest, 1.0)
        .reshape(response_mask.shape)
    )
    pg_losses = torch.where(chosen > 0, with_penalty, pg_losses)
    return (pg_losses * response_mask).sum(-1).mean()
