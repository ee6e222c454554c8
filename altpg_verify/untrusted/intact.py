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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from functools import cached_property
from operator import is_
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple

from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.code_origin import of_library
from altpg_verify.untrusted.switches import Switches

_PACKAGE = __name__.partition(".")[0]
_OPEN = SimpleNamespace(frozen=False)
_ABSENT = object()
# Python's own, also after they were replaced in `builtins` and `itertools`
_ALL, _MAP, _LEN, _ZIP, _LIST, _TUPLE, _VARS = all, map, len, zip, list, tuple, vars
_CHAINED, _ADDED = itertools.chain.from_iterable, itertools.accumulate
_VALUES = operator.methodcaller("values")
_PARTS = tuple(map(operator.attrgetter, ("__code__", "__defaults__", "__kwdefaults__")))
"""What a function consists of that can be replaced, each read by C code."""
_IT = operator.attrgetter("it")
_CACHED = cached_property(id)
_MADE_LATE = frozenset(
    {"__annotations__", "__annotations_cache__", "__abstractmethods__", "__slotnames__"}
)
"""What Python itself adds to a class when it is asked for; the last when an object is copied or
sent to another process.
"""


_BESIDE = (
    *("json", "decimal", "numpy", "numpy.linalg", "numpy.random"),
    *("torch", "torch.autograd", "torch.func", "torch.linalg", "torch.nn.functional"),
    *("jax", "jax.numpy", "jax.lax", "jax.nn"),
)
"""Modules of libraries that are compared where they were imported; names may come to them."""

_OF_DTYPES = frozenset({("torch", "Storage")})
"""What torch itself exchanges when its default type of numbers is another one."""

_CLASSES_BESIDE = (
    *(("torch", "Tensor"), ("jax._src.array", "ArrayImpl"), ("jax._src.core", "Tracer")),
    *(("torch.autograd.function", "Function"), ("torch.nn.modules.module", "Module")),
)
"""The same for classes of libraries: a name that comes to one of these hides what it inherits."""


class _Inside(NamedTuple):
    """What stands in several tables: how much in each, and all names and values one after another.
    Python's own code goes through these in one pass, and collects no garbage after them.
    """

    sizes: tuple[int, ...] = ()
    names: tuple[Any, ...] = ()
    values: tuple[Any, ...] = ()


class _Owner(NamedTuple):
    """A module or class, its names with what they stand for, and what follows from those alone."""

    it: Any
    names: tuple[str, ...]
    values: tuple[Any, ...]
    classes: tuple[type, ...]
    tables: tuple[tuple[str, dict[Any, Any]], ...]
    settled: tuple[tuple[str, Any], ...]


class _Shared(NamedTuple):
    """All owners, and what is settled in them: many stand in several, each is kept once."""

    modules: tuple[Any, ...] = ()
    owners: tuple[_Owner, ...] = ()
    inside: _Inside = _Inside()
    functions: tuple[FunctionType, ...] = ()
    objects: tuple[Any, ...] = ()
    tables: tuple[dict[Any, Any], ...] = ()


_LAST = [_Shared()]
"""What was shared when a block was last entered: nearly always it still is. Nothing in it can be
edited, and what the block itself puts here doesn't outlive it.
"""


@contextmanager
def intact(who: str) -> Iterator[None]:
    """Within the block nothing that is shared may be replaced; what was is put back, and so is every
    switch of numpy, torch and JAX.

    Args:
        who: the sentence's subject, such as "update 'own_mean'".

    Raises:
        BadEstimator: on leaving, something was replaced, or is left on.
    """
    shared = _shared(_LAST[0])
    functions, objects, tables = shared.functions, shared.objects, shared.tables
    parts = [list(_MAP(part, functions)) for part in _PARTS]
    attributes = _inside(_LIST(_MAP(_VARS, objects)))
    filled = _inside(tables)
    switches = Switches()
    raised: BaseException | None = None
    try:
        yield
    except BaseException as error:
        raised = error
    # what is settled first: tables are looked up by it
    edited = [*_edited_functions(functions, parts), *_edited_objects(objects, attributes)]
    replaced = _put_back(shared, filled)
    replaced += [_home(_names(shared, each), each) for each in edited]
    _LAST[0] = shared
    left = switches.put_back()
    # what a check raises whose functions were replaced says nothing
    if replaced and (raised is None or isinstance(raised, Exception)):
        raise BadEstimator(
            f"{who} replaces {replaced[0]}, which the check itself works with; leave it as it is"
        ) from raised
    if left and (raised is None or isinstance(raised, Exception)):
        raise BadEstimator(
            f"{who} leaves {left} on, through which everybody would compute; use it by `with`"
        ) from raised
    if raised is not None:
        raise raised


def _modules() -> tuple[Any, ...]:
    """Those that arithmetic rests on and this project's."""
    return (
        *(builtins, math, operator, fractions, itertools, functools, contextlib),
        *(sys.modules[name] for name in _BESIDE if name in sys.modules),
        *(
            module
            for name, module in list(sys.modules.items())
            if name.startswith(_PACKAGE)
            and name.partition(".")[0] == _PACKAGE
            and type(module) is ModuleType
        ),
    )


def _classes() -> Iterator[type]:
    """Those of libraries that were imported."""
    for module, name in _CLASSES_BESIDE:
        kind = getattr(sys.modules.get(module), name, None)
        if isinstance(kind, type):
            yield kind


def _shared(last: _Shared) -> _Shared:
    """What is shared now; the last of it, if nothing was imported or put elsewhere since."""
    modules = _modules()
    if (
        _LEN(modules) == _LEN(last.modules)
        and _ALL(_MAP(is_, modules, last.modules))
        and _unchanged(_tables(last.owners), last.inside)
    ):
        return last
    known = {id(each.it): each for each in last.owners}
    found = [_looked_at(each, known) for each in modules]
    classes = (kind for each in found for kind in each.classes)
    found += [_looked_at(kind, known) for kind in (fractions.Fraction, *_classes(), *classes)]
    owners = tuple({id(each.it): each for each in found}.values())
    once = {id(each): each for owner in owners for _, each in owner.settled}.values()
    return _Shared(
        modules,
        owners,
        _Inside(
            tuple(len(owner.names) for owner in owners),
            tuple(name for owner in owners for name in owner.names),
            tuple(value for owner in owners for value in owner.values),
        ),
        tuple(each for each in once if type(each) is FunctionType),
        tuple(each for each in once if type(each) is not FunctionType),
        tuple(table for owner in owners for _, table in owner.tables),
    )


def _looked_at(owner: Any, known: Mapping[int, _Owner]) -> _Owner:
    now = dict(vars(owner))
    kept = known.get(id(owner))
    if kept is not None and kept.it is owner and _same(now, kept.names, kept.values):
        return kept
    own = isinstance(owner, ModuleType) and owner.__name__.partition(".")[0] == _PACKAGE
    return _Owner(
        owner,
        tuple(now),
        tuple(now.values()),
        tuple(each for each in now.values() if own and isinstance(each, type) and _is_own(each)),
        tuple(
            (name, value)
            for name, value in now.items()
            if own and type(value) is dict and not name.startswith("__")
        ),
        tuple(_settled_in(owner, now)),
    )


def _settled_in(owner: Any, now: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What is never edited once it was made: functions, and this project's frozen objects that stand
    in a module.
    """
    if not (
        _is_own(owner) if isinstance(owner, type) else owner.__name__.partition(".")[0] == _PACKAGE
    ):
        for name, value in now.items():
            # what is compiled at the first call, or chosen by its arguments, has Python behind it
            found = getattr(value, "__wrapped__", value) if callable(value) else value
            if type(found) is FunctionType:
                yield f"{_name(owner)}.{name}", found
        return
    for name, value in now.items():
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


def _names(shared: _Shared, value: Any) -> list[str]:
    """Those under which something settled stands."""
    return [name for owner in shared.owners for name, each in owner.settled if each is value]


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


def _edited_functions(
    functions: tuple[FunctionType, ...], parts: list[list[Any]]
) -> list[FunctionType]:
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


def _edited_objects(objects: tuple[Any, ...], attributes: _Inside) -> list[Any]:
    """Those of which an attribute was set or added; they are put back."""
    if _unchanged(_LIST(_MAP(_VARS, objects)), attributes):
        return []
    return [
        each
        for each, names, values in _ZIP(objects, *_each(attributes), strict=True)
        if not _same(_VARS(each), names, values)
        and _rewritten(each, dict(_ZIP(names, values, strict=True)))
    ]


def _tables(owners: tuple[_Owner, ...]) -> list[Mapping[str, Any]]:
    return _LIST(_MAP(_VARS, _MAP(_IT, owners)))


def _inside(tables: Sequence[Mapping[Any, Any]]) -> _Inside:
    return _Inside(
        _TUPLE(_MAP(_LEN, tables)),
        _TUPLE(_CHAINED(tables)),
        _TUPLE(_CHAINED(_MAP(_VALUES, tables))),
    )


def _unchanged(tables: Sequence[Mapping[Any, Any]], kept: _Inside) -> bool:
    """Whether the very same values stand in all of them, under the same names and in the same
    order.
    """
    return (
        _TUPLE(_MAP(_LEN, tables)) == kept.sizes
        and _ALL(_MAP(is_, _CHAINED(tables), kept.names))
        and _ALL(_MAP(is_, _CHAINED(_MAP(_VALUES, tables)), kept.values))
    )


def _each(kept: _Inside) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """The names of each table, and the values of each."""
    ends = _LIST(_ADDED(kept.sizes))
    spans = [slice(end - size, end) for end, size in _ZIP(ends, kept.sizes, strict=True)]
    return [kept.names[span] for span in spans], [kept.values[span] for span in spans]


def _same(now: Mapping[Any, Any], names: Sequence[Any], values: Sequence[Any]) -> bool:
    """The same of one table."""
    return (
        _LEN(now) == _LEN(names)
        and _ALL(_MAP(is_, now, names))
        and _ALL(_MAP(is_, now.values(), values))
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


def _put_back(shared: _Shared, filled: _Inside) -> list[str]:
    """Restore what was replaced in owners and in their tables; the names, with the owner's."""
    found = []
    if not _unchanged(_tables(shared.owners), shared.inside):
        for owner in shared.owners:
            found += _restored(owner)
    if not _unchanged(shared.tables, filled):
        found += _refilled(shared, filled)
    return found


def _restored(owner: _Owner) -> list[str]:
    it, now = owner.it, dict(_VARS(owner.it))
    if _same(now, owner.names, owner.values):
        return []
    before = dict(_ZIP(owner.names, owner.values, strict=True))
    found = [
        name
        for name in before
        if name not in now
        or (
            now[name] is not before[name]
            and (_name(it), name) not in _OF_DTYPES
            and not _by_torch(now[name], before[name])
        )
    ]
    if isinstance(it, type):
        added = now.keys() - before.keys() - _MADE_LATE
        for name in added:
            delattr(it, name)
        found += sorted(added)
    for name in found:
        if name in before:
            setattr(it, name, before[name])
    return [f"{_name(it)}.{name}" for name in found]


def _by_torch(now: Any, before: Any) -> bool:
    """Whether a function is the one that stood there, in the wrapper that torch puts around
    `manual_seed` as soon as its compiler is loaded.

    Its code is torch's own, sees torch's own variables, and closes over the function and settings
    only: who wraps something else in torch's wrapper isn't let through.
    """
    loaded = sys.modules.get("torch._dynamo.eval_frame")
    if (
        loaded is None
        or type(now) is not FunctionType
        or type(before) is not FunctionType
        or before.__module__ != "torch.random"
    ):
        return False
    held = [each.cell_contents for each in now.__closure__ or ()]
    return (
        of_library(now.__code__, now.__globals__)
        and now.__globals__ is _VARS(sys.modules.get("torch._compile", loaded))
        and now.__dict__.get("__wrapped__") is before
        and _ALL(each is before or type(each) is bool for each in held)
        and any(each is before for each in held)
        and not now.__defaults__
        and not now.__kwdefaults__
    )


def _refilled(shared: _Shared, filled: _Inside) -> list[str]:
    """A table may grow, as caches do; what was in it stays."""
    found = []
    places = [(owner, *each) for owner in shared.owners for each in owner.tables]
    for (owner, name, table), *kept in _ZIP(places, *_each(filled), strict=True):
        changed = {
            key: value
            for key, value in _ZIP(*kept, strict=True)
            if key not in table or table[key] is not value
        }
        if changed:
            table.update(changed)
            found.append(f"{_name(owner.it)}.{name}")
    return found


def _name(owner: Any) -> str:
    return (
        owner.__name__
        if isinstance(owner, ModuleType)
        else f"{owner.__module__}.{owner.__qualname__}"
    )
