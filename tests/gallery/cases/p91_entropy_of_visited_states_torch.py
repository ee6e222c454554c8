"""P91: the entropy bonus is the mean entropy of the states that were visited, differentiated with
the visits held. After the loss of cleanrl/ppo.py at vwxyzjn/cleanrl @ fe8d8a0 (MIT): `loss =
pg_loss - ent_coef * entropy_loss`, here summed over an episode. What leads to states of more
entropy isn't rewarded for it.
"""

from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.objectives import entropy as entropy_of_episode
from altpg_verify.audit.objectives import value
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = stop_or_go()
ENT_COEF = 0.25


@trainer_loss(space=SPACE, advantages="exact", target=value + ENT_COEF * entropy_of_episode)
def visits_held(newlogprob, mb_advantages, entropy, mask):
    pg_loss = -(newlogprob * mb_advantages * mask).sum(-1).mean()
    entropy_loss = (entropy * mask).sum(-1).mean()
    return pg_loss - ENT_COEF * entropy_loss


@trainer_loss(space=SPACE, advantages="exact", target=value + ENT_COEF * entropy_of_episode)
def visits_scored(newlogprob, mb_advantages, entropy, mask):
    later = (entropy * mask).flip(-1).cumsum(-1).flip(-1).detach() - (entropy * mask).detach()
    pg_loss = -(newlogprob * (mb_advantages + ENT_COEF * later) * mask).sum(-1).mean()
    entropy_loss = (entropy * mask).sum(-1).mean()
    return pg_loss - ENT_COEF * entropy_loss
