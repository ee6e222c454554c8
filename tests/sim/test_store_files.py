"""The store's files: their names, what they hold, what is set aside or left over, and what no store
can have written.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import time
import zipfile

import numpy as np
import pytest

from altpg_verify.errors import BadInput, Missing
from altpg_verify.sim.experiment import Cell
from altpg_verify.sim.store import Store, name_of, pattern

CELLS = [Cell("demo", {"b": 1.0, "a": "ä"}), Cell("demo", {"b": 2.0, "a": "ä"}, root=5)]
ARRAYS = {"mean": np.arange(4.0), "count": np.array([1, 2]), "failed": np.array([False, True])}


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path, CELLS, code=7)


def test_the_manifest_is_sorted_and_names_the_folder(store, tmp_path):
    text = (store.folder / "manifest.json").read_text(encoding="utf-8")
    settings = [{"a": "\\u00e4", "b": b} for b in (1.0, 2.0)]
    cells = [
        {"experiment": "demo", "root": root, "setting": setting}
        for root, setting in zip((2022, 5), settings, strict=True)
    ]
    expected = (
        json.dumps({"cells": cells, "code": 7, "schema": 1}, indent=1).replace("\\\\u", "\\u")
        + "\n"
    )
    assert text == expected
    assert store.folder == tmp_path / f"demo-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    assert store.folder.match(pattern("demo"))
    assert not store.folder.match(pattern("dem"))
    # the order of a setting's entries is no difference
    turned = Cell("demo", {"a": "ä", "b": 1.0})
    assert Store(tmp_path, [turned, CELLS[1]], code=7).folder == store.folder


def test_the_name_of_a_cell_stands_for_its_key(store):
    key = '{"experiment":"demo","root":5,"setting":{"a":"\\u00e4","b":2.0}}'
    assert name_of(CELLS[1]) == hashlib.sha256(key.encode()).hexdigest()[:16]
    assert store.cells == {name_of(cell): cell for cell in CELLS}
    assert name_of(Cell("demo", {"a": "ä", "b": 1.0})) == name_of(CELLS[0])
    assert (
        len(
            {
                name_of(CELLS[0]),
                name_of(CELLS[1]),
                name_of(Cell("other", CELLS[0].setting)),
                name_of(Cell("demo", CELLS[0].setting, 1)),
            }
        )
        == 4
    )
    with pytest.raises(ValueError, match="JSON"):
        name_of(Cell("demo", {"b": float("nan")}))


def test_a_store_is_of_some_cells(tmp_path):
    with pytest.raises(ValueError, match="at least one cell"):
        Store(tmp_path, [], code=1)


def test_what_a_file_holds_is_said_by_its_digest(store):
    store.write(CELLS[0], ARRAYS)
    with np.load(store.folder / f"{name_of(CELLS[0])}.npz") as file:
        kept = {name: file[name] for name in file.files}
    key = '{"experiment":"demo","root":2022,"setting":{"a":"\\u00e4","b":1.0}}'
    digest = hashlib.sha256(key.encode())
    for name in ("count", "failed", "mean"):
        digest.update(f"{name} {ARRAYS[name].dtype.str} {ARRAYS[name].shape}".encode())
        digest.update(ARRAYS[name].tobytes())
    assert (str(kept["key"]), str(kept["sha256"])) == (key, digest.hexdigest())
    assert set(kept) == {"key", "sha256", *ARRAYS}


@pytest.mark.parametrize(
    "other",
    [
        {**ARRAYS, "mean": ARRAYS["mean"].reshape(2, 2)},
        {**ARRAYS, "mean": ARRAYS["mean"].view(np.int64)},
        {**{name: ARRAYS[name] for name in ("count", "failed")}, "median": ARRAYS["mean"]},
    ],
    ids=["shape", "type", "name"],
)
def test_a_digest_knows_names_shapes_and_types(store, other):
    store.write(CELLS[0], ARRAYS)
    path = store.folder / f"{name_of(CELLS[0])}.npz"
    with np.load(path) as file:
        own = {name: file[name] for name in ("key", "sha256")}
    np.savez(path, **own, **other)
    with pytest.raises(BadInput, match="altered after it was written"):
        store.read(CELLS[0])


def test_what_is_stored_is_numbers_under_names_of_its_own(store):
    for name in ("key", "sha256"):
        with pytest.raises(ValueError, match="key, sha256 are the store's own names"):
            store.write(CELLS[0], {**ARRAYS, name: np.array(1)})
    with pytest.raises(ValueError, match="Python objects"):
        store.write(CELLS[0], {**ARRAYS, "odd": np.array([None])})
    assert not store.has(CELLS[0])
    store.write(CELLS[0], {"big-endian": np.arange(3, dtype=">i4"), "one": np.float32(2)})
    got = store.read(CELLS[0])
    assert (got["big-endian"].tolist(), float(got["one"])) == ([0, 1, 2], 2.0)


def rewritten(store, cell, members, **options):
    """The cell's file with other members: name -> bytes."""
    path = store.folder / f"{name_of(cell)}.npz"
    with zipfile.ZipFile(path, "w", **options) as file:
        for name, content in members:
            file.writestr(name, content)
    return path


def members_of(store, cell):
    with zipfile.ZipFile(store.folder / f"{name_of(cell)}.npz") as file:
        return [(member.filename, file.read(member)) for member in file.infolist()]


def refused(store, cell=CELLS[0]):
    with pytest.raises(BadInput) as caught:
        store.read(cell)
    assert "is damaged" in str(caught.value)
    return str(caught.value)


@pytest.fixture
def written(store):
    store.write(CELLS[0], ARRAYS)
    return store


def test_a_file_rewritten_as_it_was_is_read(written):
    rewritten(written, CELLS[0], members_of(written, CELLS[0]))
    assert set(written.read(CELLS[0])) == set(ARRAYS)


def test_compressed_members_are_refused(written):
    members = members_of(written, CELLS[0])
    rewritten(written, CELLS[0], members, compression=zipfile.ZIP_DEFLATED)
    assert "ValueError" in refused(written)
    path = rewritten(written, CELLS[0], members)
    with zipfile.ZipFile(path, "w") as file:
        for number, (name, content) in enumerate(members):
            file.writestr(
                name,
                content,
                compress_type=zipfile.ZIP_DEFLATED if number == 2 else zipfile.ZIP_STORED,
            )
    assert "ValueError" in refused(written)


def test_something_before_the_first_member_is_refused(written):
    path = written.folder / f"{name_of(CELLS[0])}.npz"
    path.write_bytes(b"#!" + path.read_bytes())
    assert "ValueError" in refused(written)


def test_members_that_overlap_are_refused(written, monkeypatch):
    path = written.folder / f"{name_of(CELLS[0])}.npz"
    size = len(path.read_bytes())
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("a member was read"))
    original = zipfile.ZipFile.infolist

    def infolist(file):
        members = original(file)
        members[0].file_size += size - sum(member.file_size for member in members) + 1
        return members

    monkeypatch.setattr(zipfile.ZipFile, "infolist", infolist)
    assert "ValueError" in refused(written)


def array(content):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, content, allow_pickle=True)
    return buffer.getvalue()


def header(shape, descr="<f8"):
    buffer = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        buffer, {"descr": descr, "fortran_order": False, "shape": shape}
    )
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        header((10**9,)) + bytes(8),
        header((2,)) + bytes(8),
        header((1,)) + bytes(16),
        header((1,), "|O") + bytes(8),
        array(np.array([None])),
        array(np.array(["text"])),
        array(np.array([1j])),
        array(np.array([b"bytes"])),
        array(np.array(["2022-01-01"], dtype="datetime64[D]")),
        b"\x93NUMPY\x03\x00" + header((1,))[8:] + bytes(8),
        b"no array",
    ],
    ids=[
        *("huge", "short", "long", "objects", "pickle", "text", "complex", "bytes", "dates"),
        *("version 3", "nothing"),
    ],
)
def test_arrays_that_no_store_wrote_are_refused(written, content):
    members = [
        (name, content if name == "mean.npy" else old)
        for name, old in members_of(written, CELLS[0])
    ]
    rewritten(written, CELLS[0], members)
    refused(written)


def test_an_array_with_a_longer_header_is_read(written):
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, ARRAYS["mean"], version=(2, 0))
    members = [
        (name, buffer.getvalue() if name == "mean.npy" else old)
        for name, old in members_of(written, CELLS[0])
    ]
    rewritten(written, CELLS[0], members)
    assert np.array_equal(written.read(CELLS[0])["mean"], ARRAYS["mean"])


def test_a_file_that_cannot_be_read_says_so_and_not_that_it_is_damaged(written):
    path = written.folder / f"{name_of(CELLS[0])}.npz"
    path.unlink()
    path.mkdir()
    with pytest.raises(BadInput) as caught:
        written.read(CELLS[0])
    assert "damaged" not in str(caught.value)


def test_a_cell_set_aside_is_told_until_it_is_tried_again_or_there(store):
    with pytest.raises(
        Missing,
        match=(
            r"^demo \{.*\} has not been run yet; run it with: python -m altpg_verify.sim run demo$"
        ),
    ):
        store.read(CELLS[0])
    store.set_aside(CELLS[0], "it died")
    assert (store.is_aside(CELLS[0]), store.is_aside(CELLS[1]), store.has(CELLS[0])) == (
        True,
        False,
        False,
    )
    assert (store.folder / f"{name_of(CELLS[0])}.aside").read_text(
        encoding="utf-8"
    ) == f"{CELLS[0].words}\nit died\n"
    with pytest.raises(
        Missing,
        match=(
            r"was set aside, as it killed its worker twice; run it with: python -m altpg_verify.sim"
            r" run demo --retry$"
        ),
    ):
        store.read(CELLS[0])
    with pytest.raises(Missing, match="has not been run yet"):
        store.read(CELLS[1])
    # whatever an error says can be remembered, also half a character
    store.set_aside(CELLS[1], "\udc80")
    assert (
        (store.folder / f"{name_of(CELLS[1])}.aside")
        .read_text(encoding="utf-8")
        .endswith("\\udc80\n")
    )
    store.write(CELLS[0], ARRAYS)
    assert set(store.read(CELLS[0])) == set(ARRAYS)
    store.try_again(CELLS[0])
    assert not store.is_aside(CELLS[0])
    store.try_again(CELLS[0])
    assert store.has(CELLS[0])


def test_how_the_results_are_made_is_part_of_the_command(tmp_path):
    with pytest.raises(
        Missing, match=r"run it with: python -m altpg_verify.sim run demo --profile quick$"
    ):
        Store(tmp_path, CELLS, code=7, read_only=True, how="--profile quick")


def test_missing_results_say_what_there_is_instead(tmp_path):
    def why(cells=CELLS, code=7):
        with pytest.raises(Missing) as caught:
            Store(tmp_path, cells, code=code, read_only=True)
        return str(caught.value).rpartition("; run it with")[0]

    assert why() == "there are no stored results of demo"
    Store(tmp_path, [Cell("demo", {"b": 9.0})], code=3)
    Store(tmp_path, [Cell("other", {"b": 9.0})], code=7)
    assert why() == "the stored results of demo have other settings"
    Store(tmp_path, CELLS, code=5)
    assert why() == "the stored results of demo were made by other code (stamp 5; this is 7)"
    # what can't be read as a manifest is no reason
    for number, text in enumerate(("", "[]", "{}", '{"cells": [], "code": "x"}', '{"cells": []}')):
        folder = tmp_path / f"demo-{number:012x}"
        folder.mkdir()
        (folder / "manifest.json").write_text(text, encoding="utf-8")
    assert why() == "the stored results of demo were made by other code (stamp 5; this is 7)"
    assert why([Cell("third", {})]) == "there are no stored results of third"


def test_reading_makes_and_removes_nothing(store, tmp_path):
    left = store.folder / ".left"
    left.write_text("", encoding="utf-8")
    os.utime(left, (1, 1))
    Store(tmp_path, CELLS, code=7, read_only=True)
    assert left.exists()
    Store(tmp_path, CELLS, code=7)
    assert not left.exists()


def test_what_killed_writers_left_is_removed_after_an_hour_and_no_sooner(
    store, tmp_path, monkeypatch
):
    now = 1_000_000.0
    monkeypatch.setattr(time, "time", lambda: now)
    for name, age in ((".old", 3600.5), (".young", 3600.0), ("kept.npz", 900_000.0)):
        (store.folder / name).write_text("", encoding="utf-8")
        os.utime(store.folder / name, (now - age, now - age))
    (store.folder / ".folder").mkdir()
    os.utime(store.folder / ".folder", (1, 1))
    Store(tmp_path, CELLS, code=7)
    assert {path.name for path in store.folder.iterdir()} == {
        ".young",
        "kept.npz",
        ".folder",
        "manifest.json",
    }


def test_nothing_is_written_outside_of_the_output_folder(store, tmp_path):
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    inside = Store(out, CELLS, code=7)
    kept = inside.folder.rename(elsewhere / inside.folder.name)
    inside.folder.symlink_to(kept)
    for attempt in (
        lambda: inside.write(CELLS[0], ARRAYS),
        lambda: inside.set_aside(CELLS[0], "why"),
    ):
        with pytest.raises(BadInput, match="leads out of"):
            attempt()
    assert [path.name for path in kept.iterdir()] == ["manifest.json"]
    other = Store(out, CELLS[:1], code=7)
    (other.folder / "manifest.json").unlink()
    other.folder.rmdir()
    other.folder.symlink_to(elsewhere)
    with pytest.raises(BadInput, match="leads out of"):
        Store(out, CELLS[:1], code=7)
