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
