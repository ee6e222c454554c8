"""The packages, and which of them import which, read from the imports. `python
docs/hooks/import_graph.py` prints it.
"""

from __future__ import annotations

import ast
import functools
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {
    "altpg_verify.report": "report",
    "altpg_verify.sim": "sim",
    "altpg_verify.theory": "theory",
    "altpg_verify.audit": "audit",
    "altpg_verify.untrusted": "untrusted",
    "altpg_verify": "core",
    "trust": "trust",
}
"""The beginning of a module's name -> the package it is in; the longest that fits counts."""


def package(module: str) -> str | None:
    """The package of a module; None for what is no part of the project."""
    fitting = [start for start in PACKAGES if module == start or module.startswith(f"{start}.")]
    return PACKAGES[max(fitting, key=len)] if fitting else None


@functools.cache
def arrows() -> frozenset[tuple[str, str]]:
    """(from, to): some file of one package imports something of the other, at the start or
    later.
    """
    found: set[tuple[str, str]] = set()
    for folder in ("altpg_verify", "trust"):
        for where, _, names in sorted(os.walk(ROOT / folder, followlinks=True)):
            for path in (Path(where) / name for name in names if name.endswith(".py")):
                here = package(".".join(path.relative_to(ROOT).with_suffix("").parts))
                there = {package(module) for module in _imported(path)} - {None, here}
                found |= {(str(here), str(other)) for other in there}
    return frozenset(found)


def picture() -> str:
    """A Mermaid flow chart: an arrow goes from the package that imports to the package that is
    imported.
    """
    lines = [f"    {here} --> {there}" for here, there in sorted(arrows())]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```"])


def _imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


if __name__ == "__main__":
    print(picture())
