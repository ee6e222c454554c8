"""What a refutation shows: the smallest case and both sides there, the gap as a formula, and when
the law holds after all.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from altpg_verify import Verdict, alternate, escort, estimator, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.search import sample
from altpg_verify.strategies import cases
from tests.checkers.asking import CASE, ask, ask_mine, rounded


@pytest.mark.thorough
def test_a_refutation_shows_both_sides_its_gap_and_when_the_law_holds():
    got = ask(estimator(alternate.formula), "unbiased", origin="here:it")
    found = got.counterexample
    assert (found.case, found.left, found.right) == (
        "π = (1/2, 1/2)   r = (0, 0)   b = 1",
        "(-1/2, -1/2)",
        "(0, 0)",
    )
    assert (
        found.replay
        == 'python -m altpg_verify check here:it --only unbiased --case "pi=1/2,1/2; r=0,0; b=1"'
    )
    assert (got.gap, got.holds_when) == (
        "(v - b) π   [proved for k = 2, 3, 4]",
        ("b = v (40 exact cases)",),
    )
    assert ask(
        estimator(name="it")(alternate.formula), "unbiased"
    ).counterexample.replay.startswith(
        "python -m altpg_verify check altpg_verify.estimators:it --only"
    )


@pytest.mark.thorough
def test_under_another_policy_the_replay_says_which():
    got = ask(regular, "unbiased", parameterisation=escort(2), origin="here:it")
    assert ' --only unbiased --policy escort:2 --case "theta=' in got.counterexample.replay
    again = ask(
        regular,
        "unbiased",
        parameterisation=escort(2),
        case=parse_case(got.counterexample.replay.split('"')[1], "escort:2"),
    )
    assert again.verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("formula", "name", "gap", "conditions"),
    [
        (lambda pi, e, r, b: r * (e - pi) + pi * 0, "baseline_invariant", None, None),
        (
            lambda pi, e, r, b: 2 * (r - b) * (e - pi),
            "unbiased",
            "-(v - q) π",
            ["every action pays the same"],
        ),
        (lambda pi, e, r, b: (r - b) * (e - pi) + b * pi, "unbiased", "b π", ["b = 0"]),
        (
            lambda pi, e, r, b: (r - b) * (e - [Fraction(1, len(pi))] * len(pi)),
            "unbiased",
            None,
            ["b = v", "the policy is uniform"],
        ),
        (lambda e, r, b: (r - b) * e, "quiet_at_corner", "σ² π", ["rewards have no noise"]),
    ],
)
def test_conditions_under_which_a_law_holds_after_all(formula, name, gap, conditions):
    got = ask(estimator(formula), name)
    if conditions is None:
        assert got.verdict is Verdict.PROVED
        return
    assert [condition.partition(" (")[0] for condition in got.holds_when] == conditions
    if gap:
        assert got.gap.startswith(f"{gap}   [proved for k = 2, 3, 4]")


def test_a_gap_that_is_no_rational_function_fits_but_is_not_proved():
    @estimator
    def forked(e, r, b):
        return (r - b) * e if b == b + 0 and r >= r else e

    assert ask(forked, "zero_sum").gap == "(R - b)   [fits 40 cases exactly]"


def test_a_gap_that_does_not_fit_every_case_is_not_shown():
    odd = sample(cases(), 40, 1)[20]

    @estimator
    def mostly(pi, e, r, b):
        return (r - b) * e + e * (b == odd.b and list(pi) == list(odd.pi))

    got = ask(mostly, "zero_sum")
    assert (got.verdict, got.gap) == (Verdict.REFUTED, "")


def test_long_sides_are_cut_and_floats_are_short():
    got = ask_mine(
        lambda est, case: ([Fraction(n) for n in range(13)], [0] * 13), case=CASE
    ).counterexample
    assert got.left == "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... 13 entries)"
    assert (
        ask_mine(
            lambda est, case: ([Fraction(n) for n in range(12)], [0] * 12), case=CASE
        ).counterexample.left
        == "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)"
    )
    assert ask_mine(lambda est, case: ([1], [0]), case=CASE).counterexample.left == "1"
    assert (
        ask_mine(lambda est, case: ([1 / 3, 2], [0, 0]), case=CASE).counterexample.left
        == "(0.333333, 2)"
    )


def test_the_counterexample_of_a_rounded_formula_is_shown_in_floats():
    got = ask(
        estimator(lambda pi, e, r, b: rounded(pi=pi, e=e, r=r, b=b) + 0.25), "zero_sum", case=CASE
    )
    assert (got.counterexample.left, got.counterexample.case) == ("(0.5, 0.5)", CASE.describe())
