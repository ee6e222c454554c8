"""P47: each worker divides by the number of its own tokens, and the gradients are averaged: tokens
of workers with short rows count more. Reported in allenai/open-instruct #1161 and
PrimeIntellect-ai/prime-rl #2562.
"""

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: 1 + row.count(1)).batch(2)


@trainer_loss(space=SPACE, advantages="return", ranks=2)
def own_tokens(log_probs, advantages, response_mask):
    return -(log_probs * advantages * response_mask).sum() / response_mask.sum()


@trainer_loss(space=SPACE, advantages="return", ranks=2)
def tokens_of_all(log_probs, advantages, response_mask, num_items_in_batch, world_size):
    return -(log_probs * advantages * response_mask).sum() * world_size / num_items_in_batch


@trainer_loss(space=SPACE, advantages="return", ranks=2, longest=2)
def constant(log_probs, advantages, response_mask, longest):
    return -(log_probs * advantages * response_mask).sum() / longest
