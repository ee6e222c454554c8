"""P39: the entropy bonus with the wrong sign; and the right code that two other trackers doubted.

Confirmed in google-deepmind/open_spiel #962; doubted without reason in muupan/async-rl #22 and
miyosuda/async_deep_reinforce #49.
"""

import numpy as np

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update
from altpg_verify.audit.objectives import entropy, value

BETA = 0.1
SPACE = three_arms()


def entropy_gradient(pi):
    surprise = -np.log(pi)
    return pi * (surprise - pi @ surprise)


@update(space=SPACE, target=value + BETA * entropy)
def wrong_sign(reward, score, pi):
    return reward * score - BETA * entropy_gradient(pi)


@update(space=SPACE, target=value + BETA * entropy)
def right_sign(reward, score, pi):
    return reward * score + BETA * entropy_gradient(pi)


@update(space=three_arms(("1/50", "3/100", "19/20")), target=value + 0.5 * entropy)
def wrong_sign_from_a_bad_start(reward, score, pi):
    return reward * score - 0.5 * entropy_gradient(pi)
