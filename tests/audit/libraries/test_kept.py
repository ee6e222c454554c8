"""The table kept for the report is the one that the pinned libraries give today."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from altpg_verify.audit.libraries.table import as_data, every_audit, rows

KEPT = Path(__file__).parents[3] / "reports" / "audits.json"


@pytest.mark.slow
def test_the_kept_table_is_what_the_libraries_give():
    for each in every_audit():
        if each.installed != each.version:
            pytest.skip(
                f"{each.package} {each.version} is not installed (here: {each.installed or 'none'})"
            )
    found, kept = as_data(list(rows())), json.loads(KEPT.read_text(encoding="utf-8"))
    assert found["summary"] == kept["summary"]
    for ours, theirs in zip(found["rows"], kept["rows"], strict=True):
        assert {name: ours[name] for name in ours if name != "audit"} == {
            name: theirs[name] for name in theirs if name != "audit"
        }


def test_the_kept_table_has_every_audit_and_nothing_else():
    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert [row["name"] for row in kept["rows"]] == [each.name for each in every_audit()]
    assert all(row["kind"] != "NOT RUN" for row in kept["rows"])
