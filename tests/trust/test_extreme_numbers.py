"""Numbers of every size: samples of each subject are right, and an absolute tolerance or a naive
softmax is found out.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.case_parsing import parse_case
from altpg_verify.checks import check_estimator
from altpg_verify.estimators import alternate, regular
from altpg_verify.verdicts import Verdict
from trust import extreme_inputs, extreme_numbers


def figures(judged):
    return {
        figure.name: figure.met
        for figure in extreme_numbers.outcome(judged).figures
        if figure.bounded
    }


@pytest.fixture(autouse=True)
def quiet():
    with np.errstate(all="ignore"):
        yield


def test_judges_and_policies_are_right():
    pytest.importorskip("numba")
    judged = extreme_numbers.judges(True) + extreme_numbers.policies(True)
    assert [each for each in judged if each.how == "WRONG"] == []


def some_audits(monkeypatch, *names):
    kept = {name: extreme_inputs.spaces()[name] for name in names}
    monkeypatch.setattr(extreme_numbers, "spaces", lambda: kept)
    return extreme_numbers.audits(False)


@pytest.mark.thorough
def test_audits_of_extreme_numbers_are_right_or_undecided(monkeypatch):
    judged = some_audits(monkeypatch, "rewards of 1e-12", "rewards of 1e12 that differ by 1")
    assert [each for each in judged if each.how == "WRONG"] == []
    assert {each.how for each in judged} == {"right", "undecided"}


# the figures of a whole part; a law checker's fault is planted above the marker
@pytest.mark.slow
def test_an_audit_that_knows_no_blur_misses_the_figures(monkeypatch):
    from altpg_verify.audit.evidence import Evidence

    monkeypatch.setattr(Evidence, "_blurred", lambda self: [False] * len(self.places))
    judged = some_audits(monkeypatch, "rewards of 1e12 that differ by 1", "logits of ±1e4")
    assert not figures(judged)["wrong_audits"]


@pytest.mark.slow
def test_a_law_checker_with_an_absolute_tolerance_misses_the_figures(monkeypatch):
    from altpg_verify import comparing_sides

    kept = {
        name: extreme_inputs.law_cases()[name]
        for name in ("rewards of 1e-12", "a probability of 1e-300")
    }
    monkeypatch.setattr(extreme_numbers, "law_cases", lambda: kept)
    formulas = {
        "half-way": extreme_inputs.formulas()["half-way"],
        "twice": extreme_inputs.formulas()["twice"],
    }
    monkeypatch.setattr(extreme_numbers, "formulas", lambda: formulas)
    assert figures(extreme_numbers.laws(False))["wrong_laws"]

    def absolutely(self, law, case):
        left, right = law.sides(self.estimator, case.as_float())
        return any(
            abs(float(one) - float(two)) > 1e-9 for one, two in zip(left, right, strict=True)
        )

    monkeypatch.setattr(comparing_sides.Comparing, "fails_in_floats", absolutely)
    assert not figures(extreme_numbers.laws(False))["wrong_laws"]


def test_a_softmax_that_overflows_misses_the_figures(monkeypatch):
    pytest.importorskip("numba")
    from altpg_verify.sim import analysis

    def naive(theta):
        return np.exp(theta) / np.exp(theta).sum()

    monkeypatch.setattr(analysis, "policies", naive)
    judged = [
        each for each in extreme_numbers.policies(True) if each.what.startswith("analysis, ±")
    ]
    assert not figures(judged)["wrong_policies"]


def test_a_case_outside_what_a_law_speaks_of_is_skipped():
    case = parse_case("pi=1/2,1/2; r=1,2; b=2")
    report = check_estimator(alternate, case=case, on_fail="return", facts=False)
    verdicts = {result.law: result.verdict for result in report.results}
    outside = (
        "unbiased_at_value",
        "right_direction",
        "ascends",
        "vanishes_at_corner",
        "optimistic_attracts",
        "pessimistic_repels",
    )
    assert {verdicts[name] for name in outside} == {Verdict.SKIPPED}
    assert verdicts["unbiased"] is Verdict.REFUTED


def test_a_baseline_equal_to_a_reward_breaks_nothing():
    case = parse_case("pi=1/2,1/2; r=5,5; b=5")
    assert all(
        result.verdict.is_for or result.verdict is Verdict.SKIPPED
        for result in check_estimator(regular, case=case, facts=False).results
    )
