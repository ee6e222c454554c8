"""P44: NeuRD, the advantages as the update of the logits; its sampled form with 1/π; and the mean
of the logits over illegal actions.

Asked and reported in google-deepmind/open_spiel #737 and #1156 (PR #1157).
"""

import numpy as np

from altpg_verify.audit.environments import contexts
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

SPACE = three_arms()
RARE = three_arms(("1/100", "1/100", "98/100"))
MASKED = contexts(
    [[1, "1/2", 0, 0]],
    pi=[["1/6", "1/3", "1/2", 1]],
    legal=[[True, True, True, False]],
    name="three legal arms of four",
)
LEGAL = np.array([True, True, True, False])


@update(space=SPACE)
def neurd(h):
    return h


@update(space=RARE)
def sampled_neurd(reward, value, e, pi):
    return (reward - value) * e / pi


@update(space=RARE)
def plain_score(reward, value, score):
    return (reward - value) * score


@update(space=MASKED)
def centred_over_legal(h):
    advantages = np.where(LEGAL, h, 0)
    return np.where(LEGAL, advantages - advantages[LEGAL].mean(), 0)


@update(space=MASKED)
def centred_over_all(h):
    """The reported fault: the mean is taken over illegal actions, too."""
    advantages = np.where(LEGAL, h, 0)
    return advantages - advantages.mean()
