"""Stored results are found out if they aren't what this code computes; estimates scale what was
measured.
"""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from altpg_verify.sim import experiments, sweep
from altpg_verify.sim.__main__ import main
from altpg_verify.sim.runtime_estimate import estimate
from altpg_verify.sim.sweep import open_store

NAME = "bias_alternate_param_study"
SIZE = {"runs": 5, "steps": 100}


def spot(experiment, setting, root, pick):
    """One pair of stepsizes by itself, by the experiment's own `run`."""
    from altpg_verify.sim.experiments.bandit_panel import run

    grid = {"alphas": [setting["alphas"][pick.alpha]], "betas": [setting["betas"][pick.beta]]}
    alone = run(experiment, {**setting, **grid, "runs": max(pick.runs) + 1}, root)
    return {name: alone[name][0, 0, list(pick.runs)] for name in ("mean", "theta", "failed")}


@pytest.fixture(params=[None, spot], ids=["whole cells", "spots"])
def stored(request, monkeypatch, tmp_path):
    """A folder of stored results of an experiment, small, with and without a way to compute a part
    of a cell.
    """
    experiment = experiments.experiment_named(NAME)
    settings = [{**setting, **SIZE} for setting in experiment.cells("paper")[:4]]
    small = dataclasses.replace(experiment, cells=lambda profile: settings, spot=request.param)
    monkeypatch.setattr(experiments, "EXPERIMENTS", (small,))
    sweep.run(small.work("paper"), tmp_path)
    return small, tmp_path


def test_what_this_code_made_is_equal_bit_for_bit(stored, capsys):
    _, folder = stored
    assert main(["recheck", str(folder), "--cells", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{NAME}: 4 cells, all whole"
    assert len(lines) == 4
    assert all(line.endswith("arrays equal, bit for bit") for line in lines[1:])
    assert main(["recheck", str(folder), "--cells", "3"]) == 0
    assert capsys.readouterr().out.splitlines() == lines
    assert main(["recheck", str(folder), "--cells", "99", "--seed", "1"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_a_result_that_differs_in_one_bit_is_found(stored, capsys):
    experiment, folder = stored
    store = open_store(experiment.work("paper"), folder)
    for cell in experiment.work("paper"):
        arrays = store.read(cell)
        # written as the store would, so that only computing it again can tell
        store.write(cell, {**arrays, "mean": np.nextafter(arrays["mean"], 9.0)})
    assert main(["recheck", str(folder), "--cells", "2"]) == 1
    assert capsys.readouterr().out.count("mean DIFFER") == 2


def test_other_code_and_folders_without_results_are_refused(stored, capsys, monkeypatch, tmp_path):
    _, folder = stored
    assert main(["recheck", str(tmp_path / "none")]) == 2
    assert "holds no results" in capsys.readouterr().err
    assert main(["recheck", str(folder), "--cells", "-1"]) == 2
    assert "--cells is -1" in capsys.readouterr().err
    monkeypatch.setattr("altpg_verify.sim.jit.stamp", lambda family: 7)
    assert main(["recheck", str(folder)]) == 2
    assert "made by other code" in capsys.readouterr().err


def test_a_missing_file_is_refused(stored, capsys):
    _, folder = stored
    next(folder.rglob("*.npz")).unlink()
    assert main(["recheck", str(folder)]) == 2
    assert "has not been run yet" in capsys.readouterr().err


@pytest.fixture
def reported(monkeypatch):
    """An experiment of two cells, whose steps take a known time."""
    clock = [0.0]
    monkeypatch.setattr("altpg_verify.sim.runtime_estimate.time.thread_time", lambda: clock[0])

    def run(experiment, setting, root):
        clock[0] += 1e-3 * setting["runs"] * setting["steps"]
        return {}

    settings = [{"runs": 500, "steps": steps, "fresh": 0} for steps in (100, 300)]
    return dataclasses.replace(
        experiments.experiment_named(NAME), cells=lambda profile: settings, run=run
    )


def test_an_estimate_by_steps(reported):
    experiment = dataclasses.replace(
        reported,
        cost=lambda setting: setting["runs"] * setting["steps"],
        sample=lambda setting, fraction: {
            **setting,
            "runs": max(1, round(setting["runs"] * fraction)),
        },
    )
    (block,) = estimate([experiment], "paper", 0.02)
    assert block.sampled == pytest.approx(0.02 * 200)
    assert block.cpu == pytest.approx(200)
    assert block.steps == 200_000
    assert "200.0 s of CPU time" in block.words


def test_an_estimate_by_runs(reported):
    (block,) = estimate([reported], "paper", 0.02)
    assert block.sampled == pytest.approx(0.1 * 200)
    assert block.cpu == pytest.approx(200)
    assert block.steps == 0


def test_the_estimate_command(capsys, monkeypatch):
    monkeypatch.setattr(experiments, "EXPERIMENTS", (experiments.experiment_named(NAME),))
    assert main(["estimate", NAME, "--cores", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(NAME)
    assert lines[1].startswith("tabular: ")
    assert "on 4 idle cores" in lines[2]
    assert lines[3].startswith("load average")
    for wrong in (
        ["--fraction", "0"],
        ["--fraction", "2"],
        ["--cores", "0"],
        ["--profile", "huge"],
    ):
        assert main(["estimate", NAME, *wrong]) == 2
        assert wrong[0].lstrip("-") in capsys.readouterr().err
