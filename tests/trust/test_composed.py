"""Composed estimators: product and oracle agree, and a product that lies is found out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from altpg_verify.audit import Kind
from altpg_verify.sealing import remade
from altpg_verify.verdicts import Verdict
from trust import composed
from trust.composed import fast, fast_laws, oracle, oracle_laws, verdicts
from trust.composed.formulas import formula
from trust.composed.plans import plan

FEW = range(6)


def figures(judged):
    return {
        figure.name: figure.met
        for figure in composed.outcome(judged, 6, sample=True).figures
        if figure.bounded
    }


@pytest.mark.slow
def test_a_few_of_each_agree_on_both_roads():
    judged = [verdicts.update_judged(i) for i in FEW] + verdicts.laws_judged(0)
    assert [each for each in judged if each.how != verdicts.RIGHT] == []
    assert figures(judged)["disagreements"]


def test_the_same_number_composes_the_same_estimator():
    assert plan(17) == plan(17)
    assert formula(17) == formula(17)
    assert plan(17) != plan(18)


def test_what_is_known_by_construction_is_what_the_slow_road_finds():
    known = [each for each in map(plan, range(40)) if each.known and each.size == 1]
    assert known
    assert all(oracle.truth(each).kind == each.known for each in known)


@pytest.mark.thorough
def test_an_audit_with_a_loose_tolerance_misses_the_figures():
    def lenient(made):
        found = fast.audited(made)
        return (
            remade(found, kind=Kind.UNBIASED, verdict=Verdict.HOLDS)
            if found.kind is Kind.SCALED
            else found
        )

    (scaled,) = [i for i in range(40) if plan(i).known == "scaled"][:1]
    judged = [verdicts.update_judged(scaled, lenient)]
    assert judged[0].how == verdicts.MISS
    assert not figures(judged)["misses"]


@pytest.mark.thorough
def test_an_audit_that_cries_wolf_misses_the_figures():
    def anxious(made):
        return remade(fast.audited(made), kind=Kind.NOT_A_GRADIENT, verdict=Verdict.REFUTED)

    (fine,) = [i for i in range(80) if plan(i).known == "unbiased"][:1]
    judged = [verdicts.update_judged(fine, anxious)]
    assert judged[0].how == verdicts.FALSE_ALARM
    assert not figures(judged)["false_alarms"]


@pytest.mark.thorough
def test_a_law_checker_that_never_finds_anything_misses_the_figures():
    biased = next(i for i in range(40) if formula(i).known_unbiased is False)
    results = fast_laws.checked(formula(biased))
    blind = tuple(remade(result, verdict=Verdict.HOLDS, counterexample=None) for result in results)
    judged = verdicts.laws_judged(biased, lambda made: blind)
    assert any(each.how == verdicts.MISS for each in judged)
    assert not figures(judged)["misses"]


def test_the_slow_road_knows_the_two_estimators_of_the_paper():
    instance = oracle_laws.Instance(
        (Fraction(1), Fraction(2)),
        (((Fraction(1), Fraction(1)),), ((Fraction(0), Fraction(1)),)),
        Fraction(3),
    )
    one = Fraction(1)
    regular = replace(formula(0), power=0, terms=((one, "r - b", "e - π"),))
    alternate = replace(formula(0), power=0, terms=((one, "r - b", "e"),))
    assert not oracle_laws.breaks("unbiased", regular, instance)
    assert oracle_laws.breaks("unbiased", alternate, instance)
    assert not oracle_laws.breaks("touches_taken_action_only", alternate, instance)
    assert oracle_laws.breaks("touches_taken_action_only", regular, instance)
