"""What numpy's functions do for each of many draws by itself; what isn't here isn't known (see `stacked`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altpg_verify.audit.stacked import NotStackable, Stacked, _aligned, _axes, _lifted, _matmul, _reduced


def _reduction(function: Callable[..., Any]) -> Callable[..., Stacked]:
    def reduce(array: Any, axis: Any = None, *arguments: Any, **options: Any) -> Stacked:
        return _reduced(function, array, *arguments, axis=axis, **options)

    return reduce


def _each(function: Callable[..., Any]) -> Callable[..., Stacked]:
    """Of functions that act on each entry by itself."""

    def act(*inputs: Any, **options: Any) -> Stacked:
        if options:
            raise NotStackable(f"numpy.{function.__name__} with options isn't known for many draws at once")
        return Stacked(function(*_aligned(inputs)))

    return act


def _along(function: Callable[..., Any], default: Any = -1) -> Callable[..., Stacked]:
    """Of functions along one axis that keep the others."""

    def act(array: Any, *arguments: Any, axis: Any = default, **options: Any) -> Stacked:
        if not isinstance(array, Stacked) or any(isinstance(each, Stacked) for each in arguments):
            raise NotStackable(f"numpy.{function.__name__} is used in a way that isn't known for many draws at once")
        if axis is None:
            array, axis = array.ravel(), 0
        return Stacked(function(array.values, *arguments, axis=_axes(axis, array.ndim), **options))

    return act


def _joined(function: Callable[..., Any], *, new: bool) -> Callable[..., Stacked]:
    def act(arrays: Any, axis: int = 0, **options: Any) -> Stacked:
        if options:
            raise NotStackable(f"numpy.{function.__name__} with options isn't known for many draws at once")
        parts: list[np.ndarray]
        count = next(len(each.values) for each in arrays if isinstance(each, Stacked))
        parts = [
            each.values if isinstance(each, Stacked) else np.broadcast_to(np.asarray(each), (count, *np.shape(each))) for each in arrays
        ]
        return Stacked(function(parts, axis=_axes(axis, parts[0].ndim - 1 + new)))

    return act


def _filled(function: Callable[..., Any]) -> Callable[..., Stacked]:
    return lambda array, *arguments, **options: Stacked(function(array.values, *arguments, **options))


def _where(condition: Any, *choices: Any) -> Stacked:
    if len(choices) != 2:
        raise NotStackable("numpy.where without choices isn't known for many draws at once")
    return Stacked(np.where(*_aligned((condition, *choices))))


def _outer(one: Any, other: Any) -> Stacked:
    first, second = (each if isinstance(each, Stacked) else np.asarray(each) for each in (one, other))
    made: Stacked = first.reshape(-1)[:, None] * second.reshape(-1)[None, :]
    return made


def _dot(one: Any, other: Any) -> Any:
    if np.ndim(one) == 0 or np.ndim(other) == 0:
        return one * other
    return _matmul(one, other)


def _expanded(array: Stacked, axis: int) -> Stacked:
    return Stacked(np.expand_dims(array.values, _axes(axis, array.ndim + 1)))


def _repeated(array: Stacked, repeats: Any, axis: Any = None) -> Stacked:
    if isinstance(repeats, Stacked):
        raise NotStackable("it repeats entries differently from draw to draw")
    array, axis = (array.ravel(), 0) if axis is None else (array, axis)
    return Stacked(np.repeat(array.values, repeats, axis=_axes(axis, array.ndim)))


def _deleted(array: Stacked, index: Any, axis: Any = None) -> Stacked:
    if isinstance(index, Stacked):
        raise NotStackable("it deletes entries that differ from draw to draw")
    array, axis = (array.ravel(), 0) if axis is None else (array, axis)
    return Stacked(np.delete(array.values, index, axis=_axes(axis, array.ndim)))


def _flipped(array: Stacked, axis: Any = None) -> Stacked:
    return Stacked(np.flip(array.values, axis=_axes(axis, array.ndim)))


def _clipped(array: Any, low: Any = None, high: Any = None) -> Stacked:
    found: Any = array
    if low is not None:
        found = np.maximum(found, low)
    if high is not None:
        found = np.minimum(found, high)
    if not isinstance(found, Stacked):
        raise NotStackable("numpy.clip without bounds")
    return found


def _take_along(array: Any, indices: Any, axis: int) -> Stacked:
    ndim = max(np.ndim(array), np.ndim(indices))
    left, right = (_lifted(each, ndim) if isinstance(each, Stacked) else each for each in (array, indices))
    if not isinstance(array, Stacked) or not isinstance(indices, Stacked):
        raise NotStackable("numpy.take_along_axis is used in a way that isn't known for many draws at once")
    return Stacked(np.take_along_axis(left, right, axis=_axes(axis, ndim)))


def _moved(array: Stacked, source: int, destination: int) -> Stacked:
    return Stacked(np.moveaxis(array.values, _axes(source, array.ndim), _axes(destination, array.ndim)))


def _swapped(array: Stacked, one: int, other: int) -> Stacked:
    return Stacked(np.swapaxes(array.values, _axes(one, array.ndim), _axes(other, array.ndim)))


_REDUCTIONS = {
    function.__name__: _reduction(function)
    for function in (np.sum, np.mean, np.std, np.var, np.min, np.max, np.amin, np.amax, np.prod, np.any, np.all, np.median, np.nanmean)
}

FUNCTIONS: dict[Any, Callable[..., Any]] = {
    **{getattr(np, name): act for name, act in _REDUCTIONS.items()},
    np.argmax: _along(np.argmax, None),
    np.argmin: _along(np.argmin, None),
    np.cumsum: _along(np.cumsum, None),
    np.cumprod: _along(np.cumprod, None),
    np.sort: _along(np.sort),
    np.argsort: _along(np.argsort),
    np.diff: _along(np.diff),
    np.where: _where,
    np.concatenate: _joined(np.concatenate, new=False),
    np.stack: _joined(np.stack, new=True),
    np.zeros_like: _filled(np.zeros_like),
    np.ones_like: _filled(np.ones_like),
    np.full_like: _filled(np.full_like),
    np.copy: lambda array: array.copy(),
    np.outer: _outer,
    np.dot: _dot,
    np.inner: _dot,
    np.clip: _clipped,
    np.expand_dims: _expanded,
    np.repeat: _repeated,
    np.delete: _deleted,
    np.flip: _flipped,
    np.moveaxis: _moved,
    np.swapaxes: _swapped,
    np.take_along_axis: _take_along,
    np.reshape: lambda array, shape: array.reshape(shape),
    np.ravel: lambda array: array.ravel(),
    np.squeeze: lambda array: array.squeeze(),
    np.transpose: lambda array, axes=None: array.transpose(axes),
    np.shape: lambda array: array.shape,
    np.ndim: lambda array: array.ndim,
    np.size: lambda array: array.size,
    np.round: _each(np.round),
    np.nan_to_num: _each(np.nan_to_num),
    np.isclose: _each(np.isclose),
    np.real: _each(np.real),
}

METHODS: dict[str, Callable[..., Any]] = {
    **{name: _REDUCTIONS[name] for name in ("sum", "mean", "std", "var", "min", "max", "prod", "any", "all")},
    "argmax": FUNCTIONS[np.argmax],
    "argmin": FUNCTIONS[np.argmin],
    "cumsum": FUNCTIONS[np.cumsum],
    "dot": _dot,
    "repeat": _repeated,
    "clip": _clipped,
    "round": _each(np.round),
    "swapaxes": _swapped,
}
"""Methods of arrays that are the functions of the same name."""
