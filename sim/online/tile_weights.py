"""The four weights of a tile as one vector, three preferences and the value: loaded, added up and stored at once.

The compiler doesn't put the four sums side by side by itself. Each of them is made in the order of a plain loop, so that the bits
are the same, whatever the processor makes of a vector of four.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import extending, types, uint64

from sim.online.lanes import TILINGS

intrinsic: Any = extending.intrinsic

_FOUR = ir.VectorType(ir.DoubleType(), 4)
_PLACES = [ir.Constant(ir.IntType(32), k) for k in range(4)]
_NUMBER = 8
"""Bytes of a weight; vectors of weights begin at any of them."""


def _pointers(context: Any, builder: Any, kinds: Any, arguments: Any) -> Iterator[Any]:
    """Where the vectors of the active features of a lane are: the bias, then one for each tiling."""
    weights, wholes = (context.make_array(kind)(context, builder, value) for kind, value in zip(kinds[:2], arguments[:2], strict=True))
    bias, first, lanes, lane = arguments[2:6]
    for row in (bias, *(builder.add(first, ir.Constant(first.type, k)) for k in range(TILINGS))):
        at = builder.load(builder.gep(wholes.data, [builder.add(builder.mul(row, lanes), lane)]))
        yield builder.bitcast(builder.gep(weights.data, [at]), _FOUR.as_pointer())


@intrinsic
def total(typing, weights, wholes, bias, first, lanes, lane):
    """The four sums over the weights that begin at wholes[bias], wholes[first], ..., wholes[first + 7] of a lane, in this order."""

    def generate(context, builder, signature, arguments):
        found: Any = None
        for pointer in _pointers(context, builder, signature.args, arguments):
            four = builder.load(pointer, align=_NUMBER)
            found = four if found is None else builder.fadd(found, four)
        return context.make_tuple(builder, signature.return_type, [builder.extract_element(found, place) for place in _PLACES])

    return types.UniTuple(types.float64, 4)(weights, wholes, uint64, uint64, uint64, uint64), generate


@intrinsic
def add(typing, weights, wholes, bias, first, lanes, lane, x0, x1, x2, x3):
    """Adds (x0, x1, x2, x3) to all of these weights."""

    def generate(context, builder, signature, arguments):
        change = ir.Constant(_FOUR, ir.Undefined)
        for place, part in zip(_PLACES, arguments[6:], strict=True):
            change = builder.insert_element(change, part, place)
        for pointer in _pointers(context, builder, signature.args, arguments):
            builder.store(builder.fadd(builder.load(pointer, align=_NUMBER), change), pointer, align=_NUMBER)
        return context.get_dummy_value()

    number = types.float64
    return types.void(weights, wholes, uint64, uint64, uint64, uint64, number, number, number, number), generate
