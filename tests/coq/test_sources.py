"""The Coq sources as text: nothing is claimed without proof, all is listed, and the stored
transcript is theirs.
"""

from __future__ import annotations

import re

import pytest

from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.coq.evidence import (
    FOLDER,
    FORBIDDEN,
    REAL_NUMBERS,
    covered,
    hashes,
    order,
    stored_transcript,
)
from altpg_verify.theory.coq.theorems import THEOREMS

SOURCES = {name: (FOLDER / name).read_text(encoding="utf-8") for name in order()}
STATED = [
    name
    for text in SOURCES.values()
    for name in re.findall(r"^\s*(?:Theorem|Lemma|Corollary) (\w+)", text, re.MULTILINE)
]


@pytest.mark.parametrize("name", SOURCES)
def test_nothing_is_claimed_without_proof(name):
    assert FORBIDDEN.search(SOURCES[name]) is None


@pytest.mark.parametrize(
    "planted",
    [
        "Admitted.",
        "admit.",
        "give_up.",
        "Axiom a : False.",
        "Parameter p : False.",
        "Conjecture c : False.",
        "Admit Obligations.",
        "Unset Guard Checking.",
        "#[bypass_check(guard)]",
    ],
)
def test_a_claim_without_proof_would_be_seen(planted):
    assert FORBIDDEN.search(SOURCES["Step.v"] + planted)


def test_every_proof_ends_with_qed():
    for name, text in SOURCES.items():
        assert len(re.findall(r"\bProof\.", text)) == len(
            re.findall(r"\b(?:Qed|Defined)\.", text)
        ), name


def test_every_file_is_compiled():
    assert sorted(order()) == sorted(path.name for path in FOLDER.glob("*.v"))
    assert len(set(order())) == len(order())
    assert order()[-1] == "Assumptions.v"


def test_no_theorem_is_stated_twice():
    assert len(STATED) == len(set(STATED))


def test_every_theorem_that_serves_a_claim_is_stated_and_has_its_axioms_printed():
    serving = {theorem for theorems in THEOREMS.values() for theorem in theorems}
    assert serving <= covered()
    assert covered() <= set(STATED)
    assert set(re.findall(r"^Check @(\w+)\.$", SOURCES["Assumptions.v"], re.MULTILINE)) == covered()


def test_every_served_claim_is_in_the_ledger():
    assert set(THEOREMS) <= {claim.id for claim in CLAIMS}


def test_the_transcript_is_of_these_sources():
    stored = dict(
        reversed(line.split("  "))
        for line in re.findall(r"^[0-9a-f]{64}  \w+\.v$", stored_transcript(), re.MULTILINE)
    )
    assert stored == hashes()


def test_the_transcript_shows_every_theorem_and_the_axioms_of_the_real_numbers_only():
    text = stored_transcript()
    assert "coqc accepts all" in text
    assert "relying on type-in-type: <none>" in text
    checked, axioms = (
        text.split("* Axioms:\n")[1].split("\n\n")[0],
        text.split("All axioms that the main theorems rest on\n\n")[1].split("\n\n\n")[0],
    )
    assert {line.strip().split(".", 2)[2] for line in checked.splitlines()} == REAL_NUMBERS
    assert set(re.findall(r"^[\w.]+", axioms, re.MULTILINE)) == REAL_NUMBERS
    assert set(re.findall(r"^Theorem (\w+)$", text, re.MULTILINE)) == covered()


def test_the_transcript_names_no_machine():
    assert not re.search(r"/(home|tmp|usr|root|work)\b|\b\d\d:\d\d\b", stored_transcript())
