"""P28: the score estimator of E[r] + H without the textbook's term grad log q.

Reported in pyro-ppl/pyro PR #2894.
"""

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.function_updates import update
from altpg_verify.audit.objectives import entropy, value

SPACE = three_arms()


@update(space=SPACE, target=value + entropy)
def without_the_term(reward, logprobs, score):
    return (reward - logprobs[0]) * score


@update(space=SPACE, target=value + entropy)
def with_the_term(reward, logprobs, score):
    return (reward - logprobs[0]) * score - score
