"""P28 as torch losses."""

from altpg_verify.audit.losses import loss
from altpg_verify.audit.objectives import entropy, value
from tests.gallery.cases.p28_no_log_q_term import SPACE


@loss(space=SPACE, target=value + entropy)
def without_the_term(logprobs, rewards):
    return -(logprobs * (rewards - logprobs).detach()).mean()


@loss(space=SPACE, target=value + entropy)
def with_the_term(logprobs, rewards):
    elbo = rewards - logprobs
    return -(logprobs * elbo.detach() + elbo).mean()
