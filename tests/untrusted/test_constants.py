"""The numbers in a function's code and in what it names."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np

from altpg_verify.untrusted.constants import constants, neighbours

LIMIT = 15
LEVELS = [3, 2.5]
TABLE = np.array([0.125, 8])
UNUSED = 77


def helper(x):
    return min(x, LIMIT)


def formula(r, b, floor=1 / 50):
    """Not 12345."""
    if -100 < r < 99.5 or r == Fraction("7/3") or r == Decimal("0.3"):
        return helper(r) + LEVELS[0] * TABLE[1]
    return [x for x in (41,) if x > floor]


def test_every_number_that_matters():
    found = constants(formula)
    for number in (
        -100,
        Fraction(199, 2),
        Fraction(7, 3),
        Fraction(3, 10),
        15,
        3,
        Fraction(5, 2),
        Fraction(1, 8),
        8,
        Fraction(1, 50),
        41,
    ):
        assert number in found, number
    assert not {77, 12345} & set(found)
    assert list(found) == sorted(found)


def test_closures():
    width = 40

    def dead_zone(r):
        return r if abs(r) > width else 0

    assert 40 in constants(dead_zone)


def test_neighbours_lie_on_both_sides():
    near = neighbours([Fraction(15), Fraction(0)])
    for number in (15, 0):
        closest = [x for x in near if 0 < abs(x - number) < Fraction(1, 10**6)]
        assert {x < number for x in closest} == {True, False}
        assert number in near
    assert {14, 16, -1, 1} <= set(near)


def test_what_is_no_finite_number_is_left_out():
    assert constants(lambda r: r if r < float("inf") else None) == ()
    assert constants(lambda r: (r, True, "text", 1e400, 1j)) == ()
