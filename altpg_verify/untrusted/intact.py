"""What everybody computes with stays as it is: a verdict that was reached with functions replaced
by the judged code is none.

While somebody's code runs in this process it can replace anything, the checker's own functions and
tolerances included. What stands in this project's modules and classes, and in the namespaces that
arithmetic rests on, is compared after the check with what it was before. What was replaced before
the check began, or in C code, can't be seen.
"""

from __future__ import annotations

import builtins
import contextlib
import fractions
import functools
import itertools
import math
import operator
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cached_property
from operator import is_
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

from altpg_verify.errors import BadEstimator

_PACKAGE = __name__.partition(".")[0]
_OPEN = SimpleNamespace(frozen=False)
_ABSENT = object()
# Python's own, also after they were replaced in `builtins`
_ALL, _MAP, _LEN, _ZIP = all, map, len, zip
_PARTS = tuple(map(operator.attrgetter, ("__code__", "__defaults__", "__kwdefaults__")))
"""What a function consists of that can be replaced, each read by C code."""
_CACHED = cached_property(id)


class _Kept(dict[int, tuple[int, tuple[tuple[str, Any], ...]]]):
    """Owner's id -> how many names it has, and what is settled in it; no plain table, as those are
    guarded themselves.
    """


_SETTLED = _Kept()
_MADE_LATE = frozenset(
    {"__annotations__", "__annotations_cache__", "__abstractmethods__", "__slotnames__"}
)
"""What Python itself adds to a class when it is asked for; the last when an object is copied or
sent to another process.
"""


@contextmanager
def intact(who: str) -> Iterator[None]:
    """Within the block nothing that is shared may be replaced; what was is put back.

    Args:
        who: the sentence's subject, such as "update 'own_mean'".

    Raises:
        BadEstimator: on leaving, something was replaced.
    """
    owners = _owners()
    before = [(owner, dict(vars(owner)), _filled(owner)) for owner in owners]
    settled = list(_settled(owners))
    # many stand in several modules; each is kept once
    once = {id(each): each for _, each in settled}.values()
    functions = [each for each in once if type(each) is FunctionType]
    parts = [list(_MAP(part, functions)) for part in _PARTS]
    objects = [(each, dict(vars(each))) for each in once if type(each) is not FunctionType]
    raised: BaseException | None = None
    try:
        yield
    except BaseException as error:
        raised = error
    # what is settled first: tables are looked up by it
    edited = [*_edited_functions(functions, parts), *_edited_objects(objects)]
    replaced = [name for kept in before for name in _put_back(*kept)]
    replaced += [_home([name for name, other in settled if other is each], each) for each in edited]
    # what a check raises whose functions were replaced says nothing
    if replaced and (raised is None or isinstance(raised, Exception)):
        raise BadEstimator(
            f"{who} replaces {replaced[0]}, which the check itself works with; leave it as it is"
        ) from raised
    if raised is not None:
        raise raised


def _owners() -> list[Any]:
    """Modules and classes, each once."""
    numpy = sys.modules.get("numpy")
    modules: list[Any] = [
        *(builtins, math, operator, fractions, itertools, functools, contextlib),
        *(sys.modules[name] for name in ("json", "decimal") if name in sys.modules),
        *([numpy, numpy.linalg] if numpy is not None else []),
    ]
    own = [
        module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] == _PACKAGE and type(module) is ModuleType
    ]
    classes = [
        value
        for module in own
        for value in list(vars(module).values())
        if isinstance(value, type) and _is_own(value)
    ]
    return list(
        {id(each): each for each in (*modules, *own, fractions.Fraction, *classes)}.values()
    )


def _settled(owners: list[Any]) -> Iterator[tuple[str, Any]]:
    """What is never edited once it was made: this project's functions, and its frozen objects that
    stand in a module.
    """
    for owner in owners:
        size, found = _SETTLED.get(id(owner), (-1, ()))
        if size != len(vars(owner)):
            found = tuple(_settled_in(owner))
            _SETTLED[id(owner)] = (len(vars(owner)), found)
        yield from found


def _settled_in(owner: Any) -> Iterator[tuple[str, Any]]:
    if not (
        _is_own(owner) if isinstance(owner, type) else owner.__name__.partition(".")[0] == _PACKAGE
    ):
        return
    for name, value in list(vars(owner).items()):
        held = (
            value.values() if type(value) is dict else value if type(value) in (tuple, list) else ()
        )
        for each in (value, *held):
            found = getattr(each, "__func__", getattr(each, "fget", each))
            if isinstance(found, FunctionType):
                # where it is imported it is the same
                if found.__module__ == getattr(owner, "__module__", getattr(owner, "__name__", "")):
                    yield f"{_name(owner)}.{name}", found
            elif (isinstance(each, Enum) or _frozen(each)) and _is_own(type(each)):
                yield f"{_name(owner)}.{name}", each


def _home(names: list[str], value: Any) -> str:
    """Of the names of something settled the one where it is defined, if it has one there."""
    made = value.__module__ if isinstance(value, FunctionType) else type(value).__module__
    return next((name for name in names if name.startswith(f"{made}.")), names[0])


def _frozen(value: Any) -> bool:
    return (
        not isinstance(value, type)
        and hasattr(value, "__dict__")
        and getattr(type(value), "__dataclass_params__", _OPEN).frozen
    )


def _edited_functions(functions: list[FunctionType], parts: list[list[Any]]) -> list[FunctionType]:
    """Those whose code or defaults were replaced; they are put back."""
    # thousands are asked, and nearly always all are as they were
    if _ALL(
        _ALL(_MAP(is_, _MAP(part, functions), kept))
        for part, kept in _ZIP(_PARTS, parts, strict=True)
    ):
        return []
    edited = []
    for function, *kept in _ZIP(functions, *parts, strict=True):
        if not _ALL(_MAP(is_, (part(function) for part in _PARTS), kept)):
            function.__code__, function.__defaults__, function.__kwdefaults__ = kept
            edited.append(function)
    return edited


def _edited_objects(objects: list[tuple[Any, dict[str, Any]]]) -> list[Any]:
    """Those of which an attribute was set or added; they are put back."""
    return [
        each for each, kept in objects if not _same(vars(each), kept) and _rewritten(each, kept)
    ]


def _same(now: Mapping[Any, Any], kept: Mapping[Any, Any]) -> bool:
    """Whether the very same values stand in it, under the same names and in the same order."""
    return (
        _LEN(now) == _LEN(kept)
        and _ALL(_MAP(is_, now, kept))
        and _ALL(_MAP(is_, now.values(), kept.values()))
    )


def _rewritten(value: Any, attributes: dict[str, Any]) -> bool:
    """Whether a settled object was edited; it is put back. What it works out once, and keeps, may
    come to it.
    """
    now = vars(value)
    hidden = [
        each
        for each in now.keys() - attributes.keys()
        if not isinstance(getattr(type(value), each, _CACHED), cached_property)
    ]
    edited = bool(hidden) or any(
        now.get(each, _ABSENT) is not kept for each, kept in attributes.items()
    )
    for each in hidden:
        del now[each]
    if edited:
        now.update(attributes)
    return edited


def _is_own(kind: type) -> bool:
    return str(kind.__dict__.get("__module__", "")).partition(".")[0] == _PACKAGE


def _filled(owner: Any) -> dict[str, dict[Any, Any]]:
    """The contents of the tables of one of this project's modules, such as that of relations."""
    if not isinstance(owner, ModuleType) or owner.__name__.partition(".")[0] != _PACKAGE:
        return {}
    return {
        name: dict(value)
        for name, value in vars(owner).items()
        if type(value) is dict and not name.startswith("__")
    }


def _put_back(
    owner: Any, before: dict[str, Any], filled: dict[str, dict[Any, Any]]
) -> Iterator[str]:
    """Restore an owner; the names, with the owner's, of what wasn't what it was."""
    now = dict(vars(owner))
    touched = not _same(now, before)
    found = [
        name
        for name in (before if touched else ())
        if name not in now or now[name] is not before[name]
    ]
    if touched and isinstance(owner, type):
        added = now.keys() - before.keys() - _MADE_LATE
        for name in added:
            delattr(owner, name)
        found += sorted(added)
    for name in found:
        if name in before:
            setattr(owner, name, before[name])
    # a table may grow, as caches do; what was in it stays
    for name, entries in filled.items():
        table = before[name]
        if _same(table, entries):
            continue
        changed = [key for key in entries if key not in table or table[key] is not entries[key]]
        if changed:
            table.update({key: entries[key] for key in changed})
            found.append(name)
    return iter([f"{_name(owner)}.{name}" for name in found])


def _name(owner: Any) -> str:
    return (
        owner.__name__
        if isinstance(owner, ModuleType)
        else f"{owner.__module__}.{owner.__qualname__}"
    )
