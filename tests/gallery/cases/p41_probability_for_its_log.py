"""P41: in the all-action actor loss of discrete SAC, a probability where its logarithm belongs.

Mended in pytorch/rl PR #1750.
"""

import numpy as np

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update
from altpg_verify.audit.objectives import entropy, value

ALPHA = 0.5
SPACE = three_arms()


@update(space=SPACE, target=value + ALPHA * entropy)
def probability_for_its_log(pi, q):
    """Minus the gradient of sum π (α π - q), in the logits."""
    slopes = q - 2 * ALPHA * pi
    return pi * (slopes - pi @ slopes)


@update(space=SPACE, target=value + ALPHA * entropy)
def as_meant(pi, q):
    """Minus the gradient of sum π (α log π - q)."""
    slopes = q - ALPHA * np.log(pi)
    return pi * (slopes - pi @ slopes)
