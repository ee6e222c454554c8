"""The command: what it writes, when it refuses, and that nothing is left half-written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pikepdf
import pytest

from altpg_verify import judging, ledger, ledger_building
from altpg_verify.report import build, main_report, typesetting
from altpg_verify.report.__main__ import main
from altpg_verify.report.provenance import made
from altpg_verify.report.side_process import Beside
from tests.report.notation import code
from tests.report.pdf_rules import RULES
from tests.report.sample import CLAIMS, ROOT


@pytest.fixture
def quick(quick, monkeypatch):
    """With one figure."""
    picture = {
        "kind": "figure",
        "name": "one",
        "caption": ["One."],
        "alt": "One.",
        "width": 0.5,
        "svg": SVG,
    }
    monkeypatch.setattr(
        main_report,
        "main_report",
        lambda *given: {"chapters": [{"title": "One", "parts": [picture]}]},
    )


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20"'
    ' height="20"/></svg>'
)


def run(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "altpg_verify.report", *arguments],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_writes_ledger_figures_and_page(quick, synthetic, tmp_path, capsys):
    assert main(["--out", str(tmp_path / "new" / "reports")]) == 0
    folder = tmp_path / "new" / "reports"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*")) == [
        "figures",
        "figures/one.svg",
        "ledger.json",
        "proofs.pdf",
        "report.html",
        "report.pdf",
    ]
    assert json.loads((folder / "ledger.json").read_text(encoding="utf-8")) == json.loads(
        synthetic.as_json(made(profile="quick", max_examples=200, seed=0))
    )
    assert (folder / "report.pdf").read_bytes()[:5] == b"%PDF-"
    out, err = capsys.readouterr()
    assert "10 claims: " in out
    assert "report.pdf" in out
    assert "page: done" in err


# test_document.py asks it of the document, at half the price
@pytest.mark.slow
def test_same_results_same_bytes(quick, tmp_path):
    assert (
        main(["--out", str(tmp_path / "one"), "--quiet"])
        == main(["--out", str(tmp_path / "two"), "--quiet"])
        == 0
    )
    assert (tmp_path / "one" / "report.pdf").read_bytes() == (
        tmp_path / "two" / "report.pdf"
    ).read_bytes()


def test_an_inconsistent_claim_is_written_and_told(quick, tmp_path, monkeypatch, capsys):
    @ledger.evidence("unrun", kind="enumeration")
    def against():
        return judging.refuted("no", {"case": "1"}, 1, 2)

    @ledger.evidence("unrun", kind="property test")
    def in_favour():
        return judging.searched("yes", [1], lambda case: (case, case), domain="one case")

    torn = ledger_building.build(CLAIMS, [against, in_favour])
    monkeypatch.setattr(build, "run_evidence", lambda settings, results, progress: torn)
    assert main(["--out", str(tmp_path), "--quiet"]) == 1
    assert (tmp_path / "report.pdf").exists()
    assert "unrun" in capsys.readouterr().err


def test_quiet_says_nothing_and_a_page_that_fails_leaves_the_old_files(
    quick, tmp_path, monkeypatch, capsys
):
    assert main(["--out", str(tmp_path), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def broken(content):
        raise typesetting.TypesettingError("no")

    monkeypatch.setattr(typesetting, "pdf", broken)
    with pytest.raises(typesetting.TypesettingError):
        main(["--out", str(tmp_path), "--quiet"])
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("name", ["audits.json", "trust.json"])
def test_a_broken_table_is_told_before_anything_runs(quick, tmp_path, monkeypatch, capsys, name):
    ran = []
    monkeypatch.setattr(build, "beside", lambda settings, progress: ran.append(settings))
    (tmp_path / name).write_text("[]", encoding="utf-8")
    assert main(["--out", str(tmp_path), "--quiet"]) == 2
    assert name in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert not ran


def test_a_simulation_that_fails_is_not_hidden(quick, tmp_path, monkeypatch):
    side = Beside()
    side.results.set_exception(ArithmeticError("kernel"))
    monkeypatch.setattr(build, "beside", lambda settings, progress: side)
    with pytest.raises(ArithmeticError, match="kernel"):
        main(["--out", str(tmp_path), "--quiet"])
    assert not (tmp_path / "report.pdf").exists()


@pytest.mark.parametrize("arguments", [["--out", "taken/reports"], ["--out", "taken"]])
def test_a_folder_that_cannot_be_written(tmp_path, arguments):
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    done = run(*arguments, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"altpg-verify: --out: can't write .*; choose a .*\n", done.stderr)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_bad_number_of_cases(tmp_path):
    done = run("--out", str(tmp_path / "out"), "--max-examples", "0")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_evidence_that_needs_results_comes_last():
    names = [
        function.__code__.co_varnames[: function.__code__.co_argcount]
        for function in build.evidence_functions()
        if hasattr(function, "__code__")
    ]
    asks = ["results" in arguments for arguments in names]
    assert asks == sorted(asks)
    assert sum(asks) > 10


@pytest.mark.slow
def test_the_command_on_everything(tmp_path):
    for folder in ("one", "two"):
        assert (
            run("--out", str(tmp_path / folder), "--quiet", "--max-examples", "20").returncode == 0
        )
    for name in ("report.pdf", "proofs.pdf", "report.html", "ledger.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert list(code((tmp_path / "one" / "report.html").read_text(encoding="utf-8"))) == []
    for name, most in (("report.pdf", 60), ("proofs.pdf", 150)):
        with pikepdf.open(tmp_path / "one" / name) as file:
            assert {name: rule(file) for name, rule in RULES.items()} == {
                name: [] for name in RULES
            }
            assert len(file.pages) <= most
