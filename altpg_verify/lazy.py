"""Packages whose names are loaded when they are first used: a table of contents in their
`__init__`, nothing imported by it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def load(package: str, homes: Mapping[str, str], name: str) -> Any:
    """What a package's `__getattr__` returns.

    Args:
        package: its dotted name.
        homes: public name -> the module of the package that defines it.
        name: what was asked for.

    Raises:
        AttributeError: the package has no such name.
    """
    if name in homes:
        return getattr(import_module(f"{package}.{homes[name]}"), name)
    raise AttributeError(f"module {package!r} has no attribute {name!r}")


def listed(package: str, homes: Mapping[str, str]) -> list[str]:
    """What a package's `__dir__` returns: its names, loaded or not."""
    return sorted({*vars(sys.modules[package]), *homes})
