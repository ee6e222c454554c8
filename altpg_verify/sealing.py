"""Verdicts that aren't made by editing: a value that carries one is read only as whoever
established it made it.

`seal` marks a value with a keyed hash of everything in it. A field that is `sealed` looks at that
mark whenever it is read, and so does whatever prints, renders or stores the value: after
`dataclasses.replace`, on a copy that was changed, or on one made by hand it raises. The key is that
of the processes which Python starts for each other, so that results come back from a pool of
workers; a pickle that was kept in a file is of another run, and its verdict is to be established
anew.
"""

from __future__ import annotations

import hashlib
import hmac
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache, wraps
from types import FunctionType, MethodType
from typing import Any, TypeVar

from altpg_verify.errors import BadInput

_SEAL = "_seal"
_PLAIN = (str, bytes, int, float, complex, bool, type(None), Fraction, Decimal)
_SHOWN_AS_THEY_ARE = ("altpg_verify", "fractions", "flint", "numpy", "pathlib", "sympy")
"""Packages whose numbers and formulas say what they are when they are printed."""

Kind = TypeVar("Kind", bound=type)
Value = TypeVar("Value")

SEALED: set[type] = set()
"""Every kind of value that carries a verdict."""
_GENUINE: dict[type, Callable[[Any], bool]] = {}
_CONTENT: dict[type, Callable[[Any], object]] = {}


_NOT_READING = frozenset(
    {
        "__init__",
        "__post_init__",
        "__new__",
        "__setattr__",
        "__delattr__",
        "__replace__",
        "__getstate__",
        "__setstate__",
    }
)


class EditedVerdict(BadInput):
    """A verdict was edited, or made by hand, or comes from a pickle of another run; checking the
    code anew gives one that can be read.
    """


class _Guarded:
    """A field that is read only as it was sealed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, value: object, owner: type) -> Any:
        if value is None:
            return self
        with looked_at(value):
            return vars(value)[self.name]

    def __set__(self, value: object, new: object) -> None:
        vars(value)[self.name] = new


class _Method:
    """A method, which nothing in the value's own namespace stands in for."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def __get__(self, value: object, owner: type) -> Callable[..., Any]:
        return self.function if value is None else MethodType(self.function, value)

    def __set__(self, value: object, new: object) -> None:
        raise AttributeError(f"{type(value).__name__}.{self.function.__name__} stays as it is")


class _Open(threading.local):
    """The values that this thread has looked at and is reading, so that each is looked at once
    while one of its methods runs.
    """

    def __init__(self) -> None:
        self.values: frozenset[int] = frozenset()


_OPEN = _Open()


@contextmanager
def looked_at(value: object) -> Iterator[None]:
    """While the block runs this thread takes the value, and all sealed ones in it, as they were
    when it began.

    For the project's own code that reads a whole ledger and runs nobody else's.

    Raises:
        EditedVerdict: the value isn't genuine.
    """
    before = _OPEN.values
    if id(value) not in before:
        if not genuine(value):
            raise EditedVerdict(
                f"this {type(value).__name__} was edited, made by hand, or is of another run, so"
                " that its verdict is nobody's finding; check or audit the code again"
            )
        _OPEN.values = before | {id(each) for each in _within(value)}
    try:
        yield
    finally:
        _OPEN.values = before


def _within(value: object) -> Iterator[object]:
    """The value, and the sealed ones that are part of it."""
    yield value
    for held in vars(value).values():
        for each in held if type(held) in (tuple, list) else (held,):
            if type(each) in SEALED or (
                is_dataclass(each) and not isinstance(each, type) and hasattr(each, "__dict__")
            ):
                yield from _within(each)


def _reading(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def looked(self: object, *arguments: object, **named: object) -> object:
        with looked_at(self):
            return method(self, *arguments, **named)

    return looked


def sealed(
    *, genuine: Callable[[Any], bool] | None = None, content: Callable[[Any], object] | None = None
) -> Callable[[Kind], Kind]:
    """Class decorator of a frozen dataclass: its fields are read only where the value is as it was
    sealed.

    Fields become descriptors that look at the seal whenever they are read; properties and methods
    look once, when they are called, and take the value as it is until they return.

    Args:
        genuine: the class's own way to tell, by what it keeps; its values aren't sealed then.
        content: what stands for such a value where it is part of another one.
    """

    def decorate(kind: Kind) -> Kind:
        SEALED.add(kind)
        if genuine is not None:
            _GENUINE[kind] = genuine
        if content is not None:
            _CONTENT[kind] = content
        for name, defined in list(vars(kind).items()):
            if isinstance(defined, property) and defined.fget is not None:
                setattr(kind, name, property(_reading(defined.fget), doc=defined.__doc__))
            elif isinstance(defined, FunctionType) and name not in _NOT_READING:
                setattr(
                    kind,
                    name,
                    _reading(defined) if name.startswith("__") else _Method(_reading(defined)),
                )
        # after the dataclass has read its defaults, which these descriptors take the place of
        for field in fields(kind):
            setattr(kind, field.name, _Guarded(field.name))
        return kind

    return decorate


def seal(value: Value) -> Value:
    """The same value, marked as what the caller established. Texts of classes of their own become
    plain ones first.

    The mark is HMAC-SHA-256 over every field, under the key of this process and its workers. To be
    called only where the verdict is computed: sealing what somebody handed over would vouch for it.

    Raises:
        TypeError: a field holds an object of a class that may print as anything.
    """
    for field in fields(value):  # type: ignore[arg-type]
        vars(value)[field.name] = _plain(vars(value)[field.name])
    vars(value)[_SEAL] = _mark(value)
    return value


def remade(value: Value, **changes: object) -> Value:
    """A genuine value with other fields, sealed again: for those who establish what is changed.

    Raises:
        EditedVerdict: the value isn't genuine.
    """
    return seal(replace(value, **changes))  # type: ignore[type-var]


def genuine(value: Any) -> bool:
    """Whether a value is exactly as it was sealed, of that very class: no subclass, no attribute
    more, no field changed. Never raises.
    """
    kind = type(value)
    # nothing else may stand in it, where it would be found in place of something of its class
    if kind not in SEALED or not vars(value).keys() <= {
        _SEAL,
        *(field.name for field in fields(kind)),
    }:
        return False
    if kind in _GENUINE:
        return _GENUINE[kind](value)
    try:
        return hmac.compare_digest(_mark(value), vars(value).get(_SEAL, b""))
    except Exception:
        # whatever was put into it, nobody sealed that
        return False


@cache
def _key() -> bytes:
    from multiprocessing import current_process

    return bytes(current_process().authkey)


def _mark(value: object) -> bytes:
    # keyed, not a plain hash: whoever edits a value can't make the mark that goes with it
    mark = hmac.new(_key(), digestmod=hashlib.sha256)
    for piece in _pieces(value):
        encoded = piece.encode("utf-8", "surrogatepass")
        # with its length, so that no two contents are written alike
        mark.update(b"%d:" % len(encoded) + encoded)
    return mark.digest()


def _pieces(value: Any) -> Iterator[str]:
    """Everything in a value, each piece with what it is.

    Raises:
        TypeError: something in it is of a class that may show anything.
    """
    kind = type(value)
    name = f"{kind.__module__}.{kind.__qualname__}"
    if kind in _PLAIN:
        yield f"{name} {value!r}"
    elif kind in (tuple, list):
        yield f"{name} {len(value)}"
        for entry in value:
            yield from _pieces(entry)
    elif kind is dict:
        yield f"{name} {len(value)}"
        for key, entry in value.items():
            yield from _pieces(key)
            yield from _pieces(entry)
    elif not _is_known(kind):
        raise TypeError(name)
    elif kind in _CONTENT:
        yield f"{name} {_CONTENT[kind](value)!r}"
    elif isinstance(value, Enum):
        yield f"{name} {value.name}"
    elif is_dataclass(value):
        own = vars(value)
        names = [field.name for field in fields(value)]
        if extra := own.keys() - {*names, _SEAL}:
            raise TypeError(f"{name} {min(extra)}")
        yield f"{name} {len(names)}"
        for each in names:
            yield from _pieces(own[each])
    else:
        yield f"{name} {value!r}"


def _is_known(kind: type) -> bool:
    """Whether a class is the one that its name says, of a package whose values show what they
    are.
    """
    found: Any = sys.modules.get(kind.__module__)
    for name in kind.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is kind and kind.__module__.partition(".")[0] in _SHOWN_AS_THEY_ARE


def _plain(value: Any) -> Any:
    """The value, with texts and tables of classes of their own as plain ones."""
    if isinstance(value, str) and type(value) is not str and not isinstance(value, Enum):
        return str.__str__(value)
    if type(value) in (tuple, list):
        return type(value)(_plain(entry) for entry in value)
    if isinstance(value, Mapping):
        return {_plain(name): _plain(entry) for name, entry in value.items()}
    return value
