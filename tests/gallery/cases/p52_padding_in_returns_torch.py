"""P52: rewards at the padding aren't masked out of the sums from each token on: padded places pay
log-ratios of their own, and a row's length becomes part of its reward. Reported in huggingface/trl
#7024 and natolambert/rlhf-book #216.
"""

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))
OF_PADDING = 2


def from_each_on(rewards):
    return rewards.flip(-1).cumsum(-1).flip(-1)


@trainer_loss(space=SPACE)
def padding_pays(log_prob, token_level_rewards, response_mask):
    paid = token_level_rewards + OF_PADDING * (1 - response_mask)
    return -(log_prob * from_each_on(paid) * response_mask).sum(-1).mean()


@trainer_loss(space=SPACE)
def padding_is_masked(log_prob, token_level_rewards, response_mask):
    paid = (token_level_rewards + OF_PADDING * (1 - response_mask)) * response_mask
    return -(log_prob * from_each_on(paid) * response_mask).sum(-1).mean()
