"""P33: the probability clamped, or an epsilon added to it, before its logarithm.

Reported in DigiRL-agent/digirl #22 and SlopDotCash/asi PR #2738.
"""

from altpg_verify.audit.environments import bandit
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update

RARE = bandit([1, 0, 0], pi=["1/2000", "999/2000", "1/2"], name="rare good arm").having(
    low=0.001, high=0.99
)
SPACE = three_arms().having(eps=0.01)


@update(space=RARE)
def clamped(reward, action, pi, score, low, high):
    """The gradient of log clamp(π(a)) is zero outside the clamp."""
    return reward * score * (low <= pi[action] <= high)


@update(space=SPACE)
def epsilon_added(reward, action, pi, score, eps):
    """The gradient of log(π(a) + eps)."""
    return reward * score * pi[action] / (pi[action] + eps)


tiny_epsilon_added = epsilon_added.on(three_arms().having(eps=1e-8))
