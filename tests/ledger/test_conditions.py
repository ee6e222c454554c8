"""One rule for "as printed": whatever stands with a claim has a ground, and a gap is a refutation
everywhere.
"""

from __future__ import annotations

from dataclasses import replace

from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.claims.conditions import GAPS, GIVENS, GROUNDS
from altpg_verify.theory.claims.sentences import source_lines

IDS = {claim.id: claim for claim in CLAIMS}
CORRECTED = {claim.corrects for claim in CLAIMS if claim.corrects}
JUDGED = [
    claim
    for claim in CLAIMS
    if claim.kind != "empirical"
    and not claim.corrects
    and not claim.extension
    and claim.id not in CORRECTED
]
"""What the article states, by mathematics, and what isn't refuted."""


def given(claims) -> set[str]:
    return {condition for claim in claims for condition in claim.given}


def test_every_given_of_a_printed_claim_has_a_ground():
    assert given(JUDGED) - set(GIVENS) == set()


def test_no_ground_is_kept_for_a_given_that_is_gone():
    assert set(GIVENS) - given(JUDGED) == set()


def test_grounds_name_a_line_a_word_or_a_refuted_claim():
    lines = source_lines()
    for condition, (ground, behind) in GIVENS.items():
        assert ground in GROUNDS, condition
        if ground in ("printed", "definition") and behind.isdigit():
            assert int(behind) in lines, condition
        elif ground == "inherited":
            assert behind in CORRECTED, condition
        else:
            assert ground != "printed", condition
            assert behind, condition
    assert {ground for ground, _ in GIVENS.values()} == set(GROUNDS)


def test_a_gap_is_a_refutation_wherever_it_occurs():
    for gap, claims in GAPS.items():
        for claim in claims:
            assert claim in CORRECTED, f"{claim} includes {gap!r} and isn't refuted"


def test_no_gap_is_a_given_of_a_claim_that_holds():
    """The words that close a gap stand with no printed claim: they belong to corrections."""
    closing = (
        "saturated on one action",
        "is noisy",
        "are noisy",
        "not all equal",
        "differ in value",
        "near the corners",
        "p > 1",
    )
    for claim in JUDGED:
        for condition in claim.given:
            assert not any(words in condition for words in closing), f"{claim.id}: {condition}"


def test_a_new_condition_without_a_ground_is_noticed():
    claim = IDS["policy-chain-rule"]
    assert given([claim]) <= set(GIVENS)
    for narrower in ("the rewards are not all equal", "two actions", "$alpha <= 1$"):
        narrowed = replace(claim, given=(*claim.given, narrower))
        assert given([narrowed]) - set(GIVENS) == {narrower}
