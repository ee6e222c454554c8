"""numpy's functions that only move elements, on stacked arrays: reshape, transpose, join, repeat,
take.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from altpg_verify.audit.stacked_array import FUNCTIONS, Stacked, any_varies, call_of
from altpg_verify.audit.stacked_functions import flat, known, together
from altpg_verify.audit.stacked_ufuncs import axes, padded


def _filled(function: Callable[..., Any]) -> Callable[..., Any]:
    def made(a: Stacked, *args: Any, dtype: Any = None, **options: Any) -> Stacked:
        if options or len(args) > 1 or any_varies(args):
            a._call.refuse(
                f"calls numpy.{function.__name__} with options that aren't known for stacked draws"
            )
        if len(args) == 1 and function is not np.full_like:
            dtype, args = args[0], ()
        # it is there to be written into: it has an axis of draws from the start
        return Stacked(
            a._call,
            function(
                np.broadcast_to(a._data, (a._call.count, *a.shape)), *args, dtype=dtype, order="C"
            ),
            True,
        )

    return made


for _function in (np.zeros_like, np.ones_like, np.empty_like, np.full_like):
    FUNCTIONS[_function] = _filled(_function)


@known(np.shape)
def shape(a: Stacked) -> tuple[int, ...]:
    """The shape for one draw."""
    return a.shape


@known(np.ndim)
def ndim(a: Stacked) -> int:
    """The number of axes for one draw."""
    return a.ndim


@known(np.size)
def size(a: Stacked, axis: int | None = None) -> int:
    """The number of elements for one draw."""
    return a.size if axis is None else a.shape[axis]


@known(np.result_type)
def result_type(*values: Any) -> np.dtype[Any]:
    """The type of a result of all of them."""
    return np.result_type(*[each.dtype if type(each) is Stacked else each for each in values])


@known(np.real)
def real(val: Stacked) -> Stacked:
    """Itself."""
    return val


@known(np.copy)
def copy(a: Stacked) -> Stacked:
    """A copy that may be written into, C-ordered for each draw."""
    return a.copy()


@known(np.reshape)
def reshape(a: Stacked, shape: Any, order: str = "C") -> Stacked:
    """Another shape for each draw."""
    wanted = tuple(shape) if isinstance(shape, Sequence) else (shape,)
    if order != "C":
        a._call.refuse("reshapes in another order than C")
    wanted = tuple(int(each) for each in wanted)
    if -1 in wanted:
        wanted = np.broadcast_to(0, a.shape).reshape(wanted).shape
    return a.like(a._data.reshape(len(a._data), *wanted))


@known(np.ravel)
def ravel(a: Stacked, order: str = "C") -> Stacked:
    """One axis for each draw."""
    if order != "C":
        a._call.refuse("flattens in another order than C")
    return flat(a)


@known(np.transpose)
def transpose(a: Stacked, axes: Any = None) -> Stacked:
    """The axes of each draw in another order."""
    order = range(a.ndim)[::-1] if axes is None else [int(each) % a.ndim for each in axes]
    return a.like(a._data.transpose(0, *[each + 1 for each in order]))


@known(np.swapaxes)
def swapaxes(a: Stacked, axis1: int, axis2: int) -> Stacked:
    """Two axes of each draw exchanged."""
    return a.like(np.swapaxes(a._data, axes(axis1, a.ndim)[0], axes(axis2, a.ndim)[0]))


@known(np.moveaxis)
def moveaxis(a: Stacked, source: Any, destination: Any) -> Stacked:
    """Axes of each draw moved."""
    places = [tuple(each) if isinstance(each, Sequence) else each for each in (source, destination)]
    return a.like(np.moveaxis(a._data, axes(places[0], a.ndim), axes(places[1], a.ndim)))


@known(np.expand_dims)
def expand_dims(a: Stacked, axis: Any) -> Stacked:
    """With further axes of length 1."""
    more = len(axis) if isinstance(axis, tuple) else 1
    return a.like(np.expand_dims(a._data, axes(axis, a.ndim + more)))


@known(np.squeeze)
def squeeze(a: Stacked, axis: Any = None) -> Stacked:
    """Without axes of length 1."""
    gone = (
        tuple(i + 1 for i, length in enumerate(a.shape) if length == 1)
        if axis is None
        else axes(axis, a.ndim)
    )
    return a.like(np.squeeze(a._data, gone))


@known(np.broadcast_to)
def broadcast_to(array: Stacked, shape: Any) -> Stacked:
    """Repeated to a shape, without copying."""
    wanted = (shape,) if isinstance(shape, int) else tuple(shape)
    return array.like(np.broadcast_to(padded(array, len(wanted)), (len(array._data), *wanted)))


def _at_least(rank: int) -> Callable[..., Any]:
    def grown(*arrays: Any) -> Any:
        stacks = [call_of(*arrays).lift(each) for each in arrays]
        found = tuple(each.like(padded(each, rank)) for each in stacks)
        return found[0] if len(found) == 1 else found

    return grown


FUNCTIONS.update({np.atleast_1d: _at_least(1), np.atleast_2d: _at_least(2)})


@known(np.concatenate)
def concatenate(arrays: Any, axis: Any = 0) -> Stacked:
    """Joined along an axis."""
    stacks, made = together(*arrays)
    if axis is None:
        stacks, axis = [flat(each) for each in stacks], 0
    if not all(each.ndim for each in stacks):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    return made(np.concatenate([each._data for each in stacks], axis=axes(axis, stacks[0].ndim)[0]))


@known(np.stack)
def stack(arrays: Any, axis: int = 0) -> Stacked:
    """Joined along a new axis."""
    stacks, made = together(*arrays)
    return made(np.stack([each._data for each in stacks], axis=axes(axis, stacks[0].ndim + 1)[0]))


@known(np.vstack)
def vstack(tup: Any) -> Stacked:
    """Joined as rows."""
    return concatenate([np.atleast_2d(each) for each in tup])


@known(np.hstack)
def hstack(tup: Any) -> Stacked:
    """Joined side by side."""
    arrays = [np.atleast_1d(each) for each in tup]
    return concatenate(arrays, axis=0 if arrays[0].ndim == 1 else 1)


@known(np.column_stack)
def column_stack(tup: Any) -> Stacked:
    """Joined as columns."""
    return concatenate(
        [np.atleast_2d(each).T if np.ndim(each) < 2 else each for each in tup], axis=1
    )


@known(np.append)
def append(arr: Any, values: Any, axis: Any = None) -> Stacked:
    """Joined at the end."""
    return concatenate([arr, values], axis=axis)


@known(np.insert)
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Stacked:
    """A number put into a vector."""
    call = call_of(arr, obj, values)
    array, new = call.lift(arr), call.lift(values)
    if type(obj) is not int or array.ndim != 1 or new.ndim or axis not in (None, 0, -1):
        call.refuse("calls numpy.insert other than with one number in a vector")
    place = obj + len(array) if obj < 0 else obj
    if not 0 <= place <= len(array):
        raise IndexError(f"index {obj} is out of bounds for axis 0 with size {len(array)}")
    return concatenate([array[:place], np.atleast_1d(new).astype(array.dtype), array[place:]])


@known(np.delete)
def delete(arr: Stacked, obj: Any, axis: Any = None) -> Stacked:
    """Without some elements, which don't depend on the draw."""
    if any_varies(obj):
        arr._call.refuse("deletes elements that depend on the draw")
    whole = flat(arr) if axis is None else arr
    place = obj._data[0] if type(obj) is Stacked else obj
    where = axes(0 if axis is None else axis, whole.ndim)[0] - 1
    kept = np.ones(whole.shape[where], dtype=bool)
    kept[np.asarray(place) if isinstance(place, list) else place] = False
    found = whole[(slice(None),) * where + (kept,)]
    # as numpy lays them out in memory, which decides the order of later sums
    return found.copy() if isinstance(place, int | slice) else found


@known(np.repeat)
def repeat(a: Stacked, repeats: Any, axis: Any = None) -> Stacked:
    """Each element several times."""
    if any_varies(repeats):
        call_of(repeats).refuse("repeats elements as often as the draw says")
    times = repeats._data[0] if type(repeats) is Stacked else repeats
    whole = flat(a) if axis is None else a
    return a.like(np.repeat(whole._data, times, axes(0 if axis is None else axis, whole.ndim)[0]))


@known(np.tile)
def tile(A: Stacked, reps: Any) -> Stacked:
    """The whole several times."""
    times = tuple(reps) if isinstance(reps, Sequence) else (int(reps),)
    rank = max(len(times), A.ndim)
    return A.like(np.tile(padded(A, rank), (1, *(1,) * (rank - len(times)), *times)))


@known(np.flip)
def flip(m: Stacked, axis: Any = None) -> Stacked:
    """Reversed."""
    return m.like(np.flip(m._data, axes(axis, m.ndim)))


@known(np.roll)
def roll(a: Stacked, shift: Any, axis: Any = None) -> Stacked:
    """Shifted around, as far for every draw."""
    if any_varies(shift):
        call_of(shift).refuse("rolls as far as the draw says")
    if axis is None:
        return flat(a).like(np.roll(flat(a)._data, shift, 1)).reshape(a.shape)  # type: ignore[no-any-return]
    return a.like(np.roll(a._data, shift, axes(axis, a.ndim)))


def _split(function: Callable[..., Any]) -> Callable[..., Any]:
    def parts(ary: Stacked, indices_or_sections: Any, axis: int = 0) -> list[Stacked]:
        return [
            ary.like(each)
            for each in function(ary._data, indices_or_sections, axes(axis, ary.ndim)[0])
        ]

    return parts


FUNCTIONS.update({np.split: _split(np.split), np.array_split: _split(np.array_split)})


@known(np.take)
def take(a: Any, indices: Any, axis: Any = None) -> Stacked:
    """Elements by their numbers."""
    array = call_of(a, indices).lift(a)
    if axis is None:
        return flat(array)[indices]
    found = array[(slice(None),) * (axes(axis, array.ndim)[0] - 1) + (indices,)]
    return found.copy()  # numpy.take gives C order, indexing needn't


@known(np.take_along_axis)
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Stacked:
    """Elements by their numbers along one axis."""
    (array, chosen), made = together(arr, indices)
    if axis is None:
        array, axis = flat(array), 0
    return made(np.take_along_axis(array._data, chosen._data, axes(axis, array.ndim)[0]))


@known(np.diagonal)
def diagonal(a: Stacked, offset: int = 0) -> Stacked:
    """The diagonal of a matrix."""
    if a.ndim != 2:
        a._call.refuse("calls numpy.diagonal on what isn't a matrix")
    return a.like(np.diagonal(a._data, offset, 1, 2))


@known(np.diag)
def diag(v: Stacked, k: int = 0) -> Stacked:
    """A matrix with a diagonal, or the diagonal of a matrix."""
    if v.ndim == 2:
        return diagonal(v, k).copy()
    size = len(v) + abs(k)
    matrix = np.zeros((len(v._data), size, size), dtype=v.dtype)
    rows = np.arange(len(v))
    matrix[:, rows + max(-k, 0), rows + max(k, 0)] = v._data
    return v.like(matrix)


def _triangle(function: Callable[..., Any]) -> Callable[..., Any]:
    def part(m: Stacked, k: int = 0) -> Stacked:
        if m.ndim < 2:
            m._call.refuse(f"calls numpy.{function.__name__} on a vector")
        return m.like(function(m._data, k))

    return part


FUNCTIONS.update({np.tril: _triangle(np.tril), np.triu: _triangle(np.triu)})
