"""P76: k3 times a ratio whose value is 1, so that its gradient has the score in it: two libraries'
way to an unbiased gradient of the divergence. After `calculate_kl` with `exp(x - x.detach())` of
NVIDIA-NeMo/RL @ 7ea279a nemo_rl/algorithms/utils.py, and `use_bias_correction_kl` of
huggingface/trl @ f2cd577 trl/trainer/grpo_trainer.py (both Apache-2.0).
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=1, reward=lambda row: row[0]).against([["1/4", "3/4"]])


def k3(log_probs, ref_log_probs):
    return torch.exp(ref_log_probs - log_probs) - (ref_log_probs - log_probs) - 1


@trainer_loss(space=SPACE, target="-kl_to_reference")
def without_weight(log_probs, ref_log_probs):
    return k3(log_probs, ref_log_probs).mean()


@trainer_loss(space=SPACE, target="-kl_to_reference")
def weighted_in_nemo_rl(log_probs, ref_log_probs):
    weights = torch.exp(log_probs - log_probs.detach())
    return (weights * k3(log_probs, ref_log_probs).clamp(max=10.0)).mean()


@trainer_loss(space=SPACE, target="-kl_to_reference")
def weighted_in_trl(per_token_logps, old_per_token_logps, ref_per_token_logps):
    coef_1 = torch.exp(per_token_logps - old_per_token_logps)
    return (coef_1 * k3(per_token_logps, ref_per_token_logps)).mean()
