"""P33 as torch losses."""

import torch

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.losses import loss
from tests.gallery.cases.p33_clamped_probability import RARE, SPACE


@loss(space=RARE)
def clamped(logits, actions, rewards, low, high):
    probabilities = torch.softmax(logits, -1)[actions]
    return -(torch.log(torch.clamp(probabilities, float(low), float(high))) * rewards).mean()


@loss(space=SPACE)
def epsilon_added(logits, actions, rewards, eps):
    probabilities = torch.softmax(logits, -1)[actions]
    return -(torch.log(probabilities + eps) * rewards).mean()


tiny_epsilon_added = epsilon_added.on(three_arms().having(eps=1e-8))
