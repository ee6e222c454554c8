"""P32 as torch losses."""

import torch
from torch.distributions import Categorical

from altpg_verify.audit.torch_updates import from_torch
from tests.gallery.cases.p32_probabilities_as_logits import SAMPLED_AS_MEANT, SAMPLED_SO_TOO


def probabilities_as_logits(theta, actions, rewards):
    probabilities = torch.softmax(theta, -1)
    return -(Categorical(logits=probabilities).log_prob(actions) * rewards).mean()


def with_baseline(theta, actions, rewards):
    return probabilities_as_logits(theta, actions, rewards - 1)


scored_only = from_torch(probabilities_as_logits, space=SAMPLED_AS_MEANT, name="scored_only")
consistent = from_torch(probabilities_as_logits, space=SAMPLED_SO_TOO, name="consistent")
scored_only_with_baseline = from_torch(
    with_baseline, space=SAMPLED_AS_MEANT, name="scored_only_with_baseline"
)
