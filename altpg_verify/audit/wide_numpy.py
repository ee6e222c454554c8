"""Numpy's float32, and types of fewer digits, meaning float64 while an update runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from altpg_verify.audit.altered import within
from altpg_verify.audit.updates import Update
from altpg_verify.untrusted.reaching import functions, nested

NARROW = ("float32", "single", "float16", "half")
"""Numpy's types of fewer digits."""


@contextmanager
def wide_numpy() -> Iterator[None]:
    """A context in which they mean float64."""
    kept = {name: getattr(np, name) for name in NARROW}
    try:
        for name in NARROW:
            setattr(np, name, np.float64)
        yield
    finally:
        for name, own in kept.items():
            setattr(np, name, own)


def names_narrow(update: Update) -> bool:
    """Whether one of them is named in code that the update reaches."""
    codes = (code for each in functions(update.function) for code in nested(each.__code__))
    return any(name in NARROW for code in codes for name in code.co_names)


def in_float64(update: Update) -> Update:
    """The update in that context, if it may be in need of it: a torch loss may call anything, a
    numpy function is read.
    """
    may = update.origin == "torch loss" or (
        update.origin in ("function", "formula") and names_narrow(update)
    )
    return within(update, lambda each: wide_numpy()) if may else update
