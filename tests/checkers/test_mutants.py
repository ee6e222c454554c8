"""Planted faults: each wrong estimator is caught by the laws that should catch it, and no law is
without a catch.
"""

from __future__ import annotations

from functools import cache

import pytest

from altpg_verify import LAWS, Report, Verdict, check_estimator
from tests.checkers.mutants import MUTANTS, Mutant
from tests.shares import share


def name(mutant: Mutant) -> str:
    return mutant.estimator.name


@cache
def verdicts(mutant: Mutant) -> Report:
    """Of the laws that its table names."""
    named = sorted(mutant.refuted_by | mutant.innocent_of)
    return check_estimator(
        mutant.estimator, only=named, max_examples=40, on_fail="return", facts=False
    )


@pytest.mark.thorough
@pytest.mark.parametrize("mutant", share(MUTANTS, 6), ids=name)
def test_the_fault_is_seen_by_the_laws_that_should_see_it(mutant):
    report = verdicts(mutant)
    for law in mutant.refuted_by:
        assert report[law].verdict is Verdict.REFUTED, f"{law}: {report[law].headline}"
        assert report[law].counterexample is not None


@pytest.mark.thorough
@pytest.mark.parametrize("mutant", share(MUTANTS, 6), ids=name)
def test_laws_that_the_fault_does_not_touch_still_hold(mutant):
    report = verdicts(mutant)
    for law in mutant.innocent_of:
        assert report[law].verdict.is_for, f"{law}: {report[law].headline}"


def test_every_law_refutes_some_mutant():
    assert {law.name for law in LAWS} - {
        law for mutant in MUTANTS for law in mutant.refuted_by
    } == set()


@pytest.mark.slow
def test_nothing_is_inconclusive_and_at_least_twelve_are_wrong():
    reports = [
        check_estimator(mutant.estimator, max_examples=40, on_fail="return", facts=False)
        for mutant in MUTANTS
    ]
    assert [
        result.headline
        for report in reports
        for result in report
        if result.verdict is Verdict.INCONCLUSIVE
    ] == []
    assert sum(not report.ok for report in reports) >= 12
