"""Which references may agree on a block of draws at all: those that differ only in the divergence
in the loss are compared at once.

An update is that without the divergence, less what the divergence takes off; so that dozens of
divergences cost one reference and a comparison of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from altpg_verify.audit.references.recipes import NO_DIVERGENCE, Piece, Recipe
from altpg_verify.audit.references.trials import Block

FEWEST = 4
"""So many divergences are worth it."""

LOOSER = 10.0
"""How much farther apart they may be than those that agree: sums in another order round otherwise,
and whoever is left is compared by itself."""


def may_agree(
    recipes: Sequence[Recipe],
    block: Block,
    close: float,
    nothing: float,
    vectors: Callable[[Recipe, Block], np.ndarray],
) -> list[Recipe]:
    """The recipes, in their order, less those that are farther from the block's update than
    rounding.

    Args:
        close, nothing: how far apart equal updates may be, as a share of themselves, and at all.
        vectors: (B, n) the update of a recipe.
    """
    together: dict[tuple[object, Piece, Piece], list[int]] = {}
    for number, each in enumerate(recipes):
        if not each.penalised and each.divergence != NO_DIVERGENCE:
            together.setdefault((each.advantage, each.surrogate, each.aggregation), []).append(
                number
            )
    left = set(range(len(recipes)))
    stacks: dict[tuple[Piece, tuple[Piece, ...]], np.ndarray] = {}
    for (_, _, aggregation), numbers in together.items():
        if len(numbers) < FEWEST:
            continue
        group = [recipes[number] for number in numbers]
        key = (aggregation, tuple(each.divergence for each in group))
        if key not in stacks:
            with np.errstate(all="ignore"):
                stacks[key] = np.stack(
                    [
                        each.divergence_vectors(block.draws, block.scores, block.kept)
                        for each in group
                    ]
                )
        theirs = vectors(replace(group[0], divergence=NO_DIVERGENCE), block) - stacks[key]
        with np.errstate(all="ignore"):
            sizes = np.maximum(np.abs(theirs).max(-1), np.abs(block.vectors).max(-1))
            apart = np.abs(theirs - block.vectors).max(-1)
            # what is no number is left to be compared by itself
            far = (apart > LOOSER * (close * sizes + nothing)).any(-1) & np.isfinite(apart).all(-1)
        left -= {number for number, each in zip(numbers, far, strict=True) if each}
    return [each for number, each in enumerate(recipes) if number in left]
