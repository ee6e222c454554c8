"""P75: k3+ in verl: the value of k3 and, straight through, the gradient of k2, token by token.
After `kl_penalty` of verl/trainer/ppo/core_algos.py at volcengine/verl @ b178a3c (Apache-2.0),
where k2 is said to give the right gradient. For one token it does; of several each token's k2
doesn't tell the earlier ones where they lead.
"""

import torch

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

REFERENCE = [["1/2", "1/2"], ["1/4", "3/4"], ["3/4", "1/4"]]
SPACE = tokens(vocabulary=2, length=2, reward=lambda row: row[0]).against(REFERENCE)
ONE = tokens(vocabulary=2, length=1, reward=lambda row: row[0]).against([["1/4", "3/4"]])


def k3_plus(logprob, ref_logprob):
    log_ratio = torch.clamp(ref_logprob - logprob, min=-20, max=20)
    forward_score = torch.clamp(torch.exp(log_ratio) - log_ratio - 1, min=-10, max=10)
    backward_score = 0.5 * (logprob - ref_logprob).square()
    return backward_score - backward_score.detach() + forward_score.detach()


@trainer_loss(space=SPACE, target="-kl_to_reference")
def of_two_tokens(log_prob, ref_log_prob, response_mask):
    return (k3_plus(log_prob, ref_log_prob) * response_mask).sum(-1).mean()


@trainer_loss(space=ONE, target="-kl_to_reference")
def of_one_token(log_prob, ref_log_prob, response_mask):
    return (k3_plus(log_prob, ref_log_prob) * response_mask).sum(-1).mean()
