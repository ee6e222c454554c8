"""kill -9 of a worker, of the driver, of a Dask worker: what is finished in the end is what an
undisturbed run gives, bit for bit.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from altpg_verify.errors import BadInput, Missing
from altpg_verify.sim import sweep
from altpg_verify.sim.executors import executor_named
from altpg_verify.sim.results import Results
from trust.faults import work as killers
from trust.faults.work import DEADLY, WORK, digest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


def finished(folder: Path) -> int:
    return len(list(folder.rglob("*.npz")))


def until(condition) -> None:
    """Wait for a condition that must come true."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        return (
            "Z"
            not in Path(f"/proc/{pid}/stat")
            .read_text(encoding="utf-8")
            .rpartition(")")[2]
            .split()[0]
        )
    except OSError:
        return False


@pytest.mark.slow
def test_a_worker_that_is_killed(undisturbed, tmp_path):
    killed = []
    with executor_named("processes") as workers:

        def kill(done, total, name):
            if done in (2, 7):
                pid = next(iter(workers.executor._processes))
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

        assert (
            sweep.run(WORK, tmp_path, executor=workers, progress=kill, compute=killers.slowly) == []
        )
    assert len(set(killed)) == 2
    assert digest(tmp_path) == undisturbed


@pytest.mark.thorough
@pytest.mark.parametrize(
    "executor",
    [
        "serial",
        pytest.param("local", marks=pytest.mark.slow),
        pytest.param("processes", marks=pytest.mark.slow),
    ],
)
def test_a_driver_that_is_killed(undisturbed, tmp_path, executor):
    command = [sys.executable, "-m", "trust.faults.work", str(tmp_path), executor]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as driver:
        until(lambda: finished(tmp_path) >= 3)
        driver.send_signal(signal.SIGKILL)
        lines = driver.stdout.read().splitlines()
    assert driver.returncode == -signal.SIGKILL
    assert 3 <= finished(tmp_path) < len(WORK)
    pids = [int(pid) for pid in lines[-1].split()]
    assert bool(pids) == (executor == "processes")
    # worker processes don't outlive their driver
    until(lambda: not any(alive(pid) for pid in pids))
    assert sweep.run(WORK, tmp_path) == []
    assert digest(tmp_path) == undisturbed


@pytest.mark.slow
def test_a_cell_that_kills_its_worker_twice_is_set_aside(undisturbed, tmp_path):
    with executor_named("processes") as workers:
        assert sweep.run(WORK, tmp_path, executor=workers, compute=killers.deadly) == [DEADLY]
    assert finished(tmp_path) == len(WORK) - 1
    results = Results("quick", WORK, tmp_path)
    assert list(results.aside()) == [DEADLY]
    with pytest.raises(Missing, match=r"set aside, as it killed its worker twice; .*--retry"):
        results.one(DEADLY.experiment, **DEADLY.setting)
    # the next run leaves it alone, unless it is told to try
    assert sweep.run(WORK, tmp_path, compute=killers.always_deadly) == [DEADLY]
    assert sweep.run(WORK, tmp_path, retry=True) == []
    assert digest(tmp_path) == undisturbed


@pytest.mark.slow
def test_workers_that_all_die_end_the_run(tmp_path):
    with (
        executor_named("processes") as workers,
        pytest.raises(BadInput, match="5 workers in a row died"),
    ):
        sweep.run(WORK, tmp_path, executor=workers, compute=killers.always_deadly)
    assert finished(tmp_path) == 0


def test_a_worker_with_other_code_is_refused(tmp_path):
    with executor_named("local") as workers, pytest.raises(BadInput, match="other sources of sim"):
        sweep.run(WORK, tmp_path, executor=workers, compute=killers.of_other_code)
    assert finished(tmp_path) == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_worker_that_is_killed(cluster, undisturbed, tmp_path):
    killed = []
    with executor_named(cluster.scheduler_address) as workers:

        def kill(done, total, name):
            if done in (2, 7):
                killed.append(cluster.workers[done % 2].pid)
                os.kill(killed[-1], signal.SIGKILL)

        assert (
            sweep.run(WORK, tmp_path, executor=workers, progress=kill, compute=killers.slowly) == []
        )
    assert len(set(killed)) == 2
    assert digest(tmp_path) == undisturbed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cell_that_kills_dask_workers_is_set_aside(cluster, undisturbed, tmp_path):
    with executor_named(cluster.scheduler_address) as workers:
        assert sweep.run(WORK, tmp_path, executor=workers, compute=killers.deadly) == [DEADLY]
    assert finished(tmp_path) == len(WORK) - 1
    assert sweep.run(WORK, tmp_path, retry=True) == []
    assert digest(tmp_path) == undisturbed
