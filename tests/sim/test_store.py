"""Results on disk are whole, and what they say they are; anything else is refused loudly."""

import json

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.sim.experiment import Cell
from altpg_verify.sim.store import Store

CELLS = [Cell("demo", {"alpha": alpha, "start": [0.0, 1.0]}) for alpha in (0.25, 0.5)]
ARRAYS = {"mean": np.arange(6.0).reshape(2, 3), "failed": np.array([False, True])}


@pytest.fixture
def store(tmp_path):
    made = Store(tmp_path, CELLS, code=1)
    made.write(CELLS[0], ARRAYS)
    return made


def file_of(store, number=0):
    return sorted(store.folder.glob("*.npz"))[number]


def test_what_was_written_is_read(store):
    got = store.read(CELLS[0])
    assert set(got) == set(ARRAYS)
    assert all(np.array_equal(got[name], ARRAYS[name]) for name in ARRAYS)
    assert store.has(CELLS[0])
    assert not store.has(CELLS[1])


def test_the_same_arrays_give_the_same_bytes(store):
    first = file_of(store).read_bytes()
    store.write(CELLS[0], ARRAYS)
    assert file_of(store).read_bytes() == first


def test_a_missing_cell_names_the_command(store):
    with pytest.raises(BadInput, match=r"python -m altpg_verify\.sim run demo"):
        store.read(CELLS[1])


@pytest.mark.parametrize("keep", [0, 10, 0.5, -1])
def test_a_torn_file_is_refused(store, keep):
    path = file_of(store)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep) if 0 < keep < 1 else keep])
    with pytest.raises(BadInput, match="damaged"):
        store.read(CELLS[0])


def test_every_altered_number_is_refused(store):
    for name in ARRAYS:
        arrays = {**ARRAYS, name: ARRAYS[name].copy()}
        arrays[name].flat[0] = 1 - arrays[name].flat[0]
        path = file_of(store)
        with np.load(path) as file:
            own = {key: file[key] for key in ("key", "sha256")}
        np.savez(path, **own, **arrays)
        with pytest.raises(BadInput, match="altered"):
            store.read(CELLS[0])


def test_another_cells_file_is_refused(store):
    store.write(CELLS[1], ARRAYS)
    one, other = file_of(store, 0), file_of(store, 1)
    one.write_bytes(other.read_bytes())
    victim = next(cell for cell in CELLS if store._path(cell) == one)
    with pytest.raises(BadInput, match="another cell"):
        store.read(victim)


def test_pickles_are_not_opened(store):
    np.savez(
        file_of(store),
        key=np.array("x"),
        sha256=np.array("y"),
        mean=np.array([{"a": 1}], dtype=object),
    )
    with pytest.raises(BadInput, match="damaged"):
        store.read(CELLS[0])


def test_only_the_arrays_are_written_and_none_of_objects(store):
    store.write(CELLS[0], ARRAYS)
    with np.load(file_of(store)) as file:
        assert set(file.files) == {*ARRAYS, "key", "sha256"}
    with pytest.raises(ValueError, match="objects"):
        store.write(CELLS[0], {"mean": np.array([{"a": 1}], dtype=object)})


def test_an_altered_manifest_is_refused(store, tmp_path):
    path = store.folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    assert [cell["setting"]["alpha"] for cell in manifest["cells"]] == [0.25, 0.5]
    manifest["cells"][0]["root"] = 1
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(BadInput, match="altered"):
        Store(tmp_path, CELLS, code=1)


def test_other_code_or_settings_never_mix(store, tmp_path):
    assert Store(tmp_path, CELLS, code=2).folder != store.folder
    assert Store(tmp_path, CELLS[:1], code=1).folder != store.folder
    assert Store(tmp_path, CELLS, code=1).folder == store.folder


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(BadInput, match="--out"):
        Store(tmp_path / "file", CELLS, code=1)


def test_a_failed_write_leaves_nothing(store, monkeypatch):
    before = sorted(path.name for path in store.folder.iterdir())
    monkeypatch.setattr(
        "os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device"))
    )
    with pytest.raises(BadInput, match="No space left"):
        store.write(CELLS[1], ARRAYS)
    assert sorted(path.name for path in store.folder.iterdir()) == before
