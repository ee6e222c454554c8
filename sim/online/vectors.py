"""Several numbers as one value inside compiled code, one for each lane: floats, whole numbers, and
yes or no.

A vector type of the machine: each operation acts lane by lane and rounds as IEEE 754 says, never
fused or reordered, so that each lane gets the bits that it would get alone. Where a number meets
such a value it stands for itself in every lane.
"""

from __future__ import annotations

import ast
import inspect
import operator
import textwrap
from types import FunctionType
from typing import Any

from llvmlite import ir
from numba import extending, njit, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, lower_cast, models, register_model

from altpg_verify.sim import portable_math, streams

intrinsic: Any = extending.intrinsic


class Vector(types.Type):
    """A numba type: `count` numbers of the type `part`, one for each lane, as one vector of the
    machine.
    """

    def __init__(self, part: Any, count: int) -> None:
        self.part, self.count = part, count
        super().__init__(name=f"{count} lanes of {part}")

    @property
    def machine(self) -> ir.VectorType:
        """The type in machine code."""
        if self.part == types.float64:
            return ir.VectorType(ir.DoubleType(), self.count)
        return ir.VectorType(ir.IntType(1 if self.part == types.boolean else 64), self.count)


@register_model(Vector)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Vector) -> None:
        super().__init__(manager, kind, kind.machine)


@lower_cast(types.Number, Vector)
def _everywhere(context, builder, fromty, toty, val):
    """The number in every lane."""
    one = context.cast(builder, val, fromty, toty.part)
    # a constant becomes a constant vector, which the compiler can fold
    if isinstance(one, ir.Constant):
        return ir.Constant(toty.machine, [one] * toty.count)
    nothing = ir.Constant(toty.machine, ir.Undefined)
    # a broadcast: one lane is set, then copied to all
    first = builder.insert_element(nothing, one, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(
        first, nothing, ir.Constant(ir.VectorType(ir.IntType(32), toty.count), [0] * toty.count)
    )


def _kind(*parts: Any) -> Any:
    """The type of the first that is one of these values."""
    return next((part for part in parts if isinstance(part, Vector)), None)


def _declare(operation: Any, makes: dict[Any, Any], compares: bool = False) -> None:
    """Let `operation` act lane by lane; `makes` gives for each type of parts the function of a
    builder and two values.
    """

    @infer_global(operation)
    class _Binary(AbstractTemplate):
        def generic(self, args, kws):
            kind = _kind(*args) if len(args) == 2 else None
            if kind is None or kind.part not in makes:
                return None
            return signature(Vector(types.boolean, kind.count) if compares else kind, kind, kind)

    @lower_builtin(operation, Vector, Vector)
    def lower(context, builder, sig, args):
        return makes[sig.args[0].part](builder, *args)


_FLOAT, _WHOLE, _BITS, _MASK = types.float64, types.int64, types.uint64, types.boolean
for _operation, _float, _integer in (
    (operator.add, "fadd", "add"),
    (operator.sub, "fsub", "sub"),
    (operator.mul, "fmul", "mul"),
):
    _declare(
        _operation,
        {
            _FLOAT: lambda builder, x, y, name=_float: getattr(builder, name)(x, y),
            _WHOLE: lambda builder, x, y, name=_integer: getattr(builder, name)(x, y),
            _BITS: lambda builder, x, y, name=_integer: getattr(builder, name)(x, y),
        },
    )
_declare(operator.truediv, {_FLOAT: lambda builder, x, y: builder.fdiv(x, y)})
for _operation, _integer in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
    _declare(
        _operation,
        {
            kind: lambda builder, x, y, name=_integer: getattr(builder, name)(x, y)
            for kind in (_WHOLE, _BITS, _MASK)
        },
    )
_declare(
    operator.lshift, {kind: lambda builder, x, y: builder.shl(x, y) for kind in (_WHOLE, _BITS)}
)
_declare(
    operator.rshift,
    {
        _WHOLE: lambda builder, x, y: builder.ashr(x, y),
        _BITS: lambda builder, x, y: builder.lshr(x, y),
    },
)
for _operation, _sign in (
    (operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">="), (operator.eq, "=="), (operator.ne, "!="),
):  # fmt: skip
    _declare(
        _operation,
        {
            _FLOAT: lambda builder, x, y, sign=_sign: (
                # NaN != x must be true, and every other comparison with NaN false
                builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered
            )(sign, x, y),
            _WHOLE: lambda builder, x, y, sign=_sign: builder.icmp_signed(sign, x, y),
            _BITS: lambda builder, x, y, sign=_sign: builder.icmp_unsigned(sign, x, y),
        },
        compares=True,
    )


@infer_global(operator.neg)
class _Negative(AbstractTemplate):
    def generic(self, args, kws):
        return (
            signature(args[0], args[0])
            if isinstance(args[0], Vector) and args[0].part == types.float64
            else None
        )


@lower_builtin(operator.neg, Vector)
def _negative(context, builder, sig, args):
    return builder.fneg(args[0])


@intrinsic
def where(typing, mask, yes, no):
    """yes in the lanes of the mask, no in the others.

    Both sides are values already: nothing is branched over. A plain number stands for itself in
    every lane.
    """
    if not isinstance(mask, Vector):
        return None
    kind = _kind(yes, no) or Vector(types.unliteral(yes), mask.count)
    return kind(mask, kind, kind), lambda context, builder, sig, args: builder.select(*args)


@intrinsic
def anywhere(typing, mask):
    """Whether there is a yes in any lane.

    The mask's bits are looked at as one whole number, so this takes one comparison, whatever the
    lanes.
    """

    def generate(context, builder, sig, args):
        # the mask as one whole number of as many bits
        together = builder.bitcast(args[0], ir.IntType(mask.count))
        return builder.icmp_unsigned("!=", together, ir.Constant(together.type, 0))

    return types.boolean(mask), generate


def _change(part: Any, instruction: str) -> Any:
    @intrinsic
    def change(typing, x):
        kind = Vector(part, x.count)
        return kind(x), lambda context, builder, sig, args: getattr(builder, instruction)(
            args[0], kind.machine
        )

    return change


bits = _change(types.int64, "bitcast")
"""The 64 bits of the floats as whole numbers."""
from_bits = _change(types.float64, "bitcast")
"""The floats with these bits."""
floats = _change(types.float64, "sitofp")
"""Whole numbers as floats."""
truncated = _change(types.int64, "fptosi")
"""Floats without what lies behind the point, as whole numbers."""
unsigned = _change(types.uint64, "bitcast")
"""Whole numbers as such without a sign."""


@intrinsic(prefer_literal=True)
def spread(typing, number, count):
    """A number in every lane."""
    if not isinstance(count, types.IntegerLiteral):
        return None
    number = types.unliteral(number)
    kind = Vector(number, count.literal_value)
    return kind(kind, count), lambda context, builder, sig, args: args[0]


@intrinsic(prefer_literal=True)
def load_from(typing, array, start, count):
    """array[start : start + count] of a contiguous vector; count is known to the compiler, nothing
    checks start.

    The alignment asked for is that of a single number, as a row may begin anywhere.
    """
    if not isinstance(count, types.IntegerLiteral):
        return None
    kind = Vector(array.dtype, count.literal_value)

    def generate(context, builder, sig, args):
        # eight bytes only: rows needn't begin at a whole vector
        return builder.load(_place(context, builder, sig, args, kind), align=8)

    return kind(array, types.int64, count), generate


@intrinsic
def store_from(typing, array, start, value):
    """Write a whole value to where `load_from` would read it."""

    def generate(context, builder, sig, args):
        builder.store(args[2], _place(context, builder, sig, args, value), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, value), generate


def _place(context: Any, builder: Any, sig: Any, args: Any, kind: Vector) -> Any:
    """The address of a part of an array, as that of a whole value."""
    data = context.make_array(sig.args[0])(context, builder, value=args[0]).data
    return builder.bitcast(builder.gep(data, [args[1]]), kind.machine.as_pointer())


@njit(error_model="numpy", forceinline=True)
def load(array, row, lanes):
    """A row of the numbers of all lanes."""
    return load_from(array, row * lanes, lanes)


@njit(error_model="numpy", forceinline=True)
def store(array, row, lanes, value):
    """Write a row that `load` would read."""
    store_from(array, row * lanes, value)


class _Choices(ast.NodeTransformer):
    """`x if c else y` as `where(c, x, y)`."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("where", ast.Load()), [node.test, node.body, node.orelse], [])


def of_vectors(function: Any, **names: Any) -> Any:
    """The source of a compiled function of numbers, compiled for vectors; `names` stand for the
    functions it uses itself.

    The operations are those of the source in the same order, so the bits of a lane are those of the
    function.

    Args:
        function: compiled by numba, with conditional expressions in place of branches.
        names: name -> what it stands for in the new function.
    """
    source = function.py_func
    tree = ast.parse(textwrap.dedent(inspect.getsource(source)))
    made: Any = tree.body[0]
    # or the copy would be compiled for numbers again
    made.decorator_list = []
    # `x if c else y` on vectors means a choice in every lane, which numba can't know
    tree = ast.fix_missing_locations(_Choices().visit(tree))
    # the function sees its module's names, and ours in the place of those on numbers
    space: dict[str, Any] = {
        **source.__globals__,
        "_bits": bits,
        "_from_bits": from_bits,
        "where": where,
        **names,
    }
    exec(compile(tree, inspect.getsourcefile(source) or "", "exec"), space)
    plain: FunctionType = space[made.name]
    return njit(error_model="numpy", forceinline=True)(plain)


exp = of_vectors(portable_math.exp)
log = of_vectors(portable_math.log)
_quarter = of_vectors(portable_math._quarter)
cos_sin = of_vectors(portable_math.cos_sin, _quarter=_quarter)
cos = of_vectors(portable_math.cos, cos_sin=cos_sin)
_next = of_vectors(streams._next)


@njit(error_model="numpy", forceinline=True)
def uniforms(wholes, stream, count):
    """A uniform in [0, 1) in each lane, from the streams whose four rows begin at `stream`.

    The same numbers as numpy's SFC64 gives each run by itself; all four rows of the state move on.
    """
    draw, a, b, c, counter = _next(
        load(wholes, stream, count),
        load(wholes, stream + 1, count),
        load(wholes, stream + 2, count),
        load(wholes, stream + 3, count),
    )
    store(wholes, stream, count, a)
    store(wholes, stream + 1, count, b)
    store(wholes, stream + 2, count, c)
    store(wholes, stream + 3, count, counter)
    # the upper 53 bits; without a sign they fit into a signed number
    return floats(draw >> 11) * streams.UNIT
