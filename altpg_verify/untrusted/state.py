"""What a function could remember: the variables, containers, arrays and attributes it can see, read
before and after it is called.
"""

from __future__ import annotations

import functools
import hashlib
import io
import itertools
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from types import AsyncGeneratorType, CoroutineType, FunctionType, GeneratorType, ModuleType
from typing import Any

from altpg_verify.untrusted.code_origin import is_of_user
from altpg_verify.untrusted.contents import (
    entries,
    is_a,
    keys,
    length,
    own,
    refill,
    unchanging,
    written,
)
from altpg_verify.untrusted.further import Further
from altpg_verify.untrusted.hooks import hooks
from altpg_verify.untrusted.reaching import (
    OF_PYTHON,
    Seen,
    names_in,
    plain_function,
    reachable,
    suspended,
)
from altpg_verify.untrusted.tensors import Unreadable, copy_of, is_tensor, put_back, token_of

LARGEST = 1_000_000
"""Entries of an array that are kept one by one; of larger ones, a digest."""


@dataclass(frozen=True)
class Snapshot:
    """What a function could see at one moment.

    Args:
        tokens: path -> token; tokens of equal contents are equal.
    """

    tokens: dict[str, Any]

    def changed(self, later: Snapshot) -> tuple[str, ...]:
        """Paths that are different later, outermost first."""
        paths = [
            path for path, token in later.tokens.items() if self.tokens.get(path, ABSENT) != token
        ]
        paths += [path for path in self.tokens if path not in later.tokens]
        return tuple(sorted(paths, key=lambda path: (path.count("[") + path.count("."), path)))


ABSENT = object()
"""Stands where there is nothing."""


class Memory:
    """The objects that functions can see, and what they can be put back to.

    Taken before the first call:

        memory = Memory(function)
        before = memory.snapshot()
        ...
        witness = before.changed(memory.snapshot())

    Caches of `functools.lru_cache` are no state: they are emptied by `restore`, so that what they
    hide is computed again. A table kept by hand may grow while new arguments come, which
    `Snapshot.changed` shows; asked again for the same arguments it must not.

    Args:
        roots: functions, estimators, updates.
    """

    def __init__(self, *roots: Any) -> None:
        self.roots = roots
        self._contents: list[tuple[Any, Any]] = []
        self._variables: list[tuple[dict[str, Any], str, Any]] = []
        self._cells: list[tuple[Any, Any]] = []
        self._objects: list[tuple[Any, dict[str, Any]]] = []
        for seen in self._seen():
            self._keep(seen.value)

    def _seen(self) -> Iterator[Seen]:
        visited: set[int] = set()
        kept = []
        for root in (*self.roots, *hooks()):
            for seen in reachable(root):
                if seen.path and is_a(seen.value, _SCALARS):
                    yield seen
                elif id(seen.value) not in visited:
                    visited.add(id(seen.value))
                    kept.append(seen.value)
                    yield seen

    def count_at(self, path: str) -> tuple[dict[str, Any], str] | None:
        """Where a whole number lies that is an attribute of an object or an entry of a table; None
        for anything else.
        """
        for seen in self._seen():
            held = (
                vars(seen.value)
                if hasattr(seen.value, "__dict__") and not is_a(seen.value, type | FunctionType)
                else seen.value
            )
            if type(held) is dict and path.startswith(seen.path):
                for name, value in held.items():
                    if type(value) is int and path in (
                        f"{seen.path}.{name}",
                        f"{seen.path}[{name!r}]",
                    ):
                        return held, name
        return None

    def snapshot(self) -> Snapshot:
        """What can be seen now."""
        counts_hits = any(
            "cache_info" in names_in(function.__code__) for function in self._functions()
        )
        tokens: dict[str, Any] = {}
        for seen in self._seen():
            token = _token(seen.value, counts_hits)
            if token is not None:
                path = seen.path or (
                    f"class {seen.value.__name__}"
                    if is_a(seen.value, type)
                    else type(seen.value).__name__
                )
                while path in tokens:
                    path += "'"
                tokens[path] = token
        return Snapshot(tokens)

    def _functions(self) -> list[FunctionType]:
        found = [plain_function(root) for root in self.roots]
        found += [seen.value for seen in self._seen() if is_a(seen.value, FunctionType)]
        return [each for each in found if each is not None]

    def _keep(self, value: Any) -> None:
        if _is_stand_in(value):
            return
        if _is_array(value):
            value = _as_array(value)
        if type(value) in _COPIED or (_is_array(value) and value.size <= LARGEST):
            self._contents.append((value, value.copy()))
        elif is_a(value, dict | list | set | deque):
            # its class may have a `copy` of its own
            self._contents.append((value, list(entries(value))))
        elif is_tensor(value):
            if (copied := copy_of(value, LARGEST)) is not None:
                self._contents.append((value, copied))
        elif is_a(value, FunctionType):
            space = value.__globals__
            names = names_in(value.__code__)
            self._variables += [
                (space, name, space.get(name, ABSENT)) for name in names - OF_PYTHON
            ]
            self._cells += [(cell, content_of(cell)) for cell in value.__closure__ or ()]
            self._objects.append((value, dict(value.__dict__)))
        elif is_a(value, ModuleType | type):
            return
        elif type(getattr(value, "__dict__", None)) is dict:
            self._objects.append((value, dict(value.__dict__)))

    def restore(self) -> None:
        """Put variables, closures, containers, arrays and attributes back to what they were at
        first, and empty the caches.
        """
        for cache in self._seen():
            if is_a(cache.value, functools._lru_cache_wrapper):
                cache.value.cache_clear()
        for space, name, value in self._variables:
            if value is ABSENT:
                # what became visible by a name since then was made by the calls
                space.pop(name, None)
            else:
                space[name] = value
        for cell, value in self._cells:
            if value is not ABSENT and content_of(cell) is not value:
                cell.cell_contents = value
        for owner, attributes in self._objects:
            now = owner.__dict__
            if now.keys() != attributes.keys() or any(
                now[name] is not value for name, value in attributes.items()
            ):
                owner.__dict__.clear()
                owner.__dict__.update(attributes)
        for container, saved in self._contents:
            _refill(container, saved)


_SCALARS = (int, float, complex, str, bytes, bool, type(None))
_COPIED = frozenset((dict, list, set, deque, bytearray))
"""Types whose own `copy` is asked."""


def content_of(cell: Any) -> Any:
    """What a closure's cell holds; `ABSENT` if it holds nothing yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return ABSENT


def _refill(container: Any, saved: Any) -> None:
    if type(container) not in _COPIED and is_a(container, dict | list | set | deque):
        refill(container, saved)
    elif is_a(container, dict):
        container.clear()
        container.update(saved)
    elif is_a(container, list | bytearray):
        container[:] = saved
    elif is_a(container, set):
        container.clear()
        container |= saved
    elif is_a(container, deque):
        container.clear()
        container.extend(saved)
    elif is_tensor(container):
        put_back(container, saved)
    elif container.flags.writeable:
        container[...] = saved


def _is_stand_in(value: Any) -> bool:
    """Whether it is an array of many draws at once, which a function may have kept; it can't be
    read as others are.
    """
    return str(type(value).__module__).startswith("altpg_verify.audit.stacked")


def _is_array(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and is_a(value, numpy.ndarray)


def _as_array(value: Any) -> Any:
    """An array without what a class of somebody's own makes of it."""
    numpy = sys.modules["numpy"]
    return value if type(value) is numpy.ndarray else numpy.ndarray.view(value, numpy.ndarray)


def _token(value: Any, counts_hits: bool) -> Any:
    """Something that is equal for equal contents; None for what can't hold state, or shows it by
    its parts.
    """
    if _is_stand_in(value):
        return ("stand-in", id(value))
    if is_a(value, _SCALARS):
        return (type(value).__name__, written(value))
    if is_a(value, dict | list | tuple | set | frozenset | deque):
        return (type(value).__name__, length(value), _order(value))
    if is_a(value, bytearray):
        return ("bytearray", bytes(own(value, "copy")()))
    if _is_array(value):
        value = _as_array(value)
        if value.dtype == object:
            return (
                "array",
                value.shape,
                value.strides,
                value.flags.writeable,
                tuple(map(repr, itertools.islice(value.flat, LARGEST))),
            )
        held = (
            value.tobytes() if value.size <= LARGEST else hashlib.blake2b(value.tobytes()).digest()
        )
        return (
            *("array", value.shape, value.strides, value.flags.writeable),
            *(_in_words(value.dtype), held),
        )
    if is_a(value, GeneratorType | CoroutineType | AsyncGeneratorType):
        frame = next(
            getattr(value, name)
            for name in ("gi_frame", "cr_frame", "ag_frame")
            if hasattr(value, name)
        )
        names = {name: written(v) for name, v in suspended(value).items() if is_a(v, _SCALARS)}
        return ("generator", -1 if frame is None else frame.f_lasti, tuple(sorted(names.items())))
    if is_a(value, FunctionType | type):
        # what is written about it can be a place to count in
        kind: Any = value
        made = len(type.__subclasses__(kind)) if is_of_user(kind) else 0
        return (
            "name",
            value.__module__,
            # where it says that it stands, too
            getattr(value, "__code__", None),
            value.__name__,
            value.__qualname__,
            repr(value.__doc__),
            _noted(value),
            made,
        )
    if is_a(value, functools._lru_cache_wrapper):
        # a count of hits is state for those who read it
        return ("cache", tuple(value.cache_info())) if counts_hits else None
    if is_a(value, itertools.count | itertools.repeat):
        return ("count", own(value, "__repr__")())
    if is_tensor(value):
        return token_of(value)
    if is_a(value, Further):
        return ("further", value.digest())
    if (held := unchanging(value)) is not None:
        return (type(value).__name__, held)
    if str(type(value).__module__).split(".")[0] in ("fractions", "decimal", "pathlib", "sympy"):
        return (type(value).__name__, repr(value))
    return _of_opaque(value)


def _of_opaque(value: Any) -> Any:
    """The token of an object of Python's own whose contents are no attributes."""
    if is_a(value, BaseException):
        return ("exception", _length(value.__traceback__))
    if is_a(value, _LOCKS):
        return ("lock", repr(value))
    # of the type: to ask the object would run what it answers unknown names with
    if hasattr(type(value), "hexdigest") and hasattr(type(value), "copy"):
        # of those without a length of their own, the first so many bytes
        length = () if value.digest_size else (32,)
        return ("digest", value.copy().hexdigest(*length))
    if type(value).__module__ == "zlib" or type(value).__name__ in ("SRE_Scanner", "Pickler"):
        return Unreadable()
    if is_a(value, io.IncrementalNewlineDecoder):
        return ("decoder", value.getstate())
    if type(value).__module__ == "mmap":
        return ("closed",) if value.closed else ("mapped", value.tell(), bytes(memoryview(value)))
    if is_a(value, io.RawIOBase | io.BufferedIOBase | io.TextIOWrapper) and not is_a(
        value, io.BytesIO
    ):
        return _place(value)
    numpy = sys.modules.get("numpy")
    if numpy is not None and is_a(value, numpy.dtype):
        return ("dtype", _in_words(value))
    if numpy is not None and is_a(value, numpy.random.SeedSequence):
        return ("seeds", value.n_children_spawned)
    if is_a(value, logging.Logger | logging.Handler):
        return ("logger", value.level, getattr(value, "disabled", False))
    if is_a(value, io.StringIO | io.BytesIO):
        return _text(value)
    if own(value, "__next__", None) is not None:
        # a class that derives from it may have a hint of its own
        hint = own(value, "__length_hint__", None)
        return Unreadable() if hint is None else ("iterator", hint())
    if hasattr(type(value), "__next__") and not hasattr(value, "__dict__"):
        return Unreadable()
    try:
        return ("buffer", bytes(memoryview(value)))
    except (TypeError, ValueError, BufferError):
        return None


def _in_words(dtype: Any) -> str:
    """A type of numbers with the names of its fields."""
    return f"{dtype.str} {dtype!r}"


_LOCKS = (type(threading.Lock()), type(threading.RLock()))


def _text(value: Any) -> Any:
    """The token of a text or of bytes in memory that are written to as a file is."""
    if own(value, "closed"):
        return ("closed",)
    return ("text", own(value, "tell")(), own(value, "getvalue")())


def _length(trace: Any) -> int:
    """How many steps a traceback has."""
    count = 0
    while trace is not None:
        trace, count = trace.tb_next, count + 1
    return count


def _place(file: Any) -> Any:
    """Where an open file is read or written, and what one that can be read begins with; None of one
    that has no places, such as a terminal.
    """
    try:
        return ("closed",) if file.closed else ("file", own(file, "tell")(), _beginning(file))
    except Exception:
        # of a class of somebody's own it may be anything
        return None


def _beginning(file: Any) -> bytes:
    """Read without moving in the file; empty where that can't be done, as of one in memory."""
    try:
        return os.pread(file.fileno(), LARGEST, 0) if file.readable() else b""
    except (AttributeError, OSError):
        return b""


def _noted(value: Any) -> Any:
    """The annotations of a function or class, as far as they were ever made."""
    try:
        noted = (
            value.__annotations__
            if is_a(value, FunctionType)
            else vars(value).get("__annotations__", {})
        )
        return tuple((name, repr(one)) for name, one in noted.items())
    except Exception:
        # those that Python makes when it is asked for them may name what isn't imported
        return ()


def _plainly(entry: Any) -> str:
    if is_a(entry, _SCALARS):
        return written(entry)
    return repr(entry) if type(entry) is tuple else type(entry).__name__


def _order(value: Any) -> Any:
    if is_a(value, dict):
        order = tuple(
            written(key) if is_a(key, _SCALARS) else type(key).__name__
            for key in itertools.islice(keys(value), 1000)
        )
        # the first are looked at one by one
        return (order, tuple(map(_plainly, itertools.islice(entries(value), 1000, None))))
    if is_a(value, list | tuple | deque):
        behind = tuple(map(_plainly, itertools.islice(entries(value), 1000, None)))
        return (behind, own(value, "maxlen")) if is_a(value, deque) else behind
    if is_a(value, set | frozenset):
        # the order as it is: it tells in what order they came
        return tuple(map(_plainly, entries(value)))
    return None
