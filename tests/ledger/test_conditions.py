"""One rule for "as printed": what narrows a claim has a ground, and a gap is a refutation everywhere."""

from __future__ import annotations

from dataclasses import replace

from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.claims.conditions import CONDITION, GAPS, GIVENS, GROUNDS
from altpg_verify.theory.claims.sentences import source_lines

IDS = {claim.id: claim for claim in CLAIMS}
CORRECTED = {claim.corrects for claim in CLAIMS if claim.corrects}
JUDGED = [
    claim for claim in CLAIMS if claim.kind != "empirical" and not claim.corrects and not claim.extension and claim.id not in CORRECTED
]
"""What the article states, by mathematics, and what isn't refuted."""


def narrowing(claims) -> set[str]:
    return {given for claim in claims for given in claim.given if CONDITION.search(given)}


def test_every_given_that_narrows_a_claim_has_a_ground():
    assert narrowing(JUDGED) - set(GIVENS) == set()


def test_no_ground_is_kept_for_a_given_that_is_gone():
    assert set(GIVENS) - narrowing(JUDGED) == set()


def test_grounds_name_a_line_a_word_or_a_refuted_claim():
    lines = source_lines()
    for given, (ground, behind) in GIVENS.items():
        assert ground in GROUNDS, given
        if ground == "printed":
            assert int(behind) in lines, given
        elif ground == "inherited":
            assert behind in CORRECTED, given
        else:
            assert behind, given


def test_a_gap_is_a_refutation_wherever_it_occurs():
    for gap, claims in GAPS.items():
        for claim in claims:
            assert claim in CORRECTED, f"{claim} includes {gap!r} and isn't refuted"


def test_no_gap_is_a_given_of_a_claim_that_holds():
    """The words that close a gap stand with no printed claim: they belong to corrections."""
    closing = ("saturated on one action", "is noisy", "are noisy", "not all equal", "differ in value", "near the corners", "p > 1")
    for claim in JUDGED:
        for given in claim.given:
            assert not any(words in given for words in closing), f"{claim.id}: {given}"


def test_a_new_condition_without_a_ground_is_noticed():
    claim = IDS["policy-chain-rule"]
    assert narrowing([claim]) <= set(GIVENS)
    narrowed = replace(claim, given=(*claim.given, "the rewards are not all equal"))
    assert narrowing([narrowed]) - set(GIVENS) == {"the rewards are not all equal"}
