"""P16: reward-to-go of every step, without the factor γᵗ in front.

Reported in pytorch/examples #744, facebookresearch/Pearl #46, dennybritz/reinforcement-learning
#185; the reverse confusion in datawhalechina/easy-rl #181.
"""

from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.function_updates import from_function
from altpg_verify.audit.policies import shared_policy

SPACE = stop_or_go(discount="1/2")
SHARED = stop_or_go("3/5", discount="1/2", policy=shared_policy(2), probabilities=("1/2",))


def rewards_to_go(rewards, discount):
    found, following = [], 0
    for reward in rewards[::-1]:
        following = reward + discount * following
        found.append(following)
    return found[::-1]


def reward_to_go(rewards, scores, discount):
    total = 0 * scores[0]
    for following, score in zip(rewards_to_go(rewards, discount), scores, strict=True):
        total = total + following * score
    return total


def discounted_reward_to_go(rewards, scores, discount):
    total = 0 * scores[0]
    for t, (following, score) in enumerate(
        zip(rewards_to_go(rewards, discount), scores, strict=True)
    ):
        total = total + discount**t * following * score
    return total


without_discount = from_function(reward_to_go, space=SPACE, name="without_discount")
with_discount = from_function(discounted_reward_to_go, space=SPACE, name="with_discount")
for_the_undiscounted = from_function(
    reward_to_go, space=SPACE, target="undiscounted_value", name="for_the_undiscounted"
)
shared_logit = without_discount.on(SHARED)
shared_logit_with_discount = with_discount.on(SHARED)
