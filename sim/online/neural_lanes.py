"""Several floats as one value inside compiled code, one for each run that goes in lock step.

A vector type of the machine: +, - and * act lane by lane and round as IEEE 754 says, never fused or
reordered, so that each lane gets the bits that it would get alone. On a processor with narrower
registers the compiler splits a value into several.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model

intrinsic: Any = extending.intrinsic


class Lanes(types.Type):
    """A numba type: `count` floats, one for each run, held as one vector of the machine."""

    def __init__(self, count: int) -> None:
        self.count = count
        super().__init__(name=f"{count} lanes")

    @property
    def machine(self) -> ir.VectorType:
        """The type in machine code."""
        return ir.VectorType(ir.DoubleType(), self.count)


@register_model(Lanes)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Lanes) -> None:
        super().__init__(manager, kind, kind.machine)


def _declare(operation: Callable[..., Any], instruction: str) -> None:
    """Let `operation` act on two values lane by lane."""

    @infer_global(operation)
    class _Binary(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 2 and isinstance(args[0], Lanes) and args[0] == args[1]:
                return signature(args[0], *args)
            return None

    @lower_builtin(operation, Lanes, Lanes)
    def lower(context, builder, sig, args):
        return getattr(builder, instruction)(*args)


for _operation, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _declare(_operation, _instruction)


def _place(
    builder: ir.IRBuilder, context: Any, kind: types.Array, array: Any, row: Any, lanes: Lanes
) -> Any:
    """The address of a row of an array, as that of a whole value."""
    data = context.make_array(kind)(context, builder, value=array).data
    start = builder.mul(row, ir.Constant(row.type, lanes.count))
    return builder.bitcast(builder.gep(data, [start]), lanes.machine.as_pointer())


@intrinsic(prefer_literal=True)
def load(typing, array, row, count):
    """array[row * count : (row + 1) * count] of a contiguous vector of floats; count is known to
    the compiler, nothing checks row.

    Within compiled code only, like all functions below. The alignment asked for is that of a single
    float.
    """
    if not isinstance(count, types.IntegerLiteral):
        return None
    kind = Lanes(count.literal_value)

    def generate(context, builder, sig, args):
        return builder.load(_place(builder, context, sig.args[0], args[0], args[1], kind), align=8)

    return kind(array, types.int64, count), generate


@intrinsic
def store(typing, array, row, value):
    """Write a whole value to where `load` would read it.

    The row is counted in units of the value's lanes, as in `load`.
    """

    def generate(context, builder, sig, args):
        builder.store(
            args[2], _place(builder, context, sig.args[0], args[0], args[1], value), align=8
        )
        return context.get_dummy_value()

    return types.void(array, types.int64, value), generate


@intrinsic(prefer_literal=True)
def spread(typing, number, count):
    """A number in every lane."""
    if not isinstance(count, types.IntegerLiteral):
        return None
    kind = Lanes(count.literal_value)

    def generate(context, builder, sig, args):
        nothing = ir.Constant(kind.machine, ir.Undefined)
        one = builder.insert_element(nothing, args[0], ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(
            one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count)
        )

    return kind(types.float64, count), generate


@intrinsic
def root(typing, x):
    """The square root, correctly rounded."""
    return x(x), lambda context, builder, sig, args: _call(builder, "sqrt", x, args)


@intrinsic
def magnitude(typing, x):
    """|x|

    The absolute value in each lane, by clearing the sign bit; NaN stays NaN.
    """
    return x(x), lambda context, builder, sig, args: _call(builder, "fabs", x, args)


def _call(builder: ir.IRBuilder, name: str, kind: Lanes, args: Any) -> Any:
    """Call one of LLVM's own functions of one value."""
    function = ir.FunctionType(kind.machine, [kind.machine])
    return builder.call(
        cgutils.get_or_insert_function(builder.module, function, f"llvm.{name}.v{kind.count}f64"),
        args,
    )


@intrinsic
def where_below(typing, x, limit, yes, no):
    """yes where x < limit, no elsewhere (also where x or limit is NaN).

    Both sides are values already: nothing is branched over, so a lane's cost doesn't depend on
    others.
    """

    def generate(context, builder, sig, args):
        return builder.select(builder.fcmp_ordered("<", args[0], args[1]), args[2], args[3])

    return yes(x, limit, yes, no), generate
