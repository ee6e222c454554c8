"""Every mathematical claim of the paper has evidence of two independent kinds, or the reason why
not is on file.
"""

from __future__ import annotations

import pytest

from altpg_verify import theory
from altpg_verify.judging import Finding, not_run, searched
from altpg_verify.ledger import Claim, Entry, evidence
from altpg_verify.ledger_building import build, collect
from altpg_verify.report import evidence as enumerations
from altpg_verify.theory.claims import CLAIMS
from altpg_verify.theory.claims.single_evidence import SINGLE_EVIDENCE
from altpg_verify.verdicts import Verdict

MATHEMATICAL = {"identity", "inequality", "fixed point", "dynamics", "number", "example"}
GENERAL = {"derivation", "certificate"}
CASES = {"enumeration", "property test"}
"""Coq says no more than a derivation here, and takes longer; simulations decide no mathematical
claim.
"""
EXAMPLES = 12


def under_the_rule(claim: Claim) -> bool:
    return claim.kind in MATHEMATICAL and not claim.extension


def two_kinds(entry: Entry) -> bool:
    """Whether evidence of both kinds speaks for the claim."""
    speaking = {item.kind for item in entry.evidence if item.finding.verdict.is_for}
    return bool(speaking & GENERAL) and bool(speaking & CASES)


def short(entries) -> set[str]:
    """The claims under the rule that are not refuted and are short of a kind."""
    return {
        entry.claim.id
        for entry in entries
        if under_the_rule(entry.claim)
        and entry.verdict is not Verdict.REFUTED
        and not two_kinds(entry)
    }


@pytest.fixture(scope="module")
def ledger():
    ruled = {claim.id for claim in CLAIMS if under_the_rule(claim)}
    functions = [
        one
        for one in collect([theory, enumerations])
        if one.__evidence__[1] in GENERAL | CASES and ruled & set(one.__evidence__[0])
    ]
    derived = {
        claim
        for one in functions
        if one.__evidence__[1] == "derivation"
        for claim in one.__evidence__[0]
    }
    # certificates may take seconds, and are needed only where there is no derivation
    needed = [
        one
        for one in functions
        if one.__evidence__[1] != "certificate" or ruled & set(one.__evidence__[0]) - derived
    ]
    return build(CLAIMS, needed, offered={"max_examples": EXAMPLES, "seed": 0})


@pytest.mark.slow
def test_two_kinds_or_a_reason(ledger):
    assert short(ledger.entries) - set(SINGLE_EVIDENCE) == set()


@pytest.mark.slow
def test_no_reason_is_stale(ledger):
    assert set(SINGLE_EVIDENCE) - short(ledger.entries) == set()
    assert all(SINGLE_EVIDENCE.values())


@pytest.mark.slow
def test_one_kind_is_still_one(ledger):
    for claim in SINGLE_EVIDENCE:
        assert ledger[claim].verdict.is_for, claim


def _holds() -> Finding:
    return searched("one is one", [1], lambda case: (case, 1), domain="one case")


def _served(
    *kinds: str, kind: str = "identity", extension: bool = False, broken: str = ""
) -> set[str]:
    def function(one: str):
        return evidence("one", kind=one)(lambda: not_run("no") if one == broken else _holds())

    claim = Claim("one", 1, "s", "x", kind, extension=extension)
    return short(build([claim], [function(one) for one in kinds]).entries)


def test_a_claim_short_of_a_kind_is_noticed():
    assert _served("derivation", "enumeration") == set()
    assert _served("certificate", "property test") == set()
    assert _served("derivation") == {"one"}
    assert _served("derivation", "certificate") == {"one"}
    assert _served("enumeration", "property test") == {"one"}
    assert _served() == {"one"}
    assert _served("derivation", "enumeration", broken="enumeration") == {"one"}
    assert _served("derivation", kind="empirical") == set()
    assert _served("derivation", extension=True) == set()
