"""However the cells are run, the files are the same, byte for byte."""

import hashlib
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from altpg_verify.errors import BadInput
from sim import sweep
from sim.experiment import Cell
from sim.experiments import EXPERIMENTS, run_all, work_for
from sim.results import Results


def small(*names):
    """Cells of real experiments with a handful of runs."""
    return [Cell(cell.experiment, {**cell.setting, "runs": 6}) for name in names for cell in work_for("quick", name)]


WORK = small("bias_alternate_param_study", "biased_pg_sensitivity")


def digest(folder: Path) -> str:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(path.name.encode() + path.read_bytes() for path in files)).hexdigest()


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serial")
    sweep.run(WORK, folder)
    return digest(folder)


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

    with pytest.raises(KeyboardInterrupt), sweep.executor_named("local") as executor:
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
    broken = [Cell("biased_pg_sensitivity", {**WORK[-1].setting, "estimator": "nonesuch"})]
    for executor in ("serial", "local"):
        with sweep.executor_named(executor) as workers, pytest.raises(BadInput, match="nonesuch"):
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
