"""Rows of eight 64-bit whole numbers, one cache line each, handled at once; and the product of two
words in full.

Written as vectors, so that a machine with 512-bit registers needs one instruction for a row; others
get several, with the same result.
"""

from __future__ import annotations

from typing import Any

from numba import extending, types

intrinsic: Any = extending.intrinsic
ROW = 8


def _row(context: Any, builder: Any, array_type: Any, array: Any, first: Any) -> Any:
    """The address of the row that starts at array[first]."""
    from llvmlite import ir
    from numba.np.arrayobj import make_array

    data = make_array(array_type)(context, builder, array).data
    return builder.bitcast(
        builder.gep(data, [first]), ir.VectorType(ir.IntType(64), ROW).as_pointer()
    )


@intrinsic
def product(typing, a, b):
    """(high, low): the two words of the product a · b of two words.

    Of a random word and T the high one is a random number below T, and the low one says whether it
    is to be refused (Lemire 2019).
    """

    def generate(context, builder, signature, arguments):
        from llvmlite import ir

        word, both = ir.IntType(64), ir.IntType(128)
        whole = builder.mul(builder.zext(arguments[0], both), builder.zext(arguments[1], both))
        high = builder.trunc(builder.lshr(whole, both(64)), word)
        return context.make_tuple(
            builder, signature.return_type, (high, builder.trunc(whole, word))
        )

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), generate


def _spread(builder: Any, value: Any) -> Any:
    """A row of eight times the same value."""
    from llvmlite import ir

    none = ir.Constant(ir.VectorType(ir.IntType(64), ROW), ir.Undefined)
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), ROW), [0] * ROW)
    return builder.shuffle_vector(
        builder.insert_element(none, value, ir.IntType(32)(0)), none, lanes
    )


def _beyond(builder: Any, index: Any, place: Any, amount: Any) -> Any:
    """A row with the amount in the entries whose number, index + 0, ..., index + 7, is above the
    given place, and zeros elsewhere.
    """
    from llvmlite import ir

    kind = ir.VectorType(ir.IntType(64), ROW)
    # the numbers of the eight entries, compared to the place at once
    numbers = builder.add(ir.Constant(kind, list(range(ROW))), _spread(builder, index))
    beyond = builder.icmp_unsigned(">", numbers, _spread(builder, place))
    return builder.select(beyond, _spread(builder, amount), ir.Constant(kind, [0] * ROW))


@intrinsic
def not_above(typing, array, first, x):
    """How many of the eight entries from `first` on are at most x.

    Eight comparisons at once, and a count of the bits: no branch, so nothing to guess wrongly.
    """

    def generate(context, builder, signature, arguments):
        from llvmlite import ir

        address = _row(context, builder, signature.args[0], arguments[0], arguments[1])
        mask = builder.icmp_unsigned(
            "<=", builder.load(address, align=8), _spread(builder, arguments[2])
        )
        # the comparison gives a bit for each entry; the entries are sorted, so counting them finds
        # the place
        return builder.zext(builder.ctpop(builder.bitcast(mask, ir.IntType(ROW))), ir.IntType(64))

    return types.uint64(array, types.uint64, types.uint64), generate


@intrinsic
def add_beyond(typing, array, first, index, place, amount):
    """Add an amount (modulo 2⁶⁴) to those of the eight entries from `first` on whose number, index
    + 0, ..., index + 7, is above place.

    For sums before each entry: those behind `place` grow when its entry does.
    """

    def generate(context, builder, signature, arguments):
        address = _row(context, builder, signature.args[0], arguments[0], arguments[1])
        builder.store(
            builder.add(builder.load(address, align=8), _beyond(builder, *arguments[2:])),
            address,
            align=8,
        )
        return context.get_dummy_value()

    return types.void(array, *[types.uint64] * 4), generate
