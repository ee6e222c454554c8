"""How verdicts follow from evidence: each combination of findings, what is required, what rests on
what, and what the file says.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import sys
import threading
import time
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from itertools import product
from types import ModuleType

import pytest

from altpg_verify import judging
from altpg_verify.certificate_kinds import CHECKS
from altpg_verify.errors import BadInput, Missing
from altpg_verify.judging import Step
from altpg_verify.ledger import EVIDENCE, Claim, Entry, evidence
from altpg_verify.ledger_building import build, check_claims, collect
from altpg_verify.sealing import seal
from altpg_verify.verdicts import Verdict


class Accepted:
    def recheck(self):
        return True


# lent to these tests: no code but the project's own may register a kind
CHECKS[Accepted] = Accepted.recheck


def finding(verdict: Verdict):
    """A finding with this verdict, from the judge that gives it."""
    return {
        Verdict.PROVED: lambda: judging.proved([Accepted()], "p", domain="every k"),
        Verdict.CERTIFIED: lambda: judging.certified([Accepted()], "c", domain="a box"),
        Verdict.HOLDS: lambda: judging.searched(
            "h", [1], lambda case: (case, 1), domain="one case"
        ),
        Verdict.SUPPORTED: lambda: judging.compared(
            "s", predicted=0.0, mean=0.0, standard_error=1.0, false_alarm_rate=0.05, domain="runs"
        ),
        Verdict.REFUTED: lambda: judging.refuted("r", {"b": 1}, Fraction(1, 2), 0),
        Verdict.INCONCLUSIVE: lambda: judging.inconclusive("i"),
        Verdict.NOT_RUN: lambda: judging.not_run("n"),
    }[verdict]()


def claim(identity="one", **rest):
    return Claim(identity, 1, "s", "x", "identity", **rest)


def serves(verdict: Verdict, *claims: str, kind: str = "enumeration"):
    return evidence(*(claims or ("one",)), kind=kind)(lambda: finding(verdict))


def entry(*verdicts: Verdict, **rest):
    return build([claim(**rest)], [serves(verdict) for verdict in verdicts])["one"]


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
    assert item.source == f"{__name__}.serves.<locals>.<lambda>"
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
        f"evidence {__name__}.serves.<locals>.<lambda> serves claim 'two', which is not in the"
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


def test_a_ledger_is_looked_up_by_id():
    ledger = build([claim("one"), claim("two")], [])
    assert ledger["two"].claim.id == "two"
    with pytest.raises(KeyError, match="three"):
        ledger["three"]


def test_every_verdict_is_counted():
    ledger = build(
        [claim("one"), claim("two"), claim("three")], [serves(Verdict.HOLDS, "one", "two")]
    )
    assert ledger.counts() == {
        str(verdict): {"HOLDS": 2, "NOT RUN": 1}.get(str(verdict), 0) for verdict in Verdict
    }


def test_the_file_holds_everything_but_the_clock():
    steps = [Step("first", Fraction(1, 2)), Step("then")]

    @evidence("one", kind="derivation")
    def shown():
        return judging.proved(
            [Accepted()], "it – is so", domain="every k", steps=steps, numbers={"size": 1.5}
        )

    printed = Claim(
        "one",
        12,
        "2 Title",
        "$x$",
        "identity",
        label="eq: x",
        given=("g",),
        required_evidence=("coq",),
        depends_on=("two",),
        corrects="two",
        adds="b = v",
    )
    ledger = build(
        [claim("two", extension=True), printed], [shown, serves(Verdict.REFUTED, kind="simulation")]
    )
    text = ledger.as_json()
    assert text.endswith("}\n")
    assert "it – is so" in text
    assert text.startswith('{\n "schema": 1,\n "counts"')
    kept = json.loads(text)
    assert kept["counts"] == ledger.counts()
    item, other = ledger["one"].evidence
    assert kept["claims"][1] == {
        "id": "one",
        "line": 12,
        "section": "2 Title",
        "label": "eq: x",
        "kind": "identity",
        "statement": "$x$",
        "given": ["g"],
        "uses": ["two"],
        "corrects": "two",
        "adds": "b = v",
        "extension": False,
        "verdict": "INCONCLUSIVE",
        "established": False,
        "inconsistent": True,
        "missing": ["coq"],
        "corrections": [],
        "evidence": [
            {
                "kind": "derivation",
                "source": item.source,
                "source_hash": item.source_hash,
                "verdict": "PROVED",
                "says": "it – is so",
                "domain": "every k",
                "instance": {},
                "numbers": {"certificates": 1, "size": 1.5},
                "steps": [{"text": "first", "formula": "1/2"}, {"text": "then", "formula": ""}],
            },
            {
                "kind": "simulation",
                "source": other.source,
                "source_hash": other.source_hash,
                "verdict": "REFUTED",
                "says": "r",
                "domain": "",
                "instance": {"b": "1", "left": "1/2", "right": "0"},
                "numbers": {},
                "steps": [],
            },
        ],
    }
    assert (kept["claims"][0]["extension"], kept["claims"][0]["corrections"]) == (True, ["one"])


def test_evidence_is_collected_from_packages_and_their_modules_each_function_once(
    tmp_path, monkeypatch
):
    package = tmp_path / "some_evidence"
    package.mkdir()
    head = "from altpg_verify.ledger import evidence\n"
    body = (
        "@evidence('one', kind='coq')\ndef {0}():\n    pass\n\ndef other():\n    pass\n\nnumber"
        " = 3\n"
    )
    (package / "__init__.py").write_text(head + body.format("in_the_package"), encoding="utf-8")
    (package / "b.py").write_text(head + body.format("in_b"), encoding="utf-8")
    (package / "a.py").write_text(
        head + "from some_evidence.b import in_b\n" + body.format("in_a"), encoding="utf-8"
    )
    (package / "__main__.py").write_text(
        "raise SystemExit('not to be imported')\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import some_evidence

    # by name of the module, and where a function is imported it is the same one
    names = [function.__name__ for function in collect([some_evidence])]
    assert names == ["in_the_package", "in_b", "in_a"]
    assert [function.__name__ for function in collect([sys.modules["some_evidence.b"]])] == ["in_b"]
    assert collect([ModuleType("json")]) == []
    for name in [name for name in sys.modules if name.split(".")[0] == "some_evidence"]:
        monkeypatch.delitem(sys.modules, name)
