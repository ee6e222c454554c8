"""ufuncs on stacked arrays: ranks are padded after the hidden axis, then numpy does the rest."""

from __future__ import annotations

from typing import Any

import numpy as np

from altpg_verify.audit.stacked_array import KINDS, UFUNC_METHODS, Call, Stacked, any_varies, bare
from altpg_verify.audit.stacked_methods import PARTS

PYTHON_NUMBERS = (bool, int, float)


def padded(stack: Stacked, ndim: int) -> np.ndarray:
    """(draws, 1, ..., 1, ...): the values with as many axes for one draw as `ndim`."""
    missing = ndim - stack.ndim
    if missing <= 0:
        return stack._data
    return stack._data[(slice(None), *(None,) * missing)]


def operand(call: Call, value: Any) -> Any:
    """Python numbers as they are (they don't decide a dtype), all else as stacks."""
    return value if type(value) in PYTHON_NUMBERS else call.lift(value)


def aligned(*operands: Any) -> list[Any]:
    """What numpy may combine: the data of stacks, padded to the highest rank, and Python
    numbers.
    """
    rank = max((each.ndim for each in operands if type(each) is Stacked), default=0)
    return [padded(each, rank) if type(each) is Stacked else each for each in operands]


def axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Axes for one draw (all if None) as axes of the data."""
    if axis is None:
        return tuple(range(1, ndim + 1))
    given = axis if isinstance(axis, tuple) else (axis,)
    for each in given:
        if not -ndim <= each < ndim:
            raise np.exceptions.AxisError(each, ndim)
    return tuple(int(each) % ndim + 1 for each in given)


def store(call: Call, result: Stacked, out: Any, where: Any = True) -> Stacked:
    """Write a result into `out`, as numpy's `out=` and in-place operators do."""
    if type(out) is not Stacked:
        call.refuse("writes what depends on the draw into an array of its own (`+=`, `out=`)")
    data = out.own(varies=any_varies(result, where))
    if np.broadcast_shapes(out.shape, result.shape) != out.shape:
        raise ValueError(
            f"non-broadcastable output operand with shape {out.shape} doesn't match the broadcast"
            f" shape {result.shape}"
        )
    mask = padded(where, out.ndim) if type(where) is Stacked else where
    np.copyto(data, padded(result, out.ndim), where=mask, casting="same_kind")
    return out


def _single(call: Call, out: Any) -> Any:
    if isinstance(out, tuple):
        if len(out) != 1:
            call.refuse("calls a numpy function with several `out=`")
        return out[0]
    return out


def apply(
    call: Call, ufunc: np.ufunc, *inputs: Any, out: Any = None, where: Any = True, **options: Any
) -> Any:
    """ufunc(*inputs)."""
    if ufunc.signature is not None:
        if ufunc is not np.matmul or options or out is not None:
            call.refuse(f"calls numpy.{ufunc.__name__}, which isn't known for stacked draws")
        return matmul(call.lift(inputs[0]), call.lift(inputs[1]))
    if set(options) - {"dtype"}:
        call.refuse(
            f"calls numpy.{ufunc.__name__} with {', '.join(sorted(options))}, which isn't known for"
            " stacked draws"
        )
    if ufunc.nout > 1 and out is not None:
        call.refuse("calls a numpy function with several `out=`")
    if where is not True and out is None:
        call.refuse(f"calls numpy.{ufunc.__name__} with where= and without out=")
    operands = [operand(call, each) for each in inputs]
    varies = any_varies(*operands)
    ready = aligned(*operands)
    if (
        ufunc is np.power
        and type(operands[0]) is Stacked
        and not operands[0].ndim
        and type(operands[1]) in PYTHON_NUMBERS
    ):
        # numpy's scalars have no shortcut for squares and roots; an array of exponents has none,
        # either
        ready[1] = np.full(1, operands[1])
    if where is not True:
        first = _single(call, out)
        if type(first) is not Stacked:
            call.refuse("writes what depends on the draw into an array of its own (`out=`)")
        rank = max(first.ndim, *(each.ndim for each in operands if type(each) is Stacked))
        ready = [padded(each, rank) if type(each) is Stacked else each for each in operands]
        with np.errstate(all="ignore"):  # what isn't asked for is dropped
            found = ufunc(*ready, **options)
        return store(call, Stacked(call, found, varies), first, _mask(call, where))
    found = ufunc(*ready, **options)
    results = [
        Stacked(call, each, varies) for each in (found if isinstance(found, tuple) else (found,))
    ]
    for each in results:
        if each.dtype.kind not in KINDS:
            call.refuse(f"computes with {each.dtype} values")
    if out is not None:
        return store(call, results[0], _single(call, out))
    return results[0] if len(results) == 1 else tuple(results)


def _mask(call: Call, where: Any) -> Stacked:
    mask = call.lift(where)
    if mask.dtype != bool:
        call.refuse("gives where= what isn't a mask")
    return mask


def reduce(
    call: Call,
    ufunc: np.ufunc,
    value: Any,
    axis: Any = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    **options: Any,
) -> Any:
    """ufunc.reduce(value, axis), and what sum, prod, max, min, any and all are made of."""
    stack = call.lift(value)
    if options.pop("where", True) is not True:
        call.refuse(f"calls numpy.{ufunc.__name__}.reduce with where=")
    options = {
        name: bare(each)
        for name, each in options.items()
        if not isinstance(each, type(np._NoValue))
    }
    if any_varies(options) or set(options) - {"initial"}:
        call.refuse(f"calls numpy.{ufunc.__name__}.reduce with {', '.join(sorted(options))}")
    # integers and booleans become floats before, not in pieces on the way
    data = stack._data if dtype is None else stack._data.astype(dtype, copy=False)
    result = stack.like(
        ufunc.reduce(data, axis=axes(axis, stack.ndim), dtype=dtype, keepdims=keepdims, **options)
    )
    return result if out is None or out == (None,) else store(call, result, _single(call, out))


def accumulate(
    call: Call, ufunc: np.ufunc, value: Any, axis: int = 0, dtype: Any = None, out: Any = None
) -> Any:
    """ufunc.accumulate(value, axis)."""
    if out is not None and out != (None,):
        call.refuse(f"calls numpy.{ufunc.__name__}.accumulate with out=")
    stack = call.lift(value)
    return stack.like(ufunc.accumulate(stack._data, axis=axes(axis, stack.ndim)[0], dtype=dtype))


def outer(call: Call, ufunc: np.ufunc, first: Any, second: Any, **options: Any) -> Any:
    """ufunc.outer(first, second)."""
    left, right = call.lift(first), call.lift(second)
    return apply(
        call,
        ufunc,
        left.like(left._data.reshape(*left._data.shape, *(1,) * right.ndim)),
        right,
        **options,
    )


def matmul(first: Stacked, second: Stacked) -> Stacked:
    """first @ second for each draw."""
    if not first.ndim or not second.ndim:
        raise ValueError("matmul: Input operand does not have enough dimensions")
    left = first._data[:, None, :] if first.ndim == 1 else first._data
    right = second._data[:, :, None] if second.ndim == 1 else second._data
    rank = max(left.ndim, right.ndim) - 1
    left, right = padded(first.like(left), rank), padded(second.like(right), rank)
    product = np.matmul(left, right)
    if second.ndim == 1:
        product = product[..., 0]
    if first.ndim == 1:
        product = product[..., 0, :] if second.ndim > 1 else product[..., 0]
    return Stacked(first._call, product, any_varies(first, second))


UFUNC_METHODS.update(
    {"__call__": apply, "reduce": reduce, "accumulate": accumulate, "outer": outer}
)
PARTS["store"] = store
