"""Exact differentiation: against sympy on random rational formulas, and against a planted fault."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from altpg_verify.forward_mode import Dual, divide, gradient_of, value_of

NUMBERS = st.builds(Fraction, st.integers(-5, 5), st.integers(1, 4))

FORMULAS = (
    lambda x, y: x * y + 2 * x - y / 3,
    lambda x, y: (x - y) / (x * x + y * y + 1),
    lambda x, y: 3 / (x * x + 2) - y**3,
    lambda x, y: -((1 - x) ** 2) * y + y * Fraction(1, 2),
    lambda x, y: +x / (2 + y * y) + 5 - x,
)


@pytest.mark.parametrize("formula", FORMULAS)
@given(x=NUMBERS, y=NUMBERS)
@settings(max_examples=50)
def test_derivatives_equal_those_of_sympy(formula, x, y):
    got = formula(Dual(x, (1, 0)), Dual(y, (0, 1)))
    a, b = sympy.symbols("a b")
    expression = sympy.sympify(formula(a, b))
    at = {
        a: sympy.Rational(x.numerator, x.denominator),
        b: sympy.Rational(y.numerator, y.denominator),
    }
    assert sympy.Rational(str(value_of(got))) == expression.subs(at)
    assert [sympy.Rational(str(g)) for g in gradient_of(got, 2)] == [
        expression.diff(s).subs(at) for s in (a, b)
    ]


def test_a_wrong_derivative_would_be_seen():
    squared = Dual(Fraction(3), (1,)) * Dual(Fraction(3), (1,))
    assert squared.gradient == (6,)
    assert squared.gradient != (3,)


def test_ints_stay_exact_under_division():
    assert divide(1, 3) == Fraction(1, 3)
    assert isinstance((Dual(1, (1,)) / 3).gradient[0], Fraction)


def test_order_looks_at_the_value_and_abs_flips_the_derivative():
    negative = Dual(Fraction(-2), (1,))
    assert negative < 0
    assert negative <= -2
    assert abs(negative) >= 2
    assert abs(negative).gradient == (-1,)
    assert negative == -2


def test_powers_that_are_not_whole_are_refused():
    with pytest.raises(TypeError):
        Dual(2, (1,)) ** 0.5
