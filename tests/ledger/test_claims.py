"""The claims themselves: well formed, in order, typeset, each correction behind what it
corrects.
"""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
import typst

from altpg_verify.errors import BadInput
from altpg_verify.judging import Finding, Verdict
from altpg_verify.ledger import Claim, evidence
from altpg_verify.ledger_building import build, check_claims
from altpg_verify.theory.claims import CLAIMS

IDS = {claim.id: claim for claim in CLAIMS}


def typeset(claims) -> bytes:
    paragraphs = [
        part for claim in claims for part in (claim.statement, *claim.given, claim.adds) if part
    ]
    return typst.compile("\n\n".join(paragraphs).encode(), format="pdf")


def test_ids_are_unique_and_references_lead_somewhere():
    assert set(check_claims(CLAIMS)) == set(IDS)
    assert len(IDS) == len(CLAIMS)


@pytest.mark.parametrize(
    "wrong",
    [
        (Claim("one", 1, "s", "x", "identity"), Claim("one", 2, "s", "y", "identity")),
        (Claim("one", 1, "s", "x", "identity", depends_on=("two",)),),
        (
            Claim("one", 1, "s", "x", "identity", depends_on=("two",)),
            Claim("two", 1, "s", "x", "identity", depends_on=("one",)),
        ),
        (Claim("one", 1, "s", "x", "identity", corrects="two", adds="an assumption"),),
    ],
    ids=["twice", "nowhere", "circle", "corrects nothing"],
)
def test_malformed_ledgers_are_refused(wrong):
    with pytest.raises(BadInput):
        check_claims(wrong)


def test_ids_say_a_meaning_in_a_few_words():
    for claim in CLAIMS:
        assert re.fullmatch(r"[a-z0-9][a-z0-9.]*(-[a-z0-9.]+){1,7}", claim.id), claim.id


def test_claims_stand_in_the_order_of_the_paper():
    for before, after in pairwise(CLAIMS):
        assert before.line <= after.line, (
            f"{after.id} of line {after.line} stands behind {before.id} of line {before.line}"
        )


def test_each_correction_follows_its_claim_and_stands_where_it_stands():
    for before, after in pairwise(CLAIMS):
        if after.corrects:
            assert after.corrects == before.id, after.id
            assert after.line == before.line, after.id
            assert after.statement != before.statement, after.id


def test_nothing_is_corrected_twice_and_nothing_of_ours_is_called_the_papers():
    corrected = [claim.corrects for claim in CLAIMS if claim.corrects]
    assert len(corrected) == len(set(corrected))
    assert not any(IDS[claim].corrects or IDS[claim].extension for claim in corrected)


def test_no_claim_rests_on_a_printed_one_that_has_a_correction():
    corrected = {claim.corrects for claim in CLAIMS if claim.corrects}
    for claim in CLAIMS:
        assert not corrected & set(claim.depends_on), f"{claim.id} should rest on the correction"


def test_empirical_claims_say_what_would_support_and_refute_them():
    for claim in CLAIMS:
        if claim.kind == "empirical":
            words = " ".join(claim.given)
            assert "refuted if" in words or "refuted by" in words, claim.id
            assert set(claim.required_evidence) <= {"simulation", "execution"}, claim.id
            assert claim.required_evidence, claim.id


def test_every_claim_owes_some_evidence():
    assert [claim.id for claim in CLAIMS if not claim.required_evidence] == []


@pytest.mark.thorough
def test_every_statement_is_typeset():
    assert typeset(CLAIMS).startswith(b"%PDF")


def test_a_statement_that_cannot_be_typeset_is_noticed():
    with pytest.raises(typst.TypstError):
        typeset([Claim("broken-formula", 1, "s", "$sum_(a nopi(a)$", "identity")])


def test_no_fraction_binds_less_than_it_should():
    # Typst reads "pi_t (a) / x" as pi_t times a/x; a function with a subscript needs brackets
    # around it
    loose = re.compile(r"[_^]\w+ \(\w+\) / |[_^]\([^()]*\) \(\w+\) / ")
    assert loose.search("$pi_t (a) / zeta(a)$")
    assert not loose.search("$(pi_t (a)) / zeta(a)$")
    for claim in CLAIMS:
        assert not loose.search(claim.statement.replace("\n", " ")), claim.id


def test_a_verdict_cannot_be_typed():
    with pytest.raises(TypeError):
        Finding(Verdict.PROVED, "because I say so")
    assert not {"verdict", "status", "holds"} & set(Claim.__dataclass_fields__)


def test_evidence_without_a_finding_counts_for_nothing():
    @evidence("one", kind="derivation")
    def boast():
        return Verdict.PROVED

    @evidence("one", kind="derivation")
    def forged():
        return Finding(Verdict.PROVED, "because I say so")

    claim = Claim("one", 1, "s", "x", "identity")
    for function in (boast, forged):
        assert build([claim], [function]).entries[0].verdict is Verdict.INCONCLUSIVE
