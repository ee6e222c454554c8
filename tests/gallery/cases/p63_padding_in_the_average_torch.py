"""P63: the tutorial's `-(logp * weights).mean()` over steps, given rows that are padded to one
length. The mean over all steps was asked about in openai/spinningup #59 and #414
(spinup/examples/pytorch/pg_math/1_simple_pg.py @ 038665d, MIT); with padding there are three
different means, and the padded places are scored too where nobody masks them.
"""

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(
    vocabulary=2, length=2, eos=0, pad=1, policy="shared", reward=lambda row: 1 + row.count(1)
)


@trainer_loss(space=SPACE)
def padding_is_scored(logp, ep_ret):
    weights = ep_ret[:, None].expand_as(logp)
    return -(logp * weights).mean()


@trainer_loss(space=SPACE)
def padding_is_counted(logp, mask, ep_ret):
    weights = ep_ret[:, None] * mask
    return -(logp * weights).mean()


@trainer_loss(space=SPACE)
def over_all_steps(logp, mask, ep_ret):
    weights = ep_ret[:, None] * mask
    return -(logp * weights).sum() / mask.sum()


@trainer_loss(space=SPACE)
def over_episodes(logp, mask, ep_ret):
    weights = ep_ret[:, None] * mask
    return -(logp * weights).sum(-1).mean()
