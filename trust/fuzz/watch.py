"""One attempt: a command runs on files of which one was damaged, and everything it must not do is
looked for.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

FLAG = "executed"
"""The file that hostile content makes if anything runs it."""

FAULTS = {
    "crashes": "crashes without a message",
    "nameless": "refusals that don't name the file",
    "trusted": "damaged cells and certificates taken for good",
    "outside": "files written outside of the folder given",
    "executed": "inputs of which something was executed",
    "lost": "files lost or changed",
}
"""What must never happen, by name."""


class Reached(BaseException):
    """A command's own work would begin here: its input was accepted."""


@dataclass
class Tally:
    """What was tried and what went wrong, by target."""

    tried: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def fault(self, name: str, target: str, what: str) -> None:
        """Note one fault, and the first few examples of each."""
        self.faults[name] += 1
        if self.faults[name] <= 5:
            self.examples.append(f"{FAULTS[name]}: {target}: {what[:600]}")

    def add(self, other: Tally) -> None:
        """What another one counted, too."""
        self.tried += other.tried
        self.refused += other.refused
        self.faults += other.faults
        self.examples += other.examples


@dataclass(frozen=True)
class Ran:
    """How a command ended: its exit code, or the exception that it let through, and what it
    said.
    """

    code: int | None
    said: str
    complaint: str
    raised: str = ""


def ran(command: Callable[[], int]) -> Ran:
    """Run a command in this process, with its output taken and strict UTF-8 as on a terminal."""
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors=errors)
        for errors in ("strict", "backslashreplace")
    )
    code, raised = None, ""
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = command()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        except Reached:
            code = 0
        except (Exception, RecursionError) as error:
            raised = f"{type(error).__name__}: {error}"
    out.flush()
    err.flush()
    said, complaint = (stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err))  # type: ignore[attr-defined]
    return Ran(code, said, complaint, raised)


def crashed(found: Ran) -> str:
    """What is wrong with how a command ended; empty if it said what it had to say."""
    if found.raised:
        return found.raised
    if found.code not in (0, 1, 2):
        return f"exit code {found.code}"
    if found.code == 2 and not found.complaint.strip():
        return "exit code 2 and not a word on standard error"
    return (
        "a traceback" if "Traceback (most recent call last)" in found.said + found.complaint else ""
    )


class World:
    """A folder `inside` that commands may use, and one `outside` that they may not; both are
    compared before and after.

    Args:
        folder: an empty folder.
        files: relative path -> content, the good files.
    """

    def __init__(self, folder: Path, files: dict[str, bytes]) -> None:
        self.folder, self.files = folder, files
        self.inside, self.outside = folder / "inside", folder / "outside"
        for each in (self.inside, self.outside):
            each.mkdir(parents=True)
        (self.outside / "precious.txt").write_bytes(b"precious")
        for path, content in files.items():
            self.put(path, content)

    def put(self, path: str, content: bytes) -> None:
        """Write one of the files."""
        where = self.inside / path
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(content)

    @property
    def flag(self) -> Path:
        """Where hostile content would leave its mark."""
        return self.folder / FLAG

    def faults(self, damaged: str, content: bytes | None) -> Iterator[tuple[str, str]]:
        """What a command did that it must not do.

        Args:
            damaged: the file that was damaged; content: what it held, None if it was no ordinary
                file.
        """
        if self.flag.exists():
            self.flag.unlink()
            yield "executed", damaged
        strange = {path.relative_to(self.folder).as_posix() for path in _below(self.outside)} - {
            "outside/precious.txt"
        }
        strange |= {path.name for path in self.folder.iterdir()} - {"inside", "outside"}
        if strange or (self.outside / "precious.txt").read_bytes() != b"precious":
            yield "outside", f"{damaged}: {sorted(strange) or 'precious.txt was changed'}"
            self._tidy()
        for path, good in self.files.items():
            wanted = content if path == damaged else good
            where = self.inside / path
            if wanted is not None and (not where.is_file() or where.read_bytes() != wanted):
                yield "lost", path
                self.put(path, good)

    def _tidy(self) -> None:
        shutil.rmtree(self.outside)
        self.outside.mkdir()
        for path in self.folder.iterdir():
            if path.is_dir() and path != self.inside and path != self.outside:
                shutil.rmtree(path)
            elif not path.is_dir():
                path.unlink()
        (self.outside / "precious.txt").write_bytes(b"precious")


def _below(folder: Path) -> list[Path]:
    return [Path(where) / name for where, _, names in os.walk(folder) for name in names]


@contextlib.contextmanager
def standing_in(folder: Path) -> Iterator[None]:
    """With the folder as the working folder, and what was imported from it meanwhile forgotten."""
    before, path, modules, place = Path.cwd(), list(sys.path), set(sys.modules), folder.resolve()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        sys.path[:] = path
        for name in sys.modules.keys() - modules:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).resolve().is_relative_to(place):
                del sys.modules[name]
