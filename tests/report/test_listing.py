"""`python -m altpg_verify claims`: all that match, with statement and counterexample, from the last
report only if this code made it.
"""

from __future__ import annotations

import json

import pytest

from altpg_verify.__main__ import main
from altpg_verify.report import listing, plain, provenance
from altpg_verify.report.__main__ import main as report
from altpg_verify.report.provenance import fits


@pytest.fixture
def reported(tmp_path, monkeypatch, synthetic):
    """A folder with the ledger of a report; what would be computed there is noted and is the same
    ledger.
    """
    monkeypatch.chdir(tmp_path)
    computed = []

    def fresh(max_examples, seed):
        computed.append((max_examples, seed))
        return json.loads(synthetic.as_json())

    monkeypatch.setattr(listing, "_fresh", fresh)
    path = tmp_path / "reports" / "ledger.json"
    path.parent.mkdir()

    def written(**changed):
        settings = {**provenance.made(profile="quick", max_examples=200, seed=0), **changed}
        path.write_text(synthetic.as_json(settings), encoding="utf-8")
        return computed

    return written


def test_the_last_report_is_used_if_this_code_made_it(reported, capsys):
    computed = reported()
    main(["claims"])
    assert computed == []


def test_that_is_what_a_report_writes(quick, tmp_path, monkeypatch, capsys):
    def never(*settings):
        raise AssertionError("computed though there is a report")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(listing, "_fresh", never)
    assert report(["--quiet", "--format", "html"]) == 0
    assert main(["claims"]) == 0
    assert "10 of 10 claims: " in capsys.readouterr().out


@pytest.mark.parametrize("other", [{"code": "0" * 64}, {"max_examples": 50}, {"seed": 3}])
def test_a_report_of_other_code_or_settings_is_not(other, reported, capsys):
    computed = reported(**other)
    main(["claims"])
    assert computed == [(200, 0)]


def test_nor_one_that_says_nothing_of_it_or_was_edited(reported, capsys, tmp_path, synthetic):
    computed = reported()
    path = tmp_path / "reports" / "ledger.json"
    path.write_text(synthetic.as_json(), encoding="utf-8")
    main(["claims"])
    assert len(computed) == 1
    reported()
    edited = json.loads(path.read_text(encoding="utf-8"))
    next(claim for claim in edited["claims"] if claim["verdict"] == "REFUTED")["verdict"] = "HOLDS"
    path.write_text(json.dumps(edited), encoding="utf-8")
    main(["claims"])
    assert len(computed) == 2


def test_other_code_has_another_digest(monkeypatch, tmp_path):
    package = tmp_path / "altpg_verify"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(provenance.altpg_verify, "__file__", str(package / "__init__.py"))
    before = provenance.code_digest()
    (package / "a.py").write_text("TOLERANCE = 1\n", encoding="utf-8")
    after = provenance.code_digest()
    (package / "a.py").rename(package / "b.py")
    assert len({before, after, provenance.code_digest()}) == 3
    assert not fits(
        {"made": {"code": before, "profile": "quick", "max_examples": 200, "seed": 0}},
        max_examples=200,
        seed=0,
    )


def test_every_refuted_claim_is_listed_with_its_statement_and_what_refutes_it(
    reported, capsys, synthetic
):
    reported()
    main(["claims", "--verdict", "REFUTED"])
    shown = capsys.readouterr().out
    refuted = [entry for entry in synthetic.entries if str(entry.verdict) == "REFUTED"]
    assert refuted
    for entry in refuted:
        block = shown.partition(f"REFUTED  {entry.claim.id}  ")[2].partition("\nREFUTED")[0]
        assert f"states      {plain.statement(entry.claim.statement)}" in block
        assert all(
            f"{name} = {value}" in block for name, value in entry.best.finding.instance.items()
        )
    assert (
        shown.splitlines()[-1]
        == f"{len(refuted)} of {len(synthetic.entries)} claims: {len(refuted)} REFUTED"
    )


def test_claims_are_found_by_what_they_say(reported, capsys, synthetic):
    reported()
    entry = synthetic.entries[0]
    main(["claims", "--text", entry.claim.id.upper()])
    shown = capsys.readouterr().out
    assert f"{entry.verdict}  {entry.claim.id}  " in shown
    main(["claims", "--text", "said by nobody"])
    assert capsys.readouterr().out == f"0 of {len(synthetic.entries)} claims: none\n"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            'If $b < r_1$, then $EE_pi [hat(bold(g))^"ALT" (A, R)] = 0$.',
            "If b < r₁, then E_π[ĝ^ALT(A, R)] = 0.",
        ),
        (
            "$pi^*(a) = 1 / (r(a) - b) (sum_(c in cal(A)) 1 / (r(c) - b))^(-1)$",
            "π*(a) = 1/(r(a) − b)(∑_(c ∈ A) 1/(r(c) − b))⁻¹",
        ),
        ("$(a + b) / c != a + b / c$", "(a + b)/c ≠ a + b/c"),
        ("$x^(n + 1)$ isn't $x^n + 1$", "xⁿ⁺¹ isn't xⁿ + 1"),
        ("$x^(2 b + 1)$ isn't $x^2 b + 1$", "x^(2 b + 1) isn't x² b + 1"),
        ("$pi r$ is no name", "π r is no name"),
        ("a claim of _words_ only", "a claim of words only"),
    ],
)
def test_formulas_are_written_out_on_one_line(markup, text):
    assert plain.statement(markup) == text


@pytest.mark.thorough
def test_every_statement_of_the_ledger_can_be_written_out():
    from altpg_verify.theory.claims import CLAIMS

    left = [
        claim.id
        for claim in CLAIMS
        if any(
            mark in plain.statement(claim.statement) for mark in ("$", "bold(", "cal(", "#formula")
        )
    ]
    assert left == []
