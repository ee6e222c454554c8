"""`claims --ledger` computes every verdict again from the evidence that is stored beside it: an
edited one is refused.
"""

from __future__ import annotations

import copy
import json

import pytest

from altpg_verify import judging
from altpg_verify.__main__ import main
from altpg_verify.ledger import Claim, evidence
from altpg_verify.ledger_building import build
from altpg_verify.report.contradictions import contradictions
from tests.report import sample

FIGURES = {"standard_error": 1.0, "false_alarm_rate": 0.05, "domain": "runs"}


@evidence("agrees", kind="simulation")
def agrees():
    return judging.compared("s", predicted=0.0, mean=1.0, **FIGURES)


@evidence("differs", kind="simulation")
def differs():
    return judging.compared("s", predicted=0.0, mean=9.0, **FIGURES)


@evidence("above", kind="simulation")
def above():
    return judging.ordered("s", difference=9.0, **FIGURES)


@evidence("below", kind="simulation")
def below():
    return judging.ordered("s", difference=-9.0, **FIGURES)


@evidence("wrong", kind="enumeration")
def wrong():
    return judging.refuted("s", {"b": 1}, 1, 2)


@evidence("right", kind="enumeration")
def right():
    return judging.searched("s", [1], lambda case: (case, case), domain="one case")


@evidence("proved", kind="derivation")
def proved():
    return judging.proved([sample.Certificate()], "s", domain="every k")


EVIDENCE = [agrees, differs, above, below, wrong, right, proved]


def claim(name, **rest):
    return Claim(name, 1, "s", "x", "identity", **rest)


@pytest.fixture(scope="module")
def ledger():
    claims = [claim(function.__name__) for function in EVIDENCE[:-1]]
    claims += [
        claim("proved", required_evidence=("derivation",)),
        claim("rests", depends_on=("proved",)),
        claim("owes", required_evidence=("derivation",)),
    ]
    return json.loads(build(claims, EVIDENCE).as_json())


def test_what_was_computed_does_not_contradict_itself(ledger):
    assert list(contradictions(ledger)) == []


def of(ledger, name):
    return next(claim for claim in ledger["claims"] if claim["id"] == name)


def change(name, **fields):
    return lambda ledger: of(ledger, name).update(fields)


def change_evidence(name, *, consistently=False, **fields):
    def edit(ledger):
        of(ledger, name)["evidence"][0].update(fields)
        if consistently:
            change(name, verdict=fields["verdict"])(ledger)

    return edit


def change_figures(name, **figures):
    return lambda ledger: of(ledger, name)["evidence"][0]["numbers"].update(figures)


EDITS = {
    "a verdict": (
        change("wrong", verdict="PROVED"),
        "claim 'wrong' says PROVED, and its evidence says REFUTED",
    ),
    "a stronger one": (
        change("right", verdict="PROVED"),
        "claim 'right' says PROVED, and its evidence says HOLDS",
    ),
    "one without evidence": (
        change("rests", verdict="PROVED"),
        "claim 'rests' says PROVED, and its evidence says NOT RUN",
    ),
    "evidence as well": (
        change_evidence("wrong", consistently=True, verdict="PROVED"),
        "but no certificate is counted",
    ),
    "a refutation turned round": (
        change_evidence("wrong", consistently=True, verdict="HOLDS"),
        "but no case is counted",
    ),
    "a count with a counterexample": (
        change_evidence("wrong", consistently=True, verdict="HOLDS", numbers={"cases": 5}),
        "but a counterexample is shown",
    ),
    "no count": (change_evidence("right", numbers={}), "but no case is counted"),
    "a count that is none": (
        change_evidence("right", numbers={"cases": True}),
        "but no case is counted",
    ),
    "no counterexample": (change_evidence("wrong", instance={}), "but no counterexample is shown"),
    "agreement of what differs": (
        change_evidence("differs", consistently=True, verdict="SUPPORTED", instance={}),
        "but its own figures say otherwise",
    ),
    "difference of what agrees": (
        change_evidence("agrees", consistently=True, verdict="REFUTED", instance={"z": "9"}),
        "but its own figures say otherwise",
    ),
    "figures": (change_figures("agrees", mean=99.0), "but its figures don't fit each other"),
    "figures that fit": (
        change_figures("agrees", mean=99.0, z=99.0),
        "but its own figures say otherwise",
    ),
    "a critical value": (
        change_figures("agrees", critical_z=1e6),
        "but its critical value isn't that of its error rate",
    ),
    "an error rate": (
        change_figures("agrees", false_alarm_rate=0),
        "but its critical value isn't that of its error rate",
    ),
    "comparisons without end": (
        change_figures("agrees", comparisons=10**400),
        "but its critical value isn't that of its error rate",
    ),
    "an order": (change_figures("above", difference=-9.0), "but its own figures say otherwise"),
    "the other order": (
        change_figures("below", difference=9.0),
        "but its own figures say otherwise",
    ),
    "figures that are none": (
        change_figures("agrees", mean="much"),
        "but its figures are no numbers",
    ),
    "figures that are gone": (
        change_evidence("agrees", numbers={}),
        "but no figures are stored that show it",
    ),
    "inconsistent": (
        change("proved", inconsistent=True),
        "claim 'proved' is marked as inconsistent",
    ),
    "established": (change("rests", established=True), "claim 'rests' is called established"),
    "established against what is owed": (
        change("owes", established=True),
        "claim 'owes' is called established",
    ),
    "not established": (
        change("proved", established=False),
        "claim 'proved' is not called established",
    ),
    "missing": (
        change("proved", missing=["derivation"]),
        "claim 'proved' is said to miss derivation, which it has",
    ),
    "counts": (
        lambda ledger: ledger["counts"].update(PROVED=9),
        "its counts of verdicts are other than those of its claims",
    ),
    "a claim twice": (
        lambda ledger: ledger["claims"].append(of(ledger, "right")),
        "claim 'right' stands in it twice",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_each_edit_is_refused_in_one_line(edit, ledger, tmp_path, capsys):
    edited = copy.deepcopy(ledger)
    does, words = EDITS[edit]
    does(edited)
    path = tmp_path / "ledger.json"
    path.write_text(json.dumps(edited), encoding="utf-8")
    assert main(["claims", "--ledger", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert "contradicts itself: " in captured.err
    assert words in captured.err
    path.write_text(json.dumps(ledger), encoding="utf-8")
    assert main(["claims", "--ledger", str(path)]) == 0
