"""The chapter on public libraries shows the table it is given, and says when there is none."""

from __future__ import annotations

import json

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.report.audited import audited, stored

ROW = {
    "name": "a loss", "library": "lib", "written_for": "1.0", "installed": "1.1", "says": "the policy gradient", "setting": "two arms",
    "design": "meant so", "kind": "scaled", "sentence": "the expected update is ∇V times 1/2", "reason": "",
}  # fmt: skip


def plain(runs) -> str:
    return "".join(run if isinstance(run, str) else run["alt"] for run in runs)


def cells(tmp_path, **changes) -> list[str]:
    path = tmp_path / "audits.json"
    path.write_text(
        json.dumps({"summary": "1 audit: 1 scaled", "rows": [ROW | changes]}), encoding="utf-8"
    )
    return [plain(cell) for cell in audited(path)[-1]["rows"][0]]


def test_a_row_says_what_is_claimed_what_is_followed_and_why(tmp_path):
    assert cells(tmp_path) == [
        "a loss (1.1): the policy gradient. Two arms.",
        "the expected update is ∇V times 1/2",
        "meant so",
    ]


def test_an_unbiased_loss_needs_no_excuse_and_an_absent_library_has_a_reason(tmp_path):
    assert cells(tmp_path, kind="unbiased")[2] == ""
    assert (
        cells(tmp_path, kind="NOT RUN", sentence="", reason="lib isn't installed")[1]
        == "NOT RUN: lib isn't installed"
    )


def test_without_a_table_the_chapter_says_how_to_make_it(tmp_path):
    (note,) = audited(tmp_path / "audits.json")
    assert plain(note["text"]).startswith("NOT RUN")
    assert "python -m altpg_verify audits" in plain(note["text"])


@pytest.mark.parametrize(
    "text", ["", "[]", '{"rows": [{}], "summary": ""}', '{"rows": 3, "summary": 3}', '"\\ud800"']
)
def test_a_file_that_is_no_table_is_refused_by_name(tmp_path, text):
    path = tmp_path / "audits.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=r"audits\.json.*make it again"):
        audited(path)


def test_a_reports_own_table_comes_first(tmp_path):
    assert stored(tmp_path).parent.name == "reports"
    (tmp_path / "audits.json").write_text("{}", encoding="utf-8")
    assert stored(tmp_path) == tmp_path / "audits.json"
