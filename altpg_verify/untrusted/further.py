"""What lies too far, or behind too much, to be looked at object by object: a digest of it all."""

from __future__ import annotations

import hashlib
import sys
from collections import deque
from typing import Any

from altpg_verify.untrusted.code_origin import is_of_user
from altpg_verify.untrusted.contents import PLAIN, entries, is_a, is_plain, own, unchanging, written
from altpg_verify.untrusted.fields import fields

MOST = 2_000_000
"""Objects that are gone through."""
_CONTAINERS = (list, tuple, dict, set, frozenset, deque)


class Further:
    """Objects that a walk saw and didn't look into.

    Args:
        waiting: these objects.
    """

    __slots__ = ("waiting",)

    def __init__(self, waiting: list[Any]) -> None:
        self.waiting = waiting

    def digest(self) -> bytes:
        """The same as long as the same numbers and texts stand in them, in the same places."""
        found = hashlib.blake2b()
        waiting, visited = list(reversed(self.waiting)), set[int]()
        while waiting and len(visited) < MOST:
            value = waiting.pop()
            if is_plain(value):
                found.update(f"{type(value).__name__} {written(value)};".encode())
                continue
            if id(value) in visited:
                continue
            visited.add(id(value))
            parts = _parts(value)
            found.update(f"{type(value).__name__} {len(parts)};".encode())
            waiting += reversed(parts)
        return found.digest()


def _parts(value: Any) -> list[Any]:
    """What is in a container, in an array of objects or in an object of a class of the user's."""
    parts: list[Any] = []
    kind = type(value)
    if is_a(value, dict):
        parts += [each for entry in list(entries(value)) for each in entry]
    elif is_a(value, _CONTAINERS):
        parts += list(entries(value))
    elif is_a(value, bytearray):
        parts.append(bytes(own(value, "copy")()))
    elif (numpy := sys.modules.get("numpy")) is not None and is_a(value, numpy.ndarray):
        plain = numpy.ndarray.view(value, numpy.ndarray)
        parts += plain.ravel().tolist() if plain.dtype == object else [plain.tobytes()]
    elif is_a(value, PLAIN):
        parts.append(written(value))
    elif (held := unchanging(value)) is not None:
        parts.append(repr(held))
    elif not (is_of_user(kind) or kind.__name__ == "SimpleNamespace"):
        return parts
    attributes = getattr(kind, "__dictoffset__", 0) and object.__getattribute__(value, "__dict__")
    if type(attributes) is dict:
        parts += [each for entry in list(attributes.items()) for each in entry]
    return parts + [held for _, held in fields(value)]
