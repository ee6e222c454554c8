"""What stands in for functions of libraries while a block runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def standing_in(standing: Iterable[tuple[Any, str, Any]]) -> Iterator[None]:
    """A context in which other values stand under these names; everything is as it was afterwards,
    so that a name that an owner inherited is inherited again.

    Args:
        standing: (module or class, name, what stands there).
    """
    placed = list(standing)
    before = [vars(owner).get(name, _INHERITED) for owner, name, _ in placed]
    try:
        for owner, name, value in placed:
            setattr(owner, name, value)
        yield
    finally:
        for (owner, name, _), own in zip(placed, before, strict=True):
            if own is not _INHERITED:
                setattr(owner, name, own)
            elif name in vars(owner):
                delattr(owner, name)


_INHERITED = object()
