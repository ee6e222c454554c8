"""A loss written in torch or jax as an update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Unpack, cast

from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.options import LossOptions
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update, require_space
from altpg_verify.errors import BadInput


def loss(
    space: Space,
    target: Objective | str = "value",
    *,
    framework: Literal["torch", "jax"] = "torch",
    conforms_to: str = "",
    **options: Unpack[LossOptions],
) -> Callable[[Any], Update]:
    """Decorator: a loss to be minimised, written in torch or jax, as an `Update`: minus its
    gradient is the ascent direction.

    Args:
        space: where it is tried.
        target: what it is meant to ascend, by name or as an `Objective`.
        framework: "torch" or "jax".
        conforms_to: the published algorithm that it is meant to be, such as "grpo" (see
            `references.algorithms`); then that is the test.
        options: as for `from_torch` or `from_jax`.

    Raises:
        BadEstimator: the loss is no function, or asks for a name that isn't there.
        BadInput: another framework, one that isn't installed, or no space.

    Examples:
        >>> from altpg_verify.audit import audit, bandit, loss
        >>> @loss(space=bandit([1, 0]))
        ... def reinforce(logprobs, rewards):
        ...     return -(rewards * logprobs).mean()
        >>> str(audit(reinforce).kind)
        'unbiased'
    """

    require_space(space, "@loss")

    def wrap(function: Any) -> Update:
        if framework == "torch":
            from altpg_verify.audit.torch_updates import from_torch

            made = from_torch(function, space=space, target=target, **options)
            return made.on(space, conforms_to=conforms_to) if conforms_to else made
        if framework == "jax":
            from altpg_verify.audit.jax_updates import from_jax

            made = from_jax(function, space=space, target=target, **cast(Any, options))
            return made.on(space, conforms_to=conforms_to) if conforms_to else made
        raise BadInput(f"framework {framework!r} is not known; choose torch or jax")

    return wrap
