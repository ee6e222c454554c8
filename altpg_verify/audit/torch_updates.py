"""A torch loss as an update."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from altpg_verify.audit import torch_casts
from altpg_verify.audit.logprob_chain_rule import (
    through_policy,
    through_policy_together,
    value_through_policy,
)
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.torch_loss import TorchLoss
from altpg_verify.audit.update_arguments import Choices, names_of
from altpg_verify.audit.updates import Update, declared


def from_torch(
    loss: Callable[..., Any],
    *,
    space: Space,
    target: Objective | str = "value",
    name: str | None = None,
    frozen: Sequence[str] = (),
    groups: Sequence[str] = (),
    choices: Choices | None = None,
    intended: Mapping[str, str] | None = None,
    modules: Mapping[str, Any] | None = None,
    trained: Sequence[str] | None = None,
    seed: int | None = None,
) -> Update:
    """An update from a torch loss, tried on a space's draws.

    Args:
        loss, name, modules, trained, seed: as for `TorchLoss`.
        space, target, frozen, groups, choices, intended: as for `Update`.

    Raises:
        BadInput: torch isn't installed, or the loss can't be used; the message says what to change.

    Examples:
        >>> from altpg_verify.audit import bandit, from_torch
        >>> def loss(logprobs, rewards):
        ...     return -(rewards * logprobs).mean()
        >>> from_torch(loss, space=bandit([1, 0])).origin
        'torch loss'
    """
    gradient = TorchLoss(
        loss, modules=modules, trained=trained, seed=seed, name=name, pathless=True
    )
    needs = names_of(
        gradient.function, space, gradient.name, also=(*(choices or {}), *gradient.modules)
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
            name=gradient.name,
            frozen=frozen,
            groups=groups,
            choices=choices,
            modules=modules,
            trained=trained,
            seed=seed,
        )

    return declared(
        gradient.name,
        through_policy(gradient, needs, frozen),
        loss,
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
        frozen=frozen,
        groups=groups,
        choices=choices,
        intended=intended,
    )
