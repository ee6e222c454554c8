"""Whether an update looks at the order of a batch or group: if it doesn't, multisets stand for all
their sequences.

It is established, not believed, at a policy about the point of the audit: at the point itself,
often the uniform policy, what depends on order may vanish. Where sequences can be counted off,
every one of them is compared with its multiset. Where they can't, each multiset is tried in three
more orders: the first two members exchanged, all rotated, and one order drawn at random. An update
that looks at the order of some members only is run once for all orders of the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import (
    Alike,
    Enumeration,
    count_of,
    size_of,
    sizes_of,
    steps_of_draw,
)
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.moments import Seen, Sums
from altpg_verify.audit.numbers import say_vector
from altpg_verify.audit.passes import Block, Pass, Spec
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.programs import Points, Program, hasty
from altpg_verify.audit.progress import ahead, step
from altpg_verify.audit.reach import refuse_out_of_reach
from altpg_verify.audit.workers import spread, spreading
from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space

FEW = 4_096
"""So many sequences are simply enumerated."""

FEW_SINGLY = 512
"""The same of an update that is run on one draw at a time."""

COUNTABLE = 100_000
"""So many sequences are all compared with their multisets."""

SHUFFLED = 50_000
"""So many multisets are also tried in an order drawn at random."""

ROUNDING = 1e-12
"""Difference of two orders, as a share of the update, that is rounding: sums are taken in another
order.
"""

NOISE = 1e-14
"""The same as a share of the largest update of all."""

SAVING = 4
"""How many times fewer multisets must be than sequences to be worth it."""

MOST_NUMBERS = 10_000_000
"""So many numbers are kept to compare all sequences with one another."""

TRIED = 64
"""Draws on which it is first tried which members may change places."""


@dataclass(frozen=True)
class Order:
    """What was established about the order of draws.

    Args:
        enumeration: the draws to be evaluated.
        sentence: how it was established that multisets are enough; empty if sequences are
            enumerated.
    """

    enumeration: Enumeration
    sentence: str = ""


def order_of(program: Program) -> Order:
    """The draws to be evaluated for an update.

    Raises:
        BadInput: there are too many draws; or they are declared to be exchangeable, and the update
            looks at their order.
    """
    space = program.update.space
    if program.update.replay is not None:
        return Order(program.update.replay.enumeration)
    sequences = count_of(space)
    if space.scheme == "one" or space.size == 1:
        refuse_out_of_reach(program)
        return Order(Enumeration(space))
    multisets = count_of(space, merged=True)
    declared = space.exchangeable
    if not declared and (sequences <= FEW_SINGLY or multisets * SAVING > sequences):
        refuse_out_of_reach(program)
        return Order(Enumeration(space))
    if not declared and sequences <= FEW and not _singly(program):
        return Order(Enumeration(space))
    refuse_out_of_reach(program, merged=True)
    merged = Enumeration(space, merged=True)
    difference = _kept_by_order(space) or (
        _every_sequence(program) if sequences <= COUNTABLE else _other_orders(program, merged)
    )
    if not difference:
        how = (
            f"each of the {size_of(space)} sequences gives what its multiset gives, at a policy"
            " about the point of the audit"
            if sequences <= COUNTABLE
            else "each multiset gives the same with two members exchanged and with all rotated"
            + (", and in an order drawn at random" if multisets <= SHUFFLED else "")
        )
        return Order(merged, f"{multisets:,} multisets stand for {size_of(space)} sequences: {how}")
    if declared:
        raise BadInput(
            f"update {program.update.name!r} looks at the order of its draws: {difference}; leave"
            " exchangeable=True out"
        )
    refuse_out_of_reach(
        program, why=f" one by one, since the update looks at the order of its draws: {difference}"
    )
    alike = _exchangeable(program) if space.keep is None and sequences <= COUNTABLE else ()
    some = Enumeration(space, alike=alike)
    if not alike or some.count * SAVING > sequences:
        return Order(Enumeration(space))
    several = " and those of ".join(
        ", ".join(str(place + 1) for place in together) for together in alike if len(together) > 1
    )
    return Order(
        some,
        f"{some.count:,} draws stand for {size_of(space)} sequences: each sequence gives the same"
        f" with members {several} in any order, at a policy about the point of the audit",
    )


def _singly(program: Program) -> bool:
    """Whether the update is run on one draw at a time, which a few draws tell."""
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    block = next(Pass(program, [_generic(space)], Enumeration(space), layout).blocks())
    rows = _spread(len(block.draws))
    few = Draws(block.draws.tables, block.draws.indices[rows], None, None, (), block.draws.values)
    program.vectors(few, block.points, layout)
    return program.mode == "single"


def _spread(count: int) -> np.ndarray:
    """Some of so many draws, spread evenly."""
    return np.array(sorted({*np.linspace(0, count - 1, TRIED).astype(int).tolist()}))


def _kept_by_order(space: Space) -> str:
    """Why multisets can't stand for sequences where draws are thrown away; empty if all are
    kept.
    """
    # an order that is kept and another that isn't have no common answer, and `keep` may look at
    # anything
    return "" if space.keep is None else "which of them are kept may depend on it"


def _generic(space: Space) -> Parameters:
    """A policy about the point of the audit at which nothing vanishes by chance."""
    return points(space, 2)[1]


def _every_sequence(program: Program) -> str:
    """Two orders of one multiset that give different updates, in words; empty if there are none."""
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    seen: dict[tuple[int, bytes], tuple[np.ndarray, np.ndarray]] = {}
    largest = 0.0
    gaps: list[tuple[float, float, np.ndarray, np.ndarray]] = []
    ahead(int(count_of(space)))
    passes = Pass(program, [_generic(space)], Enumeration(space), layout)
    for _, block, vectors in _answers(passes, _specs(passes)):
        step(len(vectors))
        largest = max(largest, float(np.abs(vectors).max(initial=0.0)))
        indices = block.draws.indices
        ordered = np.concatenate(
            [
                np.sort(part, axis=1)
                for part in np.split(indices, np.cumsum(sizes_of(space))[:-1], axis=1)
            ],
            axis=1,
        )
        first, inverse = _distinct(ordered, len(space.episodes))
        base = vectors[first]
        choice = hash(
            tuple(sorted((name, str(value)) for name, value in block.draws.values.items()))
        )
        for i, key in enumerate(ordered[first]):
            known = seen.setdefault((choice, key.tobytes()), (base[i], indices[first[i]]))
            base[i] = known[0]
        gap = np.abs(vectors - base[inverse]).max(axis=1, initial=0.0)
        size = np.maximum(
            np.abs(vectors).max(axis=1, initial=0.0), np.abs(base[inverse]).max(axis=1, initial=0.0)
        )
        for i in np.flatnonzero(gap > ROUNDING * size)[:50]:
            other = seen[choice, ordered[i].tobytes()][1]
            gaps.append((float(gap[i]), float(size[i]), indices[i], other))
        worst = [one for one in gaps if one[0] > ROUNDING * one[1] + NOISE * largest]
        if worst:
            return _told(program, worst[0][2], worst[0][3])
    return ""


def _exchangeable(program: Program) -> Alike:
    """Which members may change places: classes of them, such that every sequence gives the same
    with two of a class exchanged; empty if there are none.
    """
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    below = len(space.episodes)
    members = steps_of_draw(space) // space.horizon
    if count_of(space) * layout.size > MOST_NUMBERS or members * math.log2(max(below, 2)) >= 62:
        return ()
    passes = Pass(program, [_generic(space)], Enumeration(space), layout)
    first = next(passes.blocks())
    # most pairs that may not change places show it on a few draws
    rows = _spread(len(first.draws))
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
    for _, block, vectors in _answers(passes, passes.specs()):
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


def _distinct(rows: np.ndarray, below: int) -> tuple[np.ndarray, np.ndarray]:
    """The first row of each kind, and (B,) which kind each row is of, for rows of whole numbers
    from 0 to `below` - 1.
    """
    if rows.shape[1] * math.log2(max(below, 2)) < 62:
        # one whole number for each row sorts much faster than rows do
        _, first, inverse = np.unique(
            rows @ below ** np.arange(rows.shape[1]), return_index=True, return_inverse=True
        )
    else:
        _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return first, inverse.reshape(-1)


def _other_orders(program: Program, merged: Enumeration) -> str:
    """The same, by trying each multiset in a few other orders."""
    update = program.update
    space = update.space
    layout = Layout.of(update.judged, space.parameters)
    kinds = ("swap", "rotation", "shuffle") if merged.count <= SHUFFLED else ("swap", "rotation")
    ahead(merged.count * (1 + len(kinds)))
    passes = Pass(program, [_generic(space)], merged, layout)
    specs = [replace(spec, order=kind) for spec in _specs(passes) for kind in ("", *kinds)]
    own, given, largest = np.empty(0), np.empty(0), 0.0
    sums, modes = Sums(layout.size), set()
    for spec, block, vectors in _answers(passes, specs):
        step(len(vectors))
        indices = block.draws.indices
        if not spec.order:
            sums.add(block.weights, vectors)
            modes.add(program.mode)
            own, given, largest = indices, vectors, float(np.abs(vectors).max(initial=0.0))
            continue
        moves = block.moves
        assert moves is not None
        before = given[moves]
        gaps = np.abs(vectors - before)
        # nearly always no entry is off, and draws needn't be looked at one by one
        if gaps.max(initial=0.0) <= NOISE * largest:
            continue
        gap = gaps.max(axis=1, initial=0.0)
        off = np.flatnonzero(
            gap > ROUNDING * np.abs(before).max(axis=1, initial=0.0) + NOISE * largest
        )
        if off.size:
            return _told(program, own[moves][off[0]], indices[off[0]])
    if len(modes) == 1 and not hasty():
        program.seen = Seen(merged, passes.points[0], modes.pop(), sums.moments(False))
    return ""


def _specs(passes: Pass) -> list[Spec]:
    """The blocks of a pass; where there are other processes, in pieces for them if the update is
    run draw by draw.
    """
    program = passes.program
    if spreading() and not program.mode and not _singly(program):
        # a few draws are enough to run it draw by draw, but not to trust it with many
        program.mode = ""
    return passes.specs()


def _answers(passes: Pass, specs: Sequence[Spec]) -> Iterator[tuple[Spec, Block, np.ndarray]]:
    """Each block with what the update gives on it, in order, spread where it can be."""
    if not spreading():
        for spec in specs:
            block = passes.block(spec)
            if block is not None:
                yield spec, block, passes.program.vectors(block.draws, block.points, passes.layout)
        return
    for spec, found in spread(passes, specs):
        block = passes.block(spec)
        if block is not None and found is not None:
            yield spec, block, found[2]


def _told(program: Program, one: np.ndarray, other: np.ndarray) -> str:
    """Two orders and what they give, as a reader writes it."""
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    place = _generic(space)
    tables = Tables.at(space, place)
    said = []
    for indices in (one, other):
        draws = Draws(tables, indices[None])
        for values in (
            {},
            *({name: outcomes[0][0]} for name, outcomes in program.update.choices.items()),
        ):
            draws = Draws(tables, indices[None], None, None, (), {**draws.values, **values})
        found = program.singly(draws, Points([place]), layout, [0])[0]
        actions = np.asarray(draws.array("actions")[0]).tolist()
        said.append(
            f"actions {actions}, rewards {say_vector(draws.array('rewards')[0])} give"
            f" {say_vector(found)}"
        )
    return " and ".join(said)


__all__ = ["COUNTABLE", "FEW", "Order", "order_of"]
