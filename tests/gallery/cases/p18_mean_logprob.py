"""P18: the mean log-probability of the episode times the sum of its returns to go.

Reported in Farama-Foundation/Gymnasium #1336 (PRs #638, #1337).
"""

from altpg_verify.audit.fixtures import stop_or_go, survival, two_decisions
from altpg_verify.audit.function_updates import from_function
from tests.gallery.cases.p16_missing_discount import rewards_to_go


def mean_logprob(rewards, scores, discount):
    return scores.mean(axis=0) * sum(rewards_to_go(rewards, discount))


terminal_reward = from_function(mean_logprob, space=stop_or_go(), name="terminal_reward")
reward_on_the_way = from_function(mean_logprob, space=two_decisions(), name="reward_on_the_way")
lengths_differ = from_function(mean_logprob, space=survival(), name="lengths_differ")
