"""P104: a step of a flow-matching sampler has the noise σ √Δt, and its log-density is written with
σ; others take the mean over the numbers of a sample in place of the sum, as in
modelscope/DiffSynth-Studio #1141. What is learned is the mean of the step.
"""

import math

from altpg_verify.audit.gaussian_spaces import gaussian
from altpg_verify.audit.losses import loss

SIGMA, STEP = 0.8, 0.25
SPACE = gaussian(
    lambda x: x[0] - x[1] ** 2,
    mean=[0.3, -0.2],
    std=SIGMA * math.sqrt(STEP),
    dimension=2,
    std_parameter="fixed",
)


def density(x, mean, scale):
    return -((x - mean) ** 2) / (2 * scale**2) - math.log(scale) - math.log(2 * math.pi) / 2


@loss(space=SPACE)
def without_the_timestep(mean, actions, rewards):
    return -(density(actions, mean, SIGMA).sum(-1) * rewards).mean()


@loss(space=SPACE)
def mean_over_numbers(mean, actions, rewards):
    return -(density(actions, mean, SIGMA * math.sqrt(STEP)).mean(-1) * rewards).mean()


@loss(space=SPACE)
def scaled_by_the_timestep(mean, actions, rewards):
    return -(density(actions, mean, SIGMA * math.sqrt(STEP)).sum(-1) * rewards).mean()
