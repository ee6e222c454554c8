"""The judges: what each says at, below and above its threshold, and that nobody hands it a
verdict.
"""

from __future__ import annotations

import pickle
from copy import copy
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest

from altpg_verify import certificate_kinds, judging
from altpg_verify.certificate_kinds import CHECKS, certificate_kind
from altpg_verify.folders import own
from altpg_verify.judging import (
    Finding,
    Step,
    certified,
    inconclusive,
    not_run,
    proved,
    refuted,
    searched,
)
from altpg_verify.relations import RELATIONS, show
from altpg_verify.sealing import EditedVerdict
from altpg_verify.verdicts import Verdict

HALF = Fraction(1, 2)


class Certificate:
    """Says of itself whatever it is told to say."""

    def __init__(self, summary):
        self.summary = summary

    def recheck(self):
        return self.summary

    def __str__(self):
        return f"a certificate that says {self.summary}"


@pytest.fixture
def known(monkeypatch):
    """The kind above counts as the project's own."""
    monkeypatch.setitem(CHECKS, Certificate, Certificate.recheck)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(
    ("judge", "verdict"), [(proved, Verdict.PROVED), (certified, Verdict.CERTIFIED)]
)
def test_certificates_are_checked_again_every_one_of_them(judge, verdict):
    steps = (step for step in [Step("so", 1)])
    good = judge(
        [Certificate(True), Certificate(True)],
        "it is so",
        domain="every k",
        steps=steps,
        numbers={"size": 1.123456789123},
    )
    assert (good.verdict, good.summary, good.domain, good.steps) == (
        verdict,
        "it is so",
        "every k",
        (Step("so", 1),),
    )
    assert dict(good.numbers) == {"certificates": 2, "size": 1.1234568}
    assert judge([Certificate(True)], "it is so", domain="").numbers == {"certificates": 1}

    bad = judge(
        [Certificate(True), Certificate(False), Certificate(1)], "it is so", domain="every k"
    )
    assert bad.verdict is Verdict.INCONCLUSIVE
    assert (
        bad.summary == "it is so: 2 of 3 certificates were refused: a certificate that says False"
    )
    assert judge([], "it is so", domain="every k").verdict is Verdict.INCONCLUSIVE
    assert (
        judge([], "it is so", domain="every k").summary == "it is so: no certificate was produced"
    )


def test_a_finding_is_made_by_a_judge_and_stays_as_it_is():
    with pytest.raises(TypeError, match="by a judge"):
        Finding(Verdict.PROVED, "so", _token=object())
    finding = not_run("no reason")
    with pytest.raises(FrozenInstanceError):
        finding.verdict = Verdict.PROVED
    with pytest.raises(FrozenInstanceError):
        Step("so").text = "not so"
    assert finding == not_run("no reason")
    # also after it went to another process and back
    assert pickle.loads(pickle.dumps(finding)) == finding
    assert "token" not in repr(finding)
    assert (finding.verdict, finding.summary, dict(finding.numbers)) == (
        Verdict.NOT_RUN,
        "no reason",
        {},
    )


@pytest.mark.parametrize("judge", [proved, certified])
def test_what_says_of_itself_that_it_is_a_proof_is_none(judge, known):
    class Derived(Certificate):
        pass

    class Stranger:
        def recheck(self):
            return True

    for forged in (Stranger(), Derived(True), None, 1):
        finding = judge([Certificate(True), forged], "it is so", domain="every k")
        assert finding.verdict is Verdict.INCONCLUSIVE
        assert f"{type(forged).__name__} is no known kind of certificate" in finding.summary
    # nor does it help to change an object that is known
    refused = Certificate(False)
    refused.recheck = lambda: True
    assert judge([refused], "it is so", domain="every k").verdict is Verdict.INCONCLUSIVE


def test_only_the_project_registers_kinds():
    with pytest.raises(TypeError, match="checked by code of its own"):
        certificate_kind(Certificate)
    assert Certificate not in CHECKS

    class Borrowed(Certificate):
        # the check must be the class's own, not one that it inherits
        pass

    with pytest.raises(TypeError, match="checked by code of its own"):
        certificate_kind(Borrowed)


@pytest.mark.parametrize("folder", own("theory"))
def test_a_kind_whose_check_stands_in_one_of_the_projects_folders_is_registered(
    folder, monkeypatch
):
    monkeypatch.setattr(certificate_kinds, "CHECKS", {})
    space = {}
    source = "class Kind:\n    def recheck(self):\n        return True\n"
    exec(compile(source, str(folder / "kinds.py"), "exec"), space)
    kind = certificate_kind(space["Kind"])
    # what stands there when it is registered is what checks, whatever is put there later
    kind.recheck = lambda self: False
    assert certificate_kinds.accepted(kind())


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": Verdict.PROVED},
        {"summary": "more"},
        {"verdict": Verdict.PROVED, "_token": object()},
    ],
)
def test_a_finding_is_not_changed_into_another(change):
    with pytest.raises((TypeError, ValueError)):
        replace(not_run("no reason"), **change)


def test_figures_have_eight_digits_however_deep_they_are():
    figures = inconclusive(
        "",
        numbers={"x": 1 / 3, "deep": {"y": [2 / 3, (1 / 7, 5)], "word": "w", "whole": 123456789}},
    ).numbers
    assert figures == {
        "x": 0.33333333,
        "deep": {"y": [0.66666667, (0.14285714, 5)], "word": "w", "whole": 123456789},
    }


@pytest.mark.parametrize(
    ("relation", "less", "equal", "greater"),
    [
        ("=", False, True, False),
        ("!=", True, False, True),
        ("<", True, False, False),
        ("<=", True, True, False),
        (">", False, False, True),
        (">=", False, True, True),
    ],
)
def test_relations(relation, less, equal, greater):
    holds = [RELATIONS[relation](HALF, other) for other in (1, HALF, 0)]
    assert holds == [less, equal, greater]
    for true, other in zip(holds, (1, HALF, 0), strict=True):
        verdict = refuted("it is so", {}, HALF, other, relation).verdict
        assert verdict is (Verdict.INCONCLUSIVE if true else Verdict.REFUTED)


def test_a_refutation_shows_its_instance_and_both_sides():
    finding = refuted(
        "equal", {"pi": (HALF, HALF), "name": "x"}, [1, HALF], (1, 0), numbers={"k": 2}
    )
    assert finding.verdict is Verdict.REFUTED
    assert finding.instance == {
        "pi": "(1/2, 1/2)",
        "name": "x",
        "left": "(1, 1/2)",
        "right": "(1, 0)",
    }
    assert finding.numbers == {"k": 2}
    kept = refuted("equal", {"b": 1}, HALF, Fraction(2, 4))
    assert kept.verdict is Verdict.INCONCLUSIVE
    assert (
        kept.summary
        == "equal: the instance {'b': '1', 'left': '1/2', 'right': '1/2'} does not refute it"
    )


def test_vectors_are_equal_in_every_entry_and_differ_in_any():
    assert refuted("", {}, (1, 2), (1, 3)).verdict is Verdict.REFUTED
    assert refuted("", {}, (1, 2), (1, 3), "!=").verdict is Verdict.INCONCLUSIVE
    assert refuted("", {}, (1, 2), (1, 2), "!=").verdict is Verdict.REFUTED
    assert refuted("", {}, (1, 4), (2, 3), "<").verdict is Verdict.REFUTED
    with pytest.raises(ValueError, match="2 and 1 entries"):
        refuted("", {}, (1, 2), (1,))


@pytest.mark.parametrize("side", [0.5, (1, 0.5), "1", None])
def test_a_refutation_is_exact(side):
    for left, right in ((side, 1), (1, side)):
        with pytest.raises((TypeError, ValueError)):
            refuted("", {}, left, right)


def test_a_search_stops_at_the_first_failure_and_counts_what_held():
    seen = []

    def sides(case):
        seen.append(case)
        return case, 2

    found = searched(
        "below two",
        [0, 1, 2, 3],
        sides,
        "<",
        domain="small",
        describe=lambda case: {"number": case},
    )
    assert found.verdict is Verdict.REFUTED
    assert found.instance == {"number": "2", "left": "2", "right": "2"}
    assert seen == [0, 1, 2]
    assert searched("", [3], sides, "<", domain="small").instance["case"] == "3"

    held = searched("below two", iter([0, 1]), sides, "<", domain="small")
    assert (held.verdict, held.domain, held.numbers) == (Verdict.HOLDS, "small", {"cases": 2})
    assert searched("x", [2], sides, domain="small").verdict is Verdict.HOLDS
    nothing = searched("below two", [], sides, "<", domain="small")
    assert (nothing.verdict, nothing.summary) == (
        Verdict.INCONCLUSIVE,
        "below two: there was no case to try",
    )


def test_numbers_and_vectors_as_a_reader_writes_them():
    assert show(HALF) == "1/2"
    assert show((HALF, [1, "x"])) == "(1/2, (1, x))"
    assert show("(a)") == "(a)"


def test_words_of_verdicts_and_their_order():
    assert [str(verdict) for verdict in Verdict][-1] == "NOT RUN"
    supporting = [Verdict.PROVED, Verdict.CERTIFIED, Verdict.HOLDS, Verdict.SUPPORTED]
    assert [verdict for verdict in Verdict if verdict.is_for] == supporting
    assert sorted(supporting, key=lambda verdict: verdict.strength) == supporting[::-1]
    assert all(verdict.meaning for verdict in Verdict)
    assert len({verdict.meaning for verdict in Verdict}) == len(Verdict)
    assert "no counterexample" in Verdict.HOLDS.meaning
    assert str(Verdict.HOLDS) == "HOLDS"


@pytest.mark.parametrize(
    ("finding", "reported"),
    [
        (refuted("1 is 2", {"case": 1}, 1, 2), "tested: 1 is 2; found: case 1, left 1, right 2"),
        (
            searched("all agree", [], lambda case: (0, 0), domain="none"),
            "tested: all agree; found: undecided, there was no case to try",
        ),
        (inconclusive("nobody knows"), "not decided: nobody knows"),
        (not_run("no time"), "not run: no time"),
        (searched("all agree", [1], lambda case: (0, 0), domain="one"), "all agree"),
    ],
    ids=["refuted", "undecided", "no statement", "not run", "holds"],
)
def test_a_hypothesis_is_never_reported_as_if_it_had_been_found(finding, reported):
    assert finding.reported == reported


class Contrary(str):
    """The same to `==` and `hash`, and another sentence where it is printed."""

    __slots__ = ()

    def __str__(self):
        return "the contrary"


class Emptied(dict):
    """The same to a hash of its entries' text, and nothing to a reader who asks for one of them."""

    def get(self, name, default=None):
        return default


def test_what_a_judge_made_is_told_from_copies_that_show_something_else():
    made = refuted("it is so", {"k": 2}, 1, 2)
    assert judging.genuine(copy(made))
    step = Step("so", 1)
    object.__setattr__(made, "steps", (step,))
    judging._MADE.add(judging._content(made))
    for field, shown in (
        ("summary", Contrary(made.summary)),
        ("instance", Emptied(made.instance)),
        ("instance", {**made.instance, "k": Contrary(made.instance["k"])}),
        ("instance", {Contrary(name): value for name, value in made.instance.items()}),
        ("steps", (replace(step, text=Contrary(step.text)),)),
    ):
        edited = copy(made)
        object.__setattr__(edited, field, shown)
        assert vars(edited)[field] == getattr(made, field)
        assert not judging.genuine(edited), field
        with pytest.raises(EditedVerdict):
            repr(edited)


class LooksRefuted:
    """Has a verdict's name, and says the contrary of it."""

    name = "REFUTED"
    is_for = True


def test_a_finding_with_a_verdict_of_a_class_of_its_own_is_of_no_judge():
    edited = copy(refuted("it is so", {"k": 2}, 1, 2))
    object.__setattr__(edited, "verdict", LooksRefuted())
    assert not judging.genuine(edited)
