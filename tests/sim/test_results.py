"""Reading stored results: the right cells, in order, read and checked once, and never made up where
they aren't there.
"""

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from altpg_verify.errors import BadInput, Missing
from altpg_verify.sim import results
from altpg_verify.sim.experiment import Cell
from altpg_verify.sim.results import NotHeld, Results
from altpg_verify.sim.store import Store

CODE = 7
SHORT = [Cell("short", {"alpha": alpha, "b": b}) for alpha in (0.25, 0.5) for b in (0.0, 4.0)]
LONG = [Cell("long", {"alpha": 1.0})]


def arrays(number, failed=0):
    return {"mean": np.full(3, float(number)), "failed": np.array([True] * failed + [False])}


@pytest.fixture
def opened(monkeypatch):
    """How often a store was opened; their code is 7, whatever the experiment."""
    calls = []

    def open_store(cells, out, *, read_only, how):
        assert read_only
        calls.append((cells[0].experiment, out, how))
        return Store(out, cells, CODE, read_only=read_only, how=how)

    monkeypatch.setattr(results, "open_store", open_store)
    return calls


@pytest.fixture
def folders(tmp_path):
    out, kept = tmp_path / "out", tmp_path / "kept"
    short, long = Store(out, SHORT, CODE), Store(kept, LONG, CODE)
    for number, cell in enumerate(SHORT):
        short.write(cell, arrays(number, failed=number))
    long.write(LONG[0], arrays(10))
    return out, kept


@pytest.fixture
def both(opened, folders):
    out, kept = folders
    return Results("quick", SHORT, out, stored=LONG, kept=kept)


def test_records_come_in_order_and_by_all_their_values(both):
    assert [record["mean"][0] for record in both.select("short")] == [0, 1, 2, 3]
    assert [record["mean"][0] for record in both.select("short", b=4.0)] == [1, 3]
    assert [dict(record.setting) for record in both.select("short", b=4.0, alpha=0.5)] == [
        {"alpha": 0.5, "b": 4.0}
    ]
    assert both.select("short", b=5.0) == []
    assert both.select("short", sigma=1.0) == []
    with pytest.raises(FrozenInstanceError):
        both.select("short")[0].setting = {}
    with pytest.raises(FrozenInstanceError):
        both._home("short").cells = ()
    with pytest.raises(BadInput, match="hold no 'median'"):
        both.select("short")[0]["median"]


def test_one_is_exactly_one(both):
    assert both.one("short", alpha=0.25, b=4.0)["mean"][0] == 1
    with pytest.raises(ValueError, match=r"^2 cells of short have \{'b': 4.0\}$"):
        both.one("short", b=4.0)
    with pytest.raises(ValueError, match=r"^0 cells of short"):
        both.one("short", b=5.0)


def test_each_experiment_has_its_own_folder_scale_and_command(both, opened, folders):
    assert (both.profile, both.profile_of("short"), both.profile_of("long")) == (
        "quick",
        "quick",
        "paper",
    )
    assert both.one("long")["mean"][0] == 10
    assert both.one("short", alpha=0.5, b=0.0)["mean"][0] == 2
    assert opened == [
        ("long", folders[1], "--profile paper --out reports/paper-scale"),
        ("short", folders[0], "--profile quick"),
    ]


def test_a_store_is_opened_once_and_a_cell_is_read_once(both, opened, monkeypatch):
    read = []
    original = Store.read
    monkeypatch.setattr(Store, "read", lambda self, cell: read.append(cell) or original(self, cell))
    first, again = both.select("short"), both.select("short", alpha=0.25)
    assert again == first[:2]
    assert again[0] is first[0]
    assert read == SHORT
    assert len(opened) == 1


def test_what_they_hold(both):
    assert "short" in both
    assert "long" in both
    assert "other" not in both
    with pytest.raises(NotHeld, match="no experiment 'other'; they hold short, long"):
        both.select("other")
    with pytest.raises(NotHeld):
        both.profile_of("other")


def test_failures_are_counted_for_the_named_experiments_or_for_all(both):
    assert list(both.failures()) == [("short", 6), ("long", 0)]
    assert list(both.failures("long")) == [("long", 0)]


def test_what_is_missing_names_the_command_and_nothing_is_written(opened, tmp_path):
    held = Results("quick", SHORT, tmp_path / "none", stored=LONG, kept=tmp_path / "none")
    with pytest.raises(
        Missing,
        match=(
            r"no stored results of short; run it with: python -m altpg_verify.sim run short"
            r" --profile quick$"
        ),
    ):
        held.select("short")
    with pytest.raises(
        Missing,
        match=(
            r"run it with: python -m altpg_verify.sim run long --profile paper --out"
            r" reports/paper-scale$"
        ),
    ):
        held.one("long")
    assert list(held.aside()) == []
    assert not (tmp_path / "none").exists()


def test_by_default_long_results_are_those_of_the_repository(opened):
    Results("quick", SHORT, results.PAPER_SCALE)
    with pytest.raises(Missing):
        Results("quick", [], results.PAPER_SCALE / "nothing here", stored=LONG).one("long")
    assert opened[0][1] == results.PAPER_SCALE


def test_a_torn_cell_is_refused(both, folders):
    for path in folders[1].rglob("*.npz"):
        path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadInput, match="damaged"):
        both.one("long")


def test_cells_set_aside_are_told_unless_they_have_results_after_all(both, folders):
    short, long = Store(folders[0], SHORT, CODE), Store(folders[1], LONG, CODE)
    assert list(both.aside()) == []
    for cell in SHORT[:2]:
        short.set_aside(cell, "why")
    long.set_aside(LONG[0], "why")
    short._path(SHORT[1]).unlink()
    assert list(both.aside()) == [SHORT[1]]
    long._path(LONG[0]).unlink()
    assert list(both.aside()) == [SHORT[1], LONG[0]]
    assert list(
        Results("quick", LONG, folders[0] / "none", stored=SHORT, kept=folders[0]).aside()
    ) == [SHORT[1]]


def test_what_they_took_is_summed_from_the_logs(both, folders):
    store = Store(folders[0], SHORT, CODE)
    entry = {
        "session": "s",
        "at": 5.0,
        "processor": "p",
        "cores": 2,
        "cpu": 3.0,
        "wall": 4.0,
        "steps": 10.0,
        "load": 0.0,
    }
    lines = [json.dumps({**entry, "cell": name}) for name in list(store.cells)[:2]]
    (store.folder / "log.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    spent = both.spent("short")
    assert (spent.cells, spent.untimed, spent.steps, spent.cpu) == (4, 2, 20.0, 6.0)
    assert (both.spent().cells, both.spent().untimed) == (5, 3)
