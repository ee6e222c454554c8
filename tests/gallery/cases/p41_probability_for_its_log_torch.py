"""P41 as torch losses."""

import torch

from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import entropy, value
from tests.gallery.cases.p41_probability_for_its_log import ALPHA, SPACE


@loss(space=SPACE, target=value + ALPHA * entropy)
def probability_for_its_log(logits, q):
    probabilities = torch.softmax(logits, -1)
    log_probabilities = probabilities.clamp(1e-12, 1.0)
    return (probabilities * (ALPHA * log_probabilities - q)).sum()


@loss(space=SPACE, target=value + ALPHA * entropy)
def as_meant(logits, q):
    probabilities = torch.softmax(logits, -1)
    return (probabilities * (ALPHA * torch.log_softmax(logits, -1) - q)).sum()
