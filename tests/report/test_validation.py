"""The section on the verifier itself shows the record it is given, what missed its bound too, and
says when there is none.
"""

from __future__ import annotations

import json

import pytest

from altpg_verify.errors import BadInput
from altpg_verify.report.audited import stored
from altpg_verify.report.document import document
from altpg_verify.report.formats import volumes
from altpg_verify.report.html.page import html
from altpg_verify.report.reading import reproducing
from altpg_verify.report.typesetting import pdf
from altpg_verify.report.validation import NAME, trusted
from trust import record
from trust.figures import Figure, Outcome, Part

MACHINE = {"python": "3.11.7", "system": "Linux x86_64", "cores": 2, "numpy": "2.4.6"}
RECORD = {
    "schema": 1,
    "parts": [
        {
            "name": "mutation", "title": "faults put into the code", "command": "python -m trust --only mutation", "date": "2026-01-02",
            "seconds": 61.5, "machine": MACHINE, "notes": ["atheris is not installed, so that part was NOT RUN."], "details": {},
            "figures": [
                {"name": "killed", "value": 0.875, "says": "mutants that a test notices", "target": "at least 0.9", "met": False},
                {"name": "gap", "value": 2e-16, "says": "largest gap between two methods", "target": "at most 1e-12", "met": True},
                {"name": "made", "value": 400.0, "says": "mutants made", "target": "", "met": None},
            ],
        }
    ],
}  # fmt: skip


def plain(runs) -> str:
    return "".join(run if isinstance(run, str) else run["alt"] for run in runs)


@pytest.fixture
def kept(tmp_path):
    (tmp_path / NAME).write_text(json.dumps(RECORD), encoding="utf-8")
    return tmp_path / NAME


def test_every_figure_with_its_target_and_whether_it_is_met(kept):
    parts = trusted(kept)
    (table,) = (part for part in parts if part["kind"] == "prose")
    assert [[plain(cell) for cell in row] for row in table["rows"]] == [
        ["mutants that a test notices", "0.875", "at least 0.9", "NOT MET"],
        ["largest gap between two methods", "2e−16", "at most 1e-12", "met"],
        ["mutants made", "400", "reported only", ""],
    ]
    said = [plain(part["text"]) for part in parts if part["kind"] in ("text", "note")]
    assert "2 figures with a bound: 1 met, 1 NOT MET." in said
    assert (
        "python -m trust --only mutation: 61.5 s on Linux x86_64, 2 cores, Python 3.11.7,"
        " 2026-01-02." in said
    )
    assert "atheris is not installed, so that part was NOT RUN." in said


def suite(tests, skipped, failures, date, code):
    return {"tests": tests, "skipped": skipped, "failures": failures, "date": date, "code": code}


def notes(path, suites):
    (made,) = RECORD["parts"]
    path.write_text(
        json.dumps({"schema": 1, "parts": [{**made, "details": {"whole": suites}}]}),
        encoding="utf-8",
    )
    return [plain(part["text"]) for part in trusted(path) if part["kind"] == "note"]


def test_whole_suites_are_summed_up_and_their_failures_named(kept):
    fine = {
        "a": suite(10, 1, [], "2026-01-02", "0.1.0, files 12"),
        "b": suite(20, 2, [], "2026-01-02", "0.1.0, files 12"),
    }
    summed = (
        "Whole test suites: 2 settings, 30 tests, 3 of them skipped, 0 failures (2026-01-02,"
        " version 0.1.0, files 12)."
    )
    assert summed in notes(kept, fine)
    bad = {**fine, "c": suite(5, 0, ["test_x", "test_y"], "2026-01-03", "0.1.0, files 34")}
    said = notes(kept, bad)
    assert (
        "Whole test suites: 3 settings, 35 tests, 3 of them skipped, 2 failures (2026-01-02 to"
        " 2026-01-03, 2 states of the code)." in said
    )
    assert "Failed in c: test_x, test_y." in said
    assert not any("Whole" in line or "Failed" in line for line in notes(kept, {}))


def test_without_a_record_one_sentence_says_so(tmp_path):
    (note,) = trusted(tmp_path / NAME)
    assert plain(note["text"]).startswith("NOT RUN")
    assert "python -m trust" in plain(note["text"])


NO_RECORDS = [
    "",
    "[]",
    '{"schema": 2, "parts": []}',
    '{"schema": 1, "parts": [{}]}',
    '{"schema": 1}',
    '"\\ud800"',
    "[" * 100_000,
]


@pytest.mark.parametrize("content", NO_RECORDS, ids=lambda content: content[:30])
def test_a_file_that_is_no_record_is_refused_by_name(tmp_path, content):
    (tmp_path / NAME).write_text(content, encoding="utf-8")
    with pytest.raises(BadInput, match=r"trust\.json.*make it again"):
        trusted(tmp_path / NAME)


def test_what_trust_writes_is_what_is_read(tmp_path):
    part = Part("one", "One part", lambda sample, say: Outcome(()))
    outcome = Outcome(
        (Figure("a", 1.0, "ones", at_least=2.0), Figure("b", 3.0, "threes")), ("A note.",)
    )
    record.keep(tmp_path / NAME, record.entry(part, outcome, 1.0, sample=False), ["one"])
    (table,) = (part for part in trusted(tmp_path / NAME) if part["kind"] == "prose")
    assert [plain(row[3]) for row in table["rows"]] == ["NOT MET", ""]


def test_a_reports_own_record_comes_first(kept):
    assert stored(kept.parent, NAME) == kept
    assert stored(kept.parent / "elsewhere", NAME).parent.name == "reports"


def test_both_pages_show_it(kept, synthetic):
    chapters = [{"title": "How the verifier was validated", "parts": trusted(kept)}]
    content = document(
        synthetic,
        profile="quick",
        reproducing=reproducing("quick", 0, 200, "0" * 64),
        chapters=chapters,
    )
    page = html(content, simplex=None).decode()
    assert "NOT MET" in page[page.index("How the verifier was validated</h2>") :]
    assert pdf(volumes(content)["report"]).startswith(b"%PDF-1.7")
