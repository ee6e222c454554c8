"""Which of the declared interpreters are here: on the path, or kept by pyenv."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

_ASK = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


def find(python: str) -> str | None:
    """A command that starts this version and can make environments; None if there is none.

    Args:
        python: such as "3.12".
    """
    return next((command for command in _candidates(python) if _answers(command, python)), None)


def _candidates(python: str) -> Iterator[str]:
    if python == f"{sys.version_info.major}.{sys.version_info.minor}":
        yield sys.executable
    if command := shutil.which(f"python{python}"):
        yield command
    if pyenv := shutil.which("pyenv"):
        kept = subprocess.run(
            [pyenv, "versions", "--bare"], capture_output=True, text=True, check=False
        ).stdout.split()
        for version in kept:
            if version.startswith(f"{python}."):
                prefix = subprocess.run(
                    [pyenv, "prefix", version], capture_output=True, text=True, check=False
                ).stdout.strip()
                yield str(Path(prefix) / "bin" / "python")


def _answers(command: str, python: str) -> bool:
    try:
        done = subprocess.run(
            [command, "-c", _ASK], capture_output=True, text=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and done.stdout.strip() == python
