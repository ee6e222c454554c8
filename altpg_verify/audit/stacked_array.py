"""An array that hides its leading axis: the same quantity of many draws, seen by a numpy function
as that of one.

`Stacked` is a duck array (NEP 13 and NEP 18), not an ndarray: what isn't known to act on each draw
alone refuses by `NotStackable`. Values that don't depend on the draw have a leading axis of length
1; numpy's broadcasting does the rest.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

import numpy as np

from altpg_verify.audit.stacked_methods import PARTS, Methods
from altpg_verify.audit.stacked_refusals import NotStackable, WritesIntoArgument

FUNCTIONS: dict[Any, Callable[..., Any]] = {}
"""numpy function -> what it is on stacked arrays; filled by `stacked_functions`."""

UFUNC_METHODS: dict[str, Callable[..., Any]] = {}
"""How a ufunc is used ("__call__", "reduce", ...) -> what it is on stacked arrays; filled by
`stacked_ufuncs`.
"""

KINDS = "bif"


class Call:
    """One stacked call.

    Args:
        count: how many draws there are.

    Attributes:
        inputs: the arguments that are arrays, by name.
        refusal: the first refusal, which the function may have swallowed.
        pending: the array and the key that must be assigned to next; see `settle`.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.inputs: dict[str, np.ndarray] = {}
        self.refusal: NotStackable | None = None
        self.pending: tuple[Stacked, Any] | None = None

    def refuse(self, why: str | NotStackable) -> NoReturn:
        """Remember why and raise."""
        error = why if isinstance(why, NotStackable) else NotStackable(why)
        self.refusal = self.refusal or error
        raise error

    def settle(self, parent: Any = None, key: Any = None) -> None:
        """After `x[a] += y` on a view for one draw, which is a copy here, nothing but x[a] = ...
        may follow.
        """
        pending, self.pending = self.pending, None
        if pending is not None and (pending[0] is not parent or pending[1] is not key):
            self.refuse(
                "writes into a view that depends on the draw (`row = x[a]`, then `row += ...`)"
            )

    def argument(self, name: str, data: np.ndarray, *, varies: bool) -> Stacked:
        """An argument of the function: it can't be written into."""
        data = data.view(np.ndarray)
        data.flags.writeable = False
        self.inputs[name] = data
        return Stacked(self, data, varies)

    def lift(self, value: Any) -> Stacked:
        """A number or an array that is the same for all draws, as a stack; a stack as it is."""
        if type(value) is Stacked:
            if value._call is not self:
                self.refuse("keeps an array from an earlier call")
            return value
        array = np.asarray(value)
        if array.dtype.kind not in KINDS:
            self.refuse(f"computes with {array.dtype} values")
        return Stacked(self, array[None], False)

    def written(self, data: np.ndarray) -> NoReturn:
        """Refuse a write into an array that must not change."""
        for name, given in self.inputs.items():
            if np.may_share_memory(data, given):
                self.refuse(WritesIntoArgument(name))
        self.refuse("writes into a read-only array")


def call_of(*values: Any) -> Call:
    """The call that stacked arrays belong to, found in nested arguments."""
    for value in values:
        if type(value) is Stacked:
            return value._call
        if isinstance(value, list | tuple | dict):
            try:
                return call_of(*(value.values() if isinstance(value, dict) else value))
            except LookupError:
                continue
    raise LookupError("no stacked array")


def any_varies(*values: Any) -> bool:
    """Whether something in nested arguments depends on the draw."""
    for value in values:
        if type(value) is Stacked:
            if value._varies:
                return True
        elif isinstance(value, list | tuple | dict) and any_varies(
            *(value.values() if isinstance(value, dict) else value)
        ):
            return True
    return False


def bare(value: Any) -> Any:
    """What doesn't depend on the draw as numpy has it, nested arguments included."""
    if type(value) is Stacked:
        return value._data[0]
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(bare(each) for each in value)
    if isinstance(value, dict):
        return {name: bare(each) for name, each in value.items()}
    return value


def lifted(call: Call, value: Any) -> Any:
    """What a numpy function returned for plain arguments, as stacked arrays that don't depend on
    the draw.
    """
    if type(value) in (list, tuple):
        return type(value)(lifted(call, each) for each in value)
    return call.lift(value) if isinstance(value, np.ndarray | np.generic) else value


def _recorded(act: Callable[..., Any]) -> Callable[..., Any]:
    """A function may catch an error that only some draws have: every error is kept as a refusal."""

    setter = act.__name__ == "__setitem__"

    def acting(self: Stacked, *args: Any, **options: Any) -> Any:
        self._call.settle(*((self, args[0]) if setter else ()))
        try:
            return act(self, *args, **options)
        except NotStackable:
            raise
        except Exception as error:
            name = getattr(args[0], "__name__", "") if args else ""
            self._call.refuse(
                f"raises {type(error).__name__}{f' in numpy.{name}' if name else ''} on the stack"
                f" of draws: {error}"
            )

    return acting


class Stacked(Methods):
    """The same quantity for all draws, with the axis of draws hidden.

    Args:
        call: the stacked call it belongs to.
        data: (draws or 1, ...) its values.
        varies: they depend on the draw; else the leading axis has length 1.

    `_picked` is the array and the key it was read with, if that gives a view for one draw and a
    copy here.
    """

    __slots__ = ("_call", "_data", "_picked", "_varies")

    def __init__(self, call: Call, data: np.ndarray, varies: bool) -> None:
        # a number taken out of an array is a value, not a view
        self._data = data.copy() if data.ndim == 1 and data.base is not None else data
        self._call, self._varies = call, varies
        self._picked: tuple[Stacked, Any] | None = None

    def like(self, data: np.ndarray) -> Stacked:
        """Another stack that depends on the draw if this one does."""
        # numpy makes a new array of a number, not a view
        new = not self.ndim and data.ndim > 1 and data.base is not None
        return Stacked(self._call, data.copy() if new else data, self._varies)

    # what it looks like: as its value for one draw

    @property  # type: ignore[misc]
    def __class__(self) -> type:  # type: ignore[override]
        return np.ndarray if self.ndim else self.dtype.type

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape for one draw."""
        return self._data.shape[1:]

    @property
    def ndim(self) -> int:
        """The number of axes for one draw."""
        return self._data.ndim - 1

    @property
    def size(self) -> int:
        """The number of elements for one draw."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of its elements."""
        return self._data.dtype

    @property
    def T(self) -> Stacked:
        """Transposed, for each draw."""
        return np.transpose(self)  # type: ignore[call-overload, no-any-return, return-value]

    @property
    def real(self) -> Stacked:
        """Itself: its numbers are real."""
        return self

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{self._call.count} draws of {self.dtype}{list(self.shape)}>"

    # what needs one number or one array: refused if it depends on the draw

    def alone(self, what: str) -> Any:
        """Its value for every draw alike.

        Raises:
            NotStackable: it depends on the draw; the message says `what` the function does.
        """
        if self._varies:
            self._call.refuse(what)
        return self._data[0]

    def __bool__(self) -> bool:
        return bool(
            self.alone(
                "makes a Python truth value of what depends on the draw: `if`, `and`, `or`,"
                " `min()`, `max()`"
            )
        )

    def __float__(self) -> float:
        return float(self.alone("calls float() on what depends on the draw"))

    def __int__(self) -> int:
        return int(self.alone("calls int() on what depends on the draw"))

    def __complex__(self) -> complex:
        return complex(self.alone("calls complex() on what depends on the draw"))

    def __index__(self) -> int:
        return operator.index(
            self.alone("indexes a list, a range or an array of its own by what depends on the draw")
        )

    def __round__(self, *digits: Any) -> Any:
        return round(self.alone("calls round() on what depends on the draw"), *digits)

    def __trunc__(self) -> int:
        return int(self.alone("calls math.trunc() on what depends on the draw"))

    def __hash__(self) -> int:
        return hash(self.alone("hashes what depends on the draw: set(), dict"))

    def __str__(self) -> str:
        return str(self.alone("prints what depends on the draw"))

    def __format__(self, spec: str) -> str:
        return format(self.alone("prints what depends on the draw"), spec)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(
            self.alone("makes a numpy array of its own from what depends on the draw"),
            dtype=dtype,
            copy=copy,
        )

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        self._call.refuse("pickles an array")

    def tolist(self) -> Any:
        """As Python numbers."""
        return self.alone("calls tolist() on what depends on the draw").tolist()

    def item(self, *index: Any) -> Any:
        """As a Python number."""
        return self.alone("calls item() on what depends on the draw").item(*index)

    def __getattr__(self, name: str) -> Any:
        real = np.ndarray if self.ndim else self.dtype.type
        if hasattr(real, name) and not name.startswith("__"):
            self._call.refuse(f"uses .{name} of an array, which isn't known for stacked draws")
        raise AttributeError(f"'numpy.{real.__name__}' object has no attribute {name!r}")

    # how numpy acts on it

    @_recorded
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if method not in UFUNC_METHODS:
            self._call.refuse(
                f"calls numpy.{ufunc.__name__}.{method}, which isn't known for stacked draws"
            )
        return UFUNC_METHODS[method](self._call, ufunc, *inputs, **options)

    @_recorded
    def __array_function__(
        self, func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> Any:
        creates = func in (np.zeros_like, np.ones_like, np.full_like, np.empty_like)
        # an `out` is written into, so the real function must not get it
        if not creates and kwargs.get("out") is None and not any_varies(args, dict(kwargs)):
            return lifted(self._call, func(*bare(args), **bare(dict(kwargs))))
        if func not in FUNCTIONS:
            self._call.refuse(
                f"calls {func.__module__}.{func.__name__}, which isn't known for stacked draws"
            )
        return FUNCTIONS[func](*args, **kwargs)

    # parts of it

    @_recorded
    def __getitem__(self, key: Any) -> Stacked:
        return PARTS["read"](self, key)  # type: ignore[no-any-return]

    @_recorded
    def __setitem__(self, key: Any, value: Any) -> None:
        PARTS["write"](self, key, value)

    def own(self, *, varies: bool) -> np.ndarray:
        """Its values, to be written into; they get an axis of draws if what is written depends on
        the draw.

        Raises:
            WritesIntoArgument: it is, or shows, an argument of the function.
            NotStackable: other arrays show the same memory and would miss what is written.
        """
        if not self._data.flags.writeable:
            self._call.written(self._data)
        if varies and not self._varies:
            # a live view of an array refers to it: one reference is the attribute, one the argument
            if self._data.base is not None or sys.getrefcount(self._data) > 2:
                self._call.refuse("writes what depends on the draw into an array that has views")
            self._data = np.repeat(self._data, self._call.count, axis=0)
            self._varies = True
        return self._data

    def __copy__(self) -> Stacked:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Stacked:
        return self.copy()

    def copy(self, order: str = "C") -> Stacked:
        """A copy that may be written into."""
        return self.like(self._data.copy(order))  # type: ignore[arg-type]

    def astype(self, dtype: Any, **options: Any) -> Stacked:
        """With elements of another type."""
        if options or np.dtype(dtype).kind not in KINDS:
            self._call.refuse(f"calls astype({dtype}), which isn't known for stacked draws")
        return self.like(self._data.astype(dtype))
