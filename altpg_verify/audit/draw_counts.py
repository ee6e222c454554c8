"""How many draws a space has, in words and numbers, and which are too many to be enumerated."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from altpg_verify.audit.declarations import shown
from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space


MOST_DRAWS = 20_000_000
"""The largest number of draws enumerated; above it a space says its size and offers ways out."""

MOST_STEPS = 500_000_000
"""The largest number of steps in all draws together that are enumerated."""

COUNTED = 15
"""Up to 10 to this power draws are counted; more are estimated by logarithms."""


def count_of(space: Space, merged: bool = False) -> int | float:
    """How many draws a space has, of multisets if `merged`; an estimate above 10^15, infinity where
    no float64 holds it.
    """
    # the logarithm first: n**size of a long batch is an integer of a million digits
    size = log10_count(space, merged)
    if size > COUNTED:
        return 10.0**size if size < 300 else math.inf
    if space.scheme == "one":
        return len(space.episodes)
    each = [
        math.comb(n + space.size - 1, space.size) if merged else n**space.size
        for n in _members(space)
    ]
    return (
        each[0]
        if space.scheme == "batch"
        else sum(each)
        if space.scheme == "group"
        else math.prod(each)
    )


def log10_count(space: Space, merged: bool = False) -> float:
    """The decimal logarithm of the number of draws."""
    if space.scheme == "one":
        return math.log10(len(space.episodes))
    each = [_log10_ways(n, space.size, merged) for n in _members(space)]
    return (
        sum(each)
        if space.scheme == "groups"
        else max(each) + math.log10(sum(10 ** (one - max(each)) for one in each))
    )


def _members(space: Space) -> list[int]:
    """How many episodes each part of a draw is made of: all of them, or those from each start."""
    if space.scheme == "batch":
        return [len(space.episodes)]
    return [int((space.arrays.starts == start).sum()) for start in space.starts]


def _log10_ways(episodes: int, size: int, merged: bool) -> float:
    """log₁₀ of the number of draws of `size` of so many episodes, in order or without it."""
    if not merged:
        return size * math.log10(episodes)
    # C(n+m-1, m) = C(n+m-1, n-1): the shorter product
    fewer = min(size, episodes - 1)
    if fewer < 10_000:
        return sum(math.log10((episodes + size - 1 - i) / (i + 1)) for i in range(fewer))
    return (
        math.lgamma(episodes + size) - math.lgamma(size + 1) - math.lgamma(episodes)
    ) / math.log(10)


def steps_of_draw(space: Space) -> int:
    """The most steps that a draw has."""
    return space.horizon * (
        1
        if space.scheme == "one"
        else space.size * (len(space.starts) if space.scheme == "groups" else 1)
    )


def sizes_of(space: Space) -> list[int]:
    """How many neighbours in a draw may change places among themselves: all members of a batch,
    those of each start's group.
    """
    return [space.size] * (len(space.starts) if space.scheme == "groups" else 1)


def size_of(space: Space, merged: bool = False) -> str:
    """The number of draws as a reader writes it."""
    size = log10_count(space, merged)
    return f"{count_of(space, merged):,}" if size <= COUNTED else f"≈10^{size:.0f}"


def refuse_too_many(
    space: Space, merged: bool = False, why: str = "", took: Callable[[], str] | None = None
) -> None:
    """Raises BadInput if a space has too many draws, or draws that are too long, with the size, the
    ways out, and what `took` says of the time, asked only then.
    """
    count = count_of(space, merged)
    if count <= MOST_DRAWS and count * steps_of_draw(space) <= MOST_STEPS:
        return
    kind = "multisets of episodes" if merged else "draws"
    limit = f", more than the {MOST_DRAWS:,} enumerated"
    if count <= MOST_DRAWS:
        limit = (
            f" of up to {steps_of_draw(space):,} steps, more than the {MOST_STEPS:,} steps"
            " enumerated in all"
        )
    lasting = f"{took()}; " if took is not None else ""
    way = "shorten the episodes" if space.scheme == "one" else "make the group smaller"
    raise BadInput(
        f"space {shown(space.name)} with {space.scheme} of {space.size} has"
        f" {size_of(space, merged)} {kind}{limit}{why}; {lasting}{way}, or sample with stated error rates:"
        " audit(update, samples=N), or check --samples N"
    )
