"""numpy on many draws at once: arrays that hide a leading axis of draws, so that a function written for one draw runs on all of them.

`Stacked` is a duck array (NEP 13 and 18), not an ndarray: whatever it doesn't know how to do for each draw by itself, and whatever makes
one Python value of many draws, raises `NotStackable`. The engine then calls the function once for each draw.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin


class NotStackable(Exception):
    """The function can't be run on many draws at once; the message says why."""


def call_stacked(function: Callable[..., Any], stacked: Mapping[str, Any], plain: Mapping[str, Any], count: int) -> Any:
    """What a function returns for each of `count` draws.

    Args:
        function: written for one draw.
        stacked: arguments with a leading axis of draws.
        plain: arguments that are the same for all draws.
        count: how many draws.

    Returns:
        (count, *shape), or a dict of such.

    Raises:
        NotStackable: it can't be run on all of them at once, or writes into what it is given.
    """
    arguments: dict[str, Any] = {name: Stacked(_frozen(values)) for name, values in stacked.items()}
    for name, value in plain.items():
        # an array that is the same for all draws hides its axis, too, so that it can be indexed by what differs
        arguments[name] = Stacked(np.broadcast_to(value, (count, *value.shape))) if isinstance(value, np.ndarray) else value
    found = function(**arguments)
    if isinstance(found, Mapping):
        return {name: _whole(value, count) for name, value in found.items()}
    return _whole(found, count)


def _frozen(values: Any) -> np.ndarray:
    out = np.asarray(values).view()
    out.flags.writeable = False
    return out


def _whole(value: Any, count: int) -> np.ndarray:
    if isinstance(value, Stacked):
        return value.values
    if isinstance(value, list | tuple) and any(isinstance(entry, Stacked) for entry in value):
        raise NotStackable("it returns a list")
    array = np.asarray(value)
    return np.broadcast_to(array, (count, *array.shape))


def _refused(what: str) -> Callable[..., Any]:
    def refuse(self: Stacked, *arguments: Any, **options: Any) -> Any:
        raise NotStackable(what)

    return refuse


class Stacked(NDArrayOperatorsMixin):
    """An array for each of many draws.

    Args:
        values: (draws, *shape).
    """

    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 1000

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    # --- what one draw's array says of itself -------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one draw's array."""
        return self.values.shape[1:]

    @property
    def ndim(self) -> int:
        """Of one draw's array."""
        return self.values.ndim - 1

    @property
    def size(self) -> int:
        """Of one draw's array."""
        return int(np.prod(self.shape))

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the entries."""
        return self.values.dtype

    @property
    def T(self) -> Stacked:
        """Each draw's array transposed."""
        return self.transpose()

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Stacked]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<stacked {self.shape} {self.dtype}>"

    __bool__ = _refused("it branches on the numbers of a draw")
    __float__ = __int__ = __index__ = __complex__ = item = _refused("it makes a Python number of an array's entry")
    tolist = _refused("it makes a list of an array")
    __format__ = __str__ = _refused("it writes numbers as text")
    __contains__ = _refused("it looks for a number in an array")

    def __array__(self, *arguments: Any, **options: Any) -> Any:
        raise NotStackable("it makes a new array of numbers that differ from draw to draw")

    # --- ufuncs and functions -----------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if options.get("out") is not None or method not in ("__call__", "reduce"):
            if method == "__call__" and options["out"] == (self,) and _writeable(self):
                made = self.__array_ufunc__(ufunc, method, *inputs)
                self.values[...] = made.values
                return self
            raise NotStackable(f"it writes into an array, or uses numpy.{ufunc.__name__}.{method}")
        if method == "reduce":
            return _reduced(ufunc.reduce, inputs[0], **options)
        if set(options) - {"where", "dtype"} or isinstance(options.get("where"), Stacked) or ufunc.signature is not None:
            if ufunc is np.matmul and not options:
                return _matmul(*inputs)
            raise NotStackable(f"numpy.{ufunc.__name__} is used in a way that isn't known")
        found = ufunc(*_aligned(inputs), **options)
        return tuple(Stacked(each) for each in found) if isinstance(found, tuple) else Stacked(found)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        from altpg_verify.audit.stacked_functions import FUNCTIONS

        known = FUNCTIONS.get(function)
        if known is None:
            raise NotStackable(f"it calls numpy.{getattr(function, '__name__', function)}, which isn't known for many draws at once")
        return known(*arguments, **options)

    def __iadd__(self, other: Any) -> Any:
        return self._in_place(operator.add, other)

    def __isub__(self, other: Any) -> Any:
        return self._in_place(operator.sub, other)

    def __imul__(self, other: Any) -> Any:
        return self._in_place(operator.mul, other)

    def __itruediv__(self, other: Any) -> Any:
        return self._in_place(operator.truediv, other)

    def _in_place(self, operation: Callable[[Any, Any], Any], other: Any) -> Stacked:
        if not _writeable(self):
            raise NotStackable("it writes into an argument")
        made = operation(self, other)
        if made.values.shape != self.values.shape or not np.can_cast(made.dtype, self.dtype, "same_kind"):
            raise NotStackable("it writes numbers of another kind into an array")
        self.values[...] = made.values
        return self

    # --- indexing -----------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Stacked:
        keys = key if isinstance(key, tuple) else (key,)
        if not any(isinstance(each, Stacked) for each in keys):
            if any(isinstance(each, list | np.ndarray) for each in keys) and len(keys) > 1:
                raise NotStackable("it indexes by several arrays")
            # a boolean array or a list of numbers picks the same entries of each draw
            return Stacked(self.values[(slice(None), *keys)])
        return _picked(self, keys)

    def __setitem__(self, key: Any, value: Any) -> None:
        if not _writeable(self):
            raise NotStackable("it writes into an argument")
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) == 1 and isinstance(keys[0], Stacked) and keys[0].dtype == bool:
            if isinstance(value, Stacked) and value.ndim:
                raise NotStackable("it writes many numbers where a condition holds")
            chosen, new, _ = _aligned((keys[0], value, self))
            self.values = np.where(chosen, new, self.values).astype(self.dtype)
            return
        if any(isinstance(each, Stacked | list | np.ndarray) for each in keys):
            raise NotStackable("it writes at places that differ from draw to draw")
        target = self.values[(slice(None), *keys)]
        target[...] = _lifted(value, target.ndim - 1) if isinstance(value, Stacked) else value

    # --- methods ------------------------------------------------------------------------------------------------------

    def copy(self) -> Stacked:
        """Arrays of their own."""
        return Stacked(self.values.copy())

    def astype(self, dtype: Any) -> Stacked:
        """As other numbers."""
        return Stacked(self.values.astype(dtype))

    def reshape(self, *shape: Any) -> Stacked:
        """Each draw's array in another shape."""
        wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
        return Stacked(self.values.reshape(len(self.values), *_measured(tuple(wanted), self.size)))

    def ravel(self) -> Stacked:
        """Each draw's array flattened."""
        return self.reshape(self.size)

    flatten = ravel

    def transpose(self, *axes: Any) -> Stacked:
        """Each draw's axes in another order."""
        order = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list) else axes
        order = tuple(reversed(range(self.ndim))) if not order or order == (None,) else tuple(a % self.ndim for a in order)
        return Stacked(self.values.transpose(0, *(a + 1 for a in order)))

    def squeeze(self) -> Stacked:
        """Without each draw's axes of length one."""
        return Stacked(self.values.reshape(len(self.values), *(n for n in self.shape if n != 1)))

    def __getattr__(self, name: str) -> Any:
        from altpg_verify.audit.stacked_functions import METHODS

        if name in METHODS:
            return lambda *arguments, **options: METHODS[name](self, *arguments, **options)
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotStackable(f"it uses the array's {name!r}, which isn't known for many draws at once")


def _writeable(array: Stacked) -> bool:
    return bool(array.values.flags.writeable)


def _measured(shape: tuple[Any, ...], size: int) -> tuple[int, ...]:
    """A shape with -1 filled in, so that the axis of draws can't be swallowed."""
    known = int(np.prod([n for n in shape if n != -1]))
    return tuple(size // max(known, 1) if n == -1 else int(n) for n in shape)


def _lifted(array: Stacked, ndim: int) -> np.ndarray:
    """Its values with axes of length one after that of draws, so that it broadcasts like an array of `ndim` axes."""
    values = array.values
    return values.reshape(len(values), *[1] * (ndim - array.ndim), *array.shape) if array.ndim < ndim else values


def _aligned(inputs: Any) -> list[Any]:
    """Operands whose axes of draws meet."""
    ndim = max((each.ndim if isinstance(each, Stacked) else np.ndim(each)) for each in inputs)
    return [_lifted(each, ndim) if isinstance(each, Stacked) else each for each in inputs]


def _axes(axis: Any, ndim: int) -> Any:
    """Axes of one draw's array as axes of the stack; all of them by default."""
    if axis is None:
        return tuple(range(1, ndim + 1))
    if isinstance(axis, tuple):
        return tuple(_axes(a, ndim) for a in axis)
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim + 1


def _reduced(reduce: Callable[..., Any], array: Any, *arguments: Any, axis: Any = 0, **options: Any) -> Stacked:
    if not isinstance(array, Stacked) or arguments or options.pop("out", None) is not None or isinstance(options.get("where"), Stacked):
        raise NotStackable("it sums in a way that isn't known for many draws at once")
    if options.get("keepdims") is None:
        options.pop("keepdims", None)
    where = _axes(axis, array.ndim)
    if axis is None and array.ndim > 1 and not options.get("keepdims"):
        # one draw's array is summed as it lies in memory
        flat = np.ascontiguousarray(array.values).reshape(len(array.values), -1)
        return Stacked(reduce(flat, axis=1, **options))
    return Stacked(reduce(array.values, axis=where, **options))


def _matmul(one: Any, other: Any) -> Stacked:
    left, right = (each.values if isinstance(each, Stacked) else np.asarray(each) for each in (one, other))
    first = one.ndim if isinstance(one, Stacked) else left.ndim
    second = other.ndim if isinstance(other, Stacked) else right.ndim
    if not 0 < first <= 2 or not 0 < second <= 2:
        raise NotStackable("numpy.matmul of such shapes isn't known for many draws at once")
    left = left[..., None, :] if first == 1 else left
    right = right[..., :, None] if second == 1 else right
    made = np.matmul(left, right)
    made = made[..., 0] if second == 1 else made
    return Stacked(made[..., 0, :] if first == 1 and second == 2 else made[..., 0] if first == 1 else made)


def _picked(array: Stacked, keys: tuple[Any, ...]) -> Stacked:
    """Indexing by whole numbers that differ from draw to draw."""
    if len(keys) > array.ndim or any(not isinstance(each, Stacked | int) for each in keys):
        raise NotStackable("it indexes by arrays in a way that isn't known for many draws at once")
    if any(isinstance(each, Stacked) and each.dtype == bool for each in keys):
        raise NotStackable("it picks entries by a condition that differs from draw to draw")
    ndim = max(each.ndim for each in keys if isinstance(each, Stacked))
    draws = np.arange(len(array.values)).reshape(-1, *[1] * ndim)
    return Stacked(array.values[(draws, *(_lifted(each, ndim) if isinstance(each, Stacked) else each for each in keys))])
