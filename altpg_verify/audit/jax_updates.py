"""A JAX loss as an update."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from altpg_verify.audit.jax_loss import JaxLoss
from altpg_verify.audit.logprob_chain_rule import (
    through_policy,
    through_policy_together,
    value_through_policy,
)
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.update_arguments import Choices, names_of
from altpg_verify.audit.updates import Update, declared
from altpg_verify.errors import BadInput


def from_jax(
    loss: Callable[..., Any],
    *,
    space: Space,
    target: Objective | str = "value",
    name: str | None = None,
    frozen: Sequence[str] = (),
    groups: Sequence[str] = (),
    choices: Choices | None = None,
    intended: Mapping[str, str] | None = None,
    trained: Sequence[str] | None = None,
    seed: int | None = None,
) -> Update:
    """An update from a JAX loss, tried on a space's draws.

    Args:
        loss, name, trained, seed: as for `JaxLoss`.
        space, target, frozen, groups, choices, intended: as for `Update`.

    Raises:
        BadInput: JAX isn't installed, or the loss can't be used; the message says what to change.

    Examples:
        >>> from altpg_verify.audit import bandit, from_jax
        >>> def loss(logprobs, rewards):
        ...     return -(rewards * logprobs).mean()
        >>> from_jax(loss, space=bandit([1, 0])).origin
        'jax loss'
    """
    gradient = JaxLoss(loss, trained=trained, seed=seed, name=name)
    needs = names_of(loss, space, gradient.name, also=tuple(choices or {}))
    if "reward_function" in needs and space.continuous is not None:
        # what is compiled keeps the function that it was traced with
        raise BadInput(
            f"jax loss {gradient.name!r} asks for 'reward_function', which is there for torch and"
            " numpy; write the reward itself"
        )

    def rewritten(other: Callable[..., Any], there: Space) -> Update:
        return from_jax(
            other,
            space=there,
            target=target,
            name=gradient.name,
            frozen=frozen,
            groups=groups,
            choices=choices,
            trained=trained,
            seed=seed,
        )

    return declared(
        gradient.name,
        through_policy(gradient, needs, frozen),
        loss,
        batch=through_policy_together(gradient, needs, frozen),
        rewritten=rewritten,
        value=value_through_policy(gradient, needs, frozen),
        seeded=seed is not None,
        uncompiled=gradient.uncompiled,
        drew=lambda: gradient.drew or gradient.drifted(),
        origin="jax loss",
        needs=needs,
        space=space,
        target=target,
        frozen=frozen,
        groups=groups,
        choices=choices,
        intended=intended,
    )
