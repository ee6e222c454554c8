"""What objects of compiled classes hold, read by what those classes themselves have: a class of
somebody's own that derives from one, or says that it is one, answers whatever it likes.
"""

from __future__ import annotations

import datetime
import decimal
import gc
import re
from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

PLAIN = (int, float, complex, str, bytes, bool, type(None))
"""Types of what has no parts."""

_NO_CODE_CHANGES = 1 << 8
"""The flag of a class that no Python code made, and none can change."""
# of `type`: a metaclass may answer otherwise
_FLAGS, _BASES = (type.__dict__[name] for name in ("__flags__", "__mro__"))
_DATES = (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)
_MISSING = object()


def is_a(value: Any, kinds: Any) -> bool:
    """Whether it is an instance by its type, which no object can choose as it can `__class__`."""
    return issubclass(type(value), kinds)


def is_compiled(kind: type) -> bool:
    """Whether a class is made by C code."""
    return bool(_FLAGS.__get__(kind) & _NO_CODE_CHANGES)


def bases(kind: type) -> tuple[type, ...]:
    """A class and all it derives from, in the order in which names are looked up."""
    found: tuple[type, ...] = _BASES.__get__(kind)
    return found


def own(value: Any, name: str, *otherwise: Any) -> Any:
    """An attribute or bound method as the compiled class has it that the object's derives from.

    Raises:
        AttributeError: no such class has it, and nothing is given `otherwise`.
    """
    for base in bases(type(value)):
        if is_compiled(base) and (found := vars(base).get(name, _MISSING)) is not _MISSING:
            return found.__get__(value, base)
    if otherwise:
        return otherwise[0]
    raise AttributeError(name)


def exchange(value: Any, name: str, content: Any) -> None:
    """Set an attribute as the compiled class has it that the object's derives from."""
    compiled = bases(made_of(type(value)))
    next(vars(base)[name] for base in compiled if name in vars(base)).__set__(value, content)


def made_of(kind: type) -> type:
    """The compiled class that a class derives from."""
    return next(base for base in bases(kind) if is_compiled(base))


def is_plain(value: Any) -> bool:
    """Whether it has no parts, nor a class that could have any."""
    return is_a(value, PLAIN) and is_compiled(type(value))


def written(value: Any) -> str:
    """A number, text or nothing as Python writes it, whatever its class writes."""
    kind = type(value)
    if kind not in PLAIN:
        kind = next(each for each in PLAIN if issubclass(kind, each))
    writes: Any = kind.__repr__
    return str(writes(value))


def entries(value: Any) -> Iterable[Any]:
    """The entries of a container; those of a table as pairs."""
    iterable: Iterable[Any] = own(value, "items" if is_a(value, dict) else "__iter__")()
    return iterable


def keys(value: Any) -> Iterable[Any]:
    """The keys of a table."""
    iterable: Iterable[Any] = own(value, "__iter__")()
    return iterable


def length(value: Any) -> int:
    """How many entries a container has."""
    return int(own(value, "__len__")())


def refill(container: Any, saved: list[Any]) -> None:
    """Put into a list, table, set or queue what `entries` gave."""
    own(container, "clear")()
    if is_a(container, dict):
        put = own(container, "__setitem__")
        for key, value in saved:
            put(key, value)
    else:
        own(container, "update" if is_a(container, set) else "extend")(saved)


def unchanging(value: Any) -> Any:
    """What an object holds that can't be changed, only exchanged for another: a date, a decimal
    number, what was found in a text; None of others.
    """
    if is_a(value, decimal.Decimal):
        return ("decimal", decimal.Decimal.__repr__(value))
    if is_a(value, datetime.timezone):
        return ("timezone", unchanging(value.utcoffset(None)), written(value.tzname(None)))
    for kind in _DATES:
        if is_a(value, kind):
            # the fourth way of writing it down has `fold`; the zone is looked at by itself
            state = kind.__reduce_ex__(value, 4)[1]
            return (kind.__name__, *(each for each in state if is_plain(each)))
    if is_a(value, re.Match):
        return ("match", value.regs, value.pos, value.endpos)
    if is_a(value, re.Pattern):
        return ("pattern", written(value.pattern), value.flags)
    return None


def proxied(value: MappingProxyType[Any, Any]) -> Any:
    """The table that is seen through a view."""
    # no attribute leads to it
    return gc.get_referents(value)[0]
