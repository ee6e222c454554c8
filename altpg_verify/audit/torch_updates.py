"""A torch loss as an update."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from altpg_verify.audit import torch_casts
from altpg_verify.audit.logprob_chain_rule import (
    through_policy,
    through_policy_together,
    value_through_policy,
)
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.options import UpdateOptions, known
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.torch_loss import TorchLoss
from altpg_verify.audit.update_arguments import names_of
from altpg_verify.audit.updates import Update, declared, of_another


def from_torch(
    loss: Callable[..., Any],
    *,
    space: Space,
    target: Objective | str = "value",
    modules: Mapping[str, Any] | None = None,
    trained: Sequence[str] | None = None,
    seed: int | None = None,
    **options: Unpack[UpdateOptions],
) -> Update:
    """An update from a torch loss, tried on a space's draws.

    Args:
        loss, modules, trained, seed: as for `TorchLoss`.
        space, target: as for `Update`.
        options: what may be declared of it, see `UpdateOptions`.

    Raises:
        BadInput: torch isn't installed, or the loss can't be used; the message says what to change.

    Examples:
        >>> from altpg_verify.audit import bandit, from_torch
        >>> def loss(logprobs, rewards):
        ...     return -(rewards * logprobs).mean()
        >>> from_torch(loss, space=bandit([1, 0])).origin
        'torch loss'
    """
    known(options, "from_torch")
    frozen = options.get("frozen", ())
    gradient = TorchLoss(
        loss, modules=modules, trained=trained, seed=seed, name=options.get("name"), pathless=True
    )
    needs = names_of(
        gradient.function,
        space,
        gradient.name,
        also=(*(options.get("choices") or {}), *gradient.modules),
    )
    # what it may draw itself is handed over beside what it asks for
    handed = (
        needs
        if space.continuous is None
        else tuple(dict.fromkeys((*needs, space.continuous.noise)))
    )

    def rewritten(other: Callable[..., Any], there: Space) -> Update:
        return from_torch(
            other,
            space=there,
            target=target,
            modules=modules,
            trained=trained,
            seed=seed,
            **of_another(options, gradient.name),
        )

    return declared(
        gradient.name,
        through_policy(gradient, needs, frozen),
        loss,
        options,
        batch=through_policy_together(gradient, handed, frozen),
        rewritten=None if isinstance(loss, gradient.torch.nn.Module) else rewritten,
        value=value_through_policy(gradient, needs, frozen),
        seeded=seed is not None,
        drew=lambda: gradient.drew,
        said=lambda: (*torch_casts.said(gradient.casts), *gradient.partly),
        cut=lambda: "" if gradient.reaches else gradient.cut,
        samples=lambda: gradient.samples,
        origin="torch loss",
        needs=needs,
        space=space,
        target=target,
    )
