"""What an estimator is: its names, what it asks for, what it is marked with; and how preferences
become a policy.
"""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest

from altpg_verify import alternate, escort, estimator, expected_gradient, regular
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import ARGUMENTS, POLICY_GRADIENT, SAMPLED, escort_regular
from altpg_verify.forward_mode import Dual, divide, gradient_of, log, value_of
from altpg_verify.parameterisations import named, softmax

DRAW = {"pi": 2, "e": 5, "r": 7, "b": 4}


def test_the_estimators_of_the_paper():
    assert regular(**DRAW) == (7 - 4) * (5 - 2)
    assert alternate(**DRAW) == (7 - 4) * 5
    assert expected_gradient(pi=2, q=7, v=4) == 2 * (7 - 4)
    assert escort_regular(3)(theta=4, **DRAW) == 3 * (7 - 4) * (5 - 2) / 4
    assert (regular.needs, alternate.needs, escort_regular(3).needs) == (
        ("pi", "e", "r", "b"),
        ("e", "r", "b"),
        ("theta", "pi", "e", "r", "b"),
    )


def test_what_the_alternate_estimator_is_marked_with_and_promises():
    assert set(alternate.expected_failures) == {
        "unbiased",
        "baseline_invariant",
        "vanishes_at_corner",
        "zero_sum",
        "conservative",
    }
    assert alternate.promises == (
        "touches_taken_action_only",
        "optimistic_attracts",
        "pessimistic_repels",
    )
    assert (dict(regular.expected_failures), regular.promises) == ({}, ())


def test_only_what_is_needed_is_looked_up():
    class Offered(dict):
        def __missing__(self, name):
            raise AssertionError(f"{name} was looked up")

    assert alternate.at(Offered(e=1, r=3, b=1)) == 2
    assert alternate(e=1, r=3, b=1, pi="extra") == 2


def test_names_needs_and_words():
    @estimator
    def plain(r, e):
        """First line.

        Second line.
        """
        return r * e

    assert (plain.name, plain.needs, plain.summary, plain.target) == (
        "plain",
        ("r", "e"),
        "First line.",
        POLICY_GRADIENT,
    )
    assert repr(plain) == "<estimator plain(r, e)>"
    assert (dict(plain.expected_failures), plain.promises) == ({}, ())
    assert estimator(lambda r: r).summary == ""
    assert escort_regular(2).summary.startswith("2 (R - b)(e_A - π)/θ")
    assert escort_regular(2).name == "escort_regular(2)"


def test_everything_can_be_said_of_an_estimator():
    made = estimator(
        name="mine", target="another", expected_failures={"zero_sum": "why"}, promises=("unbiased",)
    )(lambda e: e)
    assert (made.name, made.target, made.expected_failures, made.promises) == (
        "mine",
        "another",
        {"zero_sum": "why"},
        ("unbiased",),
    )
    with pytest.raises(FrozenInstanceError):
        made.name = "yours"
    # two estimators are the same only if they are one object
    assert made != estimator(name="mine")(made.formula)
    assert len({made, estimator(made.formula)}) == 2


def test_arguments_of_its_own_may_have_defaults():
    def scaled(r, e, factor=2):
        return factor * r * e

    made = estimator(scaled)
    assert made.needs == ("r", "e")
    assert made(r=1, e=3, factor=9) == 6


def test_every_argument_can_be_asked_for_and_has_a_meaning():
    assert set(ARGUMENTS) == {"theta", "pi", "e", "r", "b", "q", "v", "h"}
    assert {"e", "r"} == SAMPLED
    for name in ARGUMENTS:
        made = estimator(eval(f"lambda {name}: {name}"))
        assert made.needs == (name,)
        assert made(**{name: 1}) == 1


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: estimator(3), "estimator 'estimator' is not a function"),
        (lambda: estimator(name="it")(3), "estimator 'it' is not a function"),
        (lambda: estimator(lambda *r: r), "takes *r; name each argument instead"),
        (lambda: estimator(lambda **r: r), "takes *r; name each argument instead"),
        (
            lambda: estimator(lambda e, x: e),
            (
                "asks for 'x', which is not an argument; choose from theta: (k,) action"
                " preferences; pi"
            ),
        ),
        (lambda: estimator(lambda x=1: x), "asks for none of the arguments theta, pi"),
        (
            lambda: estimator(expected_failures={"unbiased": ""})(lambda e: e),
            "expected_failures['unbiased'] needs a reason",
        ),
        (
            lambda: estimator(expected_failures={"unbiased": None})(lambda e: e),
            "expected_failures['unbiased'] needs a reason",
        ),
        (lambda: escort_regular(0), "must be a whole number of at least 1, not 0"),
        (lambda: escort_regular(2.0), "must be a whole number of at least 1, not 2.0"),
    ],
)
def test_what_is_no_estimator(make, words):
    with pytest.raises(BadEstimator) as caught:
        make()
    assert words in str(caught.value)


def test_the_smallest_powers():
    assert escort_regular(1)(theta=4, **DRAW) == Fraction(9, 4)
    assert escort(1).policy([1, -3]) == [Fraction(1, 4), Fraction(3, 4)]
    for power in (0, -1, 1.0, "2"):
        with pytest.raises(BadInput, match="whole number of at least 1"):
            escort(power)


def test_policies_in_their_coordinates():
    x = [Fraction(1), Fraction(-3), Fraction(2)]
    assert softmax.policy([Fraction(1), Fraction(3)]) == [Fraction(1, 4), Fraction(3, 4)]
    assert escort(2).policy(x) == [Fraction(1, 14), Fraction(9, 14), Fraction(4, 14)]
    assert escort(3).policy(x) == [Fraction(1, 36), Fraction(27, 36), Fraction(8, 36)]
    # dx/dθ: x itself for x = e^θ, one for x = θ
    assert list(softmax.slope(x)) == x
    assert escort(2).slope(x) == [1, 1, 1]
    assert escort(2).preferences(x) == x
    assert softmax.preferences([1.0, math.e]) == pytest.approx([0.0, 1.0])


def test_what_is_said_of_policies():
    assert (softmax.name, softmax.normalised, softmax.signed, softmax.shift_invariant) == (
        "softmax",
        True,
        False,
        True,
    )
    assert (escort(2).name, escort(2).normalised, escort(2).signed, escort(2).shift_invariant) == (
        "escort:2",
        False,
        True,
        False,
    )
    with pytest.raises(FrozenInstanceError):
        softmax.name = "hardmax"


def test_policies_by_name():
    assert named("softmax") is softmax
    assert named("escort:12") is escort(12)
    assert named("escort:999") is escort(999)
    with pytest.raises(BadInput, match=r"policy 'escort:1000'"):
        named("escort:1000")
    for text in ("escort", "escort:", "escort:x", "escort:-1"):
        with pytest.raises(BadInput, match="write the escort power as a whole number"):
            named(text)
    for text in ("softmax:2", "gibbs", "gibbs:2", ""):
        with pytest.raises(BadInput, match="is not known; choose softmax or escort:P"):
            named(text)


def test_duals_compare_by_value_and_carry_their_derivatives():
    x = Dual(Fraction(2), (1, 0))
    assert [x < 3, x < 2, x <= 2, x <= 1, x > 1, x > 2, x >= 2, x >= 3, x == 2, x == 3] == [
        True,
        False,
    ] * 5
    assert [x < Dual(3, ()), x > Dual(3, ()), x == Dual(2, (5, 5))] == [True, False, True]
    assert abs(x).gradient == (1, 0)
    assert abs(Dual(0, (1,))).gradient == (1,)
    assert (+x).gradient == (1, 0)
    assert repr(x) == "Dual(2, (1, 0))"
    assert x.gradient == (1, 0)


def test_a_power_of_zero_is_one_and_does_not_move():
    for value in (Fraction(3), Fraction(0)):
        got = Dual(value, (1,)) ** 0
        assert (got.value, got.gradient) == (1, (0,))
    inverse = Dual(Fraction(2), (1,)) ** -1
    assert (inverse.value, inverse.gradient) == (Fraction(1, 2), (Fraction(-1, 4),))


def test_derivatives_in_different_variables_do_not_mix():
    for operation in (lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y):
        with pytest.raises(ValueError, match="zip"):
            operation(Dual(Fraction(2), (1,)), Dual(Fraction(2), (1, 0)))


def test_duals_leave_arrays_to_numpy():
    import numpy as np

    x, row = Dual(Fraction(2), (1,)), np.array([Fraction(3), Fraction(4)], dtype=object)
    for one, values, slopes in (
        (x + row, [5, 6], [1, 1]),
        (row + x, [5, 6], [1, 1]),
        (x - row, [-1, -2], [1, 1]),
        (row - x, [1, 2], [-1, -1]),
        (x * row, [6, 8], [3, 4]),
        (row * x, [6, 8], [3, 4]),
        (x / row, [Fraction(2, 3), Fraction(1, 2)], [Fraction(1, 3), Fraction(1, 4)]),
        (row / x, [Fraction(3, 2), 2], [Fraction(-3, 4), -1]),
    ):
        assert [entry.value for entry in one] == values
        assert [entry.gradient[0] for entry in one] == slopes


def test_logarithms_with_derivatives():
    got = log(Dual(2, (1, 3)))
    assert got.value == math.log(2)
    assert got.gradient == (Fraction(1, 2), Fraction(3, 2))
    assert log(Fraction(1, 2)) == math.log(0.5)
    assert log(0) == -math.inf
    assert log(1) == 0.0


def test_values_and_gradients_of_any_number():
    assert (value_of(3), value_of(Dual(3, (1,)))) == (3, 3)
    assert (gradient_of(3, 2), gradient_of(Dual(3, (1, 5)), 2)) == ((0, 0), (1, 5))


def test_division_stays_exact_where_it_can():
    assert divide(1, 3) == Fraction(1, 3)
    assert isinstance(divide(4, 2), Fraction)
    assert divide(1.0, 4) == 0.25
    assert divide(1, 4.0) == 0.25
    assert isinstance(divide(1, 4.0), float)
