"""P17 as torch losses."""

import torch

from altpg_verify.audit.fixtures import survival, two_decisions
from altpg_verify.audit.torch_updates import from_torch
from tests.gallery.cases.p16_missing_discount_torch import reward_to_go
from tests.gallery.cases.p17_whole_return import SPACE


def whole_return(logprobs, rewards, discount):
    total = (discount ** torch.arange(len(rewards)) * rewards).sum()
    return torch.stack([-logprob * total for logprob in logprobs]).sum()


old = from_torch(whole_return, space=SPACE, name="whole_return")
fixed = from_torch(reward_to_go, space=SPACE, name="reward_to_go")
old_undiscounted = old.on(two_decisions())
fixed_undiscounted = fixed.on(two_decisions())
old_survival = old.on(survival())
fixed_survival = fixed.on(survival())
