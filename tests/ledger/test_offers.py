"""What evidence is offered: a result still being computed is waited for, and a finding for several
claims is made once.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future

import pytest

from altpg_verify import judging
from altpg_verify.errors import BadInput
from altpg_verify.ledger import Claim, evidence
from altpg_verify.ledger_building import build
from altpg_verify.verdicts import Verdict

CLAIMS = tuple(
    Claim(id=name, line=1, section="1", statement="x", kind="identity") for name in ("one", "two")
)


def test_a_future_is_waited_for():
    future: Future[int] = Future()
    threading.Timer(0.05, future.set_result, [3]).start()

    @evidence("one", kind="simulation")
    def asks(results):
        return judging.searched("equal", [results], lambda case: (case, 3), domain="one case")

    assert build(CLAIMS, [asks], offered={"results": future})["one"].verdict is Verdict.HOLDS


def test_a_future_that_nobody_asks_for_is_not_waited_for():
    @evidence("one", kind="enumeration")
    def modest():
        return judging.searched("equal", [1], lambda case: (case, 1), domain="one case")

    assert build(CLAIMS, [modest], offered={"results": Future()})["one"].verdict is Verdict.HOLDS


def test_a_finding_for_several_claims_is_made_once_unless_it_asks_which():
    calls = []

    @evidence("one", "two", kind="enumeration")
    def same():
        calls.append("same")
        return judging.searched("equal", [1], lambda case: (case, 1), domain="one case")

    @evidence("one", "two", kind="property test")
    def each(claim):
        calls.append(claim)
        return judging.searched(claim, [1], lambda case: (case, 1), domain="one case")

    ledger = build(CLAIMS, [same, each])
    assert calls == ["same", "one", "two"]
    assert [item.finding.summary for item in ledger["two"].evidence] == ["equal", "two"]


def test_a_proof_assistant_runs_beside_the_rest():
    begun, finish = threading.Event(), threading.Event()

    @evidence("one", kind="coq")
    def outside():
        begun.set()
        assert finish.wait(5)
        return judging.searched("equal", [1], lambda case: (case, 1), domain="one case")

    @evidence("two", kind="enumeration")
    def meanwhile():
        assert begun.wait(5)
        finish.set()
        return judging.searched("equal", [1], lambda case: (case, 1), domain="one case")

    # each of the two would wait in vain if one ran after the other
    assert build(CLAIMS, [outside, meanwhile]).counts()["HOLDS"] == 2


def test_a_stray_is_refused_before_anything_runs():
    calls = []

    @evidence("one", kind="enumeration")
    def runs():
        calls.append("runs")
        return judging.not_run("no")

    @evidence("three", kind="enumeration")
    def stray():
        return judging.not_run("no")

    with pytest.raises(BadInput, match="three"):
        build(CLAIMS, [runs, stray])
    assert calls == []
