"""What polgrad and this project say of the same losses is what the documentation shows."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("polgrad")

from benchmarks.beside_polgrad import CASES, rows, table

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "identify.md"


@pytest.mark.slow
def test_the_table_is_what_both_say_now():
    assert table(rows()) in PAGE.read_text(encoding="utf-8")


def test_all_ten_of_polgrad_are_in_it():
    from polgrad import registry

    assert {case.reference for case in CASES if not case.planted} == set(registry.ALGORITHMS)
    assert sum(bool(case.planted) for case in CASES) == 12
