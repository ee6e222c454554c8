"""numpy's functions on stacked arrays: those that reduce, sort, choose or multiply within each
draw.

A function that isn't in the table `FUNCTIONS` refuses. The functions that only move elements are in
`stacked_shapes`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altpg_verify.audit.stacked_array import FUNCTIONS, Stacked, any_varies, call_of
from altpg_verify.audit.stacked_ufuncs import (
    aligned,
    apply,
    axes,
    matmul,
    operand,
    outer,
    padded,
    reduce,
)


def known(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: what these numpy functions are on stacked arrays."""

    def wrap(implementation: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(functions, implementation))
        return implementation

    return wrap


def together(*values: Any) -> tuple[list[Stacked], Callable[[np.ndarray], Stacked]]:
    """Arguments as stacks with equal axes of draws, and what makes a stack of a result."""
    call = call_of(*values)
    stacks = [call.lift(each) for each in values]
    if any_varies(*stacks):
        stacks = [
            Stacked(call, np.broadcast_to(each._data, (call.count, *each.shape)), True)
            for each in stacks
        ]
    return stacks, stacks[0].like


def flat(stack: Stacked) -> Stacked:
    """One axis for each draw."""
    return stack.like(stack._data.reshape(len(stack._data), stack.size))


def _reduction(ufunc: np.ufunc) -> Callable[..., Any]:
    def reduced(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        **options: Any,
    ) -> Any:
        return reduce(call_of(a, out), ufunc, a, axis, dtype, out, keepdims is True, **options)

    return reduced


FUNCTIONS.update({np.sum: _reduction(np.add), np.prod: _reduction(np.multiply)})
FUNCTIONS.update({np.any: _reduction(np.logical_or), np.all: _reduction(np.logical_and)})


def _extremum(ufunc: np.ufunc) -> Callable[..., Any]:
    def reduced(
        a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any
    ) -> Any:
        return reduce(call_of(a, out), ufunc, a, axis, None, out, keepdims is True, **options)

    return reduced


for _names, _ufunc in (((np.max, np.amax), np.maximum), ((np.min, np.amin), np.minimum)):
    FUNCTIONS.update(dict.fromkeys(_names, _extremum(_ufunc)))


def _statistic(function: Callable[..., Any], *also: str) -> Callable[..., Any]:
    """A function with axis= and keepdims= that reduces; `also` are further options with plain
    values.
    """

    def reduced(a: Stacked, axis: Any = None, *, keepdims: Any = False, **options: Any) -> Stacked:
        if type(a) is not Stacked or set(options) - set(also) or any_varies(options):
            call_of(a, options).refuse(
                f"calls numpy.{function.__name__} with {', '.join(sorted(options))}"
            )
        return a.like(
            function(a._data, axis=axes(axis, a.ndim), keepdims=keepdims is True, **options)
        )

    return reduced


STATISTICS: tuple[Callable[..., Any], ...] = (
    np.mean,
    np.nansum,
    np.nanmean,
    np.median,
    np.count_nonzero,
    np.ptp,
)
SPREADS: tuple[Callable[..., Any], ...] = (np.std, np.var)
SCANS: tuple[Callable[..., Any], ...] = (np.argmax, np.argmin, np.cumsum, np.cumprod)
ORDERS: tuple[Callable[..., Any], ...] = (np.sort, np.argsort)

FUNCTIONS.update({each: _statistic(each) for each in STATISTICS})
FUNCTIONS.update({each: _statistic(each, "ddof", "correction") for each in SPREADS})


def _along(function: Callable[..., Any], default: Any, *also: str) -> Callable[..., Any]:
    """A function along one axis, or over all elements in a row if axis is None."""

    def found(a: Stacked, axis: Any = default, **options: Any) -> Stacked:
        if type(a) is not Stacked or set(options) - set(also) or any_varies(options):
            call_of(a, options).refuse(
                f"calls numpy.{function.__name__} with {', '.join(sorted(options))}"
            )
        whole = a if axis is not None else flat(a)
        if not whole.ndim:
            raise np.exceptions.AxisError(axis, 0)
        return a.like(
            function(whole._data, axis=axes(-1 if axis is None else axis, whole.ndim)[0], **options)
        )

    return found


FUNCTIONS.update({each: _along(each, None) for each in SCANS})
FUNCTIONS.update({each: _along(each, -1, "kind", "stable") for each in ORDERS})


@known(np.average)
def average(a: Any, axis: Any = None, weights: Any = None) -> Stacked:
    """Σ a w / Σ w, as numpy computes it."""
    stack = call_of(a, weights).lift(a)
    if weights is None:
        return np.mean(stack, axis=axis)  # type: ignore[call-overload,no-any-return]
    given = stack._call.lift(weights)
    if given.shape != stack.shape:
        stack._call.refuse("calls numpy.average with weights of another shape")
    return (stack * given).sum(axis=axis) / given.sum(axis=axis)


@known(np.linalg.norm)
def norm(x: Stacked, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Stacked:
    """Norms of vectors and matrices."""
    if axis is None and (ord is None or (ord == 2 and x.ndim == 1)) and not keepdims:
        whole = flat(x)._data
        return x.like(np.sqrt(np.vecdot(whole, whole)))
    if axis is None and x.ndim > 2:
        raise ValueError("Improper number of dimensions to norm.")
    where = axes(axis, x.ndim)
    return x.like(
        np.linalg.norm(
            x._data, ord=ord, axis=where if len(where) > 1 else where[0], keepdims=keepdims
        )
    )


@known(np.dot)
def dot(a: Any, b: Any) -> Stacked:
    """numpy.dot of at most two axes."""
    call = call_of(a, b)
    left, right = call.lift(a), call.lift(b)
    if not left.ndim or not right.ndim:
        return apply(call, np.multiply, left, right)  # type: ignore[no-any-return]
    if left.ndim == right.ndim == 1:
        return _vectors(left, right)
    if left.ndim > 2 or right.ndim > 2:
        call.refuse("calls numpy.dot on more than two axes")
    return matmul(left, right)


def _vectors(left: Stacked, right: Stacked) -> Stacked:
    if left.shape != right.shape:
        raise ValueError(f"shapes {left.shape} and {right.shape} not aligned")
    return Stacked(left._call, np.vecdot(left._data, right._data), any_varies(left, right))


@known(np.inner)
def inner(a: Any, b: Any) -> Stacked:
    """numpy.inner of at most two axes."""
    right = call_of(a, b).lift(b)
    return dot(a, right.T if right.ndim == 2 else right)


@known(np.vdot)
def vdot(a: Any, b: Any) -> Stacked:
    """The dot product of all elements."""
    call = call_of(a, b)
    return _vectors(flat(call.lift(a)), flat(call.lift(b)))


@known(np.outer)
def outer_product(a: Any, b: Any) -> Stacked:
    """numpy.outer of all elements."""
    call = call_of(a, b)
    return outer(call, np.multiply, flat(call.lift(a)), flat(call.lift(b)))  # type: ignore[no-any-return]


@known(np.tensordot)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Stacked:
    """As numpy does it: both become matrices, and these are multiplied."""
    call = call_of(a, b)
    left, right = call.lift(a), call.lift(b)
    pairs = (
        (list(range(left.ndim - axes, left.ndim)), list(range(axes)))
        if isinstance(axes, int)
        else axes
    )
    over_left, over_right = ([each] if isinstance(each, int) else list(each) for each in pairs)
    over_left, over_right = (
        [each % left.ndim for each in over_left],
        [each % right.ndim for each in over_right],
    )
    if [left.shape[i] for i in over_left] != [right.shape[i] for i in over_right]:
        raise ValueError("shape-mismatch for sum")
    kept_left = [i for i in range(left.ndim) if i not in over_left]
    kept_right = [i for i in range(right.ndim) if i not in over_right]
    summed = int(np.prod([left.shape[i] for i in over_left], dtype=int))
    rows, columns = [left.shape[i] for i in kept_left], [right.shape[i] for i in kept_right]
    first = left.transpose(kept_left + over_left).reshape(int(np.prod(rows, dtype=int)), summed)
    second = right.transpose(over_right + kept_right).reshape(
        summed, int(np.prod(columns, dtype=int))
    )
    return (
        dot(first, second).reshape(*rows, *columns) if rows or columns else dot(first, second)[0, 0]
    )


@known(np.einsum)
def einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Stacked:
    """numpy.einsum with one more letter, for the draws."""
    call = call_of(*operands)
    if not isinstance(subscripts, str) or "." in subscripts or optimize is not False:
        call.refuse("calls numpy.einsum with an ellipsis, lists or optimize=")
    terms, _, answer = subscripts.replace(" ", "").partition("->")
    if "->" not in subscripts:
        letters = terms.replace(",", "")
        answer = "".join(sorted(letter for letter in set(letters) if letters.count(letter) == 1))
    draws = next(
        letter
        for letter in "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA"
        if letter not in terms
    )
    stacks = [call.lift(each) for each in operands]
    with_draws = [
        draws + term if each._varies else term
        for term, each in zip(terms.split(","), stacks, strict=True)
    ]
    found = np.einsum(
        f"{','.join(with_draws)}->{draws}{answer}",
        *[each._data if each._varies else each._data[0] for each in stacks],
    )
    return Stacked(call, found, True)


@known(np.where)
def where(condition: Any, x: Any = None, y: Any = None) -> Stacked:
    """x where the condition holds, else y."""
    call = call_of(condition, x, y)
    if x is None or y is None:
        call.refuse(
            "calls numpy.where with a condition only: how many elements it finds depends on the"
            " draw"
        )
    operands = [operand(call, each) for each in (condition, x, y)]
    return Stacked(call, np.where(*aligned(*operands)), any_varies(*operands))


@known(np.clip)
def clip(
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    out: Any = None,
    *,
    min: Any = None,
    max: Any = None,
) -> Stacked:
    """Between bounds, either of which may be None."""
    call = call_of(a, a_min, a_max, min, max)
    if out is not None:
        call.refuse("calls numpy.clip with out=")
    low, high = (a_min if a_min is not None else min), (a_max if a_max is not None else max)
    bounds = [None if each is None else operand(call, each) for each in (low, high)]
    ready = aligned(call.lift(a), *[each for each in bounds if each is not None])
    array, rest = ready[0], iter(ready[1:])
    return Stacked(
        call,
        np.clip(array, *[None if each is None else next(rest) for each in bounds]),
        any_varies(a, *bounds),
    )


@known(np.isclose)
def isclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Stacked:
    """Whether elements are close."""
    call = call_of(a, b)
    left, right = call.lift(a), call.lift(b)
    rank = max(left.ndim, right.ndim)
    return Stacked(
        call,
        np.isclose(padded(left, rank), padded(right, rank), rtol, atol, equal_nan),
        any_varies(a, b),
    )


@known(np.nan_to_num)
def nan_to_num(
    x: Stacked, copy: bool = True, nan: float = 0.0, posinf: Any = None, neginf: Any = None
) -> Stacked:
    """Numbers in place of nan and infinities."""
    if not copy:
        x._call.refuse("calls numpy.nan_to_num with copy=False")
    return x.like(np.nan_to_num(x._data, nan=nan, posinf=posinf, neginf=neginf))


@known(np.round, np.around)
def rounded(a: Stacked, decimals: int = 0) -> Stacked:
    """To a number of decimals."""
    return a.like(np.round(a._data, decimals))


@known(np.diff)
def diff(a: Stacked, n: int = 1, axis: int = -1) -> Stacked:
    """Differences of neighbours."""
    return a.like(np.diff(a._data, n, axes(axis, a.ndim)[0]))


@known(np.trace)
def trace(a: Stacked, offset: int = 0) -> Stacked:
    """The sum of the diagonal of a matrix."""
    if a.ndim != 2:
        a._call.refuse("calls numpy.trace on what isn't a matrix")
    return a.like(np.trace(a._data, offset, 1, 2))
