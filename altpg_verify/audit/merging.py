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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.draw_counts import count_of, size_of, sizes_of
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.exchangeable_members import exchangeable
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.moments import Seen, Sums
from altpg_verify.audit.numbers import say_vector
from altpg_verify.audit.order_passes import NOISE, ROUNDING, answers, generic, singly, specs_of
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.programs import Points, Program, hasty
from altpg_verify.audit.progress import ahead, step
from altpg_verify.audit.reach import refuse_out_of_reach
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


SAVING = 4
"""How many times fewer multisets must be than sequences to be worth it."""


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
    if not declared and sequences <= FEW and not singly(program):
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
    alike = exchangeable(program) if space.keep is None and sequences <= COUNTABLE else ()
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


def _kept_by_order(space: Space) -> str:
    """Why multisets can't stand for sequences where draws are thrown away; empty if all are
    kept.
    """
    # an order that is kept and another that isn't have no common answer, and `keep` may look at
    # anything
    return "" if space.keep is None else "which of them are kept may depend on it"


def _every_sequence(program: Program) -> str:
    """Two orders of one multiset that give different updates, in words; empty if there are none."""
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    seen: dict[tuple[int, bytes], tuple[np.ndarray, np.ndarray]] = {}
    largest = 0.0
    gaps: list[tuple[float, float, np.ndarray, np.ndarray]] = []
    ahead(int(count_of(space)))
    passes = Pass(program, [generic(space)], Enumeration(space), layout)
    for _, block, vectors in answers(passes, specs_of(passes)):
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
    passes = Pass(program, [generic(space)], merged, layout)
    specs = [replace(spec, order=kind) for spec in specs_of(passes) for kind in ("", *kinds)]
    own, given, largest = np.empty(0), np.empty(0), 0.0
    sums, modes = Sums(layout.size), set()
    for spec, block, vectors in answers(passes, specs):
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


def _told(program: Program, one: np.ndarray, other: np.ndarray) -> str:
    """Two orders and what they give, as a reader writes it."""
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    place = generic(space)
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
