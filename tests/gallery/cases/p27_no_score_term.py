"""P27: the mean of sampled rewards, differentiated without a score term. The sample doesn't carry a
gradient.

Reported in tensorflow/probability #608 and jax-ml/jax #17556.
"""

import numpy as np

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

SPACE = three_arms().batch(2)


@update(space=SPACE)
def no_score_term(pi):
    """The rewards of the sampled actions don't depend on the parameters."""
    return np.zeros(len(pi))
