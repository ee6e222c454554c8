"""How findings of simulations are reported, over the whole ledger: no hypothesis reads like a
result, and ± has one meaning.

What isn't supported says what was tested and what was found, for each reading of a sentence of its
own. A ± b is a mean and its standard error: it is followed by what the mean is of and by the number
of runs.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

import altpg_verify.sim.experiments
from altpg_verify.errors import Missing
from altpg_verify.judging import Finding, inconclusive
from altpg_verify.ledger_building import collect
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import measured
from altpg_verify.sim.experiments import EXPERIMENTS
from altpg_verify.sim.results import NotHeld, Results
from altpg_verify.sim.sweep import run
from altpg_verify.verdicts import Verdict

READINGS = "not decided: natural readings differ: "
NOT_COMPARABLE = "not decided: compared were "
"""Nothing was tested, as the figures can't be compared; they are reported."""
REPORTED = re.compile(r"tested: .+; found: .+", re.DOTALL)
READING = re.compile(r"by (.+?) (REFUTED|INCONCLUSIVE|SUPPORTED): (.+)", re.DOTALL)
ERROR = re.compile(r"± (?P<error>[\d.]+(?:e[+-]\d+)?)(?P<label> \(.*\bruns\))?", re.DOTALL)


def faults(finding: Finding) -> list[str]:
    """What is wrong with how a finding is reported."""
    return [*_untold(finding), *_nameless(finding.reported)]


def _untold(finding: Finding) -> list[str]:
    sentence = finding.reported
    if finding.verdict.is_for or sentence.startswith(NOT_COMPARABLE):
        return []
    if not sentence.startswith(READINGS):
        return [] if REPORTED.match(sentence) else [f"not reported as tested and found: {sentence}"]
    found = []
    for part in re.split(
        r"; (?=by .+? (?:REFUTED|INCONCLUSIVE|SUPPORTED): )", sentence.removeprefix(READINGS)
    ):
        reading = READING.fullmatch(part)
        if not reading:
            found.append(f"a reading without a verdict: {part}")
        elif reading[2] != "SUPPORTED" and not REPORTED.match(reading[3]):
            found.append(f"a reading that isn't supported and isn't reported: {part}")
    return found


def _nameless(sentence: str) -> list[str]:
    return [f"± of nothing: {sentence}" for error in ERROR.finditer(sentence) if not error["label"]]


FUNCTIONS = collect([altpg_verify.sim.experiments])


def findings(results: Results) -> dict[str, Finding]:
    """What the functions find whose results are there, by the first claim that they serve."""
    found = {}
    for function in FUNCTIONS:
        try:
            found[function.__evidence__[0][0]] = function(results=results)
        except (NotHeld, Missing):
            continue
    return found


@pytest.mark.slow
def test_findings_of_kept_runs_are_told_as_what_was_tested_and_found(tmp_path):
    stored = [
        cell for experiment in EXPERIMENTS if experiment.stored for cell in experiment.work("paper")
    ]
    found = findings(
        Results(
            "quick",
            [],
            tmp_path,
            stored=stored,
            kept=altpg_verify.sim.experiments.paper_scale(tmp_path),
        )
    )
    assert len(found) > 60
    assert {claim: sentence for claim, one in found.items() if (sentence := faults(one))} == {}
    assert sum(one.verdict is Verdict.REFUTED for one in found.values()) > 5


@pytest.mark.slow
def test_findings_of_quick_runs_are_told_as_what_was_tested_and_found(tmp_path):
    work = [
        cell
        for experiment in EXPERIMENTS
        if not experiment.stored
        for cell in experiment.work("quick")
    ]
    run(work, tmp_path)
    found = findings(Results("quick", work, tmp_path))
    assert len(found) > 60
    assert {claim: sentence for claim, one in found.items() if (sentence := faults(one))} == {}


LOW, UNSURE = (measured("x", [np.array(pair * 20)]) for pair in ((-1.1, -0.9), (-1.0, 1.1)))


def test_how_the_judges_tell_what_they_find():
    refuted, undecided = (
        analysis.all_above("it is above 0", [item], 0.0, "here") for item in (LOW, UNSURE)
    )
    supported = analysis.all_above("it is above -2", [LOW], -2.0, "here")
    differ = analysis.agreed({"one reading": supported, "another": refuted, "a third": undecided})
    share = analysis.share_above("most do", [("of these", np.arange(100) < 40)], 0.5, "here")
    assert [one.verdict for one in (refuted, supported, differ, share)] == [
        Verdict.REFUTED, Verdict.SUPPORTED, Verdict.INCONCLUSIVE, Verdict.INCONCLUSIVE,
    ]  # fmt: skip
    assert [faults(one) for one in (refuted, undecided, supported, differ, share)] == [
        [],
        [],
        [],
        [],
        [],
    ]


def test_the_error_of_a_share_is_its_own():
    share = analysis.share_above("most do", [("of these", np.arange(100) < 10)], 0.5, "here")
    assert "0.1 ± 0.03 (of these, 100 runs)" in share.reported


def test_a_hypothesis_that_stands_alone_is_noticed():
    bare = inconclusive("alternate ends above regular")
    assert faults(bare) == [
        "not reported as tested and found: not decided: alternate ends above regular"
    ]
    hidden = inconclusive(
        "natural readings differ: by the mean REFUTED: alternate ends above regular; by the median"
        " SUPPORTED: it does"
    )
    assert len(faults(hidden)) == 1
    loose = inconclusive("natural readings differ: alternate ends above regular")
    assert len(faults(loose)) == 1


def test_an_error_of_nothing_is_noticed():
    assert _nameless("found: 3 ± 0.1, above 2") == ["± of nothing: found: 3 ± 0.1, above 2"]
    assert _nameless("found: 3 ± 0.1 (alternate, 50 runs), above 2") == []
