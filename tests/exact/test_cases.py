"""A case: its derived numbers, its variants, how it is written and read; and what an evaluation
refuses.
"""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import alternate, bandit, escort, estimator
from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case, check_case, vector
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.exact import (
    evaluate,
    expected_update,
    policy_gradient,
    update_jacobian,
    without_shift,
)
from altpg_verify.forward_mode import Dual
from altpg_verify.parameterisations import softmax

TEXT = "pi=1/2,1/3,1/6; r=0@1/2|2@1/2,3,1@1/3|4@2/3; b=1/2"
CASE = parse_case(TEXT)
ESCORTED = parse_case("theta=-1,2; r=0,1; b=1", "escort:2")


def test_derived_numbers():
    assert CASE.k == 3
    assert list(CASE.pi) == [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    assert list(CASE.q) == [1, 3, 3]
    assert list(CASE.sigma2) == [1, 0, 2]
    assert CASE.v == 2
    assert list(CASE.theta) == pytest.approx([math.log(1 / 2), math.log(1 / 3), math.log(1 / 6)])
    assert list(ESCORTED.theta) == [-1, 2]
    assert (list(ESCORTED.pi), ESCORTED.v) == ([Fraction(1, 5), Fraction(4, 5)], Fraction(4, 5))


def test_arguments_of_a_draw():
    offered = CASE.arguments(1, Fraction(3))
    assert (offered["r"], offered["b"]) == (3, Fraction(1, 2))
    assert list(offered["e"]) == [0, 1, 0]
    assert all(isinstance(entry, int) for entry in offered["e"])
    assert list(offered["h"]) == [-1, 1, 1]
    assert list(offered["q"]) == list(CASE.q)
    assert list(offered["pi"]) == list(CASE.pi)
    assert offered["v"] == 2
    assert list(offered["theta"]) == list(CASE.theta)
    assert CASE.as_float().arguments(1, 3.0)["e"].dtype == float
    assert list(CASE.as_float().arguments(1, 3.0)["e"]) == [0.0, 1.0, 0.0]


def test_the_preferences_are_computed_only_if_asked_for():
    class NoLogarithm(Case):
        @property
        def theta(self):
            raise AssertionError("theta was computed")

    case = NoLogarithm(CASE.x, CASE.rewards, CASE.b)
    assert list(evaluate(alternate, case, 0, Fraction(2))) == [Fraction(3, 2), 0, 0]


def test_draws_and_sums_over_them():
    case = Case(
        (Fraction(1, 4), Fraction(3, 4), Fraction(0)),
        (
            ((2, Fraction(1)),),
            ((1, Fraction(1, 3)), (9, Fraction(0)), (4, Fraction(2, 3))),
            ((7, Fraction(1)),),
        ),
        0,
    )
    assert list(case.draws()) == [
        (Fraction(1, 4), 0, 2),
        (Fraction(1, 4), 1, 1),
        (Fraction(1, 2), 1, 4),
    ]
    assert (
        case.expectation(lambda action, reward: 10 * action + reward)
        == Fraction(1, 4) * 2 + Fraction(1, 4) * 11 + Fraction(1, 2) * 14
    )
    assert case.outcomes(lambda action, reward: (action, reward)) == [(0, 2), (1, 1), (1, 4)]


def test_variants_change_one_thing():
    assert CASE.with_baseline(9) == Case(CASE.x, CASE.rewards, 9)
    assert CASE.at_value() == Case(CASE.x, CASE.rewards, 2)
    moved = CASE.translated(5)
    assert (list(moved.q), moved.b, list(moved.sigma2), list(moved.pi)) == (
        [6, 8, 8],
        Fraction(11, 2),
        list(CASE.sigma2),
        list(CASE.pi),
    )
    renamed = CASE.relabelled([2, 0, 1])
    assert (list(renamed.pi), list(renamed.q), renamed.b) == (
        [Fraction(1, 6), Fraction(1, 2), Fraction(1, 3)],
        [3, 1, 3],
        CASE.b,
    )
    scaled = CASE.rescaled(3)
    assert list(scaled.x) == [Fraction(3, 2), 1, Fraction(1, 2)]
    assert list(scaled.pi) == list(CASE.pi)
    for case in (moved, renamed, scaled, ESCORTED.translated(1)):
        assert case.parameterisation is (ESCORTED if case.k == 2 else CASE).parameterisation


def test_in_float64_everything_is_a_float():
    case = CASE.as_float()
    assert (list(case.x), case.b) == ([1 / 2, 1 / 3, 1 / 6], 0.5)
    numbers = [
        *case.x,
        case.b,
        *(number for outcomes in case.rewards for outcome in outcomes for number in outcome),
    ]
    assert all(isinstance(number, float) for number in numbers)
    assert case.pi.dtype == case.q.dtype == float


def test_derivatives_in_the_preferences_are_carried_along():
    lifted = CASE.lifted()
    for a in range(3):
        p = lifted.pi[a]
        assert p.value == CASE.pi[a]
        assert list(p.gradient) == [CASE.pi[a] * ((a == c) - CASE.pi[c]) for c in range(3)]
    assert lifted.b == CASE.b
    assert not isinstance(lifted.b, Dual)
    assert list(policy_gradient(CASE)) == [CASE.pi[a] * (CASE.q[a] - 2) for a in range(3)]


def test_a_policy_has_a_slope_for_each_action():
    short = replace(softmax, slope=lambda x: x[:-1])
    with pytest.raises(ValueError, match="zip"):
        replace(CASE, parameterisation=short).lifted()


def test_the_jacobian_is_by_row_and_column():
    jacobian = update_jacobian(alternate, CASE)
    for a in range(3):
        for c in range(3):
            assert jacobian[a, c] == CASE.pi[a] * ((a == c) - CASE.pi[c]) * (CASE.q[a] - CASE.b)
    assert jacobian.dtype == update_jacobian(alternate, CASE.as_float()).dtype == object


def test_a_shift_is_taken_out_of_rows_and_columns():
    matrix = np.array([[1, 2, 6], [3, 5, 4], [8, 0, 7]], dtype=object)
    got = without_shift(matrix)
    k = Fraction(3)
    for a in range(3):
        for c in range(3):
            assert (
                got[a, c]
                == matrix[a, c]
                - matrix[a].sum() / k
                - matrix[:, c].sum() / k
                + matrix.sum() / k / k
            )
    assert list(without_shift(np.array([1, 2, 6], dtype=object))) == [-2, -1, 3]


def test_vectors_of_any_numbers():
    assert vector([1.0, 2.0]).dtype == float
    assert vector([1.0, 2]).dtype == object
    assert vector([Fraction(1), 2]).dtype == object
    assert vector([(1, 2), (3, 4)]).shape == (2,)


def test_as_a_reader_writes_it():
    assert CASE.describe() == "π = (1/2, 1/3, 1/6)   r = (0@1/2|2@1/2, 3, 1@1/3|4@2/3)   b = 1/2"
    assert str(CASE) == TEXT
    assert ESCORTED.describe() == "θ = (-1, 2)   π = (1/5, 4/5)   r = (0, 1)   b = 1"
    assert str(ESCORTED) == "theta=-1,2; r=0,1; b=1"
    assert str(CASE.lifted()) == TEXT
    # one outcome that isn't certain is written with its probability
    assert str(Case((1, 1), (((2, Fraction(1, 2)),), ((3, 1),)), 0)).split("; ")[1] == "r=2@1/2,3"


def test_reading_is_as_lenient_as_it_is_clear():
    assert parse_case(" b = 1/2 ;pi=1/2, 1/3 ,1/6;; r = 0@1/2|2@1/2 , 3,1@1/3|4@2/3; ") == CASE
    assert parse_case("pi=0.5,1/2; r=0,1; b=-2.5").b == Fraction(-5, 2)
    assert parse_case("pi=0.5,1/2; r=1e1000,1; b=1E-1000").b * 10**1000 == 1
    assert str(bandit([1, "1/2"], ["1/4", 0.75], 2, escort(2))) == "theta=1/4,3/4; r=1,1/2; b=2"
    assert bandit([1, "1/2"], ["1/4", 0.75], "1/3").rewards == (((1, 1),), ((Fraction(1, 2), 1),))


@pytest.mark.parametrize(
    ("text", "policy", "words"),
    [
        ("pi=1/2,1/2; r=0,1", "softmax", 'case: b missing; write it like "pi=1/2,1/2; r=0,1; b=1"'),
        ("b=1", "softmax", "case: pi, r missing"),
        ("theta=1,2; r=0,1; b=1", "softmax", "case: can't use 'theta=1,2'"),
        (
            "pi=1/2,1/2; r=0,1; b=1",
            "escort:2",
            "case: can't use 'pi=1/2,1/2'; write it like \"theta=1/2,1/2",
        ),
        ("pi=1/2,1/2; r=0,1; b", "softmax", "case: can't use 'b'"),
        ("pi=1/2,1/2; r=0,1; b=1; b=2", "softmax", "case: can't use 'b=2'"),
        ("pi=1/2,1/2; r=0,1; b=", "softmax", "case: b has '', which is no number"),
        ("pi=1/2,1/2; r=0,1; b=1e1001", "softmax", "'1e1001'"),
        ("pi=1/2,1/2; r=0,1; b=1E-1001", "softmax", "'1E-1001'"),
        ("pi=1/2,x; r=0,1; b=1", "softmax", "case: pi has 'x', which is no number"),
        ("theta=1,x; r=0,1; b=1", "escort:2", "case: theta has 'x', which is no number"),
        ("pi=1/2,1/2; r=0,1@x; b=1", "softmax", "case: r has 'x', which is no number"),
        ("pi=1/2,1/2; r=0,1/0; b=1", "softmax", "case: r has '1/0', which is no number"),
        (
            "pi=1/2,1/2; r=0,1@1/2; b=1",
            "softmax",
            "the reward distribution of action 1 sums to 1/2, not to 1",
        ),
        (
            "pi=1/2,1/2; r=0,1@3/2|1@-1/2; b=1",
            "softmax",
            "the reward distribution of action 1 has the negative probability -1/2",
        ),
        ("pi=1/2,1/2; r=0; b=1", "softmax", "the policy has 2 actions and r has 1"),
        ("pi=1; r=0; b=1", "softmax", "the policy has 1 action; give at least 2"),
        ("pi=2,-1; r=0,1; b=1", "softmax", "pi has the negative probability -1"),
        ("pi=1,1; r=0,1; b=1", "softmax", "pi sums to 2, not to 1"),
        ("theta=0,0; r=0,1; b=1", "escort:2", "theta is zero for every action"),
    ],
)
def test_what_is_no_case(text, policy, words):
    with pytest.raises(BadInput) as caught:
        parse_case(text, policy)
    assert words in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_boundary_is_in():
    assert list(parse_case("pi=1,0; r=0,1; b=1").pi) == [1, 0]
    assert list(parse_case("theta=0,-1; r=0,1; b=1", "escort:2").pi) == [0, 1]
    assert check_case(CASE) is CASE


def test_a_case_stays_as_it_is():
    with pytest.raises(FrozenInstanceError):
        CASE.b = 0


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (3, "returned a single number instead of shape (3,)"),
        (np.array(3.0), "returned a single number instead of shape (3,)"),
        ([1, 2], "returned shape (2,) instead of shape (3,)"),
        (np.ones((3, 1)), "returned shape (3, 1) instead of shape (3,)"),
        ([1, 2, 1j], "returned the complex number 1j"),
        (np.array([1, 2, 1j]), "returned the complex number"),
        ([1, 2, None], "returned None"),
        ([1, 2, "3"], "returned '3'"),
        ([1, 2, b"3"], "returned b'3'"),
        ([1, 2, math.nan], "returned nan"),
        ([1, 2, -math.inf], "returned -inf"),
    ],
)
def test_an_estimate_that_is_none(returned, words):
    with pytest.raises(BadEstimator) as caught:
        evaluate(estimator(name="it")(lambda r: returned), CASE, 1, Fraction(3))
    assert str(caught.value).startswith("estimator 'it' " + words)
    assert f"for action 1, reward 3, case {TEXT}" in str(caught.value)


def test_an_estimate_may_be_a_list_a_tuple_or_infinite_where_that_is_asked():
    for returned in ([1, 2, 3], (1, 2, 3), np.array([1, 2, 3])):
        assert list(evaluate(estimator(lambda r, value=returned: value), CASE, 0, 0)) == [1, 2, 3]
    infinite = estimator(lambda r: [1, math.inf, math.nan])
    assert not np.isfinite(evaluate(infinite, CASE, 0, 0, finite=False).astype(float)).all()


def test_an_estimator_that_raises_is_named_with_the_draw():
    def breaks(r):
        raise KeyError("x")

    with pytest.raises(
        BadEstimator,
        match=r"estimator 'breaks' raised KeyError: 'x' for action 2, reward 4, case pi=",
    ) as caught:
        evaluate(estimator(breaks), CASE, 2, Fraction(4))
    assert isinstance(caught.value.__cause__, KeyError)

    def unusable(r):
        raise BadInput("say no more")

    with pytest.raises(BadInput, match=r"^say no more$"):
        evaluate(estimator(unusable), CASE, 2, Fraction(4))


def test_floating_point_trouble_inside_a_formula_is_quiet():
    quiet = estimator(lambda r: np.array([1.0, 2.0, 3.0]) / np.array([0.0, 1.0, 1.0]))
    assert evaluate(quiet, CASE, 0, 0, finite=False)[0] == math.inf


def test_an_expectation_over_no_draw_is_zero():
    nothing = Case((Fraction(1), Fraction(0)), (((1, Fraction(0)),), ((1, Fraction(1)),)), 0)
    assert list(expected_update(alternate, nothing)) == [0, 0]
