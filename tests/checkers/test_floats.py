"""What is compared exactly and what in float64, and what float64 may decide."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from altpg_verify import BadEstimator, Verdict, bandit, estimator, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.comparing_sides import ROUNDING, SATURATED, TOLERANCE
from altpg_verify.exactness import is_exact
from altpg_verify.laws import law_named
from tests.checkers.asking import CASE, ask, ask_mine, branches, rounded


def test_what_is_rounded_is_tried_in_float64():
    got = ask(rounded, "unbiased")
    assert (got.verdict, got.evidence) == (
        Verdict.HOLDS,
        "10 float64 cases; not proved: the formula converts its numbers",
    )
    assert is_exact(regular)
    assert is_exact(branches)
    assert not is_exact(rounded)
    wrong = estimator(lambda pi, e, r, b: 1.001 * rounded(pi=pi, e=e, r=r, b=b))
    got = ask(wrong, "unbiased", max_examples=100)
    assert (got.verdict, got.gap, got.holds_when) == (Verdict.REFUTED, "", ())


@pytest.mark.thorough
def test_floats_agree_within_the_tolerance_and_not_beyond():
    def off_by(size):
        return ask_mine(lambda est, case: ([1.0 + size], [1.0]), est=rounded).verdict

    # relative to |left| + |right| = 2
    assert TOLERANCE == 1e-9
    assert (off_by(1.9e-9), off_by(-1.9e-9)) == (Verdict.HOLDS, Verdict.HOLDS)
    assert (off_by(2.1e-9), off_by(-2.1e-9)) == (Verdict.REFUTED, Verdict.REFUTED)
    # a million is compared in proportion, on both sides
    large = ask_mine(lambda est, case: ([1e6 + 1.9e-3], [1e6]), est=rounded).verdict
    larger = ask_mine(lambda est, case: ([1e6 + 2.1e-3], [1e6]), est=rounded).verdict
    assert (large, larger) == (Verdict.HOLDS, Verdict.REFUTED)
    # an inequality may be missed by as much
    assert (
        ask_mine(lambda est, case: ([1.0 - 1.9e-9], [1.0]), ">=", est=rounded).verdict
        is Verdict.HOLDS
    )
    assert (
        ask_mine(lambda est, case: ([1.0 - 4e-9], [1.0]), ">=", est=rounded).verdict
        is Verdict.REFUTED
    )
    assert ask_mine(lambda est, case: ([9.0], [1.0]), ">=", est=rounded).verdict is Verdict.HOLDS
    assert (
        ask_mine(lambda est, case: ([9.0, 0.0], [1.0, 1.0]), ">=", est=rounded).verdict
        is Verdict.REFUTED
    )


@pytest.mark.thorough
def test_floats_of_either_sign_agree_up_to_the_tolerance_itself():
    def compared(left, right):
        return ask_mine(lambda est, case: ([left], [right]), est=rounded).verdict

    # nothing is small beside 0, and tiny sides are compared as large ones are
    assert compared(1e-300, 0.0) is Verdict.REFUTED
    assert compared(1e-30, 1.000000001e-30) is Verdict.HOLDS
    assert compared(1e-30, 1.000000003e-30) is Verdict.REFUTED
    assert compared(-1e6 - 1.9e-3, -1e6) is Verdict.HOLDS
    assert compared(-1e6 - 2.1e-3, -1e6) is Verdict.REFUTED


@pytest.mark.thorough
def test_exact_numbers_have_no_tolerance():
    tiny = Fraction(1, 10**30)
    assert ask_mine(lambda est, case: ([1 + tiny], [1])).verdict is Verdict.REFUTED
    assert ask_mine(lambda est, case: ([1], [1])).verdict is Verdict.PROVED
    assert ask_mine(lambda est, case: ([1 - tiny], [1]), ">=").verdict is Verdict.REFUTED
    assert ask_mine(lambda est, case: ([1, 2], [1, 3])).verdict is Verdict.REFUTED
    # exact and inexact numbers together are compared as floats; a truth value is no number
    assert ask_mine(lambda est, case: ([1.0 + 1e-10], [1])).verdict is Verdict.HOLDS
    assert ask_mine(lambda est, case: ([True], [1])).verdict is not Verdict.REFUTED


def test_an_exact_formula_is_tried_exactly_in_one_case_too():
    assert (
        ask_mine(lambda est, case: ([1 + Fraction(1, 10**30)], [1]), case=CASE).verdict
        is Verdict.REFUTED
    )


def test_a_law_on_floats_is_compared_to_the_last_bit():
    floats = replace(law_named("finite_when_saturated").domain, name="mine")
    assert (
        ask_mine(lambda est, case: ([1.0 + 1e-12], [1.0]), domain=floats).verdict is Verdict.REFUTED
    )
    got = ask_mine(lambda est, case: ([1.0], [1.0]), domain=floats)
    assert (got.verdict, got.evidence) == (Verdict.HOLDS, "10 float64 cases")


@pytest.mark.parametrize(
    ("left", "relation", "case", "verdict"),
    [
        ([1 + 5e-10], "=", CASE, Verdict.HOLDS),
        ([1 + 5e-9], "=", CASE, Verdict.REFUTED),
        ([1 - 5e-9], ">=", CASE, Verdict.REFUTED),
        ([1 - 5e-10], ">=", CASE, Verdict.HOLDS),
        ([9.0], ">=", CASE, Verdict.HOLDS),
        ([9.0], ">", CASE, Verdict.HOLDS),
        ([1 + 5e-14], ">", CASE, Verdict.INCONCLUSIVE),
        ([1 - 5e-14], "<", CASE, Verdict.INCONCLUSIVE),
        ([0.5], ">", CASE, Verdict.REFUTED),
        ([float("inf")], "=", CASE, Verdict.INCONCLUSIVE),
        ([float("nan")], ">=", CASE, Verdict.INCONCLUSIVE),
        # what is to be compared may be lost beside numbers much larger, or have no square
        (
            [1.0],
            "=",
            parse_case("pi=1/2,1/2; r=1000000000000,1000000000001; b=0"),
            Verdict.INCONCLUSIVE,
        ),
        ([1.0], "=", parse_case("pi=1/2,1/2; r=0,1e-200; b=0"), Verdict.INCONCLUSIVE),
        (
            [1e30],
            "=",
            parse_case("pi=1/2,1/2; r=1000000000000,1000000000001; b=0"),
            Verdict.REFUTED,
        ),
    ],
)
def test_one_case_in_float64_is_decided_only_where_rounding_allows(left, relation, case, verdict):
    got = ask_mine(lambda est, case: (left, [1.0]), relation, est=rounded, case=case)
    assert (got.verdict, got.examples) == (verdict, 1)
    assert got.reason.startswith("float64 can't tell: ") is (verdict is Verdict.INCONCLUSIVE)


def test_a_deviation_as_small_as_rounding_counts_only_where_the_policy_is_not_saturated():
    def sides(est, case):
        return [5e-14], [0.0]

    assert ask_mine(sides, est=rounded, case=CASE).verdict is Verdict.HOLDS
    saturated = parse_case("pi=1/100000000000,99999999999/100000000000; r=0,1; b=1")
    assert ask_mine(sides, est=rounded, case=saturated).verdict is Verdict.INCONCLUSIVE
    assert (
        ask_mine(lambda est, case: ([0.0], [0.0]), est=rounded, case=saturated).verdict
        is Verdict.HOLDS
    )
    assert ask_mine(lambda est, case: ([], []), est=rounded, case=CASE).verdict is Verdict.HOLDS


def in_floats(left, right, relation="=", case=CASE):
    return ask_mine(
        lambda est, case: (left, right),
        relation,
        est=rounded,
        case=parse_case(case) if isinstance(case, str) else case,
    ).verdict


@pytest.mark.parametrize(
    ("left", "right", "relation", "case", "verdict"),
    [
        # the tolerance is relative to the largest entry of either side, whatever its sign
        ([1e6, 1.0], [1e6, 1.0 + 5e-4], "=", CASE, Verdict.HOLDS),
        ([-1e6], [-1e6 - 5e-4], "=", CASE, Verdict.HOLDS),
        ([1e-6], [1e-6 + 1e-10], "=", "pi=1/2,1/2; r=0,1/1000; b=0", Verdict.REFUTED),
        ([1.0, 1e-9], [1.0, 0.0], "=", "pi=1/2,1/2; r=0,1e-100; b=0", Verdict.HOLDS),
        # the entry that is furthest off decides, and for a strict inequality the one that is
        # nearest
        ([1.0 + 1e-10, 2.0], [1.0, 1.0], "=", CASE, Verdict.REFUTED),
        ([1.0 + 5e-14, 9.0], [1.0, 1.0], ">", CASE, Verdict.INCONCLUSIVE),
        # rounding is a share of the rewards, or of their squares
        ([5e-12], [0.0], "=", "pi=1/2,1/2; r=0,10; b=0", Verdict.INCONCLUSIVE),
        ([5e-11], [0.0], "=", "pi=1/2,1/2; r=0,10; b=0", Verdict.REFUTED),
        ([5e-17], [0.0], "=", "pi=1/2,1/2; r=0,1/1000; b=0", Verdict.INCONCLUSIVE),
        ([5e-20], [0.0], "=", "pi=1/2,1/2; r=0,1/1000; b=0", Verdict.HOLDS),
        ([ROUNDING], [0.0], "=", CASE, Verdict.HOLDS),
        ([ROUNDING], [0.0], ">", CASE, Verdict.INCONCLUSIVE),
        # rewards may hide each other, and 0 is a number beside them
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=0,1/2; b=0", Verdict.HOLDS),
        (
            [1.0],
            [1.0],
            "=",
            "pi=1/2,1/2; r=-1000000000000,-999999999999; b=0",
            Verdict.INCONCLUSIVE,
        ),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=0,1; b=1/1000000", Verdict.INCONCLUSIVE),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=1,10000; b=0", Verdict.HOLDS),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=9,5; b=0", Verdict.HOLDS),
        ([1.0], [1.0], "=", "pi=1/2,1/2; r=1e-200,1e-200; b=1e-200", Verdict.INCONCLUSIVE),
        ([1.0], [1.0], "=", bandit([0, 1e-150], ["1/2", "1/2"], 0), Verdict.HOLDS),
        ([1.0], [0.0], "=", "pi=1/2,1/2; r=0,0; b=0", Verdict.REFUTED),
        # a policy at a corner, or one just likely enough, loses nothing
        ([5e-14], [0.0], "=", "pi=0,1; r=0,1; b=1", Verdict.HOLDS),
        (
            [5e-14],
            [0.0],
            "=",
            bandit([0, 1], [SATURATED, 1 - Fraction(SATURATED)], 1),
            Verdict.HOLDS,
        ),
    ],
)
def test_what_rounding_may_hide_in_one_case(left, right, relation, case, verdict):
    assert in_floats(left, right, relation, case) is verdict


def test_a_formula_is_exact_if_every_entry_is_and_is_asked_with_three_actions():
    seen = set()

    @estimator
    def partly(pi, e, r, b):
        seen.add(len(pi))
        return [r - b, *(0.5 for _ in pi[1:])]

    assert not is_exact(partly)

    @estimator
    def exactly(pi, e, r, b):
        seen.add(len(pi))
        return (r - b) * (e - pi)

    assert is_exact(exactly)
    assert seen == {3}


def test_an_estimator_that_works_nowhere_says_what_floats_said():
    def only_arrays(pi, e, r, b):
        raise TypeError("exact" if isinstance(b, Fraction) else "floats")

    with pytest.raises(BadEstimator, match="raised TypeError: floats") as caught:
        is_exact(estimator(only_arrays))
    assert "raised TypeError: exact" in str(caught.value.__cause__)

    def needs_floats(pi, e, r, b):
        if isinstance(b, Fraction):
            raise TypeError("exact")
        return (r - b) * (e - pi)

    assert not is_exact(estimator(needs_floats))
    assert ask(estimator(needs_floats), "unbiased").evidence.startswith(
        "10 float64 cases; not proved: the formula could tell"
    )
