"""P84: generalised advantages of each path in a buffer, then standardised over the buffer. After
`VPGBuffer` and `compute_loss_pi` of spinup/algos/pytorch/vpg/vpg.py at openai/spinningup @ 038665d
(MIT), for a buffer of two episodes; 1e-8 is added below, since two short episodes can have one
advantage.
"""

import torch

from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = stop_or_go().batch(2)


def discount_cumsum(x, discount):
    out, running = torch.zeros_like(x), 0.0
    for t in reversed(range(x.shape[1])):
        running = x[:, t] + discount * running
        out[:, t] = running
    return out


def finish_path(rews, vals, last_val, mask, gamma, lam):
    follows = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], -1)
    after = torch.cat([vals[:, 1:], last_val[:, None]], -1)
    deltas = (rews + gamma * (after * follows + last_val[:, None] * (1 - follows)) - vals) * mask
    return discount_cumsum(deltas, gamma * lam) * mask


@trainer_loss(space=SPACE, lam=0.97)
def normalised(logp, rews, vals, last_val, mask, gamma, lam):
    adv = finish_path(rews, vals, last_val, mask, gamma, lam)
    there = mask > 0
    adv = (adv - adv[there].mean()) / (adv[there].std(correction=0) + 1e-8)
    return -(logp * adv)[there].mean()


@trainer_loss(space=SPACE, lam=0.97)
def not_normalised(logp, rews, vals, last_val, mask, gamma, lam):
    adv = finish_path(rews, vals, last_val, mask, gamma, lam)
    return -(logp * adv * mask).sum(-1).mean()
