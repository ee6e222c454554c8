"""What a result is taken for, marked or not, and how it reads in text, JSON and HTML."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError

import pytest

from altpg_verify.results import CheckResult, Counterexample, EstimatorCheckError, Report
from altpg_verify.sealing import remade, seal
from altpg_verify.verdicts import Verdict

FOUND = Counterexample("b = 1", "(1, 0)", "(0, 0)", "python -m altpg_verify check it")
FOR = (Verdict.PROVED, Verdict.CERTIFIED, Verdict.HOLDS, Verdict.SUPPORTED)


def result(verdict, **rest):
    return seal(CheckResult("zero_sum", "Σ = 0", "no common move", verdict, **rest))


@pytest.mark.parametrize(
    ("verdict", "required", "marked", "property_"),
    [
        *((verdict, True, False, True) for verdict in FOR),
        (Verdict.REFUTED, False, True, True),
        (Verdict.INCONCLUSIVE, False, False, False),
        (Verdict.NOT_RUN, False, False, False),
        (Verdict.SKIPPED, True, True, True),
    ],
)
def test_what_is_as_it_should_be(verdict, required, marked, property_):
    assert result(verdict).ok is required
    assert result(verdict, expected_failure="by design").ok is marked
    assert result(verdict, required=False).ok is property_
    assert result(verdict, required=False, expected_failure="by design").ok is marked


@pytest.mark.parametrize(
    ("fields", "sign", "headline"),
    [
        ({"verdict": Verdict.PROVED, "evidence": "k = 2"}, "✓", "proved   k = 2"),
        ({"verdict": Verdict.HOLDS, "evidence": "5 cases"}, "✓", "holds    5 cases"),
        ({"verdict": Verdict.REFUTED}, "✗", "REFUTED by a minimal counterexample"),
        ({"verdict": Verdict.REFUTED, "gap": "b"}, "✗", "REFUTED by a minimal counterexample"),
        ({"verdict": Verdict.REFUTED, "required": False}, "·", "no"),
        ({"verdict": Verdict.REFUTED, "required": False, "gap": "b π"}, "·", "no: gap b π"),
        (
            {"verdict": Verdict.REFUTED, "required": False, "counterexample": FOUND},
            "·",
            "no: b = 1",
        ),
        (
            {"verdict": Verdict.REFUTED, "expected_failure": "by design"},
            "~",
            "refuted, as expected: by design",
        ),
        (
            {"verdict": Verdict.HOLDS, "evidence": "5 cases", "expected_failure": "by design"},
            "✗",
            "UNEXPECTEDLY HOLDS (5 cases): remove the mark 'zero_sum', or mend the estimator",
        ),
        ({"verdict": Verdict.INCONCLUSIVE, "reason": "too few"}, "✗", "INCONCLUSIVE: too few"),
        (
            {"verdict": Verdict.INCONCLUSIVE, "reason": "too few", "expected_failure": "by design"},
            "✗",
            "INCONCLUSIVE: too few",
        ),
        ({"verdict": Verdict.SKIPPED, "reason": "escort"}, "·", "SKIPPED: escort"),
        (
            {"verdict": Verdict.SKIPPED, "reason": "escort", "expected_failure": "by design"},
            "~",
            "SKIPPED: escort",
        ),
    ],
)
def test_one_line_tells_the_story(fields, sign, headline):
    got = result(**fields)
    assert got.headline == headline
    assert got.block() == f"  {sign} {'zero_sum':<26}{headline}"


def test_a_failure_tells_the_whole_story_unless_it_is_expected():
    failed = result(Verdict.REFUTED, counterexample=FOUND)
    rows = [
        "      law       Σ = 0      no common move",
        "      where     b = 1",
        "      left      (1, 0)",
        "      right     (0, 0)",
        '      intended? expected_failures={"zero_sum": "why"}',
        "      replay    python -m altpg_verify check it",
    ]
    assert failed.block().splitlines()[1:] == rows
    reported = remade(failed, gap="b π", holds_when=("b = 0", "b = v")).block().splitlines()[1:]
    assert reported == [
        *rows[:4],
        "      gap       b π",
        "      holds     when b = 0, or when b = v",
        *rows[4:],
    ]
    assert len(remade(failed, expected_failure="by design").block().splitlines()) == 1
    assert len(remade(failed, required=False).block().splitlines()) == 1
    assert len(result(Verdict.HOLDS).block().splitlines()) == 1


def test_a_result_as_plain_data():
    got = result(
        Verdict.REFUTED,
        evidence="e",
        examples=3,
        counterexample=FOUND,
        gap="g",
        holds_when=("b = 0",),
        reason="r",
    )
    assert got.as_dict() == {
        "law": "zero_sum",
        "formula": "Σ = 0",
        "verdict": "REFUTED",
        "ok": False,
        "required": True,
        "evidence": "e",
        "examples": 3,
        "counterexample": {
            "case": "b = 1",
            "left": "(1, 0)",
            "right": "(0, 0)",
            "replay": "python -m altpg_verify check it",
        },
        "gap": "g",
        "holds_when": ["b = 0"],
        "expected_failure": "",
        "reason": "r",
        "conditions": [],
        "unreached": "",
    }
    assert result(Verdict.HOLDS).as_dict()["counterexample"] is None
    assert result(Verdict.HOLDS).as_dict()["ok"] is True


def named(law, verdict, **rest):
    return remade(result(verdict, **rest), law=law)


RESULTS = (
    named("a", Verdict.PROVED, examples=20),
    named("b", Verdict.CERTIFIED),
    named("c", Verdict.HOLDS, examples=100),
    named("d", Verdict.REFUTED, expected_failure="by design", examples=1),
    named("e", Verdict.REFUTED, required=False),
    named("f", Verdict.REFUTED),
    named("l", Verdict.REFUTED),
    named("g", Verdict.HOLDS, expected_failure="by design"),
    named("h", Verdict.INCONCLUSIVE),
    named("i", Verdict.SKIPPED),
    named("j", Verdict.SKIPPED),
    named("k", Verdict.PROVED, required=False),
)
REPORT = seal(
    Report("it", "Says.", "softmax", RESULTS, (("bias", "b π"), ("fixed points", "none")), 1.26)
)


def test_every_result_is_counted():
    assert (
        REPORT.summary()
        == "it: 12 laws: 2 proved, 1 certified, 1 holds, 1 refuted as expected, 1 a property it"
        " doesn't have, 2 REFUTED, 1 UNEXPECTEDLY HOLDS, 1 inconclusive, 2 skipped; 121 exact"
        " cases (1.3 s)"
    )
    assert REPORT.skipped == 2
    one = seal(Report("it", "", "softmax", RESULTS[:1]))
    assert one.summary() == "it: 1 law: 1 proved, none skipped; 20 exact cases (0.0 s)"
    assert one.skipped == 0


def test_a_report_is_ok_if_all_results_are_and_one_was_decided():
    def ok(*results):
        return seal(Report("it", "", "softmax", results)).ok

    good, bad, skipped = RESULTS[0], RESULTS[5], RESULTS[9]
    assert ok(good)
    assert ok(good, skipped)
    assert not ok(good, bad)
    assert not ok(skipped)
    assert not ok()


def test_results_are_looked_up_and_listed():
    assert REPORT["f"] is RESULTS[5]
    assert list(REPORT) == list(RESULTS)
    with pytest.raises(KeyError, match="unbaised"):
        REPORT["unbaised"]


def test_a_report_puts_properties_and_facts_last():
    lines = str(REPORT).splitlines()
    assert lines[0] == REPORT.summary()
    assert [line[4] for line in lines[1:11]] == list("abcdflghij")
    assert lines[11] == "  what it does besides:"
    assert [line[4] for line in lines[12:14]] == ["e", "k"]
    assert lines[14:] == ["  facts:", "    bias          b π", "    fixed points  none"]
    assert str(seal(Report("it", "", "softmax", RESULTS[:1]))).splitlines()[1:] == [
        RESULTS[0].block()
    ]
    assert str(remade(REPORT, searched="rewards to 8")).splitlines() == [
        *lines,
        "  searched: rewards to 8",
    ]


def test_a_report_as_plain_data_and_json():
    data = REPORT.as_dict()
    assert (data["estimator"], data["says"], data["policy"], data["ok"]) == (
        "it",
        "Says.",
        "softmax",
        False,
    )
    assert data["results"] == [one.as_dict() for one in RESULTS]
    assert data["facts"] == {"bias": "b π", "fixed points": "none"}
    assert set(data) == {"estimator", "says", "policy", "ok", "results", "facts", "searched"}
    text = REPORT.as_json()
    assert json.loads(text) == data
    assert "Σ = 0" in text
    assert text.startswith('{\n "estimator"')
    assert text.endswith("}\n")


def test_a_report_in_a_notebook_is_escaped():
    wild = seal(
        Report(
            "<it>",
            "",
            "softmax",
            (remade(named("a<b", Verdict.HOLDS), formula="1 < 2", evidence="x & y"),),
            (("<p>", "q > r"),),
        )
    )
    shown = wild._repr_html_()
    assert shown.startswith("<p><b>&lt;it&gt;: 1 law")
    assert "<tr><th>a&lt;b</th><td>1 &lt; 2</td><td>holds    x &amp; y</td></tr>" in shown
    assert "<tr><th>&lt;p&gt;</th><td colspan=2>q &gt; r</td></tr></table>" in shown


def test_an_error_carries_the_report_and_shows_what_failed():
    error = EstimatorCheckError(REPORT)
    assert error.report is REPORT
    lines = str(error).splitlines()
    failed = list(RESULTS[5:9])
    assert lines[0] == "it: " + "; ".join(f"{one.law} {one.headline}" for one in failed)
    assert lines[1:] == [one.block() for one in failed]
    assert isinstance(error, AssertionError)


def test_results_stay_as_they_are():
    for thing, name in ((FOUND, "case"), (RESULTS[0], "verdict"), (REPORT, "results")):
        with pytest.raises(FrozenInstanceError):
            setattr(thing, name, None)
