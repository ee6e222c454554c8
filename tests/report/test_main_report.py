"""The main report refers to claims that exist, and says what their verdicts call for."""

from __future__ import annotations

import json

import pytest

from altpg_verify.report import headline, main_report
from altpg_verify.report.parts import by_verdict
from altpg_verify.theory.claims import CLAIMS

DRAWN = {
    name: [{"kind": "figure", "name": name}]
    for name in (main_report.BANDIT, main_report.STATIONARY, main_report.CHAIN, main_report.LONG)
}


@pytest.mark.thorough
def test_chapters_stand_on_claims_of_the_ledger(nothing_ran):
    parts = [
        *main_report.bandit(nothing_ran, DRAWN),
        *main_report.chain(nothing_ran, DRAWN),
        *main_report.findings(nothing_ran),
    ]
    mentioned = {claim for part in parts if part["kind"] == "finding" for claim in part["claims"]}
    assert len(mentioned) > 10
    assert mentioned <= {claim.id for claim in CLAIMS}


def test_the_story_claims_nothing_that_was_not_run(nothing_ran):
    findings = [
        *main_report.findings(nothing_ran),
        *(part for part in main_report.chain(nothing_ran, DRAWN) if part["kind"] == "finding"),
    ]
    for part in findings:
        said = "".join(run if isinstance(run, str) else run["alt"] for run in part["text"])
        assert set(said.split(". ")) <= {
            "This was not decided here (not run)",
            "This was not decided here (not run).",
            "Whether the paper's 100 episodes confirm 0.28 was not decided here (not run).",
        }
        assert part["verdict"] == "NOT RUN"


def test_sentences_follow_the_verdict(synthetic):
    assert by_verdict(synthetic, "value-2.36", "agrees", "differs") == "agrees"
    assert by_verdict(synthetic, "only-at-boundary", "agrees", "differs") == "differs"
    assert (
        by_verdict(synthetic, "vague", "agrees", "differs")
        == "This was not decided here (inconclusive)."
    )


@pytest.mark.thorough
def test_exact_numbers(nothing_ran):
    assert "(2/11, 3/11, 6/11), of value 26/11 = 2.3636" in json.dumps(
        main_report.bandit(nothing_ran, DRAWN), ensure_ascii=False
    )
    (table,) = [part for part in main_report.chain(nothing_ran, DRAWN) if part["kind"] == "table"]
    assert table["rows"][-1] == ["value v(s3)", "0.279447", "0.297641"]


def test_simulated_is_the_mean_of_all_settings():
    import numpy as np

    class Results:
        def select(self, name):
            return [{"mean": np.array([1.0, 2.0, 3.0])}, {"mean": np.array([2.0, 3.0, 4.0])}]

    mean, error = headline.simulated(Results(), "any")
    assert (mean, round(error, 5)) == (2.5, 0.40825)
