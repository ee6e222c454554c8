"""What workers of the kill tests compute: cells that take a while, and cells that kill."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import signal
import sys
import time
from pathlib import Path

from sim import sweep
from sim.executors import executor_named
from sim.experiment import Cell
from sim.experiments import work_for

NAMES = ("bias_alternate_param_study", "biased_pg_sensitivity")
WORK = [Cell(cell.experiment, {**cell.setting, "runs": 6}) for name in NAMES for cell in work_for("quick", name)][8:24]
DEADLY = WORK[3]


def digest(folder: Path) -> str:
    """Of all files but the logs, which tell how long things took."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "log.jsonl")
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()


def slowly(cell):
    """The cell itself, after a moment in which its worker can be killed."""
    time.sleep(0.1)
    return sweep.timed(cell)


def deadly(cell):
    """One cell kills its worker."""
    if cell == DEADLY:
        os.kill(os.getpid(), signal.SIGKILL)
    return slowly(cell)


def always_deadly(cell):
    """Every cell kills its worker."""
    os.kill(os.getpid(), signal.SIGKILL)


def of_other_code(cell):
    """The cell, from a worker that has other sources."""
    return dataclasses.replace(sweep.timed(cell), code=1)


def drive(folder: str, executor: str) -> None:
    """A driver to be killed; it prints the ids of its worker processes after each cell."""
    with executor_named(executor) as workers:

        def tell(done, total, name):
            print(*(getattr(workers and workers.executor, "_processes", None) or ()), flush=True)

        sweep.run(WORK, Path(folder), executor=workers, progress=tell, compute=slowly)


if __name__ == "__main__":
    drive(*sys.argv[1:])
