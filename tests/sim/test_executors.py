"""Every executor gives the same files; those that can't be had are refused by name; the bar tells
how it goes.
"""

from __future__ import annotations

import io
import os
import sys
from dataclasses import replace

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.sim import executors, sweep
from altpg_verify.sim.__main__ import main
from altpg_verify.sim.experiments import work_for
from altpg_verify.sim.jit import stamp
from altpg_verify.sim.log import Spent
from altpg_verify.sim.progress import duration, shown
from altpg_verify.sim.store import Store
from altpg_verify.sim.throughput import Throughput
from trust.faults.work import WORK, digest

SPENT = Spent(1.0, 2.0, 0.0, {})


@pytest.mark.parametrize(
    "executor", ["serial", "local", pytest.param("processes", marks=pytest.mark.slow)]
)
def test_the_same_files(executor, undisturbed, tmp_path):
    with executors.executor_named(executor) as workers:
        assert sweep.run(WORK, tmp_path, executor=workers) == []
    assert digest(tmp_path) == undisturbed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_dask_gives_the_same_files(cluster, undisturbed, tmp_path):
    with executors.executor_named(cluster.scheduler_address) as workers:
        sweep.run(WORK, tmp_path, executor=workers, shard=(1, 2))
        sweep.run(WORK, tmp_path, executor=workers)
        assert workers.size() == 4
    assert digest(tmp_path) == undisturbed
    # by the command, from a cluster that knows nothing of this process
    assert (
        main(
            [
                "run",
                "corner_random_walk",
                "--executor",
                cluster.scheduler_address,
                "--out",
                str(tmp_path / "command"),
            ]
        )
        == 0
    )
    assert (
        main(
            ["run", "corner_random_walk", "--executor", "serial", "--out", str(tmp_path / "serial")]
        )
        == 0
    )
    assert digest(tmp_path / "command") == digest(tmp_path / "serial")


@pytest.mark.slow
def test_processes_use_one_thread_each_and_pass_on_what_a_cell_raises(tmp_path, monkeypatch):
    # what the suite sets for itself is inherited
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    broken = [replace(WORK[0], setting={**WORK[0].setting, "estimator": "nonesuch"})]
    with executors.executor_named("processes") as workers:
        assert workers.submit(os.getenv, "NUMBA_NUM_THREADS").result() == "1"
        assert workers.submit(os.getenv, "OMP_NUM_THREADS").result() == "1"
        with pytest.raises(BadInput, match="nonesuch"):
            sweep.run(broken, tmp_path, executor=workers)
    assert not list(tmp_path.rglob("*.aside"))


def test_dask_that_is_not_installed_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(BadInput, match=r"altpg-verify\[cluster\]"),
        executors.executor_named("tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_is_not_there(monkeypatch, tmp_path):
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "_CONNECT", 0.5)
    with (
        pytest.raises(BadInput, match=r"no Dask scheduler answers there"),
        executors.executor_named("tcp://127.0.0.1:1") as workers,
    ):
        sweep.run(WORK, tmp_path, executor=workers)


def test_the_longest_cells_come_first(monkeypatch, tmp_path):
    monkeypatch.setattr(
        "altpg_verify.sim.experiment.Experiment.steps",
        lambda self, setting: setting["b"] + setting["start"],
    )
    order = []
    cells = [cell for cell in WORK if cell.experiment == WORK[0].experiment]
    sweep.run(
        cells,
        tmp_path,
        compute=lambda cell: (
            order.append(cell.setting["b"] + cell.setting["start"]) or sweep.timed(cell)
        ),
    )
    assert order == sorted(order, reverse=True)
    assert len(set(order)) > 1


def test_time_left_weighs_cells_by_their_cost(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr("altpg_verify.sim.throughput.time.monotonic", lambda: clock[0])
    monkeypatch.setattr(
        "altpg_verify.sim.experiment.Experiment.steps", lambda self, setting: setting["start"] + 1
    )
    cells = [replace(WORK[0], setting={"start": start}) for start in (0.0, 1.0, 6.0)]
    throughput = Throughput()
    throughput.begin(cells)
    assert throughput.left is None
    clock[0] = 1.0
    # one step took two seconds in one second: two workers are busy, and nine steps are left
    throughput.add(cells[0], SPENT)
    assert throughput.left == pytest.approx(9.0)
    assert throughput.done == pytest.approx(0.1)
    for cell in cells[1:]:
        throughput.add(cell, SPENT)
    assert throughput.left == 0.0
    assert throughput.done == 1.0


def test_a_bar_on_a_terminal_and_lines_elsewhere():
    throughput = Throughput()
    throughput.begin([WORK[0]])
    throughput.add(WORK[0], SPENT)
    stream = io.StringIO()
    with shown(throughput, stream, terminal=True) as progress:
        progress(1, 1, WORK[0].words)
    assert "1/1 cells" in stream.getvalue()
    assert "0 s left" in stream.getvalue()
    stream = io.StringIO()
    with shown(throughput, stream) as progress:
        progress(0, 1, "")
        progress(1, 1, WORK[0].words)
    assert stream.getvalue() == f"0/1 \n1/1 {WORK[0].experiment}\n"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (59.4, "59 s"), (59.6, "1:00 min"), (200, "3:20 min"), (3900, "1:05 h")],
)
def test_durations(seconds, said):
    assert duration(seconds) == said


@pytest.mark.thorough
def test_a_cell_that_was_set_aside_is_told_and_the_exit_code_is_1(tmp_path, capsys):
    work = work_for("quick", "bias_alternate_param_study")
    Store(tmp_path, work, stamp()).set_aside(work[2], "why")
    command = ["run", "bias_alternate_param_study", "--out", str(tmp_path)]
    assert main(command) == 1
    shown_ = capsys.readouterr()
    assert "SET ASIDE     bias_alternate_param_study {" in shown_.err
    assert "not complete" in shown_.out
    assert "NOT RUN" in shown_.out
    assert main([*command, "--retry"]) == 0
    assert "no run failed" in capsys.readouterr().out
