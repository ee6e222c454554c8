"""Updates that a small edit mends, and some that look as if one did; in a file of their own, since
it is their source that is edited.
"""

from __future__ import annotations

import numpy as np

from altpg_verify.audit import bandit, entropy, from_function, kl_to_reference, tokens, value

ARMS = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])
COIN = bandit([1, 0], pi=["1/3", "2/3"])
SURE = bandit([1, 1, 1], pi=["1/6", "1/3", "1/2"])


def own_mean(rewards, scores):
    """The baseline has the reward itself in it."""
    baseline = rewards.mean()
    return ((rewards - baseline)[:, None] * scores).mean(axis=0)


def squared_twice(reward, score):
    """On rewards of 0 and 1 half of it is right, on others nothing is."""
    return 2 * reward**2 * score


def until_small(reward, score):
    """An edit could make this loop endless."""
    weight = 8.0
    while weight > 1:
        weight = weight / 2
    return 3 * weight * reward * score


def with_memory(reward, score, factor=3):
    return reward * score * factor


GRADIENT_HERE = np.array([1 / 9, 1 / 18, -1 / 6])


def gradient_of_one_policy(reward, score):
    """Without its first term it is the gradient at the policy of the audit, and a constant
    everywhere else.
    """
    return reward * score / 7 + GRADIENT_HERE


SEEN = {"largest": 1.0}


def knows_the_largest(reward, score):
    """Divided by a number that is 1 with these rewards: what mends it with others is something
    else.
    """
    return 2 * reward * score * (reward <= SEEN["largest"])


def nothing_to_learn(reward, score):
    return 5 * reward * score


def halved(x):
    return x / 2


def through_a_helper(reward, score):
    return halved(reward) * score


def with_penalty(reward, score, logprobs):
    return (reward - 0.1 * logprobs[0] + 0.3 * logprobs[0]) * score


UPDATES = {
    "own mean": from_function(own_mean, space=ARMS.batch(2)),
    "squared twice": from_function(squared_twice, space=COIN),
    "until small": from_function(until_small, space=ARMS),
    "a default": from_function(with_memory, space=ARMS),
    "gradient of one policy": from_function(gradient_of_one_policy, space=ARMS),
    "knows the largest": from_function(knows_the_largest, space=ARMS),
    "nothing to learn": from_function(nothing_to_learn, space=SURE),
    "a helper": from_function(through_a_helper, space=ARMS),
    "a term too many": from_function(with_penalty, space=ARMS, target=value + 0.1 * entropy),
}


def entangled(log_probs, sequence_rewards, response_mask):
    chosen = (log_probs * response_mask).sum(-1)
    weights = chosen.exp()
    return -(weights * chosen * sequence_rewards / weights.detach()).mean()


def entangled_without_a_mask(log_probs, sequence_rewards):
    """What stands in the padding is learned, too, in proportion to a reward that is 0 here in every
    row that has any.
    """
    weights = log_probs.sum(-1).exp()
    return -(weights * log_probs.sum(-1) * sequence_rewards / weights.detach()).mean()


def k1(log_probs, ref_log_probs, response_mask):
    return ((log_probs - ref_log_probs) * response_mask).sum(-1).mean()


def token_mean(log_probs, returns, response_mask):
    return -(log_probs * returns * response_mask).sum() / response_mask.sum()


def summed(log_probs, returns, response_mask):
    return -(log_probs * returns * response_mask).sum(-1).sum()


ROWS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))
NEAR = ROWS.against([["1/4", "3/4"]] * ROWS.states)
PENALTY = -kl_to_reference


LATE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: 1 + row.count(1))
ELSEWHERE = LATE.sampled_by([["1/3", "2/3"]] * 3)


def not_minimised(log_probs, sequence_rewards, response_mask):
    """The loss without its minus."""
    return ((log_probs * response_mask).sum(-1) * sequence_rewards).mean(), response_mask.mean()


def without_a_ratio(log_probs, old_log_probs, sequence_rewards, response_mask):
    """Sampled elsewhere, and scored as if it weren't."""
    return -((log_probs * response_mask).sum(-1) * sequence_rewards).mean()


def k1_of_a_sequence(log_probs, ref_log_probs, sequence_rewards, response_mask):
    """The mean of a log-ratio has no gradient, whatever is summed."""
    divergence = ((log_probs - ref_log_probs) * response_mask).sum(-1)
    scored = (log_probs * response_mask).sum(-1) * sequence_rewards
    return (divergence / 10 - scored).mean()
