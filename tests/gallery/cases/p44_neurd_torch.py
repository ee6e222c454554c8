"""P44 as torch losses: the logits times the stopped advantages."""

import torch

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p44_neurd import MASKED, RARE, SPACE

LEGAL = torch.tensor([True, True, True, False])


@loss(space=SPACE)
def neurd(logits, h):
    return -(logits * h).sum()


@loss(space=RARE)
def sampled_neurd(logits, actions, rewards, value, pi):
    return -(logits[actions] * (rewards - value) / pi[actions].detach()).mean()


@loss(space=RARE)
def plain_score(logits, actions, rewards, value):
    return -(torch.log_softmax(logits, -1)[actions] * (rewards - value)).mean()


@loss(space=MASKED)
def centred_over_legal(logits, h):
    advantages = torch.where(LEGAL, h, 0)
    return -((logits - logits[LEGAL].mean()) * advantages)[LEGAL].sum()


@loss(space=MASKED)
def centred_over_all(logits, h):
    advantages = torch.where(LEGAL, h, 0)
    return -((logits - logits.mean()) * advantages)[LEGAL].sum()
