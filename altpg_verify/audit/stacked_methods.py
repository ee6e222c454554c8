"""The methods and operators of an array, by the numpy functions of the same names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

BY_FUNCTION: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(np, name)
        for name in (
            *("sum", "mean", "std", "var", "min", "max", "prod", "cumsum", "cumprod"),
            *("any", "all"),
        )
    },
    **{
        name: getattr(np, name)
        for name in (
            *("argmax", "argmin", "argsort", "dot", "ravel", "squeeze", "swapaxes", "repeat"),
            *("take", "clip"),
        )
    },
    **{name: getattr(np, name) for name in ("round", "trace", "diagonal")},
}
"""Methods that are the function of the same name."""

IN_PLACE = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and_", "or_", "xor"),
    *("lshift", "rshift"),
)
"""Operators `x += y`, ...: names of the functions in `operator` that give the result."""

PARTS: dict[str, Callable[..., Any]] = {}
"""How a part of a stacked array is read ("read") and written ("write"), and how a result is stored
in one ("store"); filled by `stacked_indexing` and `stacked_ufuncs`, which need the array.
"""


class Methods(np.lib.mixins.NDArrayOperatorsMixin):
    """What `Stacked` has besides its data: operators (by ufuncs) and the methods of an array."""

    __slots__ = ()

    def __pow__(self, other: Any) -> Any:
        # an array's ** has shortcuts (squares, roots) that np.power hasn't
        if type(other) in (bool, int, float) and self.ndim:  # type: ignore[attr-defined]
            return self.like(self._data**other)  # type: ignore[attr-defined]
        return np.power(self, other)  # type: ignore[call-overload]

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """With another shape, for each draw."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, order=order)  # type: ignore[call-overload]

    def transpose(self, *axes: Any) -> Any:
        """With its axes in another order, for each draw."""
        return np.transpose(self, axes[0] if len(axes) == 1 else axes or None)  # type: ignore[call-overload]

    def flatten(self) -> Any:
        """A copy with one axis for each draw."""
        return np.ravel(self).copy()  # type: ignore[call-overload]

    def sort(self, axis: int = -1) -> None:
        """Sort each draw in place."""
        self[...] = np.sort(self, axis=axis)  # type: ignore[index,call-overload]

    def fill(self, value: Any) -> None:
        """Set every element."""
        self[...] = value  # type: ignore[index]


def _method(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **options: Any) -> Any:
        return function(self, *args, **options)

    method.__name__, method.__doc__ = name, f"numpy.{name} of it."
    return method


def _in_place(function: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, other: Any) -> Any:
        result = function(self, other)
        if self._picked is not None:
            if result.shape != self.shape or not np.can_cast(result.dtype, self.dtype, "same_kind"):
                self._call.refuse("writes in place what doesn't fit")
            self._call.pending = self._picked  # x[a] = result must follow
            return result.astype(self.dtype)
        # a number can't change: the name gets another one
        return PARTS["store"](self._call, result, self) if self.ndim else result

    return method


for _name, _function in BY_FUNCTION.items():
    setattr(Methods, _name, _method(_name, _function))
for _name in IN_PLACE:
    setattr(Methods, f"__i{_name.rstrip('_')}__", _in_place(getattr(operator, _name)))
