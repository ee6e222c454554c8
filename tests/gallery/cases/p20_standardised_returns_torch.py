"""P20 as torch losses."""

import torch

from altpg_verify.audit.fixtures import survival, three_arms
from altpg_verify.audit.torch_updates import from_torch
from tests.gallery.cases.p16_missing_discount_torch import rewards_to_go
from tests.gallery.cases.p20_standardised_returns import SPACE


def centred(logprobs, rewards, discount):
    returns = rewards_to_go(rewards, discount)
    return -(logprobs * (returns - returns.mean())).sum()


def divided(logprobs, rewards, discount):
    returns = rewards_to_go(rewards, discount)
    std = returns.std(correction=0)
    return -(logprobs * torch.where(std > 0, returns / std.clamp(min=1e-8), 0 * returns)).sum()


def standardised(logprobs, rewards, discount, ddof):
    returns = rewards_to_go(rewards, discount)
    std = ((returns - returns.mean()) ** 2).sum().div(max(len(returns) - ddof, 1)).sqrt()
    return -(
        logprobs
        * torch.where(std > 0, (returns - returns.mean()) / std.clamp(min=1e-8), 0 * returns)
    ).sum()


centred_only = from_torch(centred, space=SPACE, name="centred_only")
divided_only = from_torch(divided, space=SPACE, name="divided_only")
standardised_returns = from_torch(standardised, space=SPACE, name="standardised_returns")
centred_survival = centred_only.on(survival())
standardised_bandit = standardised_returns.on(three_arms().having(ddof=0))
