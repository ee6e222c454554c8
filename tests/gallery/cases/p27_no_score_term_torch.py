"""P27 as torch losses: the sampled mean with no path to the parameters at all, and with one that
carries nothing.
"""

import torch

from altpg_verify.audit.losses import loss
from tests.gallery.cases.p27_no_score_term import SPACE


@loss(space=SPACE)
def no_path(logits, actions, rewards):
    return -rewards.mean()


@loss(space=SPACE)
def no_score_term(logits, actions, rewards):
    """The expectation of a sample weighted by its own probabilities, as a library's "expectation"
    helper writes it.
    """
    probabilities = torch.softmax(logits, -1)
    return -rewards.mean() * probabilities.sum()
