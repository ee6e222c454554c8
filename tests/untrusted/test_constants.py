"""The numbers in a function's code and in what it names."""

from __future__ import annotations

import math
from colorsys import rgb_to_yiq
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

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


def test_tensors_hold_numbers_too():
    torch = pytest.importorskip("torch")
    level, module = torch.tensor([0.375, 6.0]), torch.nn.Module()
    module.register_buffer("epsilon", torch.tensor(0.0625))
    module.weight = torch.nn.Parameter(torch.tensor(-5.0))
    large = torch.full((1000,), 77.0)

    def within(x):
        return x.clamp(level[0], level[1]) * module.weight + large.sum()

    found = constants(within)
    assert {Fraction(3, 8), 6, Fraction(1, 16), -5} <= set(found)
    assert 77 not in found


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


def test_neighbours_are_a_billionth_a_hundredth_and_one_away():
    billionth = Fraction(1, 10**9)
    for number, size in ((Fraction(-4), 4), (Fraction(0), 1), (Fraction(1, 50), Fraction(1, 50))):
        steps = (size * billionth, size / Fraction(100), Fraction(1))
        found = neighbours([number])
        assert set(found) == {number, *(number + s for s in steps), *(number - s for s in steps)}
        assert list(found) == sorted(found)


def seen(held):
    return constants(lambda r: held[0] * r)


def test_of_a_long_array_or_tuple_nothing_is_taken():
    for end, taken in ((1600, True), (1601, False)):
        assert (Fraction(1500) in seen(np.arange(1500, end))) is taken
        assert (
            Fraction(1500) in constants(eval(f"lambda r: r in {(*range(1500, end),)}"))
        ) is taken


def test_numbers_in_strings_are_taken_up_to_forty_characters():
    for text, taken in (("0." + "1" * 38, True), ("0." + "1" * 39, False)):
        assert (Fraction(text) in constants(eval(f"lambda r: r + float({text!r})"))) is taken


def test_what_stands_in_a_library_is_the_librarys():
    assert Fraction(59, 100) not in constants(lambda r: rgb_to_yiq(r, r, r)[0])
    assert Fraction(59, 100) in constants(rgb_to_yiq)
    assert constants(lambda r: r * np.pi * math.e) == ()


def test_a_docstring_is_no_constant():
    def quoted(r):
        """77.5"""
        return r + 2.5

    assert constants(quoted) == (Fraction(5, 2),)


def test_a_collection_that_grows_while_it_is_read_is_read_as_it_was():
    grows = set()

    class Growing(Fraction):
        @property
        def numerator(self):
            grows.add(len(grows) + 1000)
            return 1

    grows |= {Growing(1, 3), Growing(2, 7)}
    assert constants(lambda x: x * len(grows))


def test_tensors_without_numbers_have_none():
    torch = pytest.importorskip("torch")
    empty, sparse = torch.zeros(2, device="meta"), torch.eye(2).to_sparse()

    def over(x):
        return x + empty + sparse + 0.375

    assert Fraction(3, 8) in constants(over)


class Silent(list):
    """A list that says it is empty, and raises when it is walked."""

    def __len__(self):
        return 0

    def __iter__(self):
        raise RuntimeError


def test_a_class_does_not_answer_for_what_it_holds():
    held = Silent([0.375])
    posing = type("Posing", (), {"__class__": property(lambda self: np.ndarray)})()

    def over(x):
        return x + held[0] if posing else 0

    assert Fraction(3, 8) in constants(over)
