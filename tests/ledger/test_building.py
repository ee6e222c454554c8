"""How verdicts follow from evidence: each combination of findings, what is required, what rests on
what, and what the file says.
"""

from __future__ import annotations

import hashlib
import inspect
import threading
import time
from dataclasses import FrozenInstanceError, replace
from itertools import product

import pytest

from altpg_verify import judging
from altpg_verify.errors import BadInput, Missing
from altpg_verify.ledger import EVIDENCE, Entry, evidence
from altpg_verify.ledger_building import build, check_claims
from altpg_verify.sealing import seal
from altpg_verify.verdicts import Verdict
from tests.ledger.pieces import claim, entry, finding, serves

# lent to these tests: no code but the project's own may register a kind


GIVEN = [
    Verdict.PROVED,
    Verdict.CERTIFIED,
    Verdict.HOLDS,
    Verdict.SUPPORTED,
    Verdict.REFUTED,
    Verdict.INCONCLUSIVE,
    Verdict.NOT_RUN,
]


@pytest.mark.parametrize(("first", "second"), list(product(GIVEN, GIVEN)))
def test_the_verdict_of_two_findings(first, second):
    got = entry(first, second)
    both = {first, second}
    supporting = [verdict for verdict in GIVEN[:4] if verdict in both]
    conflict = bool(supporting) and Verdict.REFUTED in both
    assert got.inconsistent is conflict
    if conflict:
        expected = Verdict.INCONCLUSIVE
    elif supporting:
        expected = supporting[0]
    else:
        expected = next(verdict for verdict in GIVEN[4:] if verdict in both)
    assert got.verdict is expected
    assert got.established is (bool(supporting) and not conflict)


def test_nothing_is_established_before_that_is_shown():
    assert not seal(Entry(claim(), (), Verdict.PROVED, inconsistent=False, missing=())).established


def test_without_evidence_nothing_was_run():
    got = entry()
    assert (got.verdict, got.inconsistent, got.established, got.best) == (
        Verdict.NOT_RUN,
        False,
        False,
        None,
    )


def test_one_inconsistent_claim_makes_the_ledger_inconsistent():
    claims = [claim("one"), claim("two")]
    sound = [serves(Verdict.HOLDS, "one"), serves(Verdict.REFUTED, "two")]
    assert build(claims, sound).consistent
    assert not build(claims, [*sound, serves(Verdict.HOLDS, "two")]).consistent


def test_what_is_owed_is_missing_until_it_speaks():
    required = ("derivation", "simulation")
    for verdict, speaks in (
        (Verdict.HOLDS, True),
        (Verdict.REFUTED, True),
        (Verdict.INCONCLUSIVE, False),
        (Verdict.NOT_RUN, False),
    ):
        got = build([claim(required_evidence=required)], [serves(verdict, kind="simulation")])[
            "one"
        ]
        assert got.missing == (("derivation",) if speaks else required)
        assert not got.established
    paid = build(
        [claim(required_evidence=required)], [serves(Verdict.HOLDS, kind=kind) for kind in required]
    )["one"]
    assert (paid.missing, paid.established) == ((), True)


def test_a_claim_is_established_only_with_all_it_rests_on():
    claims = [
        claim("one", depends_on=("two",)),
        claim("two", depends_on=("three",)),
        claim("three"),
    ]
    holds = [serves(Verdict.HOLDS, name) for name in ("one", "two")]
    assert [got.established for got in build(claims, holds).entries] == [False, False, False]
    assert [
        got.established for got in build(claims, [*holds, serves(Verdict.HOLDS, "three")]).entries
    ] == [True, True, True]
    owing = [*claims[:2], claim("three", required_evidence=("coq",))]
    assert [
        got.established for got in build(owing, [*holds, serves(Verdict.HOLDS, "three")]).entries
    ] == [False, False, False]


def test_evidence_stands_strongest_kind_first_and_the_best_is_what_decided():
    functions = [
        serves(Verdict.HOLDS, kind="property test"),
        serves(Verdict.INCONCLUSIVE, kind="derivation"),
        serves(Verdict.HOLDS, kind="enumeration"),
    ]
    got = build([claim()], functions)["one"]
    assert [item.kind for item in got.evidence] == ["derivation", "enumeration", "property test"]
    assert got.best is got.evidence[1]
    assert list(EVIDENCE).index("coq") == 0


def test_evidence_of_one_kind_stands_in_the_order_of_its_names():
    def second():
        return finding(Verdict.HOLDS)

    def first():
        return finding(Verdict.HOLDS)

    got = build(
        [claim()], [evidence("one", kind="enumeration")(function) for function in (second, first)]
    )["one"]
    assert [item.source.rpartition(".")[2] for item in got.evidence] == ["first", "second"]


def test_evidence_says_where_it_comes_from():
    function = serves(Verdict.HOLDS, kind="derivation")
    item = build([claim()], [function])["one"].evidence[0]
    assert item.source == f"{serves.__module__}.serves.<locals>.<lambda>"
    assert item.source_hash == hashlib.sha256(inspect.getsource(function).encode()).hexdigest()[:16]
    assert 0 <= item.seconds < 1
    assert replace(item, seconds=9.0) == item
    with pytest.raises(FrozenInstanceError):
        item.kind = "coq"


def test_evidence_gets_what_it_asks_for_and_says_what_it_lacks():
    @evidence("one", kind="enumeration")
    def asks(seed, claim, extra=3):
        return judging.inconclusive(f"{seed} {claim} {extra}")

    def finding_of(**offered):
        return build([claim()], [asks], offered=offered)["one"].evidence[0].finding

    assert finding_of(seed=1, other=2).summary == "1 one 3"
    assert finding_of(seed=1, extra=2).summary == "1 one 2"
    assert finding_of(extra=2).verdict is Verdict.NOT_RUN
    assert finding_of().summary == "needs seed, which this build does not have"


def test_broken_and_missing_evidence_hides_nothing_else():
    @evidence("one", kind="derivation")
    def breaks():
        raise ZeroDivisionError("of all things")

    @evidence("one", kind="simulation")
    def lacks():
        raise Missing("no results; make some")

    got = build([claim()], [breaks, lacks, serves(Verdict.HOLDS)])["one"]
    assert got.verdict is Verdict.HOLDS
    found = {item.kind: item.finding for item in got.evidence}
    assert found["derivation"].verdict is Verdict.INCONCLUSIVE
    assert found["derivation"].summary == "the evidence broke: ZeroDivisionError: of all things"
    assert (found["simulation"].verdict, found["simulation"].summary) == (
        Verdict.NOT_RUN,
        "no results; make some",
    )


def test_progress_names_every_piece_of_evidence_and_only_the_proof_assistant_runs_beside():
    reported = []

    @evidence("one", kind="enumeration")
    def here():
        assert threading.current_thread() is threading.main_thread()
        assert reported[-1].endswith("here")
        return finding(Verdict.HOLDS)

    @evidence("one", kind="coq")
    def outside():
        assert threading.current_thread() is not threading.main_thread()
        return finding(Verdict.PROVED)

    got = build([claim()], [outside, here], progress=reported.append)["one"]
    assert [name.rpartition(".")[2] for name in reported] == ["outside", "here"]
    assert [item.kind for item in got.evidence] == ["coq", "enumeration"]
    assert got.verdict is Verdict.PROVED


def test_the_proof_assistant_runs_once_at_a_time():
    busy = threading.Lock()

    def alone():
        assert busy.acquire(blocking=False)
        time.sleep(0.02)
        busy.release()
        return finding(Verdict.PROVED)

    got = build([claim()], [evidence("one", kind="coq")(lambda: alone()) for _ in range(3)])["one"]
    assert [item.finding.verdict for item in got.evidence] == [Verdict.PROVED] * 3


def test_evidence_for_a_claim_that_is_not_there_is_named():
    with pytest.raises(BadInput) as caught:
        build([claim()], [serves(Verdict.HOLDS, "two")])
    assert str(caught.value).startswith(
        f"evidence {serves.__module__}.serves.<locals>.<lambda> serves claim 'two', which is not in the"
        " ledger"
    )


def test_corrections_are_named_by_what_they_correct():
    claims = [claim("one"), claim("two", corrects="one", adds="b = v"), claim("three")]
    assert [got.corrections for got in build(claims, []).entries] == [("two",), (), ()]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ([claim("one"), claim("one")], "claim id 'one' is used twice"),
        (
            [claim("one", depends_on=("two",))],
            "claim 'one' refers to 'two', which is not in the ledger",
        ),
        (
            [claim("one", corrects="two", adds="x")],
            "claim 'one' refers to 'two', which is not in the ledger",
        ),
        ([claim("one", depends_on=("one",))], "one -> one"),
        (
            [
                claim("one", depends_on=("two",)),
                claim("two", depends_on=("three",)),
                claim("three", depends_on=("two",)),
            ],
            "one -> two -> three -> two",
        ),
    ],
)
def test_a_ledger_that_refers_nowhere_or_in_a_circle(wrong, words):
    with pytest.raises(BadInput) as caught:
        check_claims(wrong)
    assert words in str(caught.value)


def test_two_ways_to_one_claim_are_no_circle():
    claims = [
        claim("one", depends_on=("two", "three")),
        claim("two", depends_on=("four",)),
        claim("three", depends_on=("four",)),
        claim("four"),
    ]
    assert list(check_claims(claims)) == ["one", "two", "three", "four"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "guess"}, "claim 'one': kind 'guess' is none of identity"),
        ({"required_evidence": ("proof",)}, "claim 'one' requires 'proof', which is none of coq"),
        ({"required_evidence": ("coq", "proof")}, "claim 'one' requires 'proof'"),
        ({"corrects": "two"}, "a correction names both"),
        ({"adds": "something"}, "a correction names both"),
    ],
)
def test_a_claim_that_is_none(fields, words):
    with pytest.raises(ValueError, match="claim 'one'") as caught:
        replace(claim(), **fields)
    assert words in str(caught.value)


def test_claims_and_entries_stay_as_they_are():
    for thing, name in ((claim(), "id"), (entry(), "verdict"), (build([], []), "entries")):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, name, None)
    assert (claim().corrects, claim().label, claim().extension) == ("", "", False)


def test_evidence_names_a_kind_and_a_claim():
    with pytest.raises(ValueError, match="evidence kind 'guess' is none of coq"):
        evidence("one", kind="guess")
    with pytest.raises(ValueError, match="evidence names no claim"):
        evidence(kind="coq")
