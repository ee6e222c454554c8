"""What a function can see by name: its own and its helpers' code, and the objects in their globals,
closures, defaults and attributes.
"""

from __future__ import annotations

import datetime
import functools
import gc
import itertools
import sys
import threading
from collections import OrderedDict, defaultdict, deque
from collections.abc import Iterable, Iterator
from contextvars import Context, ContextVar
from dataclasses import dataclass
from functools import cache, partial
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    GetSetDescriptorType,
    MappingProxyType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.untrusted.code_origin import is_genuine, is_library_module, is_of_user, of_library
from altpg_verify.untrusted.contents import (
    PLAIN,
    entries,
    is_a,
    is_compiled,
    is_plain,
    made_of,
    own,
    proxied,
    written,
)
from altpg_verify.untrusted.fields import fields
from altpg_verify.untrusted.further import Further

MOST = 20_000
"""Objects visited for one function."""

DEEPEST = 10
"""Steps from a name to what is visited last."""

WIDEST = 1000
"""Entries of a container that are visited one by one."""

_OWN = ("formula", "gradient", "function", "loss", "modules")
OF_PYTHON = frozenset(
    (
        *("__builtins__", "__loader__", "__spec__", "__file__", "__cached__", "__path__"),
        *("__warningregistry__", "__dict__", "__weakref__", "__slots__", "__annotations__"),
        *(
            "__annotate__",
            "__annotate_func__",
            "__annotations_cache__",
            "__conditional_annotations__",
        ),
        *("__abstractmethods__", "_abc_impl", "__static_attributes__", "__firstlineno__"),
        *("__dataclass_fields__", "__dataclass_params__", "__match_args__"),
    )
)
"""Variables of modules and classes that Python itself puts there."""
_LOOKS_BY_NAME = frozenset(
    {
        "globals",
        "vars",
        "eval",
        "exec",
        "getattr",
        "setattr",
        "__dict__",
        "__import__",
        "import_module",
    }
)
_CONTAINERS = frozenset((dict, list, tuple, set, frozenset, deque, OrderedDict, MappingProxyType))
_HOLDING_ENTRIES = _CONTAINERS | {object, *PLAIN}
_CLOSED = (
    "sympy",
    "hypothesis",
    "numba",
    "fractions",
    "decimal",
    "datetime",
    "re",
    "pathlib",
    "enum",
    "typing",
    "logging",
)
_LARGE = ("sympy", "hypothesis", "numba")
_KEPT_APART = ("logging",)
_OF_LOGGERS = frozenset(
    (
        *("name", "level", "parent", "propagate", "handlers", "disabled", "filters", "manager"),
        *("_cache", "lock", "formatter", "stream", "_name", "_closed", "loggerDict", "root"),
        *("loggerClass", "logRecordFactory", "emittedNoHandlerWarning"),
    )
)
"""What logs keep for themselves, which those who only write to them don't read."""


@dataclass(frozen=True)
class Seen:
    """An object that a function can see.

    Args:
        path: where, in words: `module variable 'state'['n']`.
        value: the object.
    """

    path: str
    value: Any


def plain_function(root: Any) -> FunctionType | None:
    """The Python function behind an estimator, a partial, a bound method, a decorated or a callable
    object; None if there is none.
    """
    for _ in range(20):
        if is_a(root, FunctionType):
            wrapped = root.__dict__.get("__wrapped__")
            if wrapped is None:
                return root
            root = wrapped
        elif is_a(root, partial) and own(root, "__call__", None) == root.__call__:
            root = own(root, "func")
        elif is_a(root, MethodType):
            root = root.__func__
        elif not is_a(root, type) and _is_ours(root):
            root = next((vars(root)[name] for name in _OWN if name in _attributes(root)), None)
        elif hasattr(root, "__wrapped__"):
            root = root.__wrapped__
        elif callable(root) and not is_a(root, type | BuiltinFunctionType):
            call = (
                getattr(root, "forward", None) or vars(type(root)).get("__call__") or root.__call__
            )
            root = call.__func__ if is_a(call, MethodType) else call
            if not is_a(root, FunctionType):
                return None
        else:
            return None
    return None


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object and those within it: nested functions, lambdas, comprehensions."""
    yield code
    for constant in code.co_consts:
        if is_a(constant, CodeType):
            yield from nested(constant)


def functions(root: Any) -> list[FunctionType]:
    """The user's functions that can be seen, the one behind `root` first.

    Args:
        root: a function, partial, bound method, callable object, `Estimator` or `Update`.
    """
    first = plain_function(root)
    found: dict[int, FunctionType] = {id(first.__code__): first} if first is not None else {}
    for seen in reachable(root):
        if is_a(seen.value, FunctionType):
            found.setdefault(id(seen.value.__code__), seen.value)
    return list(found.values())


def names_in(code: CodeType) -> set[str]:
    """Every global, attribute and imported name that a code object and those within it use; strings
    too, which may be such names.
    """
    found: set[str] = set()
    for each in nested(code):
        found |= set(each.co_names)
        found |= {
            constant
            for constant in each.co_consts
            if isinstance(constant, str) and constant.isidentifier()
        }
    return found


def reachable(root: Any) -> Iterator[Seen]:
    """Every object that a function can see, nearest first; at most `MOST` of them, and what else
    there is as one `Further` at the end.

    Of modules that aren't the user's, only attributes that the user's code names. Functions of the
    user are looked into in turn.
    """
    return iter(_Walk(root))


class _Walk:
    def __init__(self, root: Any) -> None:
        first = plain_function(root)
        self.home = first.__code__.co_filename if first is not None else None
        self.names: set[str] = set()
        self.visited: set[int] = set()
        # whoever is visited is kept alive, so that no id is used twice
        self.kept: list[Any] = []
        self.waiting: deque[tuple[str, Any, int]] = deque([("", root, 0)])
        self.libraries: list[ModuleType] = []
        self.further: list[Any] = []

    def __iter__(self) -> Iterator[Seen]:
        count = 0
        while count < MOST and (self.waiting or self._again()):
            path, value, depth = self.waiting.popleft()
            plain = _is_plain(path, value)
            if not plain:
                if id(value) in self.visited:
                    continue
                self.visited.add(id(value))
                self.kept.append(value)
            if path or not plain:
                count += 1
                yield Seen(path, value)
            if not plain and depth < DEEPEST:
                # containers within containers take no step
                deeper = depth if is_a(value, list | tuple | dict) else depth + 1
                self.waiting.extend(
                    (where, child, deeper) for where, child in self._children(path, value)
                )
            elif not plain:
                self.further.append(value)
        self.further += [value for _, value, _ in self.waiting]
        if self.further:
            yield Seen("what lies further", Further(self.further))

    def _few(self, items: list[Any]) -> list[Any]:
        """The first; of the others, what they are made of is looked at later."""
        if len(items) > WIDEST:
            self.further.append(items[WIDEST:])
        return items[:WIDEST]

    def _items(self, path: str, values: Iterable[Any]) -> list[tuple[str, Any]]:
        return [(f"{path}[{i}]", child) for i, child in enumerate(self._few(list(values)))]

    def _again(self) -> bool:
        """Attributes of libraries that a function seen later has named, those of modules within
        them too.
        """
        while self.libraries:
            module = self.libraries.pop()
            for name in sorted(self.names & vars(module).keys()):
                value = vars(module)[name]
                if id(value) in self.visited:
                    continue
                if is_a(value, ModuleType) and is_library_module(value):
                    self.visited.add(id(value))
                    self.kept.append(value)
                    self.libraries.append(value)
                elif is_a(value, type) and not is_of_user(value):
                    self.waiting += [
                        (where, held, DEEPEST - 2) for where, held in self._put_there(value)
                    ]
                else:
                    self.waiting.append((f"{module.__name__}.{name}", value, DEEPEST - 2))
        return bool(self.waiting)

    def _children(self, path: str, value: Any) -> Iterable[tuple[str, Any]]:
        if is_a(value, FunctionType):
            return self._of_function(path, value)
        if is_a(value, partial):
            given = (*own(value, "args"), *(each for _, each in entries(own(value, "keywords"))))
            return itertools.chain(
                [("", own(value, "func"))],
                self._items(f"argument of the partial {path}".rstrip(), given),
                self._beside(path, value),
            )
        if is_a(value, MethodType):
            return [("", value.__func__), (path or "self", value.__self__)]
        if is_a(value, BuiltinFunctionType | MethodWrapperType):
            owner = value.__self__
            return [] if owner is None or is_a(owner, ModuleType | type) else [(path, owner)]
        if is_a(value, functools._lru_cache_wrapper):
            return itertools.chain([("", value.__wrapped__)], self._beside(path, value))
        if is_a(value, ModuleType):
            return self._of_module(path, value)
        if is_a(value, type):
            return self._of_class(path, value)
        if is_a(value, MappingProxyType):
            return [(path, proxied(value))]
        if is_a(value, dict):
            inside = self._few(_unmoved(entries(value)))
            children = [(f"{path}[{_key(key)}]", child) for key, child in inside]
            return itertools.chain(children, self._beside(path, value))
        if is_a(value, list | tuple | deque | set | frozenset):
            return itertools.chain(
                self._items(path, _unmoved(entries(value))), self._beside(path, value)
            )
        if is_a(value, ContextVar):
            now = value.get(None)
            return [] if now is None else [(f"{path} in this context", now)]
        if is_a(value, Context):
            return [
                (f"{path}[{each.name!r}]", child) for each, child in self._few(list(value.items()))
            ]
        if is_a(value, threading.local):
            return [
                *(
                    (f"{path}.{name}", child)
                    for name, child in self._few(
                        _unmoved(own(value, "__getattribute__")("__dict__").items())
                    )
                ),
                ("", type(value)),
            ]
        if is_a(value, BaseException):
            return [
                ("", type(value)),
                (f"{path}.args", own(value, "args")),
                *((f"{path}.{name}", child) for name, child in _attributes(value).items()),
                *((f"{path}.{name}", child) for name, child in fields(value)),
            ]
        if is_a(value, GeneratorType | CoroutineType | AsyncGeneratorType):
            return [
                *((f"{path} at {name!r}", child) for name, child in suspended(value).items()),
                *((f"{path}.{name}", child) for name, child in fields(value)),
            ]
        if _is_ours(value):
            return [("", vars(value)[name]) for name in _OWN if name in _attributes(value)]
        return self._of_object(path, value)

    def _of_function(self, path: str, function: FunctionType) -> Iterator[tuple[str, Any]]:
        code = function.__code__
        if code.co_filename != self.home and of_library(code, function.__globals__):
            if "<locals>" in function.__qualname__:
                # made for somebody, such as the table of a single dispatch
                yield from self._of_closure(function)
            yield from self._put_there(function)
            return
        names = names_in(code)
        self.names |= names
        own = function.__name__
        yield from self._of_closure(function)
        defaults = function.__defaults__ or ()
        arguments = code.co_varnames[: code.co_argcount]
        for name, value in zip(arguments[len(arguments) - len(defaults) :], defaults, strict=False):
            yield f"default of {name!r}", value
        for name, value in (function.__kwdefaults__ or {}).items():
            yield f"default of {name!r}", value
        for name, value in _unmoved(function.__dict__.items()):
            yield (f"attribute {own}.{name}" if name != "__wrapped__" else ""), value
        space = function.__globals__
        everything = bool(names & _LOOKS_BY_NAME)
        for name in sorted(key for key in _unmoved(space) if everything or key in names):
            if name not in OF_PYTHON:
                yield f"module variable {name!r}", space.get(name)
        for name in sorted(names - space.keys()):
            # imported within the function
            if name in sys.modules:
                yield name, sys.modules[name]
            # a builtin of the function's own, or one that somebody has added
            if name in (known := getattr(function, "__builtins__", {})):
                yield f"builtin {name!r}", known[name]

    def _put_there(self, owner: FunctionType | type) -> Iterator[tuple[str, Any]]:
        """Data that stands at a library's function or class under a name that the user's code has."""
        held = vars(owner)
        for name in sorted(self.names & held.keys()):
            value = held[name]
            if not callable(value) and not hasattr(type(value), "__get__"):
                yield f"{owner.__qualname__}.{name}", value

    @staticmethod
    def _of_closure(function: FunctionType) -> Iterator[tuple[str, Any]]:
        names = function.__code__.co_freevars
        for name, cell in zip(names, function.__closure__ or (), strict=False):
            try:
                yield f"closure variable {name!r}", cell.cell_contents
            except ValueError:
                # not bound yet
                continue

    def _of_module(self, path: str, module: ModuleType) -> Iterator[tuple[str, Any]]:
        if type(module) is not ModuleType:
            # its attributes may be computed
            yield "", type(module)
        if is_library_module(module):
            self.libraries.append(module)
            return
        for name, value in _unmoved(vars(module).items()):
            if name in OF_PYTHON:
                continue
            if not issubclass(type(value), ModuleType) or name in self.names:
                yield f"{module.__name__}.{name}", value

    def _of_class(self, path: str, value: type) -> Iterator[tuple[str, Any]]:
        module = sys.modules.get(value.__module__)
        if module is not None and is_library_module(module):
            yield from self._put_there(value)
            return
        if type(value) is not type:
            yield "", type(value)
        for base in value.__bases__:
            yield base.__name__, base
        for name, attribute in _unmoved(vars(value).items()):
            if name in OF_PYTHON or is_a(attribute, GetSetDescriptorType):
                continue
            parts: tuple[Any, ...] = (attribute,)
            if is_a(attribute, staticmethod | classmethod):
                yield f"{value.__name__}.{name} itself", _attributes(attribute)
                parts = (attribute.__func__,)
            elif type(attribute) is property:
                parts = (attribute.fget, attribute.fset, attribute.fdel)
            for part in parts:
                yield f"{value.__name__}.{name}", part

    def _beside(self, path: str, value: Any) -> Iterable[tuple[str, Any]]:
        """What a container of a class of somebody's own holds beside its entries."""
        made: tuple[Any, ...] = ()
        if is_a(value, defaultdict):
            made = ((f"{path}.default_factory", own(value, "default_factory")),)
        if type(value) in _CONTAINERS or is_compiled(type(value)):
            return made
        return (*made, *self._of_object(path, value))

    def _of_object(self, path: str, value: Any) -> Iterator[tuple[str, Any]]:
        kind = type(value)
        attributes = _attributes(value)
        if is_a(value, datetime.datetime | datetime.time):
            yield f"{path}.tzinfo", own(value, "tzinfo")
        # of some classes it is a property
        root = str(kind.__module__).split(".")[0]
        if root in _CLOSED and is_genuine(kind):
            if root in _KEPT_APART:
                attributes = {name: attributes[name] for name in attributes.keys() - _OF_LOGGERS}
            if root not in _LARGE:
                yield from ((f"{path}.{name}", each) for name, each in attributes.items())
            return
        yield from ((f"{path}.{name}", each) for name, each in attributes.items())
        yield "", kind
        yield from _of_numpy(path, value)
        inside = list(fields(value))
        for name, held in inside:
            yield f"{path}.{name}", held
        if _is_c(kind) or _is_theirs(kind):  # type: ignore[arg-type]
            # whatever it holds, and shows by no attribute
            shown = {id(each) for each in (*attributes.values(), *(held for _, held in inside))}
            shown |= {id(_dictionary(value)), *_entries_by_id(value)}
            for child in gc.get_referents(value):
                if id(child) not in shown and not is_a(child, type | ModuleType):
                    yield f"{path}, held by a {kind.__name__}", child


@cache
def _is_c(kind: Any) -> bool:
    """Whether a class is one of Python's own that is compiled."""
    root = str(kind.__module__).partition(".")[0]
    return root in sys.stdlib_module_names and not any(
        is_a(each, FunctionType) for each in vars(kind).values()
    )


@cache
def _is_theirs(kind: Any) -> bool:
    """Whether a class is no library's: its slots may have lost their names, and `__dict__` may be
    an answer of its own.
    """
    if is_compiled(kind) or made_of(kind) not in _HOLDING_ENTRIES:
        # what others hold may be of no use, and of harm, to anybody else
        return False
    return not (
        (module := sys.modules.get(str(kind.__module__))) is not None
        and is_library_module(module)
        and is_genuine(kind)
    )


def _entries_by_id(value: Any) -> set[int]:
    if is_a(value, dict):
        return {id(each) for pair in _unmoved(entries(value)) for each in pair}
    if is_a(value, list | tuple | deque | set | frozenset):
        return set(map(id, _unmoved(entries(value))))
    return set()


def _of_numpy(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What numpy's own objects hold: notes on a dtype, the seeds that a generator's children are
    made from.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return
    if is_a(value, numpy.ndarray):
        value = numpy.ndarray.view(value, numpy.ndarray)
        if value.dtype == object:
            yield from ((f"{path}[{i}]", each) for i, each in enumerate(value.ravel()[:1000]))
    dtype = value.dtype if is_a(value, numpy.ndarray) else value
    if is_a(dtype, numpy.dtype) and dtype.metadata is not None:
        yield f"{path}, noted on its dtype", dtype.metadata
    bits = own(value, "bit_generator") if is_a(value, numpy.random.Generator) else value
    if is_a(bits, numpy.random.BitGenerator):
        yield f"{path}.seed_seq", bits.seed_seq


def suspended(value: Any) -> dict[str, Any]:
    """The local variables of a generator or coroutine where it waits; none if it has ended."""
    frame = next(
        (
            getattr(value, name)
            for name in ("gi_frame", "cr_frame", "ag_frame")
            if hasattr(value, name)
        ),
        None,
    )
    return {} if frame is None else dict(frame.f_locals)


def _is_ours(value: Any) -> bool:
    kind = type(value)
    return str(kind.__module__).split(".")[0] == "altpg_verify" and is_genuine(kind)


def _is_plain(path: str, value: Any) -> bool:
    try:
        # asked as other code asks: a number of somebody's own class may have attributes
        isinstance(value, PLAIN)
        return is_plain(value)
    except Exception as error:
        # a stand-in for something that isn't there yet; no walk gets past it
        raise BadInput(
            f"{path or 'the checked object'} raises {type(error).__name__} when it is asked for its"
            " class, so nothing can be said of what depends on it; let the code not refer to it"
        ) from error


def _attributes(value: Any) -> dict[str, Any]:
    found = _dictionary(value)
    return dict(found) if type(found) is dict else {}


def _dictionary(value: Any) -> Any:
    try:
        return object.__getattribute__(value, "__dict__")
    except Exception:
        # a class may have an answer of its own
        return None


def _unmoved(items: Iterable[Any]) -> list[Any]:
    try:
        return list(items)
    except RuntimeError:
        # changed by another thread while it was read
        return []


def _key(key: Any) -> str:
    return written(key) if is_plain(key) else type(key).__name__
