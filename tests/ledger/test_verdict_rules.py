"""The rules by which evidence becomes a verdict: every combination, and where they stand."""

from __future__ import annotations

import ast
import itertools
import math
from pathlib import Path

import pytest

import altpg_verify
from altpg_verify.verdicts import (
    Verdict,
    as_intended,
    combined,
    of_a_law,
    of_a_sentence,
    of_an_update,
    one_sided,
    two_sided,
)

FOR = [verdict for verdict in Verdict if verdict.is_for]
PROVED, HOLDS, SUPPORTED, REFUTED, INCONCLUSIVE, NOT_RUN = (
    Verdict.PROVED,
    Verdict.HOLDS,
    Verdict.SUPPORTED,
    Verdict.REFUTED,
    Verdict.INCONCLUSIVE,
    Verdict.NOT_RUN,
)
NAN = math.nan


@pytest.mark.parametrize("one", FOR)
@pytest.mark.parametrize("other", list(Verdict))
def test_the_strongest_evidence_counts_unless_some_refutes(one, other):
    expected = (
        (INCONCLUSIVE, True)
        if other is REFUTED
        else (max(one, other, key=lambda each: each.strength) if other.is_for else one, False)
    )
    assert combined([one, other]) == combined([other, one]) == expected


def test_without_evidence_for_it_nothing_is_established():
    assert combined([]) == combined([NOT_RUN]) == combined([Verdict.SKIPPED]) == (NOT_RUN, False)
    assert combined([NOT_RUN, INCONCLUSIVE]) == (INCONCLUSIVE, False)
    assert combined([INCONCLUSIVE, REFUTED]) == (REFUTED, False)


def test_a_law_is_proved_only_by_a_whole_proof_that_no_case_contradicts():
    for proved, conditions, counterexample, contradicted in itertools.product(
        (False, True), repeat=4
    ):
        for tried in (0, 5):
            found = of_a_law(
                proved=proved,
                conditions=conditions,
                counterexample=counterexample,
                contradicted=contradicted,
                tried=tried,
            )
            assert (found is PROVED) == (
                proved and not conditions and not counterexample and tried > 0
            )
            assert (found is REFUTED) == (counterexample and not contradicted)
            assert (found is HOLDS) == (
                not counterexample and tried > 0 and (conditions or not proved)
            )


def test_an_update_that_follows_something_else_is_refuted_however_strong_that_is():
    assert [of_an_update(False, strength) for strength in (PROVED, HOLDS, SUPPORTED)] == [
        REFUTED
    ] * 3
    assert [
        of_an_update(follows, strength)
        for follows in (True, None)
        for strength in (PROVED, INCONCLUSIVE)
    ] == [PROVED, INCONCLUSIVE] * 2
    assert [
        of_a_sentence(undecided=u, proved=p)
        for u, p in ((True, True), (True, False), (False, True), (False, False))
    ] == [INCONCLUSIVE, INCONCLUSIVE, PROVED, HOLDS]


@pytest.mark.parametrize(
    ("distance", "critical", "worth", "verdict"),
    [
        (1, 2, math.inf, SUPPORTED),
        (2, 2, 3, SUPPORTED),
        (3, 2, math.inf, REFUTED),
        (1, 2, 1.5, INCONCLUSIVE),
        (3, 2, 1, REFUTED),
        (math.inf, 2, math.inf, REFUTED),
        (NAN, 2, math.inf, INCONCLUSIVE),
        (1, NAN, math.inf, INCONCLUSIVE),
    ],
)
def test_a_sampled_mean(distance, critical, worth, verdict):
    assert two_sided(distance, critical, worth) is verdict


@pytest.mark.parametrize(
    ("excess", "critical", "verdict"),
    [
        (3, 2, SUPPORTED),
        (2, 2, INCONCLUSIVE),
        (-2, 2, INCONCLUSIVE),
        (-3, 2, REFUTED),
        (NAN, 2, INCONCLUSIVE),
        (3, NAN, INCONCLUSIVE),
    ],
)
def test_a_sampled_difference(excess, critical, verdict):
    assert one_sided(excess, critical) is verdict


def test_a_mark_turns_a_refutation_into_what_was_meant_and_nothing_undecided_passes():
    for verdict in Verdict:
        skipped = verdict is Verdict.SKIPPED
        assert as_intended(verdict, required=True, expected_failure=False) == (
            verdict.is_for or skipped
        )
        assert as_intended(verdict, required=False, expected_failure=False) == (
            verdict.is_for or skipped or verdict is REFUTED
        )
        assert as_intended(verdict, required=True, expected_failure=True) == (
            verdict is REFUTED or skipped
        )


DECIDED = {"PROVED", "CERTIFIED", "HOLDS", "SUPPORTED", "REFUTED"}
NAMED = {
    "law_engine.py",
    "audit/diagnosis.py",
    "audit/evidence.py",
    "ledger.py",
    "results.py",
    "report/contradictions.py",
}


def typed(source: str) -> set[str]:
    """The deciding verdicts that a source hands over as a value: returned, or as an argument; to
    compare with one is no verdict.
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        values = (
            [node.value]
            if isinstance(node, ast.Return)
            else [word.value for word in node.keywords]
            if isinstance(node, ast.Call)
            else []
        )
        for value in values:
            inside = [
                value,
                *(value.elts if isinstance(value, ast.Tuple) else ()),
                *((value.body, value.orelse) if isinstance(value, ast.IfExp) else ()),
            ]
            found |= {
                one.attr
                for one in inside
                if isinstance(one, ast.Attribute) and ast.unparse(one.value) == "Verdict"
            } & DECIDED
    return found


@pytest.mark.parametrize("name", sorted(NAMED))
def test_no_verdict_is_typed_where_evidence_is_gathered(name):
    assert typed((Path(altpg_verify.__file__).parent / name).read_text(encoding="utf-8")) == set()


def test_a_typed_verdict_would_be_seen():
    assert typed("def f(x):\n    return replace(x, verdict=Verdict.PROVED)") == {"PROVED"}
    assert typed("def f(x):\n    return (Verdict.HOLDS if x else Verdict.REFUTED)") == {
        "HOLDS",
        "REFUTED",
    }
    assert typed("def f(x):\n    return x.verdict is Verdict.REFUTED") == set()
