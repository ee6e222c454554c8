"""P89: the composition that a reference library pins down as "grpo": clipped token ratios, a mean
over rows of means over tokens, and 0.04 of k3 in the loss, averaged in the same way. After
`policy_loss`, `aggregate`, `kl_loss` and the registry of polgrad 0.2.1 (Apache-2.0).
"""

import torch

from altpg_verify.audit.objectives import kl_to_reference, value
from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

UNIFORM = [["1/2", "1/2"]] * 3
SPACE = (
    tokens(vocabulary=2, length=2, eos=0, pi=["1/4", "3/4"], reward=lambda row: row.count(1))
    .against(UNIFORM)
    .group(2)
)


def aggregate(per_token, response_mask):
    return (torch.where(response_mask > 0, per_token, 0.0).sum(-1) / response_mask.sum(-1)).mean()


@trainer_loss(
    space=SPACE, advantages="grpo", target=value - 0.04 * kl_to_reference, eps=0.2, coef=0.04
)
def grpo_in_polgrad(logprobs, old_logprobs, ref_logprobs, advantages, response_mask, eps, coef):
    ratio = torch.exp(logprobs - old_logprobs)
    per_token = -torch.minimum(ratio * advantages, ratio.clamp(1 - eps, 1 + eps) * advantages)
    log_ratio = ref_logprobs - logprobs
    k3 = torch.exp(log_ratio) - 1 - log_ratio
    return aggregate(per_token, response_mask) + coef * aggregate(k3, response_mask)
