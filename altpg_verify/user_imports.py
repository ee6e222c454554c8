"""Which of the user's modules a file imports, read from its import statements."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from altpg_verify.untrusted.code_origin import is_library


def imported_modules(module: ModuleType | None, file: str) -> Iterator[ModuleType]:
    """The user's modules that a file's import statements name, and those that they name."""
    waiting, seen = [(module, file)], {file}
    while waiting:
        importer, path = waiting.pop()
        for name in named_in(path, getattr(importer, "__package__", None) or ""):
            found = sys.modules.get(name)
            place = getattr(found, "__file__", None)
            if (
                isinstance(found, ModuleType)
                and place
                and place not in seen
                and not is_library(str(place))
            ):
                seen.add(place)
                waiting.append((found, str(place)))
                yield found


def named_in(file: str, package: str) -> tuple[str, ...]:
    """The dotted names of the modules, and of what is taken from them."""
    try:
        return _named_in(Path(file).read_bytes(), package)
    except OSError:
        return ()


@lru_cache(maxsize=64)
def _named_in(content: bytes, package: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_imported(content, package)))


def _imported(content: bytes, package: str) -> Iterator[str]:
    try:
        tree = ast.parse(content)
    except (ValueError, SyntaxError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _packages(alias.name)
        elif isinstance(node, ast.ImportFrom):
            dots = "." * node.level + (node.module or "")
            try:
                base = importlib.util.resolve_name(dots, package) if node.level else dots
            except ImportError:
                continue
            yield from _packages(base)
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        ):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__"):
                yield from _packages(node.args[0].value)


def _packages(name: str) -> Iterator[str]:
    """`a`, `a.b` and `a.b.c` for `a.b.c`: all of them are run."""
    parts = name.split(".")
    return (".".join(parts[: i + 1]) for i in range(len(parts)))
