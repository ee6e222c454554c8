"""The four weights of a tile as one vector, three preferences and the value: loaded, added up and
stored at once.

The compiler doesn't put the four sums side by side by itself. Each of them is made in the order of
a plain loop, so that the bits are the same, whatever the processor makes of a vector of four.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import extending, types

from altpg_verify.sim.online.lanes import BIAS, NEXT, TILE, TILINGS
from altpg_verify.sim.online.vectors import Vector

intrinsic: Any = extending.intrinsic

_DOUBLE = ir.DoubleType()
_FOUR = ir.VectorType(_DOUBLE, 4)
_NUMBER = 8
"""Bytes of a weight; vectors of weights begin at any of them."""


def _pointers(
    context: Any,
    builder: Any,
    sig: Any,
    args: Any,
    first: int,
    lanes: int,
    lane: int,
    column: int = 0,
) -> Iterator[Any]:
    """Where the weights of the active features of a lane are: the bias, then one for each
    tiling.
    """
    weights, wholes = (
        context.make_array(kind)(context, builder, value).data
        for kind, value in zip(sig.args[:2], args[:2], strict=True)
    )
    # the bias first: sums are taken in this order, and so are the same everywhere
    for row in (BIAS, *range(first, first + TILINGS)):
        at = builder.load(builder.gep(wholes, [ir.Constant(ir.IntType(64), row * lanes + lane)]))
        # the fourth weight of a feature is the critic's
        if column:
            at = builder.add(at, ir.Constant(at.type, column))
        yield builder.gep(weights, [at])


def _pick(builder: Any, x: Any, y: Any, *places: int | None) -> Any:
    """Of the numbers in the vectors x and y, one after the other, those at these places; None is
    any.
    """
    number = ir.IntType(32)
    mask = [ir.Constant(number, place or 0) for place in places]
    return builder.shuffle_vector(x, y, ir.Constant(ir.VectorType(number, len(places)), mask))


def _turned(builder: Any, fours: list[Any]) -> list[Any]:
    """Four vectors of four, columns as rows."""
    a, b, c, d = fours
    # a 4 x 4 transposition in two rounds of shuffles
    ab, ab_ = _pick(builder, a, b, 0, 4, 2, 6), _pick(builder, a, b, 1, 5, 3, 7)
    cd, cd_ = _pick(builder, c, d, 0, 4, 2, 6), _pick(builder, c, d, 1, 5, 3, 7)
    return [
        _pick(builder, x, y, *places)
        for places in ((0, 1, 4, 5), (2, 3, 6, 7))
        for x, y in ((ab, cd), (ab_, cd_))
    ]


@intrinsic(prefer_literal=True)
def values(typing, weights, wholes, lanes):
    """The sum of the fourth weights of the tiles NEXT and the bias, in every lane.

    v(S') times 9, for the state that was just entered: critic only, before anything is updated.
    """
    count = lanes.literal_value
    kind = Vector(types.float64, count)

    def generate(context, builder, sig, args):
        sums = ir.Constant(kind.machine, ir.Undefined)
        for lane in range(count):
            found: Any = None
            for pointer in _pointers(context, builder, sig, args, NEXT, count, lane, 3):
                weight = builder.load(pointer)
                found = weight if found is None else builder.fadd(found, weight)
            sums = builder.insert_element(sums, found, ir.Constant(ir.IntType(32), lane))
        return sums

    return kind(weights, wholes, lanes), generate


@intrinsic
def add(typing, weights, wholes, x0, x1, x2, x3):
    """Adds (x0, x1, x2, x3) of each lane to the weights of its tiles TILE and of the bias.

    x0, x1 and x2 go to the three preferences' weights, x3 to the critic's. The caller has
    multiplied them by the stepsizes and by the 1/9 that a feature is worth.
    """
    count = x0.count

    def generate(context, builder, sig, args):
        for first in range(0, count, 4):
            # lanes in groups of four; missing ones are filled and dropped
            places = [first + k if first + k < count else None for k in range(4)]
            changes = _turned(builder, [_pick(builder, x, x, *places) for x in args[2:]])
            for lane, change in zip(range(first, min(first + 4, count)), changes, strict=False):
                for number in _pointers(context, builder, sig, args, TILE, count, lane):
                    pointer = builder.bitcast(number, _FOUR.as_pointer())
                    builder.store(
                        # actor and critic in one instruction
                        builder.fadd(builder.load(pointer, align=_NUMBER), change),
                        pointer,
                        align=_NUMBER,
                    )
        return context.get_dummy_value()

    return types.void(weights, wholes, x0, x1, x2, x3), generate


@intrinsic(prefer_literal=True)
def total(typing, weights, wholes, lanes):
    """The four sums over the weights of the tiles NEXT and of the bias, in this order, in every
    lane.

    Three preferences and the value of a state, each times 9, as a tuple of four vectors of `lanes`
    numbers.
    """
    count = lanes.literal_value
    kind = Vector(types.float64, count)

    def generate(context, builder, sig, args):
        groups: list[list[Any]] = []
        for first in range(0, count, 4):
            sums = [ir.Constant(_FOUR, ir.Undefined)] * 4
            for lane in range(first, min(first + 4, count)):
                found: Any = None
                for number in _pointers(context, builder, sig, args, NEXT, count, lane):
                    four = builder.load(builder.bitcast(number, _FOUR.as_pointer()), align=_NUMBER)
                    found = four if found is None else builder.fadd(found, four)
                sums[lane - first] = found
            groups.append(_turned(builder, sums))
        return context.make_tuple(
            builder,
            sig.return_type,
            [_joined(builder, list(parts), count) for parts in zip(*groups, strict=True)],
        )

    return types.UniTuple(kind, 4)(weights, wholes, lanes), generate


def _joined(builder: Any, parts: list[Any], count: int) -> Any:
    """Vectors of four, one after the other, as one of `count`."""
    whole, size = parts[0], 4
    for part in parts[1:]:
        wide = _pick(builder, part, part, *range(4), *([None] * (size - 4))) if size > 4 else part
        whole = _pick(builder, whole, wide, *range(size), *range(size, size + 4))
        size += 4
    return _pick(builder, whole, whole, *range(count)) if size != count else whole
