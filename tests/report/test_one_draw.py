"""The figures of single draws and of the theorem's inequalities: their numbers against the exact
ones, and what they may not miss.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.cases import Case
from altpg_verify.exact import variance
from altpg_verify.report import inequalities, variance_figures

POLICIES = [
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)),
    (Fraction(1, 10), Fraction(1, 10), Fraction(4, 5)),
]


@pytest.mark.parametrize("name", variance_figures.ESTIMATORS)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("noise", [0, 1])
def test_variances_are_the_exact_ones(name, policy, noise):
    half = Fraction(1, 2)
    rewards = tuple(((Fraction(r) - noise, half), (Fraction(r) + noise, half)) for r in (1, 2, 3))
    exact = variance(
        variance_figures.ESTIMATORS[name], Case(policy, rewards, Fraction(0)).at_value()
    )
    found = variance_figures.variances(
        variance_figures.ESTIMATORS[name], np.array([float(p) for p in policy]), None, float(noise)
    )
    assert found[:3] == pytest.approx([float(entry) for entry in exact], abs=1e-14)
    assert found[3] == pytest.approx(float(sum(exact)), abs=1e-14)


def test_at_a_corner_only_the_alternate_estimator_keeps_the_noise():
    corner = np.array([1e-9, 1e-9, 1 - 2e-9])
    assert (
        variance_figures.variances(variance_figures.ESTIMATORS["regular"], corner, None, 1.0)[3]
        < 1e-6
    )
    assert variance_figures.variances(variance_figures.ESTIMATORS["alternate"], corner, None, 1.0)[
        3
    ] == pytest.approx(1.0, abs=1e-6)
    assert (
        variance_figures.variances(variance_figures.ESTIMATORS["alternate"], corner, None, 0.0)[3]
        < 1e-6
    )


def test_the_entropy_changes_as_its_slope_says():
    pi = np.array([0.5, 0.3, 0.2])
    alternate = variance_figures.ESTIMATORS["alternate"]
    update = sum(odds * found for odds, found in variance_figures.draws(alternate, pi, 4.0, 1.0))
    slope = -float((pi * (np.log(pi) + variance_figures.entropy(pi))) @ update)
    assert variance_figures.entropy_change(alternate, pi, 4.0, step=1e-5) == pytest.approx(
        slope, rel=1e-3
    )


def test_what_the_caption_says_of_the_entropy_is_computed():
    assert variance_figures.sentence_of(np.array([-1.0, -0.1])) == "falls at every policy shown"
    assert variance_figures.sentence_of(np.array([0.2, 0.1])) == "rises at every policy shown"
    assert (
        variance_figures.sentence_of(np.array([0.2, -0.1, -0.3, -0.1]))
        == "rises at 25% of the policies shown"
    )


def test_the_bounds_bracket_the_log_term():
    for b in (-6.0, 0.5, 3.5, 8.0):
        for alpha in (0.1, 1.0, 3.0):
            log, lower, upper, _ = inequalities.terms(b, alpha)
            assert lower <= log <= upper


def test_the_promised_stepsize_is_the_papers_expression():
    gaps = [Fraction(r) - 4 for r in (1, 2, 3)]
    pulls = [
        p * gap
        for p, gap in zip((Fraction(1, 5), Fraction(1, 10), Fraction(7, 10)), gaps, strict=True)
    ]
    inside = 1 / sum(1 / gap for gap in gaps) - sum(
        pull * pull / gap for pull, gap in zip(pulls, gaps, strict=True)
    )
    assert inequalities.promised() == pytest.approx(
        float(8 * inside / (max(pulls) - min(pulls)) ** 2), rel=1e-12
    )


def test_descent_ends_where_it_is_said_to():
    end = inequalities.reached()
    assert end > inequalities.promised()
    for alpha, descends in ((0.99 * end, True), (1.01 * end, False)):
        log, _, _, fixed = inequalities.terms(inequalities.OPTIMISTIC, alpha)
        assert (log < fixed) is descends


def test_a_pessimistic_baseline_never_descends():
    for alpha in (0.01, 0.5, 2.0):
        log, _, _, fixed = inequalities.terms(inequalities.PESSIMISTIC, alpha)
        assert log > fixed


@pytest.mark.parametrize("make", [variance_figures.updates, inequalities.picture])
def test_same_bytes(make):
    assert make() == make()
