"""Tests don't see each other's files: a module that one loaded from its folder is no module of the
next, nor is one that failed to load.
"""

from __future__ import annotations

import importlib
import sys

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.targets import estimators_at

TEXT = (
    "from altpg_verify import estimator\n\n@estimator\ndef number_{}(pi, e, r, b):\n    return (r -"
    " b) * (e - pi)\n"
)


@pytest.mark.parametrize("number", [1, 2])
def test_a_file_of_a_name_that_was_there_before_is_read(tmp_path, number):
    file = tmp_path / "file_of_this_name.py"
    file.write_text(TEXT.format(number), encoding="utf-8")
    estimators_at(str(file))
    assert hasattr(importlib.import_module("file_of_this_name"), f"number_{number}")


def test_a_file_that_cannot_be_loaded_leaves_no_half_of_a_module(tmp_path):
    file = tmp_path / "half_of_a_module.py"
    file.write_text("first = 1\nsecond = 1 / 0\n", encoding="utf-8")
    with pytest.raises(BadInput, match="raised ZeroDivisionError while being imported"):
        estimators_at(str(file))
    assert "half_of_a_module" not in sys.modules


@pytest.mark.parametrize("restored", ["with the folder", "without it"])
def test_a_search_path_that_somebody_puts_back_brings_no_other_file(
    tmp_path, monkeypatch, restored
):
    folders = [tmp_path / name for name in ("first", "second")]
    for number, folder in enumerate(folders):
        folder.mkdir()
        (folder / "of_one_name.py").write_text(TEXT.format(number), encoding="utf-8")
    before = list(sys.path)
    estimators_at(str(folders[0] / "of_one_name.py"))
    within = list(sys.path)
    sys.path[:] = before if restored == "without it" else within
    monkeypatch.chdir(folders[1])
    if restored == "with the folder":
        estimators_at(str(tmp_path / "first" / ".." / "second" / "of_one_name.py"))
        sys.path[:] = within
    assert estimators_at("of_one_name:number_1")


def test_a_folder_that_was_reachable_for_a_while_only_is_forgotten(tmp_path, monkeypatch):
    folders = [tmp_path / name for name in ("first", "second")]
    for number, folder in enumerate(folders):
        folder.mkdir()
        (folder / "of_a_while.py").write_text(TEXT.format(number), encoding="utf-8")
    with monkeypatch.context() as within:
        within.syspath_prepend(str(folders[0]))
        within.chdir(folders[0])
        estimators_at("of_a_while:number_0")
    monkeypatch.chdir(folders[1])
    assert estimators_at("of_a_while:number_1")
