"""What computing took: CPU and wall time of every cell, and on what; kept beside the results and no
part of them.

One line of JSON a cell in `log.jsonl`, appended in one write, so that several drivers can share a
folder. The last line of a cell counts; a line that a kill tore is passed over. There is no clock in
it: a driver has a random name, its `session`, and each line says how many seconds of that session
had gone.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.files import read_whole

FILE = "log.jsonl"


@dataclass(frozen=True)
class Spent:
    """What one cell took in its worker: seconds of CPU and by the clock, load average when it
    ended, and the machine.

    Args:
        cpu: seconds of CPU time.
        wall: seconds by the clock.
        load: how many processes wanted to run, over the last minute.
        machine: processor, cores and versions, name -> text; see `machine`.
    """

    cpu: float
    wall: float
    load: float
    machine: Mapping[str, str]


@dataclass(frozen=True)
class Totals:
    """Sums over cells.

    Args:
        cells: how many, `untimed`: how many of them the log doesn't know.
        steps: environment steps; a cell whose experiment doesn't say how many it takes counts as 1.
        cpu: seconds of CPU time; wall: seconds by the clock while drivers ran, each from its start
            to its last cell of these.
        machines: processor and versions, each once.
    """

    cells: int
    untimed: int
    steps: float
    cpu: float
    wall: float
    machines: tuple[str, ...]


@functools.cache
def machine() -> dict[str, str]:
    """Processor, cores, Python, numpy and numba.

    It is asked once per process, for every entry of the log has it.
    """
    found = {
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "python": platform.python_version(),
    }
    return found | {name: version(name) for name in ("numpy", "numba")}


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return f"{line.partition(':')[2].strip()}, {platform.machine()}"
    except OSError:
        pass
    return platform.machine()


def load() -> float:
    """The load average over the last minute: processes that wanted a core; -1 where the system
    doesn't tell.
    """
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else -1.0


@dataclass
class Session:
    """One driver's part of the logs.

    Args:
        name: random, in every entry that the driver writes.
        begin: `time.monotonic()` when the driver started.
    """

    name: str = field(default_factory=lambda: secrets.token_hex(4))
    begin: float = field(default_factory=time.monotonic)

    def add(self, folder: Path, cell: str, steps: float, spent: Spent) -> None:
        """Append what a cell took. Args: cell: its name in the store.

        Raises:
            BadInput: the folder can't be written.
        """
        entry = {
            "cell": cell,
            "steps": steps,
            "cpu": round(spent.cpu, 4),
            "wall": round(spent.wall, 4),
            "load": round(spent.load, 2),
            "session": self.name,
            "at": round(time.monotonic() - self.begin, 3),
            **spent.machine,
        }
        try:
            # a link would be followed out of the folder
            # O_APPEND: drivers side by side add whole lines, and none overwrites another's
            handle = os.open(
                folder / FILE,
                os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0),
                0o644,
            )
            try:
                os.write(handle, (_end_of_a_torn_line(handle) + json.dumps(entry) + "\n").encode())
            finally:
                os.close(handle)
        except OSError as error:
            raise BadInput(
                f"--out: can't write {str(folder / FILE)!r} ({error.strerror}); choose a place you"
                " may write to"
            ) from error


def _end_of_a_torn_line(handle: int) -> str:
    """What must come first, so that a line which a full disk or a kill tore takes no other with
    it.
    """
    size = os.lseek(handle, 0, os.SEEK_END)
    if not size:
        return ""
    os.lseek(handle, size - 1, os.SEEK_SET)
    return "" if os.read(handle, 1) == b"\n" else "\n"


def entries(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a folder's log, without those that are torn.

    An entry has what `_TYPES` asks for, with numbers that are finite and not negative; anything
    else, be it written by a hand or a newer version, is passed over.
    """
    try:
        lines = read_whole(folder / FILE).decode(errors="replace").splitlines()
    except BadInput:
        return
    for line in lines:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and all(
            _is(entry.get(name), kind) for name, kind in _TYPES.items()
        ):
            yield entry


_TYPES = {"cell": str, "session": str, "processor": str} | dict.fromkeys(
    ("steps", "cpu", "wall", "at"), float
)


def _is(value: object, kind: type) -> bool:
    if kind is str:
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e300


def totals(folders: Iterable[tuple[Path, Iterable[str]]]) -> Totals:
    """Sums over the named cells of each folder.

    Args:
        folders: each with the names of its cells; of a cell that was computed twice the last entry
            counts.
    """
    last: dict[str, dict[str, Any]] = {}
    wanted: set[str] = set()
    for folder, cells in folders:
        names = set(cells)
        wanted |= names
        # a cell that was run again counts once, as its last run
        last |= {entry["cell"]: entry for entry in entries(folder) if entry["cell"] in names}
    ends: dict[str, float] = {}
    for entry in last.values():
        # a session's wall time runs to its last cell; of sessions side by side both count
        ends[entry["session"]] = max(ends.get(entry["session"], 0.0), entry["at"])
    words = ("python", "numpy", "numba")
    machines = {
        f"{entry['processor']}, {entry.get('cores')} cores; "
        + ", ".join(f"{word} {entry.get(word)}" for word in words)
        for entry in last.values()
    }
    steps, cpu = (sum(float(entry[name]) for entry in last.values()) for name in ("steps", "cpu"))
    return Totals(
        len(wanted),
        len(wanted - set(last)),
        steps,
        cpu,
        sum(ends.values()),
        tuple(sorted(machines)),
    )
