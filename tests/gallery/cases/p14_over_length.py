"""P14: each response's summed score times its reward, divided by the response's length.

Reported in sail-sg/understand-r1-zero #25 and huggingface/trl PR #3138. Whether the baseline stands
still decides the class.
"""

from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.function_updates import from_function, update

SPACE = stop_or_go()
LONGER_IS_BETTER = stop_or_go("3/5")


@update(space=SPACE)
def over_length(rewards, scores, lengths):
    return scores.sum(axis=0) * rewards.sum() / lengths


@update(space=SPACE)
def over_fixed_length(rewards, scores):
    return scores.sum(axis=0) * rewards.sum() / 2


def centred_over_length(rewards, scores, lengths, value):
    return scores.sum(axis=0) * (rewards.sum() - value) / lengths


baseline_follows = from_function(centred_over_length, space=SPACE, name="baseline_follows")
baseline_frozen = from_function(
    centred_over_length, space=SPACE, frozen=("value",), name="baseline_frozen"
)
stops_too_early = over_length.on(LONGER_IS_BETTER)
