"""Python's garbage collector, kept from looking at what a long run doesn't make."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def older_objects_frozen() -> Iterator[None]:
    """The garbage collector looks at what is made inside only: each of its full passes takes a
    tenth of a second where large libraries are loaded, and there are several in a check.
    """
    if gc.get_freeze_count():
        # somebody's own; undoing ours would undo theirs
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
