"""The layouts in which trainers hand a batch to a loss, and the loss in what it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from altpg_verify.audit.token_rows import TokenRows
from altpg_verify.audit.trainer_batches import TrainerBatch
from altpg_verify.audit.trainer_mappings import signature
from altpg_verify.errors import BadEstimator

LOSS_KEYS = ("loss", "policy_loss", "pg_loss", "actor_loss", "total_loss")
"""Under which of them a mapping that a loss returns has the loss."""


def laid_out(
    value: Any,
    batch_part: str,
    part: slice,
    batch: TrainerBatch,
    layout: str,
    token_rows: TokenRows,
) -> Any:
    """A worker's share of one part of a batch, in the layout that was asked for.

    Args:
        value: the share, (rows, T, ...) or one entry a row.
        batch_part: what it is, of `trainer_names.PARTS`; empty for what is none.
        part: which rows of the batch these are.
        batch: the whole batch.
        layout: "rows", "packed" or "flat".
        token_rows: the space's, which say what the policy has written.
    """
    shape = tuple(batch["tokens"].shape)
    if layout == "rows" or tuple(value.shape[1:2]) != shape[1:]:
        return value
    torch = batch.arrays
    flat = value.reshape(-1, *value.shape[2:])
    if layout == "flat":
        whole_ = bool(token_rows.own.all())
        return flat if whole_ else flat[batch["response_mask"][part].reshape(-1) > 0]
    filled = batch["attention_mask"][part].reshape(-1)
    order = torch.argsort(filled, descending=True, stable=True)
    packed = flat[order][None]
    if batch_part == "position_ids":
        # what begins is a sequence, as code that looks for zeros takes it; padding isn't one
        length, last = int(filled.sum()), packed[:, int(filled.sum()) - 1]
        further = last + 1 + torch.arange(filled.shape[0] - length)
        return torch.cat([packed[:, :length], further[None]], 1)
    if batch_part == "sequence_ids":
        rows = part.stop - part.start
        return torch.where(filled[order][None] > 0, packed - part.start, rows)
    return packed


def loss_in(found: Any, who: str) -> tuple[Any, str]:
    """(the loss itself, which of it that is in words) of what a function returned.

    Raises:
        BadEstimator: it is a mapping without a loss.
    """
    if isinstance(found, Mapping):
        key = next((key for key in LOSS_KEYS if key in found), None)
        if key is None:
            raise BadEstimator(
                f"{who} returns a mapping without any of {', '.join(LOSS_KEYS)}; return"
                " the loss itself"
            )
        return found[key], f"of the mapping that it returns, {key!r} is the loss"
    if isinstance(found, tuple | list) and found:
        return found[0], f"of the {len(found)} values that it returns, the first is the loss"
    return getattr(found, "loss", found), ""


def call(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Call with arguments by name, those that are positional only in their order."""
    parameters = signature(function).parameters.values()
    first = [
        values[each.name]
        for each in parameters
        if each.kind is each.POSITIONAL_ONLY and each.name in values
    ]
    only = {each.name for each in parameters if each.kind is each.POSITIONAL_ONLY}
    return function(*first, **{name: value for name, value in values.items() if name not in only})
