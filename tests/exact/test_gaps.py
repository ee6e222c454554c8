"""Formulas of gaps: which terms there are, how a sum of them reads, and when a fit counts."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from fractions import Fraction

import pytest

from altpg_verify import alternate, estimator, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.gaps import Gap, _shapes, _solve, candidates, difference, recognise, verified_for
from altpg_verify.law_domains import ANYWHERE
from altpg_verify.laws import LAWS, Law, law_named
from altpg_verify.search import sample
from altpg_verify.strategies import cases
from altpg_verify.symbolic import generic

CASE = parse_case("pi=1/2,1/3,1/6; r=0@1/2|2@1/2,3,1@1/3|4@2/3; b=1/2")
PI, Q, SIGMA2, B, V = CASE.pi, CASE.q, CASE.sigma2, CASE.b, CASE.v
SQUARES = sum(p * p for p in PI)
DRAWS = list(CASE.draws())


@pytest.fixture(scope="module")
def tried():
    """Random cases, drawn only where they are needed: drawing takes a second."""
    return sample(cases(), 12, 1)


def law(name, layout):
    return Law(name, name, name, lambda est, case: ([], []), ANYWHERE, layout=layout)


def terms(layout):
    return {(term.vector, term.scalar): term for term in candidates(law("x", layout))}


def test_terms_for_each_action():
    found = terms("actions")
    vectors = {
        "": lambda a: 1,
        "π": lambda a: PI[a],
        "π²": lambda a: PI[a] ** 2,
        "Σπ² π": lambda a: PI[a] * SQUARES,
        "/k": lambda a: Fraction(1, 3),
    }
    scalars = {
        "": lambda a: 1,
        "b": lambda a: B,
        "v": lambda a: V,
        "q": lambda a: Q[a],
        "σ²": lambda a: SIGMA2[a],
    }
    assert set(found) == {(vector, scalar) for vector in vectors for scalar in scalars}
    for (vector, scalar), term in found.items():
        assert term.entries(CASE) == [vectors[vector](a) * scalars[scalar](a) for a in range(3)]


def test_terms_for_each_draw():
    found = terms("draws")
    vectors = {"": lambda A: 1, "π_A": lambda A: PI[A], "Σπ²": lambda A: SQUARES, "k": lambda A: 3}
    scalars = {"": lambda R: 1, "R": lambda R: R, "b": lambda R: B, "v": lambda R: V}
    assert set(found) == {(vector, scalar) for vector in vectors for scalar in scalars}
    for (vector, scalar), term in found.items():
        assert term.entries(CASE) == [vectors[vector](A) * scalars[scalar](R) for _, A, R in DRAWS]


def test_terms_for_each_draw_and_action():
    found = terms("draws x actions")
    vectors = {
        "": lambda A, a: 1,
        "e": lambda A, a: int(a == A),
        "π": lambda A, a: PI[a],
        "π∘e": lambda A, a: PI[a] * (a == A),
    }
    scalars = {"": lambda R: 1, "R": lambda R: R, "b": lambda R: B, "v": lambda R: V}
    assert set(found) == {(vector, scalar) for vector in vectors for scalar in scalars}
    for (vector, scalar), term in found.items():
        assert term.entries(CASE) == [
            vectors[vector](A, a) * scalars[scalar](R) for _, A, R in DRAWS for a in range(3)
        ]
    others = terms("draws x other actions")
    assert set(others) == {(vector, scalar) for vector in ("", "π") for scalar in scalars}
    for (vector, scalar), term in others.items():
        assert term.entries(CASE) == [
            vectors[vector](A, a) * scalars[scalar](R)
            for _, A, R in DRAWS
            for a in range(3)
            if a != A
        ]


def test_there_are_no_terms_for_other_layouts_and_the_shortest_come_first(tried):
    assert terms("pairs") == terms("scalar") == {}
    costs = [term.cost for term in candidates(law("x", "actions"))]
    assert costs == sorted(costs)
    assert (costs[0], costs[-1]) == (0, 7)
    assert recognise(law("x", "scalar"), regular, tried) is None


def gap(*parts, layout="actions"):
    return Gap(
        tuple(
            (Fraction(coefficient), terms(layout)[vector, scalar])
            for coefficient, vector, scalar in parts
        )
    )


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([(1, "π", "b")], "b π"),
        ([(-1, "π", "b")], "-b π"),
        ([(1, "π", "")], "π"),
        ([(-1, "π", "")], "-π"),
        ([(2, "π", "")], "2 π"),
        ([("1/2", "π", "")], "π / 2"),
        ([("-3/2", "π", "")], "-3 π / 2"),
        ([(3, "", "")], "3 1"),
        ([("3/2", "", "b")], "3 b / 2"),
        ([(1, "π", "b"), (-1, "π", "v")], "-(v - b) π"),
        ([(-1, "π", "b"), (1, "π", "v")], "(v - b) π"),
        ([("-1/2", "π", "b"), ("1/2", "π", "v")], "(v - b) π / 2"),
        ([(2, "π", "b"), (2, "π", "v")], "2 (v + b) π"),
        ([(2, "π", "b"), (1, "π", "v")], "(v + 2 b) π"),
        ([(-2, "π", "b"), (1, "π", "")], "-(2 b - 1) π"),
        ([(1, "π", "b"), (1, "π²", "v")], "b π + v π²"),
        ([(1, "π", "b"), (-1, "π²", "v")], "b π - v π²"),
        ([(-1, "π", "b"), (-1, "π", "v"), (1, "π", "q")], "-(v - q + b) π"),
        ([(1, "/k", "σ²"), (-1, "/k", "q")], "-(q - σ²) /k"),
    ],
)
def test_a_sum_of_terms_as_a_reader_writes_it(parts, text):
    assert str(gap(*parts)) == text


def test_the_value_of_a_sum_of_terms():
    assert gap((2, "π", "b"), ("-1/3", "", "q")).entries(CASE) == [
        2 * PI[a] * B - Q[a] / 3 for a in range(3)
    ]
    with pytest.raises(FrozenInstanceError):
        gap((1, "π", "b")).parts = ()
    with pytest.raises(FrozenInstanceError):
        terms("actions")["π", "b"].scalar = "v"


def test_a_difference_is_left_less_right():
    assert difference(law_named("unbiased"), alternate, CASE) == [(V - B) * PI[a] for a in range(3)]
    uneven = replace(law_named("unbiased"), sides=lambda est, case: ([1, 2], [1]))
    with pytest.raises(ValueError, match="zip"):
        difference(uneven, alternate, CASE)


@pytest.mark.parametrize(
    ("est", "name", "text"),
    [
        (alternate, "unbiased", "(v - b) π"),
        (estimator(lambda e, r, b: 2 * (r - b) * e), "zero_sum", "2 (R - b)"),
        (estimator(lambda pi, e, r, b: (r - b) * (e - pi / 3)), "zero_sum", "2 (R - b) / 3"),
        (regular, "touches_taken_action_only", "-(R - b) π"),
        (alternate, "quiet_at_corner", None),
        (estimator(lambda pi, e, r, b: (r - b) * (e - pi) * r * r), "zero_sum", None),
    ],
)
def test_a_gap_is_recognised_on_random_cases(est, name, text, tried):
    found = recognise(law_named(name), est, tried)
    assert (text is None and (found is None or name == "quiet_at_corner")) or str(found) == text
    if found and text:
        assert found.entries(CASE) == difference(law_named(name), est, CASE)


def test_a_gap_that_is_no_sum_of_the_terms_is_not_recognised(tried):
    odd = estimator(lambda pi, e, r, b: (r - b) * (e - pi) + b * b * b * pi)
    assert recognise(law_named("unbiased"), odd, tried) is None
    # three terms that are no product of some vectors and some scalars
    three = estimator(lambda pi, e, r, b: (r - b) * (e - pi) + (b + 1) * pi + pi * pi)
    assert recognise(law_named("unbiased"), three, tried) is None
    # no gap at all is no formula
    assert recognise(law_named("unbiased"), regular, tried) is None


def test_two_terms_without_a_common_factor_are_found(tried):
    two = estimator(lambda pi, e, r, b: (r - b) * (e - pi) + b * pi + 2 * pi * pi)
    found = recognise(law_named("unbiased"), two, tried)
    assert found is not None
    assert {(coefficient, term.vector, term.scalar) for coefficient, term in found.parts} == {
        (1, "π", "b"),
        (2, "π²", ""),
    }


def test_shapes_are_products_or_pairs_smallest_first():
    keys = [(v, s) for v in "xyz" for s in "abcd"]
    shapes = _shapes(keys)
    sizes = [len(shape) for shape in shapes]
    assert sizes == sorted(sizes)
    sets = {frozenset(shape) for shape in shapes}
    assert all(frozenset([key]) in sets for key in keys)
    assert frozenset([("x", "a"), ("y", "b")]) in sets
    assert frozenset([("x", "a"), ("x", "b"), ("x", "c")]) in sets
    assert frozenset((v, s) for v in "xy" for s in "abc") in sets
    assert max(sizes) == 6
    assert frozenset((v, "a") for v in "xyz") not in sets
    assert frozenset(("x", s) for s in "abcd") not in sets
    # a product of two is tried once
    assert len(sets) == len(shapes)


def equations(*columns):
    return [[Fraction(entry) for entry in column] for column in columns]


def test_linear_equations_are_solved_exactly_if_they_have_one_solution():
    def solve(columns, target):
        return _solve(equations(*columns), equations(target)[0])

    assert solve([[1, 0, 1], [0, 1, 1]], [2, 3, 5]) == [2, 3]
    assert solve([[1, 0, 1], [0, 1, 1]], [2, 3, 6]) is None
    assert solve([[1, 2], [2, 4]], [1, 2]) is None
    assert solve([[1, 2]], [1, 3]) is None
    assert solve([[0, 0]], [0, 0]) is None
    assert solve([[0, 2], [3, 1]], [6, 4]) == [1, 2]
    assert solve([[2, 1, 3], [1, 3, 0], [1, 1, 5]], [7, 10, 18]) == [1, 2, 3]
    assert solve([[0, 3, 1], [2, 1, 1], [4, 0, 7]], [16, 5, 24]) == [1, 2, 3]
    # a row of zeros says nothing, unless it should be something
    assert solve([[0, 1]], [0, 4]) == [4]
    assert solve([[0, 1]], [1, 4]) is None


def test_solutions_satisfy_every_equation():
    columns = equations([2, 0, 1, 5], [1, 3, -1, 0], [0, 7, 4, 1])
    wanted = [Fraction(1, 3), Fraction(-2), Fraction(5, 7)]
    target = [
        sum(c * column[row] for c, column in zip(wanted, columns, strict=True)) for row in range(4)
    ]
    assert _solve(columns, target) == wanted


def test_a_formula_is_proved_for_the_numbers_of_actions_for_which_it_is_the_gap():
    unbiased = law_named("unbiased")
    right = gap((1, "π", "v"), (-1, "π", "b"))
    assert verified_for(right, unbiased, alternate, lambda k: [generic(k)], (2, 3)) == [2, 3]
    assert (
        verified_for(gap((1, "π", "v")), unbiased, alternate, lambda k: [generic(k)], (2, 3)) == []
    )
    corners = [generic(2, corner=0), generic(2)]
    assert verified_for(right, unbiased, alternate, lambda k: corners, (2,)) == [2]
    # 1/k is 1/2 for two actions alone
    half = estimator(lambda pi, e, r, b: (r - b) * (e - pi) + [Fraction(1, 2)] * len(pi))
    assert verified_for(gap((1, "/k", "")), unbiased, half, lambda k: [generic(k)], (2, 3)) == [2]


def test_a_formula_is_proved_only_if_it_is_the_gap_in_every_case_and_every_entry():
    unbiased, one = law_named("unbiased"), gap((1, "", ""))
    half = estimator(lambda pi, e, r, b: (r - b) * (e - pi) + [Fraction(1, 2)] * len(pi))
    assert (
        verified_for(gap((1, "/k", "")), unbiased, half, lambda k: [generic(2), generic(3)], (2,))
        == []
    )
    first = estimator(lambda pi, e, r, b: (r - b) * (e - pi) + [1, *[0] * (len(pi) - 1)])
    assert verified_for(one, unbiased, first, lambda k: [generic(k)], (2, 3)) == []
    every = estimator(lambda pi, e, r, b: (r - b) * (e - pi) + [1] * len(pi))
    assert verified_for(one, unbiased, every, lambda k: [generic(k)], (2, 3)) == [2, 3]


def test_every_layout_of_a_law_is_known():
    for one in LAWS:
        assert bool(candidates(one)) == (one.layout not in ("pairs", "scalar"))
