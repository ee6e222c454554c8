"""P17: the discounted return of the whole episode for every step, and the reward-to-go that
replaced it.

Reported (as a bug of the old form) in huggingface/deep-rl-class PRs #70 and #95 and
udacity/deep-reinforcement-learning #42.
"""

from altpg_verify.audit.fixtures import survival, two_decisions
from altpg_verify.audit.function_updates import from_function
from tests.gallery.cases.p16_missing_discount import reward_to_go

SPACE = two_decisions(discount="1/2")


def whole_return(rewards, scores, discount):
    total = sum(discount**t * reward for t, reward in enumerate(rewards))
    return total * scores.sum(axis=0)


old = from_function(whole_return, space=SPACE, name="whole_return")
fixed = from_function(reward_to_go, space=SPACE, name="reward_to_go")
old_undiscounted = old.on(two_decisions())
fixed_undiscounted = fixed.on(two_decisions())
old_survival = old.on(survival())
fixed_survival = fixed.on(survival())
