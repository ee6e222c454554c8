"""P14 as torch losses."""

from torch.distributions import Bernoulli

from altpg_verify.audit.losses import loss
from altpg_verify.audit.torch_updates import from_torch
from tests.gallery.cases.p14_over_length import LONGER_IS_BETTER, SPACE


def logprobs_of(logits, states, actions):
    return Bernoulli(logits=logits[states]).log_prob(actions.double())


@loss(space=SPACE)
def over_length(logits, states, actions, rewards):
    return -logprobs_of(logits, states, actions).mean() * rewards.sum()


@loss(space=SPACE)
def over_fixed_length(logits, states, actions, rewards):
    return -logprobs_of(logits, states, actions).sum() / 2 * rewards.sum()


def centred_over_length(logits, states, actions, rewards, value):
    return -logprobs_of(logits, states, actions).mean() * (rewards.sum() - value)


baseline_follows = from_torch(centred_over_length, space=SPACE, name="baseline_follows")
baseline_frozen = from_torch(
    centred_over_length, space=SPACE, frozen=("value",), name="baseline_frozen"
)
stops_too_early = over_length.on(LONGER_IS_BETTER)
