"""What is made of Coq's answers: only an accepted theorem on the axioms of the real numbers counts
as proved.
"""

from __future__ import annotations

import dataclasses

import pytest

from altpg_verify.ledger import Claim
from altpg_verify.ledger_building import build
from altpg_verify.theory.coq import evidence as coq_evidence
from altpg_verify.theory.coq.evidence import (
    REAL_NUMBERS,
    CoqRun,
    MachineChecked,
    hashes,
    objections,
    read_assumptions,
)
from altpg_verify.theory.coq.theorems import THEOREMS
from altpg_verify.verdicts import Verdict

PRINTED = """@one
     : forall x : R,
       x = x
@two
     : True
Axioms:
Classical_Prop.classic : forall P : Prop, P \\/ ~ P
ClassicalDedekindReals.sig_forall_dec
  : forall P : nat -> Prop,
    True
"""
ACCEPTED = CoqRun(
    "8.16.1",
    hashes(),
    "",
    dict.fromkeys(("optimistic_attracts",), "..."),
    dict.fromkeys(REAL_NUMBERS, ""),
)
SUMMARY = """CONTEXT SUMMARY
===============

* Theory: Set is predicative

* Axioms:
    Coq.Logic.Classical_Prop.classic

* Constants/Inductives relying on type-in-type: <none>"""


def test_statements_and_axioms_are_read():
    statements, axioms = read_assumptions(PRINTED)
    assert statements == {"one": "forall x : R,\nx = x", "two": "True"}
    assert set(axioms) == {"Classical_Prop.classic", "ClassicalDedekindReals.sig_forall_dec"}


def test_no_axiom_at_all_is_read():
    assert read_assumptions("@one\n     : True\nClosed under the global context\n") == (
        {"one": "True"},
        {},
    )


@pytest.mark.parametrize(
    "line",
    [
        "cheat : False",
        "Classical_Prop.classic is assumed to be guarded.",
        "one relies on an unsafe hierarchy.",
        "classic : True",
    ],
)
def test_whatever_else_is_listed_is_an_assumption(line):
    _, axioms = read_assumptions(PRINTED + line + "\n")
    assert set(axioms) - REAL_NUMBERS


def test_a_list_that_was_not_printed_is_no_empty_list():
    assert set(read_assumptions("@one\n     : True\n")[1]) - REAL_NUMBERS


def test_an_accepted_run_meets_no_objection():
    assert objections("optimistic_attracts", ACCEPTED) == []
    assert objections("optimistic_attracts", dataclasses.replace(ACCEPTED, summary=SUMMARY)) == []


@pytest.mark.parametrize(
    "change",
    [
        {"failure": "coqc refuses Optimistic.v: a message"},
        {"sources": {"Optimistic.v": "0" * 64}},
        {"sources": {**hashes(), "Optimistic.v": "0" * 64}},
        {"statements": {}},
        {"axioms": {"cheat": " : False"}},
        {"summary": SUMMARY.replace("classic", "cheat")},
        {"summary": SUMMARY.replace("<none>", "optimistic_attracts")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_each_objection_is_raised(change):
    assert len(objections("optimistic_attracts", dataclasses.replace(ACCEPTED, **change))) == 1


def test_a_theorem_whose_axioms_are_not_printed_is_refused():
    run = dataclasses.replace(ACCEPTED, statements={"share": "..."})
    assert len(objections("share", run)) == 1


def verdict(claim: str) -> Verdict:
    entered = [Claim(name, 1, "s", "x", "dynamics") for name in THEOREMS]
    return build(entered, [coq_evidence.machine_checked])[claim].verdict


def test_without_coq_nothing_is_proved(monkeypatch):
    monkeypatch.setattr(coq_evidence.shutil, "which", lambda name: None)
    finding = coq_evidence.machine_checked("optimistic-attracts-explicit-stepsize")
    assert finding.verdict is Verdict.NOT_RUN
    assert finding.summary == "Coq is not installed; the stored transcript is shown as a transcript"
    assert verdict("pessimistic-repels") is Verdict.NOT_RUN


def test_what_coq_refuses_is_inconclusive(monkeypatch):
    monkeypatch.setattr(coq_evidence, "installed", lambda: True)
    monkeypatch.setattr(
        coq_evidence,
        "run_once",
        lambda *folder: dataclasses.replace(ACCEPTED, failure="coqc refuses Step.v: a message"),
    )
    finding = coq_evidence.machine_checked("optimistic-attracts-explicit-stepsize")
    assert finding.verdict is Verdict.INCONCLUSIVE
    assert "coqc refuses Step.v" in finding.summary
    assert str(MachineChecked("optimistic_attracts")) == "coqc refuses Step.v: a message"


def test_what_coq_accepts_is_proved_and_shown(monkeypatch):
    monkeypatch.setattr(coq_evidence, "installed", lambda: True)
    monkeypatch.setattr(coq_evidence, "run_once", lambda *folder: ACCEPTED)
    finding = coq_evidence.machine_checked("optimistic-attracts-explicit-stepsize")
    assert finding.verdict is Verdict.PROVED
    assert "optimistic_attracts of Optimistic.v" in finding.steps[0].text
    # the run has no such theorem, so the claim that needs it isn't served
    assert coq_evidence.machine_checked("pessimistic-repels").verdict is Verdict.INCONCLUSIVE
