"""Whose code and whose class something is, by where it is found and not by what it says."""

from __future__ import annotations

import copy
import importlib
from collections import OrderedDict
from fractions import Fraction

import numpy as np
import pytest

import altpg_verify
from altpg_verify.untrusted.code_origin import is_genuine, is_library, is_of_user, of_library


class Mine:
    def own(self):
        return 1


def impostor(module, name, **members):
    """A class that says it is a library's."""
    return type("Posing", (), {"__module__": module, "__qualname__": name, **members})


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A module of an installed package, which makes classes within functions."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "makes_classes.py").write_text(
        "def made():\n    class Local:\n        def own(self): return 1\n    return Local\n"
        "def empty():\n    class Local: n = 1\n    return Local\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(folder)
    return importlib.import_module("makes_classes")


def test_a_class_is_genuine_where_its_module_has_it():
    assert is_genuine(Fraction)
    assert is_genuine(OrderedDict)
    assert not is_genuine(Mine)
    assert not is_genuine(impostor("fractions", "Fraction"))
    assert not is_genuine(impostor("no_such_module", "Mine"))


def test_a_class_made_within_a_function_is_genuine_by_its_methods(library):
    assert is_genuine(library.made())
    # nothing tells whose it is
    assert not is_genuine(library.empty())
    for members in ({}, {"own": Mine.own}, {"n": 1}, {"own": Mine.own, "n": 1}):
        assert not is_genuine(impostor("makes_classes", "made.<locals>.Local", **members))


def test_whose_a_file_is():
    assert all(map(is_library, ("<frozen os>", copy.__file__, np.__file__, altpg_verify.__file__)))
    assert not any(map(is_library, ("<string>", __file__, "/no/such/file.py", "a\0b")))


def test_code_is_a_librarys_with_its_own_variables_alone():
    code = copy.copy.__code__
    assert of_library(code, vars(copy))
    for space in ({}, {"__name__": "copy"}, {"__name__": "no such"}, globals(), dict(vars(copy))):
        assert not of_library(code, space)
    assert not of_library(Mine.own.__code__, vars(copy))


def test_whose_a_class_is():
    assert is_of_user(Mine)
    assert not is_of_user(Fraction)
    assert not is_of_user(Mine())
