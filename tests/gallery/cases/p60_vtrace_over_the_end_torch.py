"""P60: trajectories lie one after another in time, and V-trace targets are shifted by one step over
their ends: where a time limit cut one off, the next trajectory's first target stands for its value.
Reported in pytorch/rl #4209, mended in #4210; after `vtrace_advantage_estimate` of
torchrl/objectives/value/functional.py at pytorch/rl @ ae9719f (MIT).
"""

import torch

from altpg_verify.audit.fixtures import time_limit
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = time_limit().batch(2)


def vtrace(log_pi, log_mu, reward, state_value, next_state_value, gamma, *, cut):
    """Every step ends a trajectory, so that no discount carries a trace on."""
    clipped_rho = (log_pi - log_mu).exp().clamp_max(1.0).detach()
    vs = clipped_rho * (reward + gamma * next_state_value - state_value) + state_value
    vs_t_plus_1 = next_state_value if cut else torch.cat([vs[1:], next_state_value[-1:]])
    return clipped_rho * (reward + gamma * vs_t_plus_1 - state_value)


@trainer_loss(space=SPACE)
def shifted_over_ends(log_probs, old_log_probs, rewards, values, final_values, gamma):
    log_pi, log_mu, reward, state_value = (
        each.reshape(-1) for each in (log_probs, old_log_probs, rewards, values)
    )
    return -(
        vtrace(log_pi, log_mu, reward, state_value, final_values, gamma, cut=False) * log_pi
    ).mean()


@trainer_loss(space=SPACE)
def cut_at_ends(log_probs, old_log_probs, rewards, values, final_values, gamma):
    log_pi, log_mu, reward, state_value = (
        each.reshape(-1) for each in (log_probs, old_log_probs, rewards, values)
    )
    return -(
        vtrace(log_pi, log_mu, reward, state_value, final_values, gamma, cut=True) * log_pi
    ).mean()
