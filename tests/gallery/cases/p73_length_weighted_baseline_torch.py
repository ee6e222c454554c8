"""P73: OPO: the mean of a group's rewards as baseline, each weighted by its length. After
`compute_opo_outcome_advantage` of verl/trainer/ppo/core_algos.py at volcengine/verl @ b178a3c
(Apache-2.0). The own reward is in the mean, and its weight is random.
"""

from altpg_verify.audit.token_spaces import tokens
from altpg_verify.audit.trainer_losses import trainer_loss

SPACE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


@trainer_loss(space=SPACE)
def opo(token_level_rewards, log_prob, response_mask):
    response_length = response_mask.sum(dim=-1)
    scores = token_level_rewards.sum(dim=-1)
    baseline = (response_length * scores).sum() / response_length.sum()
    advantages = (scores - baseline).unsqueeze(-1) * response_mask
    return -(log_prob * advantages * response_mask).sum(-1).mean()
