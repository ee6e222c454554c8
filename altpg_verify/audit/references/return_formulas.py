"""Returns and generalised advantages along sequences of steps, once for the registry's numpy and
for a trainer's torch or JAX.

Arrays are (..., T). Steps outside the mask (padding, what a tool says) hand on what comes after
them, and get 0 themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Library(Protocol):
    """numpy, torch or jax.numpy, as far as it is used here.

    Args:
        where: (condition, there, elsewhere) -> array.
        stack: (arrays, axis) -> array.
    """

    where: Callable[..., Any]
    stack: Callable[..., Any]


def discounted(values: Any, mask: Any, factor: Any, last: Any, library: Library) -> Any:
    """yₜ = xₜ + factor · yₜ₊₁, with `last` after the end.

    Args:
        values: (..., T) x.
        mask: (..., T) 1 where there is a step.
        factor: γ for returns, γλ for generalised advantages.
        last: () or (...) what stands for y after the last step.
        library: what is computed with.
    """
    columns, following = [], last + 0.0 * values[..., 0]
    for t in reversed(range(values.shape[-1])):
        own = mask[..., t] > 0
        following = library.where(own, values[..., t] + factor * following, following)
        columns.append(library.where(own, following, 0.0))
    return library.stack(columns[::-1], -1)


def differences(
    rewards: Any, values: Any, mask: Any, discount: Any, final: Any, library: Library
) -> Any:
    """rₜ + γ V(s') - V(sₜ), with `final` for the value of what a time limit cut off."""
    columns, following = [], final + 0.0 * values[..., 0]
    for t in reversed(range(values.shape[-1])):
        own = mask[..., t] > 0
        columns.append(
            library.where(own, rewards[..., t] + discount * following - values[..., t], 0.0)
        )
        following = library.where(own, values[..., t], following)
    return library.stack(columns[::-1], -1)


def generalised(
    rewards: Any, values: Any, mask: Any, discount: Any, lam: Any, final: Any, library: Library
) -> Any:
    """Σ (γλ)ᵘ δ_{t+u} (Schulman et al. 2016, eq. 16)."""
    errors = differences(rewards, values, mask, discount, final, library)
    return discounted(errors, mask, discount * lam, 0.0, library)
