"""Updates of a stranger, for the tests of the report on one's own."""

from __future__ import annotations

import numpy as np

from altpg_verify.audit import bandit, mdp, update

BATCHES = bandit([1, "1/2", 0]).batch(2)
STOP, GO, OVER = [0, 0, 1], [0, 1, 0], [0, 0, 1]
CHAIN = mdp(
    transitions=[[STOP, GO], [OVER, OVER], [OVER, OVER]],
    rewards=[["1/5", 0], [0, 1], [0, 0]],
    start=[1, 0, 0],
    ends=[2],
    horizon=2,
    name="stop or go",
)


def own_mean(rewards, scores):
    """REINFORCE with the mean of the batch as the baseline."""
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)


scaled = update(space=BATCHES)(own_mean)
meant = update(space=BATCHES, intended={"scaled": "(N-1)/N is put into the stepsize"})(own_mean)


@update(space=BATCHES)
def reinforce(rewards, scores):
    return (rewards[:, None] * scores).mean(axis=0)


@update(space=bandit([1, "1/2", 0]).batch(3))
def whitened(rewards, scores):
    """No gradient field, with three levels of reward."""
    return ((rewards - rewards.mean()) / (rewards.std() + 1e-8)) @ scores


@update(space=BATCHES)
def finite_near_the_middle_only(rewards, scores, logits):
    """Its steps overflow where the policy is nearly sure of an action."""
    if np.ptp(logits) > 2.5:
        return np.full(3, np.inf)
    return (rewards[:, None] * scores).mean(axis=0)


@update(space=BATCHES, conforms_to="rloo")
def leave_one_out(rewards, scores):
    others = (rewards.sum() - rewards) / (len(rewards) - 1)
    return ((rewards - others)[:, None] * scores).mean(axis=0)


@update(space=BATCHES, conforms_to="rloo")
def no_leave_one_out(rewards, scores):
    return ((rewards - rewards.mean() / 2)[:, None] * scores).mean(axis=0)


@update(space=CHAIN)
def by_length(rewards, scores):
    """The mean reward of a step, with three states."""
    return (rewards.mean() * scores).sum(axis=0)


@update(space=BATCHES)
def drawing(rewards, scores, rng):
    return rng.random() * (rewards[:, None] * scores).mean(axis=0)
