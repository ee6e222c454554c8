"""P43 as torch losses."""

import torch
from torch.nn.functional import one_hot

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p43_straight_through import LINEAR, SQUARE


def straight_through(logits, actions):
    probabilities = torch.softmax(logits, -1)
    return one_hot(actions, len(logits)) + probabilities - probabilities.detach()


@loss(space=LINEAR)
def linear_critic(logits, actions, u):
    return -(straight_through(logits, actions) @ u).mean()


@loss(space=SQUARE)
def square_critic(logits, actions, u):
    return -((straight_through(logits, actions) @ u) ** 2).mean()
