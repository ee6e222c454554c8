"""P86: COMA's learner: the value of the action that was taken, less the policy's mean over actions,
averaged over all filled steps. After src/learners/coma_learner.py at oxwhirl/pymarl @ c971afd
(Apache-2.0), for one agent with exact action values.
"""

import torch

from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.losses import loss

SPACE = stop_or_go().batch(2)


def log_pi_taken(pi, states, actions, mask):
    taken = pi[states.clamp(min=0), actions.clamp(min=0)]
    return torch.log(torch.where(mask == 0, 1.0, taken))


@loss(space=SPACE)
def coma(pi, q, states, actions, mask):
    baseline = (pi * q).sum(-1).detach()
    advantages = (q - baseline[:, None])[states.clamp(min=0), actions.clamp(min=0)].detach()
    return -((advantages * log_pi_taken(pi, states, actions, mask)) * mask).sum() / mask.sum()


@loss(space=SPACE)
def over_episodes(pi, q, states, actions, mask):
    baseline = (pi * q).sum(-1).detach()
    advantages = (q - baseline[:, None])[states.clamp(min=0), actions.clamp(min=0)].detach()
    return -((advantages * log_pi_taken(pi, states, actions, mask)) * mask).sum(-1).mean()
