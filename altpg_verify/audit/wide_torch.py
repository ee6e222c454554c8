"""Torch's float32, and types of fewer digits, meaning float64 while a numpy function runs that
computes with torch inside.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

from altpg_verify.audit import torch_casts
from altpg_verify.audit.updates import Update
from altpg_verify.untrusted.reaching import functions, nested

ORIGINS = ("function", "formula")
"""What isn't a loss under autodiff, which has its casts lifted anyway."""


@contextmanager
def wide_torch(update: Update) -> Iterator[None]:
    """A context in which they mean float64, for an update that names torch; for others none."""
    if not names_torch(update):
        yield
        return
    torch: Any = sys.modules["torch"]
    kept = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with torch_casts.also_backward(torch, torch_casts.widening(torch)):
            yield
    finally:
        torch.set_default_dtype(kept)


def names_torch(update: Update) -> bool:
    """Whether something of torch's is named in code that a numpy function reaches."""
    found: bool | None = update.__dict__.get("names_torch")
    if found is None:
        found = (
            update.origin in ORIGINS
            and "torch" in sys.modules
            and any(map(_names, functions(update.function)))
        )
        update.__dict__["names_torch"] = found
    return found


def _names(function: FunctionType) -> bool:
    names = {
        name
        for code in nested(function.__code__)
        for name in (*code.co_names, *code.co_freevars, *code.co_varnames)
    }
    # imported under another name, or a part of it: the object tells
    seen = [function.__globals__.get(name) for name in names]
    for cell in function.__closure__ or ():
        try:
            seen.append(cell.cell_contents)
        except ValueError:
            # a name that isn't bound yet
            continue
    return "torch" in names or any(map(_is_torchs, seen))


def _is_torchs(value: Any) -> bool:
    torch: Any = sys.modules["torch"]
    if isinstance(value, torch.dtype | torch.Tensor | torch.nn.Module):
        return True
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return isinstance(name, str) and name.split(".")[0] == "torch"
