"""Numpy's float32, and types of fewer digits, meaning float64 while an update runs; torch's, too,
where a numpy function computes with torch inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from altpg_verify.audit.altered import run_by, within
from altpg_verify.audit.draws import Draw
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.updates import Update
from altpg_verify.audit.wide_torch import names_torch, wide_torch
from altpg_verify.errors import BadInput
from altpg_verify.untrusted.reaching import functions, nested
from altpg_verify.untrusted.standing_in import standing_in

NARROW = ("float32", "single", "float16", "half")
"""Numpy's types of fewer digits."""
STRINGS = frozenset({"float32", "float16", "f4", "f2", "<f4", "<f2"})
"""The same, as `astype("float32")` names them."""


@contextmanager
def wide_numpy(update: Update) -> Iterator[None]:
    """A context in which they mean float64, where the update's own functions name them by a string,
    too.
    """
    codes = [(each, each.__code__) for each in _naming_by_strings(update)]
    try:
        for each, code in codes:
            each.__code__ = _widened(code)
        with standing_in((np, name, np.float64) for name in NARROW), wide_torch(update):
            yield
    finally:
        for each, code in codes:
            each.__code__ = code


def names_narrow(update: Update) -> bool:
    """Whether one of them is named in code that the update reaches, or torch, whose casts may be
    anywhere, is.
    """
    if names_torch(update):
        return True
    codes = (code for each in functions(update.function) for code in nested(each.__code__))
    return any(name in NARROW for code in codes for name in code.co_names) or bool(
        _naming_by_strings(update)
    )


def _naming_by_strings(update: Update) -> list[FunctionType]:
    found: list[FunctionType] | None = update.__dict__.get("naming_by_strings")
    if found is None:
        found = [
            each
            for each in functions(update.function)
            if any(map(_has_strings, nested(each.__code__)))
        ]
        update.__dict__["naming_by_strings"] = found
    return found


def _has_strings(code: CodeType) -> bool:
    return any(isinstance(each, str) and each in STRINGS for each in code.co_consts)


def _widened(code: CodeType) -> CodeType:
    """The code with "float64" in place of their names, nested functions' too."""

    def wide(constant: Any) -> Any:
        if isinstance(constant, CodeType):
            return _widened(constant)
        return "float64" if isinstance(constant, str) and constant in STRINGS else constant

    return code.replace(co_consts=tuple(map(wide, code.co_consts)))


def in_float64(update: Update) -> Update:
    """The update in that context, if it may be in need of it: a torch loss may call anything, a
    numpy function is read.
    """
    may = update.origin == "torch loss" or (
        update.origin in ("function", "formula") and names_narrow(update)
    )
    if not may:
        return update
    return _where_it_runs(update) if names_torch(update) else within(update, wide_numpy)


def _where_it_runs(update: Update) -> Update:
    """The update in that context, and out of it for a draw on which it can't be run there, as where
    a module's float32 weights meet float64.
    """

    def gradient(parameters: Parameters, draw: Draw) -> Mapping[str, Any]:
        try:
            with wide_numpy(update):
                return update.gradient(parameters, draw)
        except BadInput:
            return update.gradient(parameters, draw)

    return run_by(update, gradient, None, _where_it_runs)
