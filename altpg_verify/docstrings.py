"""What a function says of itself: the summary of its docstring."""

from __future__ import annotations

import inspect
from typing import Any


def summary_of(function: Any) -> str:
    """The first paragraph of the docstring, as one line; empty where there is none."""
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
