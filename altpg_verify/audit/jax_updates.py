"""A JAX loss as an update."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Unpack

from altpg_verify.audit.jax_loss import JaxLoss
from altpg_verify.audit.logprob_chain_rule import (
    through_policy,
    through_policy_together,
    value_through_policy,
)
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.options import UpdateOptions, known
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.update_arguments import names_of
from altpg_verify.audit.updates import Update, declared, of_another
from altpg_verify.errors import BadInput


def from_jax(
    loss: Callable[..., Any],
    *,
    space: Space,
    target: Objective | str = "value",
    trained: Sequence[str] | None = None,
    seed: int | None = None,
    **options: Unpack[UpdateOptions],
) -> Update:
    """An update from a JAX loss, tried on a space's draws.

    Args:
        loss, trained, seed: as for `JaxLoss`.
        space, target: as for `Update`.
        options: what may be declared of it, see `UpdateOptions`.

    Raises:
        BadInput: JAX isn't installed, or the loss can't be used; the message says what to change.

    Examples:
        >>> from altpg_verify.audit import bandit, from_jax
        >>> def loss(logprobs, rewards):
        ...     return -(rewards * logprobs).mean()
        >>> from_jax(loss, space=bandit([1, 0])).origin
        'jax loss'
    """
    known(options, "from_jax")
    frozen = options.get("frozen", ())
    gradient = JaxLoss(loss, trained=trained, seed=seed, name=options.get("name"))
    needs = names_of(loss, space, gradient.name, also=tuple(options.get("choices") or {}))
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
            trained=trained,
            seed=seed,
            **of_another(options, gradient.name),
        )

    return declared(
        gradient.name,
        through_policy(gradient, needs, frozen),
        loss,
        options,
        batch=through_policy_together(gradient, needs, frozen),
        rewritten=rewritten,
        value=value_through_policy(gradient, needs, frozen),
        seeded=seed is not None,
        uncompiled=gradient.uncompiled,
        drew=lambda: gradient.drew or gradient.drifted(),
        cut=lambda: "" if gradient.reaches else gradient.cut,
        origin="jax loss",
        needs=needs,
        space=space,
        target=target,
    )
