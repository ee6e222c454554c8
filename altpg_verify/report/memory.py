"""Collecting garbage seldom while all is computed, and giving memory back before the page is typeset,
which takes most of it.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = (20_000, 20, 20)
"""New objects before Python looks for cycles, and how often it looks at older ones; by itself it
looks after 700, which takes a tenth of the time where millions of fractions live.
"""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Look for unreachable cycles seldom within the block; the thresholds before are set again at
    its end.
    """
    before = gc.get_threshold()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def spare() -> None:
    """Empty sympy's cache, collect what is unreachable, and return free pages to the system where
    the C library can. Typesetting takes the most memory, and all of it at once.
    """
    if "sympy" in sys.modules:
        from sympy.core.cache import clear_cache

        clear_cache()
    gc.collect()
    if sys.platform.startswith("linux"):
        # musl has no such function
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
