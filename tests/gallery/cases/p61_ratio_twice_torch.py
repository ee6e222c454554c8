"""P61: the clipped surrogate has its ratio, and what corrects for the sampler is computed from the
current policy once more, not from the old one: where the sampler is the old policy the ratio counts
twice. Reported in THUDM/slime #179.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=1, reward=lambda row: 1 + row[0]).sampled_by([["1/3", "2/3"]])


@trainer_loss(space=SPACE, advantages="return")
def ratio_twice(log_probs, rollout_log_probs, advantages):
    ratio = torch.exp(log_probs - rollout_log_probs)
    tis = torch.exp(log_probs - rollout_log_probs)
    return -(tis * ratio * advantages).mean()


@trainer_loss(space=SPACE, advantages="return")
def ratio_twice_held(log_probs, rollout_log_probs, advantages):
    ratio = torch.exp(log_probs - rollout_log_probs)
    tis = torch.exp(log_probs - rollout_log_probs).detach()
    return -(tis * ratio * advantages).mean()


@trainer_loss(space=SPACE, advantages="return")
def ratio_once(log_probs, old_log_probs, rollout_log_probs, advantages):
    ratio = torch.exp(log_probs - old_log_probs)
    tis = torch.exp(old_log_probs - rollout_log_probs)
    return -(tis * ratio * advantages).mean()
