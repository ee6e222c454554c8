"""What is disturbed: a sweep of a few small cells, by workers that take a while, kill, or want too
much memory.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from altpg_verify.errors import BadInput, Missing
from altpg_verify.sim import sweep
from altpg_verify.sim.executors import executor_named
from altpg_verify.sim.experiments import work_for
from altpg_verify.terminal import ended

NAMES = ("bias_alternate_param_study", "biased_pg_sensitivity")
WORK = [
    dataclasses.replace(cell, setting={**cell.setting, "runs": 6})
    for name in NAMES
    for cell in work_for("quick", name)
][8:24]
DEADLY = WORK[3]


def digest(folder: Path) -> str:
    """Of all files but the logs, which tell how long things took, and what killed writers left
    behind.
    """
    files = sorted(
        path for path in folder.rglob("[!.]*") if path.is_file() and path.name != "log.jsonl"
    )
    return hashlib.sha256(
        b"".join(path.name.encode() + path.read_bytes() for path in files)
    ).hexdigest()


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


def greedy(cell):
    """The cell, but for one that wants more memory than its worker may have."""
    if cell == DEADLY:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(
            resource.RLIMIT_AS,
            (pages * resource.getpagesize() + 100_000_000, resource.RLIM_INFINITY),
        )
        np.ones(100_000_000)
    return sweep.timed(cell)


def torn(folder: Path) -> list[str]:
    """The files of cells that are there and can't be read, and manifests that are not whole."""
    found = []
    for cells in sweep.by_experiment(WORK).values():
        try:
            store = sweep.open_store(cells, folder, read_only=True)
            for cell in cells:
                if store.has(cell):
                    store.read(cell)
        except Missing:
            continue
        except BadInput as error:
            found.append(str(error))
    return found


def slow_disk():
    """Writing takes a while, so that kills fall into it."""
    sync = os.fsync

    def slowly_synced(handle):
        time.sleep(0.05)
        sync(handle)

    os.fsync = slowly_synced
    return sweep.timed


def backwards():
    """The clock goes back an hour whenever it is asked."""
    begin = time.time()
    hours = itertools.count()
    time.time = lambda: begin - 3600.0 * next(hours)
    return sweep.timed


def small_files():
    """No file may be longer than two thousand bytes."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, resource.RLIM_INFINITY))
    return sweep.timed


WAYS = {
    "slowly": lambda: slowly,
    "at once": lambda: sweep.timed,
    "greedy": lambda: greedy,
    "slow disk": slow_disk,
    "backwards": backwards,
    "small files": small_files,
}
"""How a driver computes, or under what."""


def drive(folder: str, executor: str, way: str = "slowly") -> int:
    """A driver to be disturbed; it prints the ids of its worker processes after each cell."""
    compute = WAYS[way]()
    with executor_named(executor) as workers:

        def tell(done, total, name):
            print(*(getattr(workers and workers.executor, "_processes", None) or ()), flush=True)

        return (
            1
            if sweep.run(WORK, Path(folder), executor=workers, progress=tell, compute=compute)
            else 0
        )


if __name__ == "__main__":
    # workers must find these functions by the name of the module
    from trust.faults import work

    sys.exit(ended("sim", lambda: work.drive(*sys.argv[1:])))
