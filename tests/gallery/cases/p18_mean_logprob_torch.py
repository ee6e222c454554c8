"""P18 as a torch loss."""

from altpg_verify.audit.fixtures import stop_or_go, survival, two_decisions
from altpg_verify.audit.torch_updates import from_torch
from tests.gallery.cases.p16_missing_discount_torch import rewards_to_go


def mean_logprob(logprobs, rewards, discount):
    return -logprobs.mean() * rewards_to_go(rewards, discount).sum()


terminal_reward = from_torch(mean_logprob, space=stop_or_go(), name="terminal_reward")
reward_on_the_way = from_torch(mean_logprob, space=two_decisions(), name="reward_on_the_way")
lengths_differ = from_torch(mean_logprob, space=survival(), name="lengths_differ")
