"""What an object has beside its entries and its `__dict__`: slots, of whatever base, and the fields
of objects of C.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from types import GetSetDescriptorType, MemberDescriptorType
from typing import Any

from altpg_verify.untrusted.contents import PLAIN, bases, is_a, is_compiled

_SHOWN = (*PLAIN, BaseException)
_NOT_KEPT = frozenset({"__dict__", "__weakref__", "__class__", "__abstractmethods__"})
_RUNNING = frozenset({"gi_running", "cr_running", "ag_running"})


def fields(value: Any) -> Iterator[tuple[str, Any]]:
    """Names and contents of the fields of an object: of slots whatever they hold, of compiled
    fields only what is plain, as others are made when they are asked for, and causes of exceptions.
    """
    kind: Any = type(value)
    for name, field, computed in _of_class(kind):
        try:
            held = field.__get__(value)
            shown = not computed or is_a(held, _SHOWN)
        except Exception:
            # empty, closed or of something else
            continue
        if shown:
            yield name, held


@cache
def _of_class(kind: Any) -> tuple[tuple[str, Any, bool], ...]:
    found: dict[str, tuple[str, Any, bool]] = {}
    for base in bases(kind):
        root = str(base.__module__).partition(".")[0]
        compiled = is_compiled(base) and root in sys.stdlib_module_names
        for name, each in vars(base).items():
            if name in _NOT_KEPT or name in _RUNNING or name in found:
                continue
            # whatever a class says of its module: a getter of Python is none of these
            if is_a(each, MemberDescriptorType):
                found[name] = (name, each, compiled)
            elif is_a(each, GetSetDescriptorType) and compiled:
                found[name] = (name, each, True)
    return tuple(found.values())
