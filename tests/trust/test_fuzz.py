"""Hostile input: what is planted is found, and what was found once stays mended."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from altpg_verify import files, terminal
from altpg_verify.__main__ import main
from altpg_verify.errors import BadInput
from altpg_verify.report import listing
from altpg_verify.sim.experiments import work_for
from altpg_verify.sim.log import FILE, Session, Spent, entries
from altpg_verify.sim.sweep import open_store
from altpg_verify.targets import estimators_at
from tests.shares import share
from trust.fuzz import code, damage, names, reading, resource_exhaustion, sources
from trust.fuzz.kinds import _cell_sealed, kind_named
from trust.fuzz.watch import Tally, World, ran, standing_in

WORK = work_for("quick", "corner_random_walk")


def read(name: str, examples: int = 10) -> Tally:
    tally = Tally()
    reading.read_damaged(kind_named(name), examples=examples, cuts=8, tally=tally, commands=1)
    return tally


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    share(["ledger.json", "trust.json", "audits.json", "manifest.json", "cell", "log.jsonl"], 6),
)
def test_damaged_files_are_refused(name):
    tally = read(name)
    assert tally.tried[name] > 20
    assert not tally.faults, tally.examples


# all writers and readers at once; each fault below is found by a part of it, and `python -m trust
# --sample` runs it in CI
@pytest.mark.slow
def test_names_links_and_sources():
    tally = Tally()
    names.write_everywhere(tally)
    sources.check_sources(3, tally)
    assert not tally.faults, tally.examples


@pytest.mark.thorough
def test_a_reader_that_lets_a_key_error_through_is_found(monkeypatch):
    monkeypatch.setattr(listing, "_stored", lambda path: json.loads(files.read_whole(path)))
    tally = read("ledger.json")
    assert tally.faults["crashes"] > 5
    assert any("JSONDecodeError" in example for example in tally.examples)
    monkeypatch.setattr(listing, "_stored", lambda path: {"claims": [{"section": 3}]})
    assert "KeyError: 'verdict'" in read("ledger.json", 1).examples[0]


@pytest.mark.thorough
def test_a_reader_that_unpickles_is_found(monkeypatch):
    def careless(content: bytes) -> dict[str, np.ndarray]:
        with np.load(io.BytesIO(content), allow_pickle=True) as file:
            return {name: file[name] for name in file.files}

    monkeypatch.setattr("altpg_verify.sim.store._arrays", careless)
    assert read("cell", examples=1).faults["executed"] > 0


@pytest.mark.thorough
def test_a_reader_that_believes_everything_is_found(monkeypatch):
    monkeypatch.setattr("altpg_verify.sim.store._digest", lambda key, arrays: "")
    monkeypatch.setattr(
        "altpg_verify.sim.sweep.Store.read", lambda store, cell: {"failed": np.zeros(1)}
    )
    assert read("cell", examples=1).faults["trusted"] > 5


def test_a_command_that_tidies_up_what_it_was_given_is_found(monkeypatch):
    def tidy(path: Path) -> dict[str, object]:
        path.unlink(missing_ok=True)
        raise BadInput("ledger.json is no good")

    monkeypatch.setattr(listing, "_stored", tidy)
    assert read("ledger.json", examples=1).faults["lost"] > 5


def test_a_writer_that_follows_links_is_found(monkeypatch):
    def careless(path: Path, content: bytes, argument: str, *, inside: Path | None = None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    monkeypatch.setattr("altpg_verify.sim.store.write_whole", careless)
    tally = Tally()
    names.write_everywhere(tally)
    assert tally.faults["outside"] > 2
    assert tally.faults["crashes"] > 0


def test_a_pickled_array_in_a_cell_is_refused_and_not_run(tmp_path):
    store = open_store(WORK, tmp_path)
    store.write(WORK[0], {"failed": np.zeros(2)})
    (path,) = store.folder.glob("*.npz")
    with np.load(path) as file:
        good = {name: file[name] for name in file.files}
    flag = tmp_path / "flag"
    path.write_bytes(_cell_sealed({**good, "failed": damage.object_array(flag)}))
    with pytest.raises(BadInput, match="is damaged"):
        store.read(WORK[0])
    assert not flag.exists()
    # the plant works: somebody who allows pickles runs it
    with np.load(path, allow_pickle=True) as file:
        _ = file["failed"]
    assert flag.exists()


@pytest.mark.thorough
def test_no_source_can_run_what_it_reads():
    assert list(code.risky()) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("import pickle", "imports pickle"),
        ("from joblib import load", "imports joblib"),
        ("x = eval(text)", "calls eval"),
        ("x = np.load(path)", "calls np.load without"),
        ("x = np.load(path, allow_pickle=True)", "calls np.load without"),
    ],
)
def test_sources_that_could_are_found(tmp_path, line, found):
    (tmp_path / "reader.py").write_text(f"{line}\n", encoding="utf-8")
    (one,) = code.risky([tmp_path])
    assert found in one


@pytest.mark.parametrize("name", ["cell", "certificate (instance)"])
def test_bombs_fit_their_kind(name):
    made = list(resource_exhaustion.exhausting_inputs(kind_named(name))) if name != "cell" else []
    assert all(content for _, content in made)


def test_a_bomb_that_goes_off_is_found(monkeypatch):
    monkeypatch.setattr("sys.executable", "false")
    tally = Tally()
    assert resource_exhaustion.defuse(["ledger.json"], tally).seconds > resource_exhaustion.SECONDS
    assert tally.faults["crashes"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["claims", "--ledger", "x" * 5000],
        ["claims", "--ledger", "a\x00b"],
        ["check", "altpg_verify.estimators:regular", "--policy", "escort:²"],
        ["check", "altpg_verify.estimators:regular", "--policy", "escort:" + "9" * 5000],
        ["check", "altpg_verify.estimators:regular", "--case", "pi=1/2,1/2; r=0,1; b=1e999999999"],
        ["check", "x" * 5000 + ".py"],
    ],
)
def test_arguments_that_once_crashed_or_hung(arguments):
    found = ran(lambda: main(arguments))
    assert (found.raised, found.code) == ("", 2)
    assert len(found.complaint.splitlines()) == 1


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(
        [sys.executable, "-c", f"print(open({str(pipe)!r}).read())"],
        stdout=subprocess.PIPE,
        text=True,
    ) as reader:
        files.write_whole(pipe, b"through", "--json")
        assert reader.communicate()[0].strip() == "through"
    assert pipe.is_fifo()


def test_a_torn_line_of_a_log_takes_no_other_with_it(tmp_path):
    (tmp_path / FILE).write_bytes(b'{"cell": "to')
    Session().add(tmp_path, "next", 1.0, Spent(1.0, 1.0, 0.0, {"processor": "x"}))
    assert [entry["cell"] for entry in entries(tmp_path)] == ["next"]


@pytest.mark.parametrize(
    ("error", "code_", "said"),
    [
        (
            OSError(28, "No space left on device", "a.json"),
            2,
            "can't use 'a.json' (No space left on device)",
        ),
        (MemoryError(), 2, "there is not enough memory"),
        (BadInput("a\nb"), 2, "a b"),
    ],
)
def test_how_commands_end(error, code_, said):
    def fail() -> int:
        raise error

    found = ran(lambda: terminal.ended("x", fail))
    assert (found.code, found.raised) == (code_, "")
    assert said in found.complaint
    assert len(found.complaint.splitlines()) == 1


def test_a_reader_that_has_gone_is_no_error():
    command = f"{sys.executable} -m altpg_verify laws | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, cwd=Path(__file__).parents[2]
    )
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")


def test_a_world_knows_its_files(tmp_path):
    world = World(tmp_path, {"a.txt": b"good"})
    with standing_in(world.inside):
        assert list(world.faults("", None)) == []
        (world.outside / "new").write_bytes(b"")
        world.flag.touch()
        Path("a.txt").unlink()
        assert sorted(name for name, _ in world.faults("", None)) == ["executed", "lost", "outside"]
        assert list(world.faults("", None)) == []


def test_what_was_imported_while_standing_in_a_folder_is_forgotten(tmp_path):
    (tmp_path / "fleeting.py").write_text(
        "from altpg_verify import estimator\n\n@estimator\ndef one(e, r):\n    return r * e\n"
    )
    with standing_in(tmp_path):
        estimators_at("fleeting.py")
        assert "fleeting" in sys.modules
    assert "fleeting" not in sys.modules
    assert "altpg_verify" in sys.modules


def test_the_memory_of_a_bomb_is_what_it_took_above_what_was_there():
    kept = b"x" * int(6e7)
    del kept
    before = resource_exhaustion._peak_from_now_on()
    kept = b"x" * int(4e7)
    assert 30_000 < resource_exhaustion._peak() - before < 60_000
    assert kept


def test_an_edit_inside_of_what_was_put_there_changes_nothing_else():
    kind, value = kind_named("trust.json"), {}
    whole = json.loads(kind.good)
    _, content = damage.edited(
        kind,
        whole,
        [
            (("parts",), value, "set"),
            (("parts", "part"), value, "set"),
            (("schema",), value, "set"),
        ],
    )
    assert json.loads(content) == {"schema": {}, "parts": {"part": {}}}
    assert value == {}
