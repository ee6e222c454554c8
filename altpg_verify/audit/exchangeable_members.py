"""Which members of a batch or group may change places, where not all may."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from altpg_verify.audit.draw_counts import count_of, steps_of_draw
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Alike, Enumeration
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.order_passes import NOISE, ROUNDING, answers, few_rows, generic
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.programs import Program
from altpg_verify.audit.progress import ahead, step

MOST_NUMBERS = 10_000_000
"""So many numbers are kept to compare all sequences with one another."""


def exchangeable(program: Program) -> Alike:
    """Which members may change places: classes of them, such that every sequence gives the same
    with two of a class exchanged; empty if there are none.
    """
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    below = len(space.episodes)
    members = steps_of_draw(space) // space.horizon
    if count_of(space) * layout.size > MOST_NUMBERS or members * math.log2(max(below, 2)) >= 62:
        return ()
    passes = Pass(program, [generic(space)], Enumeration(space), layout)
    first = next(passes.blocks())
    # most pairs that may not change places show it on a few draws
    rows = few_rows(len(first.draws))
    few = first.draws.indices[rows]

    def run(indices: np.ndarray) -> np.ndarray:
        draws = Draws(first.draws.tables, indices, None, None, (), first.draws.values)
        return program.vectors(draws, first.points, layout)

    given = run(few)

    @cache
    def seldom(one: int, other: int) -> bool:
        moved = run(_exchanged(few, one, other, space.size))
        return _same(given, moved, float(np.abs(given).max(initial=0.0)))

    if len(_classes(space.size, seldom)) == space.size:
        return ()
    asked: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    ahead(int(count_of(space)))
    for _, block, vectors in answers(passes, passes.specs()):
        step(len(vectors))
        asked.setdefault(str(block.draws.values), []).append((block.draws.indices, vectors))
    radix = below ** np.arange(members)
    known = []
    for each in asked.values():
        indices, vectors = (np.concatenate(parts) for parts in zip(*each, strict=True))
        keys = indices @ radix
        numbers, row = np.unique(keys, return_index=True)
        known.append((indices, vectors, keys, numbers, row))
    largest = max(float(np.abs(vectors).max(initial=0.0)) for _, vectors, *_ in known)

    def always(one: int, other: int) -> bool:
        if not seldom(one, other):
            return False
        for indices, vectors, keys, numbers, row in known:
            moved = keys.copy()
            for start in range(0, members, space.size):
                i, j = start + one, start + other
                moved += (indices[:, i] - indices[:, j]) * (radix[j] - radix[i])
            # where every number is there, each stands at its own place
            dense = len(numbers) == numbers[-1] + 1
            place = moved if dense else np.searchsorted(numbers, moved)
            if not _same(vectors, vectors[row[place]], largest):
                return False
        return True

    classes = _classes(space.size, always)
    return classes if len(classes) < space.size else ()


def _classes(size: int, alike: Callable[[int, int], bool]) -> Alike:
    """Places in classes: those that may change places with the first of their class."""
    found: list[list[int]] = []
    for place in range(size):
        own = next((each for each in found if alike(each[0], place)), None)
        if own is None:
            found.append([place])
        else:
            own.append(place)
    return tuple(map(tuple, found))


def _exchanged(indices: np.ndarray, one: int, other: int, size: int) -> np.ndarray:
    """The same draws with two members of each group exchanged."""
    out = indices.copy()
    for start in range(0, indices.shape[1], size):
        out[:, [start + one, start + other]] = indices[:, [start + other, start + one]]
    return out


def _same(one: np.ndarray, other: np.ndarray, largest: float) -> bool:
    """Whether updates are the same but for rounding."""
    gaps = np.abs(one - other)
    if gaps.max(initial=0.0) <= NOISE * largest:
        return True
    gap = gaps.max(axis=1, initial=0.0)
    size = np.maximum(np.abs(one).max(axis=1, initial=0.0), np.abs(other).max(axis=1, initial=0.0))
    return bool((gap <= ROUNDING * size + NOISE * largest).all())
