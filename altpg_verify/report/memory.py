"""Giving memory back before the page is typeset, which takes most of it."""

from __future__ import annotations

import ctypes
import gc
import sys


def spare() -> None:
    """Empty sympy's cache, collect what is unreachable, and return free pages to the system where
    the C library can.
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
