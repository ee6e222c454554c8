"""Planted faults: each wrong estimator is caught by the laws that should catch it, and no law is without a catch."""

from __future__ import annotations

from functools import cache

import pytest

from altpg_verify import LAWS, Report, Verdict, check_estimator
from tests.checkers.mutants import MUTANTS, Mutant


@cache
def verdicts(mutant: Mutant) -> Report:
    """Of the laws that its table names."""
    named = sorted(mutant.refuted_by | mutant.innocent_of)
    return check_estimator(mutant.estimator, only=named, max_examples=40, on_fail="return", facts=False)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.estimator.name)
def test_the_fault_is_seen_by_the_laws_that_should_see_it(mutant):
    report = verdicts(mutant)
    for law in mutant.refuted_by:
        assert report[law].verdict is Verdict.REFUTED, f"{law}: {report[law].headline}"
        assert report[law].counterexample is not None


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.estimator.name)
def test_laws_that_the_fault_does_not_touch_still_hold(mutant):
    report = verdicts(mutant)
    for law in mutant.innocent_of:
        assert report[law].verdict.is_for, f"{law}: {report[law].headline}"


def test_every_law_refutes_some_mutant():
    assert {law.name for law in LAWS} - {law for mutant in MUTANTS for law in mutant.refuted_by} == set()


def test_the_table_has_at_least_twelve_wrong_estimators():
    assert sum(not verdicts(mutant).ok for mutant in MUTANTS) >= 12


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.estimator.name)
def test_nothing_is_inconclusive(mutant):
    for result in check_estimator(mutant.estimator, max_examples=40, on_fail="return", facts=False):
        assert result.verdict is not Verdict.INCONCLUSIVE, f"{mutant.estimator.name}: {result.headline}"
