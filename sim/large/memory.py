"""Two words to the machine about memory, without any effect on results."""

from __future__ import annotations

from typing import Any

from numba import extending, types

intrinsic: Any = extending.intrinsic


@intrinsic
def borrowed(typing, array):
    """The same array without a share in its memory.

    Numba counts who holds an array, with two atomic operations for each call that is given one, and
    a walk makes several such calls for a few nanoseconds' work. A kernel's arguments outlive it, so
    that inside it nothing needs to be counted.
    """
    from numba.core import cgutils
    from numba.np.arrayobj import make_array

    def generate(context, builder, signature, arguments):
        view = make_array(signature.return_type)(context, builder, arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), generate


@intrinsic
def prefetch(typing, array, index):
    """Start to load the cache line of array[index]; index is an unsigned integer inside the
    array.

    It changes no result and can't fault, but saves waiting if the line is asked for long before it
    is needed.
    """
    from llvmlite import ir
    from numba.core import cgutils
    from numba.np.arrayobj import make_array

    def generate(context, builder, signature, arguments):
        data = make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), cgutils.voidptr_t)
        word = ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", [cgutils.voidptr_t], hint)
        # for reading, to be kept, data
        builder.call(function, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate
