"""Tricks that keep a count in a file: read and written by numpy's functions, or through a handle
that stays open.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED
from trust.hostile.tricks_hidden import counted
from trust.hostile.tricks_state import Made


def _file() -> str:
    handle, name = tempfile.mkstemp(prefix="altpg-hostile-")
    os.close(handle)
    return name


def as_text() -> Callable[[], float]:
    """`savetxt` and `loadtxt`."""
    file = _file()
    np.savetxt(file, [0.0])

    def count() -> float:
        found = float(np.loadtxt(file)) + 1
        np.savetxt(file, [found])
        return found

    return count


def as_an_array() -> Callable[[], float]:
    """`save` and `load`."""
    file = _file() + ".npy"
    np.save(file, 0.0)

    def count() -> float:
        found = float(np.load(file, allow_pickle=False)) + 1
        np.save(file, found)
        return found

    return count


def mapped() -> Callable[[], float]:
    """A file that is mapped anew in each call."""
    file = _file()
    np.zeros(1).tofile(file)

    def count() -> float:
        found = np.memmap(file, dtype=float, mode="r+")
        found[0] += 1
        return float(found[0])

    return count


def as_bytes() -> Callable[[], float]:
    """Compiled functions: `tofile` and `fromfile`."""
    file = _file()
    np.zeros(1).tofile(file)

    def count() -> float:
        found = np.fromfile(file) + 1
        found.tofile(file)
        return float(found[0])

    return count


def through(opened: Callable[[str], Any]) -> Callable[[], Callable[[], float]]:
    """A handle that stays open, and is where it was after each call."""

    def make() -> Callable[[], float]:
        name = _file()
        Path(name).write_bytes(b"0")
        handle = opened(name)

        def count() -> float:
            handle.seek(0)
            found = int(handle.read()) + 1
            handle.seek(0)
            handle.write(b"%d" % found)
            handle.flush()
            handle.seek(0)
            return found

        return count

    return make


def unbuffered(name: str) -> Any:
    """As the system has it."""
    return open(name, "rb+", buffering=0)


def buffered(name: str) -> Any:
    """As Python has it."""
    return open(name, "rb+")


def temporary(name: str) -> Any:
    """Without a name."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - it stays open
    file.write(b"0")
    return file


TRICKS: dict[str, list[Made]] = {
    "files": [
        ("text of numpy", counted(as_text), NEVER_PASSED),
        ("an array in a file", counted(as_an_array), NEVER_PASSED),
        ("a mapped file", counted(mapped), NEVER_PASSED),
        ("bytes of numpy", counted(as_bytes), NEVER_PASSED),
        ("an unbuffered handle", counted(through(unbuffered)), NEVER_PASSED),
        ("a buffered handle", counted(through(buffered)), NEVER_PASSED),
        ("a temporary file", counted(through(temporary)), NEVER_PASSED),
    ]
}
"""Tricks by kind."""
