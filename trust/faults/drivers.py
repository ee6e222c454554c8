"""Drivers that share a folder, whose clock goes back, whose memory ends, or whose scheduler is
lost.
"""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from trust.checkout import started
from trust.faults.tally import PATIENCE, Tally, command, driven, resumed


def two_at_once(tally: Tally) -> None:
    """Two drivers begin the same sweep in the same folder."""
    with tempfile.TemporaryDirectory() as name:
        line, quiet = command(Path(name), way="slow disk"), subprocess.DEVNULL
        both = [started(line, stdout=quiet, stderr=subprocess.PIPE) for _ in range(2)]
        tally.count("faults")
        for driver in both:
            _, said = driver.communicate(timeout=PATIENCE)
            if driver.returncode:
                tally.count(
                    "differing",
                    1,
                    f"one of two drivers ended with {driver.returncode}: {said[-300:]}",
                )
        tally.ended_well(Path(name), "two drivers at once")


def clock_backwards(tally: Tally) -> None:
    """The clock goes back an hour whenever it is asked, beside what a writer left that comes from
    tomorrow.
    """
    with tempfile.TemporaryDirectory() as name:
        tally.count("faults")
        done = driven(Path(name), way="backwards")
        if done.returncode:
            tally.count("silent", 1, f"the clock went back: {done.stderr[-300:]}")
        tally.ended_well(Path(name), "the clock went back")


def out_of_memory(tally: Tally, executors: tuple[str, ...]) -> None:
    """A worker wants more memory than it may have."""
    for executor in executors:
        with tempfile.TemporaryDirectory() as name:
            tally.said_why(
                driven(Path(name), executor, "greedy"),
                "ran out of memory",
                f"no memory, {executor}",
            )
            tally.look(Path(name), f"no memory, {executor}")
            resumed(tally, Path(name), f"no memory, {executor}")


_CLUSTER = """
import time
from distributed import LocalCluster

if __name__ == "__main__":
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, protocol="tcp", host="127.0.0.1", dashboard_address=None)
    print(cluster.scheduler_address, flush=True)
    time.sleep(600)
"""


def lost_scheduler(tally: Tally) -> None:
    """A Dask scheduler is killed in the middle of a sweep, with its workers."""
    if importlib.util.find_spec("distributed") is None:
        tally.note(
            "NOT RUN: Dask is not installed (pip install 'altpg-verify[cluster]'), so no scheduler"
            " was lost"
        )
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "results"
        script = Path(name) / "cluster.py"
        script.write_text(_CLUSTER)
        with started([str(script)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as cluster:
            assert cluster.stdout is not None
            address = cluster.stdout.readline().strip()
            driver = started(
                command(folder, address, "slowly"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            end = time.monotonic() + PATIENCE
            while (
                len(list(folder.rglob("*.npz"))) < 3
                and driver.poll() is None
                and time.monotonic() < end
            ):
                time.sleep(0.02)
            cluster.send_signal(signal.SIGKILL)
        try:
            out, err = driver.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            driver.kill()
            out, err = driver.communicate()
            err += "\nit went on for ever"
        # Dask logs what it does; the last line is ours
        line = err.strip().splitlines()[-1:]
        tally.said_why(
            subprocess.CompletedProcess((), driver.returncode, out, "\n".join(line)),
            "no Dask scheduler",
            "a lost scheduler",
        )
        tally.look(folder, "a lost scheduler")
        resumed(tally, folder, "a lost scheduler")
