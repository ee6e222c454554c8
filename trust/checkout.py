"""This checkout, and processes that run its modules: they find this project first, whatever else is
installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def python_files(folder: Path) -> list[Path]:
    """All Python files below a folder, sorted, each once; the two folders that are linked into the
    package belong to it.
    """
    found = (
        Path(where) / name
        for where, _, names in os.walk(folder, followlinks=True)
        for name in names
    )
    return sorted(path for path in found if path.suffix == ".py")


def surroundings() -> dict[str, str]:
    """The environment of such a process."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def started(arguments: Sequence[str], **pipes: Any) -> subprocess.Popen[str]:
    """This interpreter with these arguments, in the checkout, whose project it imports first.

    Args:
        arguments: after the interpreter's name.
        pipes: what `subprocess.Popen` makes of its streams.
    """
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=ROOT, env=surroundings(), text=True, **pipes
    )
