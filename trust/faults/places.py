"""Places that can't be written: a full disk, a limit on files, a folder that may only be read; and
writes that fail half-way.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

from altpg_verify.errors import BadInput
from altpg_verify.files import write_whole
from trust.faults.tally import Tally, driven, resumed


@contextlib.contextmanager
def mounted(options: str) -> Iterator[Path | None]:
    """A file system in memory with these options; None where mounting is not allowed."""
    folder = Path(tempfile.mkdtemp())
    try:
        allowed = (
            shutil.which("mount")
            and not subprocess.run(
                ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True
            ).returncode
        )
        try:
            yield folder if allowed else None
        finally:
            if allowed:
                subprocess.run(["umount", "-l", str(folder)], capture_output=True)
    finally:
        folder.rmdir()


def remounted(folder: Path, options: str) -> None:
    """The same file system with other options."""
    subprocess.run(
        ["mount", "-o", f"remount,{options}", str(folder)], capture_output=True, check=True
    )


def full_disk(tally: Tally) -> None:
    """A sweep onto a disk that has no room for all of it, and again when it has."""
    with mounted("size=40k") as folder:
        if folder is None:
            tally.note(
                "a full disk was not made, as nothing may be mounted here; writes that fail for"
                " want of room stand in for it"
            )
            return
        done = driven(folder / "results")
        tally.said_why(done, "No space left on device", "a full disk")
        tally.look(folder / "results", "a full disk")
        remounted(folder, "size=50m")
        resumed(tally, folder / "results", "a full disk")


def read_only(tally: Tally) -> None:
    """A sweep into a folder that may only be read, and again when it may be written."""
    with mounted("size=50m") as folder:
        if folder is not None:
            (folder / "results").mkdir()
            remounted(folder, "ro")
            tally.said_why(
                driven(folder / "results"),
                "Read-only file system",
                "a folder that may only be read",
            )
            remounted(folder, "rw")
            resumed(tally, folder / "results", "a folder that may only be read")
            return
    if os.geteuid() == 0:
        tally.note(
            "a folder that may only be read was not made: nothing may be mounted here, and root may"
            " write everywhere"
        )
        return
    with tempfile.TemporaryDirectory() as name:
        results = Path(name) / "results"
        results.mkdir(mode=0o555)
        tally.said_why(driven(results), "Permission denied", "a folder that may only be read")
        results.chmod(0o755)
        resumed(tally, results, "a folder that may only be read")


def limited_files(tally: Tally) -> None:
    """A sweep whose files may not be as long as they are."""
    with tempfile.TemporaryDirectory() as name:
        tally.said_why(
            driven(Path(name), way="small files"),
            "File too large",
            "a limit on the length of files",
        )
        resumed(tally, Path(name), "a limit on the length of files")


STEPS = ("tempfile.mkstemp", "os.fdopen", "os.fsync", "os.chmod", "os.replace")
"""What writing a file takes; each fails in turn."""
ERRORS = (errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT)


def failing_writes(tally: Tally) -> None:
    """Every step of a write fails for every reason: the old file stays, nothing is left behind, and
    the reason is told.
    """
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "file.json"
        for step, number in itertools.product(STEPS, ERRORS):
            path.write_bytes(b"old")

            def fail(*arguments: Any, number: int = number, **named: Any) -> Any:
                raise OSError(number, os.strerror(number))

            said = ""
            with mock.patch(f"altpg_verify.files.{step}", fail):
                try:
                    write_whole(path, b"new" * 1000, "--out")
                except BadInput as error:
                    said = str(error)
                except Exception as error:
                    said = f"{type(error).__name__} went through"
            tally.count("faults")
            if os.strerror(number) not in said or "--out" not in said:
                tally.count("silent", 1, f"{step} failed with {os.strerror(number)}: {said!r}")
            if path.read_bytes() != b"old" or sum(1 for _ in path.parent.iterdir()) != 1:
                tally.count("torn", 1, f"{step} failed with {os.strerror(number)}")
                shutil.rmtree(path.parent)
                path.parent.mkdir()
