"""P85: a sigmoid in the place of a clip, inside the pessimistic maximum. After
`smoothed_actor_loss` and `actor_loss` of rl_games/common/common_losses.py at Denys88/rl_games @
262cf20 (MIT), which take negative log-probabilities. At ratio 1 the sigmoid is 1 and its slope is
1.
"""

import torch

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = three_arms()


def smooth_clamp(x, mi, mx):
    return 1 / (1 + torch.exp((-(x - mi) / (mx - mi) + 0.5) * 4)) * (mx - mi) + mi


@trainer_loss(space=SPACE, advantages="exact", curr_e_clip=0.2)
def smoothed_actor_loss(old_logprobs, logprobs, advantage, curr_e_clip):
    ratio = torch.exp(logprobs - old_logprobs)
    surr1 = advantage * ratio
    surr2 = advantage * smooth_clamp(ratio, 1.0 - curr_e_clip, 1.0 + curr_e_clip)
    return torch.max(-surr1, -surr2).mean()


@trainer_loss(space=SPACE, advantages="exact", curr_e_clip=0.2)
def actor_loss(old_logprobs, logprobs, advantage, curr_e_clip):
    ratio = torch.exp(logprobs - old_logprobs)
    surr1 = advantage * ratio
    surr2 = advantage * torch.clamp(ratio, 1.0 - curr_e_clip, 1.0 + curr_e_clip)
    return torch.max(-surr1, -surr2).mean()
