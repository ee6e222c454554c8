"""P24: exp(log π - stopped log π) times the advantage. Its value is the advantage, "the ratio is
always 1"; its gradient isn't zero.

Reported as a bug in huggingface/trl #2608, #2769, #2681 and meta-pytorch/torchforge PR #571.
"""

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

SPACE = three_arms().batch(2)


@update(space=SPACE)
def ratio_is_one(rewards, scores):
    """The ratio is 1 and its gradient is ∇ log π."""
    ratio = 1
    return (ratio * rewards[:, None] * scores).mean(axis=0)
