"""What is kept of one condition: whether numbers varied, which of two is the smaller, which ways were
met.
"""

from __future__ import annotations

import ast
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.untrusted.condition_records import Condition, Varied, Where, numbers
from altpg_verify.untrusted.condition_syntax import Site, _alike


def condition():
    return Condition(Site(ast.parse("x", mode="eval").body, None), Where())


def varies(*values, exactly=False):
    varied = Varied(exactly=exactly)
    for value in values:
        varied.add(value)
    return varied.varies


@pytest.mark.parametrize(
    ("values", "exactly", "expected"),
    [
        ((1.0, 2.0), False, True),
        ((1.0, 1.0), False, False),
        ((1.0, 1 + 1e-12), False, False),
        ((1.0, 1 + 1e-12), True, True),
        ((1.0, 1 + 1e-7), False, True),
        ((-1.0, -1 - 1e-7), False, True),
        ((-1.0, -1 - 1e-12), False, False),
        ((0.0, 1e-30), False, True),
        ((np.float32(1), np.float32(1 + 1e-6)), False, False),
        ((np.float32(1), np.float32(1 + 1e-6)), True, True),
        ((np.float32(1), np.float32(1.01)), False, True),
        ((np.nan, 1.0, np.inf, 1.0), False, False),
        ((np.array([1.0, 2.0]),), False, True),
        ((np.array([]), 1.0), False, False),
        ((Fraction(1, 3), Fraction(1, 2)), False, True),
        (("a", "a"), False, False),
        (("a", "b"), False, True),
        ((b"a", b"b"), False, True),
        ((object(), object()), False, False),
    ],
)
def test_numbers_vary_by_more_than_rounding(values, exactly, expected):
    assert varies(*values, exactly=exactly) is expected


@pytest.mark.parametrize(
    ("one", "other", "less", "more"),
    [
        (1.0, 2.0, True, False),
        (1.5, 1.0, False, True),
        (1.0, 1.0, False, False),
        (1.0, 1 + 1e-7, True, False),
        (1.0, 1 + 1e-12, False, False),
        (1e6, 1e6 + 1e-6, False, False),
        (1e-6, 1e-6 + 1e-9, True, False),
        (1, 2, True, False),
        (np.float32(1), np.float32(1 + 1e-6), False, False),
        (np.float32(1), 1 + 1e-6, False, False),
        (np.array([1.0, 3.0]), 2.0, True, True),
        (0.0, 0.0, False, False),
    ],
)
def test_which_of_two_is_the_smaller_one(one, other, less, more):
    kept = condition()
    kept.order(one, other, ("less", "more"))
    assert kept.ways == {"less": less, "more": more}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, True),
        (2, 2),
        ([1, 2.5], [1, 2.5]),
        ((np.float32(1), np.ones(1)), [1, 1]),
        (Fraction(1, 2), 0.5),
        ([1, "a"], None),
        ([1, [2, 3]], None),
        ("a", None),
        (None, None),
        (1j, None),
        (np.array(["a"]), None),
        (object(), None),
    ],
)
def test_what_holds_numbers(value, expected):
    found = numbers(value)
    assert found is None if expected is None else np.array_equal(found, expected)


def test_an_object_that_answers_for_any_attribute_is_asked_none():
    asked = []

    class Answers:
        def __getattr__(self, name):
            asked.append(name)
            raise ValueError(name)

    assert numbers(Answers()) is None
    assert asked == []


def test_a_number_that_is_lost_beside_a_larger_one():
    kept = condition()
    for x in (1.0, 2.0):
        kept.steps(1e17 + x - 1e17, x)
    assert kept.open
    assert kept.telling
    kept = condition()
    for x in (1.0, 2.0):
        kept.steps(1e12 + x, x)
    assert not kept.open


def test_what_varies_beside_it_may_be_what_hid_it():
    kept = condition()
    for x, beside in ((1.0, 1e17), (2.0, 2e17)):
        kept.steps(0.0, x, beside)
    assert kept.open
    assert not kept.telling


def test_functions_that_take_other_arguments_are_not_alike():
    def one(x, *, a):
        return x + a

    def other(x, *, b):
        return x + b

    assert _alike(one.__code__, one.__code__)
    assert not _alike(one.__code__, other.__code__)
