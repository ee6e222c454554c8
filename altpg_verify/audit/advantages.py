"""Advantage estimators that trainers name, on a batch of rows in torch or JAX: each gives (rows,),
one for each row, or (rows, T), the policy's tokens only.

R is a row's sum of rewards, G the rows of its prompt; means and deviations are over those rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from altpg_verify.audit.references import group_formulas

if TYPE_CHECKING:
    from altpg_verify.audit.trainer_batches import TrainerBatch

GRPO_EPSILON = 1e-6
"""What verl adds to the deviation of a group."""

WHITENING_EPSILON = 1e-8
"""What verl adds to the variance of a batch's tokens."""


def whole_return(batch: TrainerBatch) -> Any:
    """R."""
    return batch["sequence_rewards"]


def to_go(batch: TrainerBatch) -> Any:
    """The discounted rewards from each token on."""
    return batch["returns"]


def exact_advantage(batch: TrainerBatch) -> Any:
    """Q(s, a) - V(s), exactly."""
    return batch.at(batch.given["h"]) * batch["response_mask"]


def gae(batch: TrainerBatch) -> Any:
    """Σ (γλ)^l δ, δ = r + γ V(s') - V(s), with the batch's values and its lam; 1 by default."""
    return batch.generalised(batch.settings.get("lam", 1.0))


class PromptRows:
    """The rows of each prompt: the only axis of (rows,).

    Args:
        same: (rows, rows) 1 where two rows have the same prompt.
        sizes: (rows,) how many rows have the row's prompt.
        where, root, largest: `where`, `sqrt` and `amax` of the batch's arrays.
    """

    def __init__(self, batch: TrainerBatch) -> None:
        self.same, self.sizes, self.where, self.root = (
            batch.same,
            batch.group_sizes,
            batch.arrays.where,
            batch.arrays.sqrt,
        )
        self.largest = batch.arrays.amax

    def total(self, values: Any) -> Any:
        """(rows,) sums."""
        return (self.same * values[None, :]).sum(-1)

    def level(self, values: Any) -> Any:
        """(rows,) whether all rows of the prompt have the same."""
        return self.largest(abs(self.same * (values[None, :] - values[:, None])), -1) == 0


class BatchTokens:
    """All of the policy's tokens in a batch: (rows, T).

    Args:
        mask: (rows, T) 1 where there is one.
        sizes: () how many there are.
        where, root, largest, smallest: `where`, `sqrt`, `amax` and `amin` of the batch's arrays.
    """

    def __init__(self, batch: TrainerBatch) -> None:
        self.mask, self.where, self.root = (
            batch["response_mask"],
            batch.arrays.where,
            batch.arrays.sqrt,
        )
        self.sizes = self.mask.sum()
        self.largest, self.smallest = batch.arrays.amax, batch.arrays.amin

    def total(self, values: Any) -> Any:
        """() the sum."""
        return (values * self.mask).sum()

    def level(self, values: Any) -> Any:
        """() whether all tokens have the same."""
        there, far = self.mask > 0, float("inf")
        return self.largest(self.where(there, values, -far)) == self.smallest(
            self.where(there, values, far)
        )


def mean_centred(batch: TrainerBatch) -> Any:
    """R - mean over G (Dr. GRPO)."""
    return group_formulas.centred(batch["sequence_rewards"], PromptRows(batch))


def leave_one_out(batch: TrainerBatch) -> Any:
    """R - mean over the other rows of G (RLOO); R where there is no other."""
    return group_formulas.leave_one_out(batch["sequence_rewards"], PromptRows(batch))


def standardised(batch: TrainerBatch) -> Any:
    """(R - mean over G) / (std over G + 1e-6), the sample's deviation (GRPO); a row alone keeps its
    R, as verl has it.
    """
    rewards, group = batch["sequence_rewards"], PromptRows(batch)
    return group.where(
        group.sizes == 1, rewards, group_formulas.standardised(rewards, group, 1.0, GRPO_EPSILON)
    )


def whitened(batch: TrainerBatch) -> Any:
    """The returns, less their mean over all of the batch's tokens and over √(variance + 1e-8), the
    sample's variance (REINFORCE++).
    """
    found = group_formulas.standardised_inside(
        batch["returns"], BatchTokens(batch), 1.0, WHITENING_EPSILON
    )
    return found * batch["response_mask"]


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
