"""However the cells are run, the files are the same, byte for byte."""

import dataclasses
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

from altpg_verify.errors import BadInput, Missing
from altpg_verify.ledger import Claim, evidence
from altpg_verify.ledger_building import build
from altpg_verify.sim import experiments, sweep
from altpg_verify.sim.executors import executor_named
from altpg_verify.sim.experiments import EXPERIMENTS, paper_scale, run_all, work_for
from altpg_verify.sim.jit import SOURCES
from altpg_verify.sim.log import FILE
from altpg_verify.sim.results import Results
from altpg_verify.verdicts import Verdict
from trust.faults.work import digest


def small(*names):
    """Cells of real experiments with a handful of runs."""
    return [
        dataclasses.replace(cell, setting={**cell.setting, "runs": 6})
        for name in names
        for cell in work_for("quick", name)
    ]


CLAIM = Claim("some-claim", 1, "4 Bandits", "Something.", "empirical")
WORK = small("bias_alternate_param_study", "biased_pg_sensitivity")


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serial")
    sweep.run(WORK, folder)
    return digest(folder)


@pytest.mark.thorough
def test_threads_give_the_same_files(reference, tmp_path):
    with ThreadPoolExecutor(3) as executor:
        sweep.run(WORK, tmp_path, executor=executor)
    assert digest(tmp_path) == reference


@pytest.mark.slow
def test_processes_give_the_same_files(reference, tmp_path):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        sweep.run(WORK, tmp_path, executor=executor)
    assert digest(tmp_path) == reference


def test_shards_in_any_order_give_the_same_files(reference, tmp_path):
    for shard in (2, 0, 1):
        sweep.run(WORK, tmp_path, shard=(shard, 3))
    assert digest(tmp_path) == reference


def test_a_stopped_run_goes_on_where_it_was(reference, tmp_path):
    def stop(done, total, name):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), executor_named("local") as executor:
        sweep.run(WORK, tmp_path, executor=executor, progress=stop)
    assert len(list(tmp_path.rglob("*.npz"))) == 5
    seen = []
    sweep.run(WORK, tmp_path, progress=lambda done, total, name: seen.append((done, total)))
    assert seen[0] == (5, len(WORK))
    assert seen[-1] == (len(WORK), len(WORK))
    assert digest(tmp_path) == reference


def test_a_lost_file_is_made_again_and_the_others_are_kept(reference, tmp_path):
    sweep.run(WORK, tmp_path)
    lost = next(tmp_path.rglob("*.npz"))
    lost.unlink()
    done = []
    sweep.run(WORK, tmp_path, progress=lambda *state: done.append(state))
    assert [state[0] for state in done] == [len(WORK) - 1, len(WORK)]
    assert digest(tmp_path) == reference


def test_an_error_in_a_cell_is_not_hidden(tmp_path):
    broken = [dataclasses.replace(WORK[-1], setting={**WORK[-1].setting, "estimator": "nonesuch"})]
    for executor in ("serial", "local"):
        with executor_named(executor) as workers, pytest.raises(BadInput, match="nonesuch"):
            sweep.run(broken, tmp_path, executor=workers)
    assert not list(tmp_path.rglob("*.npz"))


@pytest.mark.parametrize("text", ["", "1", "2/2", "-1/2", "a/b", "0/0", "1/2/3"])
def test_bad_shards_are_refused(text):
    with pytest.raises(BadInput, match="--shard"):
        sweep.parse_shard(text)


def test_names_that_are_not_there_are_refused(tmp_path):
    with pytest.raises(BadInput, match="choose from all"):
        run_all("quick", tmp_path, "serial", only="nonesuch")
    with pytest.raises(BadInput, match="quick, paper"):
        run_all("huge", tmp_path, "serial")
    with pytest.raises(BadInput, match="serial, local"):
        run_all("quick", tmp_path, "cloud")
    assert not list(tmp_path.iterdir())


def test_results_are_found_by_their_settings(tmp_path):
    sweep.run(WORK, tmp_path)
    results = Results("quick", WORK, tmp_path)
    record = results.one("bias_alternate_param_study", estimator="alternate", b=4.0, start=5.0)
    assert record["mean"].shape == (8, 1, 6)
    with pytest.raises(ValueError, match="2 cells"):
        results.one("bias_alternate_param_study", estimator="alternate", start=5.0)
    with pytest.raises(BadInput, match="no experiment"):
        results.select("chain_fixed_point")
    assert dict(results.failures()) == {"bias_alternate_param_study": 0, "biased_pg_sensitivity": 0}


def test_settings_are_unique_and_profiles_are_complete():
    for profile in ("quick", "paper"):
        for experiment in EXPERIMENTS:
            keys = [str(sorted(cell.key()["setting"].items())) for cell in experiment.work(profile)]
            assert len(keys) == len(set(keys)) > 0
            assert experiment.scale[profile]


@pytest.fixture
def long(monkeypatch):
    """An experiment that is too long for a report, beside a short one; their cells have a handful
    of runs.
    """
    names = ("regular_fixed_baseline", "biased_pg_sensitivity")
    made = []
    for experiment in experiments.EXPERIMENTS:
        if experiment.name in names:
            settings = [{**setting, "runs": 4} for setting in experiment.cells("quick")]
            scaled = {"quick": settings[:1], "paper": settings[:2]}
            made.append(
                dataclasses.replace(
                    experiment, cells=scaled.__getitem__, stored=experiment.name == names[0]
                )
            )
    monkeypatch.setattr(experiments, "EXPERIMENTS", tuple(made))
    return names


def test_a_report_takes_long_experiments_from_the_folder_that_keeps_them(long, tmp_path):
    kept, out = tmp_path / "kept", tmp_path / "out"
    run_all("paper", kept, "serial", only=long[0])
    results = run_all("quick", out, "serial", kept=kept)
    assert [path.name.partition("-")[0] for path in out.iterdir()] == [long[1]]
    assert [len(results.select(name)) for name in long] == [2, 1]
    assert [results.profile_of(name) for name in long] == ["paper", "quick"]
    assert np.array_equal(
        results.select(long[0])[1]["mean"],
        run_all("paper", kept, "serial", only=long[0]).select(long[0])[1]["mean"],
    )


def test_without_a_folder_that_keeps_them_long_experiments_are_run(long, tmp_path):
    results = run_all("quick", tmp_path, "serial")
    assert [len(results.select(name)) for name in long] == [1, 1]


def test_kept_results_that_are_not_there_are_missing_by_name_and_nothing_is_made(long, tmp_path):
    results = run_all("quick", tmp_path / "out", "serial", kept=tmp_path / "kept")
    wanted = (
        f"no stored results of {long[0]}; .*run {long[0]} --profile paper --out reports/paper-scale"
    )
    with pytest.raises(Missing, match=wanted) as caught:
        results.select(long[0])
    assert not (tmp_path / "kept").exists()
    # the sentence stands in the ledger, which is the same on every machine
    assert str(tmp_path) not in str(caught.value)


def test_kept_results_of_other_code_are_refused_by_name(long, tmp_path, monkeypatch):
    run_all("paper", tmp_path / "kept", "serial", only=long[0])
    monkeypatch.setattr("altpg_verify.sim.jit.stamp", lambda family: 7)
    results = run_all("quick", tmp_path / "out", "serial", kept=tmp_path / "kept", only=long[0])
    with pytest.raises(
        Missing, match=rf"{long[0]} were made by other code \(stamp \d+; this is 7\)"
    ):
        results.select(long[0])


def test_kept_results_with_other_settings_are_refused_by_name(long, tmp_path):
    work = [
        dataclasses.replace(cell, setting={**cell.setting, "runs": 2})
        for cell in work_for("paper", long[0])
    ]
    sweep.run(work, tmp_path / "kept")
    results = run_all("quick", tmp_path / "out", "serial", kept=tmp_path / "kept", only=long[0])
    with pytest.raises(Missing, match=f"{long[0]} have other settings"):
        results.select(long[0])


def test_evidence_on_missing_results_is_not_run(long, tmp_path):
    @evidence("some-claim", kind="simulation")
    def function(results):
        return results.select(long[0])

    results = run_all("quick", tmp_path / "out", "serial", kept=tmp_path / "kept")
    entry = build([CLAIM], [function], offered={"results": results})["some-claim"]
    assert entry.verdict is Verdict.NOT_RUN
    assert f"no stored results of {long[0]}" in entry.evidence[0].finding.summary


def test_a_report_elsewhere_uses_the_kept_results_of_the_repository(tmp_path):
    assert paper_scale(tmp_path).parts[-2:] == ("reports", "paper-scale")
    assert tmp_path not in paper_scale(tmp_path).parents
    (tmp_path / "paper-scale").mkdir()
    assert paper_scale(tmp_path) == tmp_path / "paper-scale"


def test_the_log_says_what_was_spent_and_is_no_part_of_the_results(reference, tmp_path):
    sweep.run(WORK[:3], tmp_path)
    spent = Results("quick", WORK[:3], tmp_path).spent()
    assert (spent.cells, spent.untimed, spent.steps) == (3, 0, 3.0)
    assert 0 < spent.cpu < 60
    assert 0 < spent.wall < 60
    assert len(spent.machines) == 1
    (log,) = tmp_path.rglob(FILE)
    log.write_text(log.read_text(encoding="utf-8")[:-20])
    assert Results("quick", WORK[:3], tmp_path).spent().untimed == 1
    log.unlink()
    assert Results("quick", WORK[:3], tmp_path).spent().untimed == 3
    assert len(Results("quick", WORK[:3], tmp_path).select(WORK[0].experiment)) == 3


def test_families_name_their_experiments():
    assert {cell.experiment for cell in work_for("quick", "tabular")} == {
        e.name for e in EXPERIMENTS if e.family == "tabular"
    }
    assert sum(len(work_for("quick", family)) for family in SOURCES) == len(
        work_for("quick", "all")
    )
