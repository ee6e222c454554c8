"""Advantage estimators that trainers name, on a batch of rows in torch: each gives (rows, T), the policy's tokens only.

R is a row's sum of rewards, G the rows of its prompt; means and deviations are over those rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from altpg_verify.audit.trainer_batches import TrainerBatch

GRPO_EPSILON = 1e-6
"""What verl adds to the deviation of a group."""


def by_row(batch: TrainerBatch, values: Any) -> Any:
    """(rows, T) a number for each row at all of its tokens."""
    return values[:, None] * batch["response_mask"]


def whole_return(batch: TrainerBatch) -> Any:
    """R."""
    return by_row(batch, batch["sequence_rewards"])


def to_go(batch: TrainerBatch) -> Any:
    """The discounted rewards from each token on."""
    return batch["returns"]


def exact_advantage(batch: TrainerBatch) -> Any:
    """Q(s, a) - V(s), exactly."""
    return batch.at(batch.given["h"]) * batch["response_mask"]


def gae(batch: TrainerBatch) -> Any:
    """Σ (γλ)^l δ, δ = r + γ V(s') - V(s), with the batch's values and its lam; 1 by default."""
    discount = batch.given["discount"] * batch.settings.get("lam", 1.0)
    return batch.backwards(batch.differences, discount, 0.0) * batch["response_mask"]


def mean_centred(batch: TrainerBatch) -> Any:
    """R - mean over G (Dr. GRPO)."""
    rewards = batch["sequence_rewards"]
    return by_row(batch, rewards - batch.group_mean(rewards))


def leave_one_out(batch: TrainerBatch) -> Any:
    """R - mean over the other rows of G (RLOO); R where there is no other."""
    rewards = batch["sequence_rewards"]
    others = (batch.group_sizes - 1).clamp(min=1)
    return by_row(batch, rewards - (batch.group_mean(rewards) * batch.group_sizes - rewards) / others)


def standardised(batch: TrainerBatch) -> Any:
    """(R - mean over G) / (std over G + 1e-6), the sample's deviation (GRPO); a row alone keeps its R, as verl has it."""
    rewards = batch["sequence_rewards"]
    centred = rewards - batch.group_mean(rewards)
    apart = rewards[None, :] - batch.group_mean(rewards)[:, None]
    squares = (batch.same * apart * apart).sum(-1)
    # a root has no slope at 0, and the rewards have none to pass on
    deviation = (squares / (batch.group_sizes - 1).clamp(min=1)).sqrt()
    alone = batch.group_sizes == 1
    return by_row(batch, batch.torch.where(alone, rewards, centred / (deviation + GRPO_EPSILON)))


def whitened(batch: TrainerBatch) -> Any:
    """The returns, less their mean over all of the batch's tokens and over their deviation (REINFORCE++)."""
    mask, returns = batch["response_mask"], batch["returns"]
    mean = (returns * mask).sum() / mask.sum()
    variance = ((returns - mean) ** 2 * mask).sum() / mask.sum()
    return (returns - mean) * (variance + 1e-8).rsqrt() * mask


ESTIMATORS: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "return": whole_return,
        "reinforce": to_go,
        "exact": exact_advantage,
        "gae": gae,
        "dr_grpo": mean_centred,
        "rloo": leave_one_out,
        "grpo": standardised,
        "reinforce++": whitened,
    }
)
"""What `advantages=` may name."""
