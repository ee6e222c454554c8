"""Faults: what is planted turns a figure NOT MET, and the quick ones are run."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.sim import sweep
from trust import faults
from trust.faults import drivers, kills, places, work
from trust.faults.tally import Tally
from trust.figures import Figure


@pytest.fixture
def tally(undisturbed):
    return Tally(undisturbed)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    folder = tmp_path_factory.mktemp("done")
    sweep.run(work.WORK, folder)
    return folder


@pytest.fixture(scope="module")
def undisturbed(done):
    return work.digest(done)


def tear(folder: Path) -> bytes:
    path = next(folder.rglob("*.npz"))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return whole


@pytest.mark.thorough
def test_a_torn_cell_is_found(done, tally):
    tally.ended_well(done, "nothing")
    assert not tally.counts["torn"] + tally.counts["differing"]
    path = next(done.rglob("*.npz"))
    whole = tear(done)
    tally.ended_well(done, "a planted fault")
    path.write_bytes(whole)
    assert (tally.counts["torn"], tally.counts["differing"]) == (1, 1)


def test_failing_writes_are_told_and_leave_the_old_file(tally):
    places.failing_writes(tally)
    assert tally.counts["faults"] == len(places.STEPS) * len(places.ERRORS)
    assert not tally.examples


def test_a_writer_that_is_not_whole_or_nothing_is_found(tally, monkeypatch):
    def careless(path: Path, content: bytes, argument: str) -> None:
        from altpg_verify import files

        with open(path, "wb") as file:
            file.write(content[:10])
        files.os.replace(path, path)

    monkeypatch.setattr(places, "write_whole", careless)
    monkeypatch.setattr(places, "STEPS", ("os.replace",))
    places.failing_writes(tally)
    assert tally.counts["torn"] > 0
    assert tally.counts["silent"] > 0


@pytest.mark.parametrize(
    ("code", "said", "silent"),
    [
        (2, "sim: --out: can't write 'x' (No space left on device); choose a place", 0),
        (2, "sim: something else", 1),
        (1, "Traceback (most recent call last):\n  ...\nOSError: No space left on device", 1),
        (0, "", 1),
        (-9, "", 1),
    ],
)
def test_a_fault_without_a_message_is_found(tally, code, said, silent):
    tally.said_why(
        subprocess.CompletedProcess((), code, "", said), "No space left on device", "a full disk"
    )
    assert tally.counts["silent"] == silent


def test_half_a_file_of_a_killed_writer_is_found(tmp_path):
    from altpg_verify.theory.attraction.three_arms import ExponentialSign
    from altpg_verify.theory.proving.certificate_store import content, save
    from trust import record

    save(
        tmp_path / "certificate.json",
        content("a", "", [ExponentialSign({"terms": [["1", "1"]], "relation": ">"})]),
    )
    record.keep(tmp_path / "trust.json", {"name": "faults"}, [])
    (tmp_path / "report.html").write_bytes(b"a" * 300_000)
    assert kills.broken(tmp_path) == []
    (tmp_path / "report.html").write_bytes(b"a" * 200_000 + b"b" * 100_000)
    assert kills.broken(tmp_path) == ["report.html"]
    (tmp_path / "certificate.json").write_bytes((tmp_path / "certificate.json").read_bytes()[:-20])
    assert len(kills.broken(tmp_path)) == 2


def test_a_planted_fault_turns_the_figure_not_met(done, monkeypatch):
    def torn_write(tally: Tally) -> None:
        path = next(done.rglob("*.npz"))
        whole = tear(done)
        tally.ended_well(done, "a planted fault")
        path.write_bytes(whole)

    for module, names in (
        (kills, ("kill_writers", "kill_drivers")),
        (places, ("read_only", "limited_files", "failing_writes")),
        (drivers, ("two_at_once", "clock_backwards", "out_of_memory")),
    ):
        for name in names:
            monkeypatch.setattr(module, name, lambda *given: None)
    monkeypatch.setattr(places, "full_disk", torn_write)
    outcome = faults.run(True, lambda line: None)
    figures: dict[str, Figure] = {figure.name: figure for figure in outcome.figures}
    assert not figures["torn"].met
    assert not figures["differing"].met
    assert figures["silent"].met
    # what was not done is not met either
    assert not figures["kills"].met


def test_a_worker_without_memory_says_so(tmp_path):
    def hungry(cell):
        if cell == work.DEADLY:
            raise MemoryError
        return sweep.timed(cell)

    with pytest.raises(BadInput, match="ran out of memory; what was finished is kept"):
        sweep.run(work.WORK, tmp_path, compute=hungry)
    assert 0 < len(list(tmp_path.rglob("*.npz"))) < len(work.WORK)


@pytest.mark.slow
def test_a_driver_with_a_limit_on_files_says_why_and_goes_on(tally):
    places.limited_files(tally)
    assert tally.counts["compared"] == 1
    assert not tally.examples


@pytest.mark.slow
def test_a_few_of_every_fault(tally):
    kills.kill_drivers(2, 7, tally)
    kills.kill_writers(2, 7, tally)
    places.full_disk(tally)
    places.read_only(tally)
    drivers.two_at_once(tally)
    drivers.clock_backwards(tally)
    drivers.out_of_memory(tally, ("serial",))
    assert tally.counts["kills"] == 2
    assert not tally.examples


def test_arrays_that_are_no_numbers_are_no_results(tmp_path):
    store = sweep.open_store([work.WORK[0]], tmp_path)
    store.write(work.WORK[0], {"failed": np.array(["yes"])})
    with pytest.raises(BadInput, match="is damaged"):
        store.read(work.WORK[0])
