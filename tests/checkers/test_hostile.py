"""A hostile formula is refuted, named or refused; never proved, never a pass that says nothing."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify import BadEstimator, Verdict, check_estimator, regular
from tests.checkers.asking import ask
from tests.checkers.hostile_formulas import (
    NAMED,
    REFUSED,
    REFUTED,
    TRANSCENDENTAL,
    made,
    periodic_in_the_shift,
)
from tests.shares import share


def name(function):
    return function.__name__


@pytest.mark.parametrize("function", share(REFUTED, 9), ids=name)
def test_a_branch_at_a_number_is_found(function):
    est = made(function)
    got = ask(est, "unbiased", max_examples=100, origin="here:it")
    assert got.verdict is Verdict.REFUTED
    # simplest: no case is much longer than the constants in it
    assert len(got.counterexample.case) < 110


@pytest.mark.parametrize("function", NAMED, ids=name)
def test_what_no_case_reached_is_named_and_nothing_is_proved(function):
    report = check_estimator(
        made(function),
        only=["unbiased", "zero_sum"],
        on_fail="return",
        facts=False,
        max_examples=30,
    )
    for got in report:
        assert got.verdict is Verdict.HOLDS
        assert "never" in got.unreached
        assert not got.whole
        assert "not proved: " in got.evidence
        assert not got.block().strip().startswith("✓")
    assert report.partial == 2


@pytest.mark.parametrize("function", REFUSED, ids=name)
def test_what_is_no_function_of_its_arguments_is_refused_by_name(function):
    with pytest.raises(BadEstimator) as caught:
        check_estimator(
            made(function),
            only=["unbiased", "zero_sum"],
            on_fail="return",
            facts=False,
            max_examples=10,
        )
    assert REFUSED[function] in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.thorough
@pytest.mark.parametrize("function", share(TRANSCENDENTAL, 4), ids=name)
def test_logarithms_and_exponentials_kill_no_check_and_are_never_proved(function):
    report = check_estimator(made(function), on_fail="return", max_examples=10)
    proved = {got.law for got in report if got.verdict is Verdict.PROVED}
    # those that hold whatever the formula is, since it doesn't see what they speak of
    assert proved <= set()
    assert len(report.results) == 17


@pytest.mark.thorough
def test_several_shifts_are_tried():
    assert ask(made(periodic_in_the_shift), "shift_invariant").verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_small_float_factor_changes_no_verdict():
    from altpg_verify import estimator

    small = estimator(lambda pi, e, r, b: 1e-10 * (r - b) * e)
    exact = estimator(lambda pi, e, r, b: (r - b) * e / 10**10)
    one, other = (
        check_estimator(each, on_fail="return", facts=False, max_examples=20)
        for each in (small, exact)
    )
    assert [got.verdict for got in one] == [got.verdict for got in other]


@pytest.mark.thorough
@pytest.mark.parametrize("few", share([8, 9, 12], 3))
def test_a_formula_s_own_number_of_actions_is_tried(few):
    """What is proved for k = 2, 3 and 4 fails where the formula itself says so."""
    got = ask(
        made(lambda pi, e, r, b: (r - b) * (e - pi) * (1 + max(0, len(pi) - few))), "unbiased"
    )
    assert got.verdict is Verdict.REFUTED


def test_a_proof_says_which_lines_never_ran():
    def many(pi, e, r, b):
        if len(pi) > 90:
            return 0 * e
        return (r - b) * (e - pi)

    got = ask(made(many), "unbiased")
    assert got.verdict is Verdict.PROVED
    assert " never ran" in got.unreached
    assert not got.whole


def test_a_denominator_that_cannot_vanish_is_no_condition():
    def divided(pi, e, r, b, q, v):
        return (r - b) * (e - pi) / (1 + (pi**2 * q**2).sum()) / (1 + v**2 + (pi**3).sum())

    got = ask(made(divided), "zero_sum", max_examples=4)
    assert (got.verdict, got.conditions) == (Verdict.PROVED, ())


def test_a_denominator_that_may_vanish_is_a_condition_and_no_proof():
    def divided(pi, e, r, b, q):
        # zero only on a thin set that no case hits
        return (r - b) * (e - pi) * (q[0] * q[1] - b - 12345) / (q[0] * q[1] - b - 12345)

    got = ask(made(divided), "unbiased", max_examples=4)
    assert got.verdict is Verdict.HOLDS
    assert got.conditions == ("q_1*q_2 - b - 12345 ≠ 0",)
    assert "only where q_1*q_2 - b - 12345 ≠ 0" in got.evidence
    assert not got.whole


def test_a_report_says_once_what_was_searched():
    report = check_estimator(regular, only=["unbiased", "zero_sum"], facts=False)
    assert str(report).count("searched: ") == 1
    assert "k from 2 to 8" in report.searched


def test_a_small_formula_that_looks_at_types_is_no_proof():
    """What it does on Python's own floats is below any absolute tolerance."""

    def small(pi, e, r, b):
        return (r - b) * (e - pi) / 10**20 * (2 if type(r).__name__ == "float" else 1)

    got = ask(made(small), "unbiased_at_value")
    assert got.verdict is not Verdict.PROVED or not got.whole


def test_what_is_left_out_of_a_search_in_floats_is_said():
    some = {
        "only": ["unbiased", "zero_sum"],
        "on_fail": "return",
        "facts": False,
        "max_examples": 20,
    }
    report = check_estimator(made(lambda pi, e, r, b: (r - b) * (e - pi) * np.exp(0 * r)), **some)
    assert "in float64, so that cases with numbers nearer" in report.searched
    assert (
        "float64"
        not in check_estimator(made(lambda pi, e, r, b: (r - b) * (e - pi)), **some).searched
    )
