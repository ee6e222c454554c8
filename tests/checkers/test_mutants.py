"""Planted faults: each wrong estimator is caught by the laws that should catch it, and no law is without a catch."""

from __future__ import annotations

from functools import cache

import pytest

from altpg_verify import LAWS, Report, Verdict, check_estimator
from tests.checkers.mutants import MUTANTS, Mutant


@cache
def verdicts(mutant: Mutant) -> Report:
    return check_estimator(mutant.estimator, max_examples=40, on_fail="return", facts=False)


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
    caught = {law.name: [m.estimator.name for m in MUTANTS if verdicts(m)[law.name].verdict is Verdict.REFUTED] for law in LAWS}
    assert [law for law, names in caught.items() if not names] == []


def test_the_table_has_at_least_twelve_wrong_estimators():
    assert sum(not verdicts(mutant).ok for mutant in MUTANTS) >= 12


def test_nothing_is_inconclusive():
    for mutant in MUTANTS:
        for result in verdicts(mutant):
            assert result.verdict is not Verdict.INCONCLUSIVE, f"{mutant.estimator.name}: {result.headline}"
