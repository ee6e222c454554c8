"""The enumeration in the ledger: nothing undecided, nothing inconsistent, nothing required is
missing, and many cases behind each.
"""

from __future__ import annotations

import functools
from collections import defaultdict

import pytest

from altpg_verify.judging import Verdict
from altpg_verify.ledger_building import build, collect
from altpg_verify.report import evidence
from altpg_verify.report.evidence import complexity
from altpg_verify.report.evidence.enumerated import flat
from altpg_verify.sealing import looked_at
from altpg_verify.theory.claims import CLAIMS
from tests.evidence.served import COSTLY, EXAMPLES, MODULES, SERVED, costly
from tests.ledger import exact_cases
from tests.shares import share

SECTIONS = (
    "3 ",
    "B.2 ",
    "B.3 ",
    "B.4 ",
    "D.4 Effect of bias in the reward baselines: fixed baseline",
    "E.3 Optimistic and pessimistic value",
)
INSTANCES = {
    "pi-star-number",
    "value-at-pi-star-number",
    "chain-uniform-states-number",
    "chain-last-state-number",
    "chain-value-number",
    "chain-all-left-value-zero",
    "stepsize-bound-depends",
    "pessimistic-can-saturate-wrongly",
    "baseline-signal-escapes",
    "true-gradient-flow-reaches-optimal-corner",
    "biased-update-escapes-faster",
    "true-gradient-slow-when-saturated",
}
"""Claims about single instances, or that something exists."""


@pytest.fixture(scope="module")
def findings():
    """As the ledger has them, which is looked at as a whole whenever it is read."""
    quick = [
        function for function in collect([evidence]) if not COSTLY & set(function.__evidence__[0])
    ]
    ledger = build(CLAIMS, quick, offered={"max_examples": EXAMPLES, "seed": 0})
    with looked_at(ledger):
        return {
            entry.claim.id: entry.evidence[0].finding for entry in ledger.entries if entry.evidence
        }


def finding(findings, claim):
    """As the ledger has it; by itself if it is given together with a costly one."""
    return findings[claim] if claim in findings else judged_alone(claim)


@functools.cache
def judged_alone(claim):
    return SERVED[claim].judged(EXAMPLES, 0)


@pytest.mark.thorough
def test_no_claim_is_served_twice_and_all_are_collected():
    assert len(SERVED) == sum(
        len(module.CLAIMS) + len(getattr(module, "COSTS", {})) for module in MODULES
    )
    assert {claim for function in collect([evidence]) for claim in function.__evidence__[0]} == set(
        SERVED
    )


@pytest.mark.parametrize("claim", costly(SERVED))
def test_every_case_agrees(findings, claim):
    found = finding(findings, claim)
    assert found.verdict is Verdict.HOLDS, (found.summary, found.instance)


def test_nothing_owed_is_missing():
    kinds = defaultdict(set)
    for function in collect([*exact_cases.MODULES, evidence]):
        for claim in function.__evidence__[0]:
            kinds[claim].add(function.__evidence__[1])
    here = [claim for claim in CLAIMS if claim.section.startswith(SECTIONS)]
    assert {
        claim.id: missing
        for claim in here
        if (
            missing := {"enumeration", "execution"} & set(claim.required_evidence) - kinds[claim.id]
        )
    } == {}


def test_nothing_here_speaks_for_a_claim_that_has_a_correction():
    """Those are refuted by exact instances, as the tests of the refutations show; evidence for one
    would be inconsistent.
    """
    assert {claim.corrects for claim in CLAIMS if claim.corrects} & set(SERVED) == set()


@pytest.mark.parametrize("claim", sorted(set(SERVED) - INSTANCES - COSTLY))
def test_there_are_many_cases(findings, claim):
    assert finding(findings, claim).numbers["cases"] >= EXAMPLES / 4


@pytest.mark.parametrize("claim", share(sorted(set(SERVED) - INSTANCES), 3))
def test_not_every_case_is_trivial(claim):
    cases = SERVED[claim].domain.cases(EXAMPLES, 0)
    assert sum(bool(flat(SERVED[claim].sides(case)[0])) for case in cases) >= EXAMPLES / 4


@pytest.mark.thorough
def test_another_seed_draws_other_cases_and_agrees():
    drawn = set(SERVED) - INSTANCES - set(complexity.COSTS)
    changed = [
        claim
        for claim in drawn
        if SERVED[claim].domain.cases(4, 0) != SERVED[claim].domain.cases(4, 1)
    ]
    assert len(changed) > 100
    assert {SERVED[claim].judged(4, 1).verdict for claim in changed} == {Verdict.HOLDS}


@pytest.mark.slow
def test_many_more_cases_agree():
    assert {
        claim
        for claim, enumerated in SERVED.items()
        if enumerated.judged(50, 0).verdict is not Verdict.HOLDS
    } == set()
