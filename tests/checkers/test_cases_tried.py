"""The cases of a search: what ranges they cover, that they are the same everywhere, and that a
shrunk case is the simplest of its kind.
"""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import estimator, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case
from altpg_verify.forward_mode import Dual
from altpg_verify.laws import LAWS, law_named
from altpg_verify.parameterisations import escort, softmax
from altpg_verify.search import sample
from altpg_verify.sized import Sized, measuring, sized
from altpg_verify.tried import Tried
from altpg_verify.wide import CASES_PER_CONSTANT, constant_cases, shrunk, simple_cases, wide_cases

POLICIES = {"softmax": softmax, "escort": escort(2), "odd escort": escort(3)}
NUMBERS = (
    Fraction(15),
    Fraction(1, 50),
    Fraction(0),
    Fraction(1),
    Fraction(-100),
    Fraction(95, 100),
    Fraction(8),
)


def digest(cases):
    return hashlib.sha256("\n".join(map(str, cases)).encode()).hexdigest()[:16]


def rewards(cases):
    return [reward for case in cases for outcomes in case.rewards for reward, _ in outcomes]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("make", [wide_cases, simple_cases], ids=["wide", "simple"])
def test_every_case_is_one(make, policy):
    for case in make(POLICIES[policy], 300, 3):
        assert 2 <= case.k == len(case.rewards) <= 8
        assert sum(case.pi) == 1
        assert all(entry > 0 for entry in case.pi)
        assert all(sum(chance for _, chance in outcomes) == 1 for outcomes in case.rewards)
        assert all(chance > 0 for outcomes in case.rewards for _, chance in outcomes)
        if policy == "softmax":
            assert case.x == tuple(case.pi)
        # both signs where the parameterisation has them
        assert all(
            (entry > 0) is (a % 2 == 0 or not POLICIES[policy].signed)
            for a, entry in enumerate(case.x)
        )


def test_the_ranges_are_covered():
    cases = wide_cases(softmax, 2000, 0)
    assert {case.k for case in cases} == {2, 3, 4, 5, 6, 7, 8}
    sizes = [abs(number) for number in (*rewards(cases), *(case.b for case in cases)) if number]
    assert min(sizes) < Fraction(1, 10**9)
    assert max(sizes) > 10**9
    assert max(sizes) <= Fraction(99, 3) * 10**9 + Fraction(1, 10**6)
    assert {number > 0 for number in rewards(cases) if number} == {True, False}
    assert 0 in rewards(cases)
    nearest = [1 - max(case.pi) for case in cases]
    assert min(nearest) <= Fraction(1, 10**12)
    assert any(len(set(case.pi)) == 1 for case in cases)
    assert any(len(outcomes) == 2 for case in cases for outcomes in case.rewards)


def test_simple_cases_are_simple():
    cases = simple_cases(softmax, 500, 0)
    assert {case.k for case in cases} <= {2, 3, 4, 5}
    assert max(abs(number) for number in rewards(cases)) <= 12
    assert max(abs(case.b) for case in cases) <= 6


@pytest.mark.parametrize("number", [Fraction(15), Fraction(1, 50), Fraction(-100), Fraction(8)])
def test_a_constant_is_looked_at_from_both_sides(number):
    cases = constant_cases(softmax, [number], 400, 0)
    assert len(cases) == min(400, CASES_PER_CONSTANT)
    cases = [case for seed in range(12) for case in constant_cases(softmax, [number], 400, seed)]
    looked = {
        *rewards(cases),
        *(case.b for case in cases),
        *(reward - case.b for case in cases for reward in rewards([case])),
    }
    looked |= {reward * case.b for case in cases for reward in rewards([case])}
    for wanted in (
        number,
        -number,
        number + abs(number) / 10**9,
        number - abs(number) / 10**9,
        number * 2,
        number + 1,
        number - 1,
    ):
        assert wanted in looked, wanted
    if 0 < number < 1:
        assert number in {entry for case in cases for entry in case.pi}
    if number == 8:
        assert {case.k for case in cases} >= {7, 8, 9}


def test_usual_numbers_get_no_cases_of_their_own():
    assert constant_cases(softmax, [Fraction(n) for n in (0, 1, -1, 2, -2)], 100, 0) == []
    assert len(constant_cases(softmax, NUMBERS, 1000, 0)) == 5 * CASES_PER_CONSTANT
    assert len(constant_cases(softmax, NUMBERS, 7, 0)) == 7


SAME = {
    ("wide", "softmax"): "89af87bdf9e9cc13",
    ("wide", "escort"): "19d7018140032d5d",
    ("wide", "odd escort"): "19d7018140032d5d",
    ("simple", "softmax"): "ee3d76b780de0e90",
    ("simple", "odd escort"): "8eb7f562d6b72226",
    ("constants", "softmax"): "1666bcd391693727",
    ("constants", "odd escort"): "9891dc77650b4e20",
}
"""Digests of cases: a search that looks elsewhere, on another machine or in another version, is
another search, and this says so.
"""


@pytest.mark.parametrize(("which", "policy"), SAME)
def test_the_same_seed_is_the_same_search_everywhere(which, policy):
    how = POLICIES[policy]
    made = {
        "wide": lambda seed: wide_cases(how, 200, seed),
        "simple": lambda seed: simple_cases(how, 200, seed),
        "constants": lambda seed: constant_cases(how, NUMBERS, 200, seed),
    }[which]
    assert digest(made(7)) == SAME[which, policy]
    assert digest(made(8)) != SAME[which, policy]


def kept(case):
    return case


SHRUNK = {
    "nothing but failing": (lambda case: True, "pi=1/2,1/2; r=0,0; b=0"),
    "a noisy reward": (
        lambda case: any(len(outcomes) == 2 for outcomes in case.rewards),
        "pi=1/2,1/2; r=0@1/2|0@1/2,0; b=0",
    ),
    "three actions": (lambda case: case.k >= 3, "pi=1/3,1/3,1/3; r=0,0,0; b=0"),
    "a reward above 15": (
        lambda case: any(reward > 15 for reward in rewards([case])),
        "pi=1/2,1/2; r=0,16; b=0",
    ),
    "a reward between": (
        lambda case: any(15 < reward < 16 for reward in rewards([case])),
        "pi=1/2,1/2; r=0,31/2; b=0",
    ),
    "a reward below -300": (
        lambda case: any(reward < -300 for reward in rewards([case])),
        "pi=1/2,1/2; r=-301,0; b=0",
    ),
    "a tiny baseline": (
        lambda case: 0 < abs(case.b) < Fraction(1, 5000),
        "pi=1/2,1/2; r=0,0; b=1/10000",
    ),
    "a policy near a corner": (
        lambda case: max(case.pi) > Fraction(99, 100),
        "pi=124/125,1/125; r=0,0; b=0",
    ),
    "a small probability": (
        lambda case: min(case.pi) < Fraction(1, 50),
        "pi=61/62,1/62; r=0,0; b=0",
    ),
    "a baseline above all": (lambda case: case.b > max(rewards([case])), "pi=1/2,1/2; r=0,0; b=1"),
    "two rewards that differ": (
        lambda case: len(set(rewards([case]))) > 1,
        "pi=1/2,1/2; r=0,1; b=0",
    ),
    "probabilities that differ": (lambda case: len(set(case.pi)) > 1, "pi=2/3,1/3; r=0,0; b=0"),
}
"""What must stay true -> the simplest case of it that is found."""

FAR = parse_case(
    "pi=999/1000,1/2000,1/4000,1/4000; r=100/7@1/4|47/3@3/4,-1000/3,1000000/7@1/2|-5/3@1/2,31/2;"
    " b=1/10000"
)


@pytest.mark.parametrize("what", SHRUNK)
def test_what_is_shown_is_simple(what):
    fails, simplest = SHRUNK[what]
    start = FAR if fails(FAR) else next(case for case in wide_cases(softmax, 500, 1) if fails(case))
    found = shrunk(start, fails, kept)
    assert fails(found)
    assert str(found) == simplest
    assert sum(found.pi) == 1


def test_a_shrunk_case_keeps_its_parameterisation_and_its_restriction():
    start = wide_cases(escort(3), 40, 0)[7]
    found = shrunk(
        start,
        lambda case: True,
        lambda case: Case(case.x, case.rewards, Fraction(5), case.parameterisation),
    )
    assert found.parameterisation.name == "escort:3"
    assert found.b == 5
    assert all(entry != 0 for entry in found.x)
    assert shrunk(start, lambda case: True, kept, tries=0) is start
    assert shrunk(start, lambda case: False, kept) is start


@pytest.mark.parametrize("tries", [1, 5])
def test_no_more_is_tried_than_allowed(tries):
    asked = []
    shrunk(FAR, lambda case: asked.append(case) is not None, kept, tries=tries)
    assert len(asked) == tries
    # each that fails is a step on
    asked.clear()
    shrunk(FAR, lambda case: asked.append(case) is None and len(asked) < 100, kept, tries=tries)
    assert len(asked) == tries


def test_a_corner_stays_one():
    corner = parse_case("pi=1,0,0; r=7/3,100,-5@1/2|2@1/2; b=4")
    assert str(shrunk(corner, lambda case: max(case.pi) == 1, kept)) == "pi=1,0; r=0,0; b=0"
    assert (
        str(shrunk(corner, lambda case: min(case.pi) == 0 and case.k == 3, kept))
        == "pi=1,0,0; r=0,0,0; b=0"
    )


def test_cases_are_drawn_once_and_shared():
    law, other = (law_named(name, LAWS) for name in ("unbiased", "zero_sum"))
    tried = Tried(softmax, 3, [Fraction(15)])
    assert tried.simple(law.domain, 20) is tried.simple(law.domain, 20)
    assert tried.far(law.domain, 20) is tried.far(law.domain, 20)
    assert [str(case) for case in tried.far(law.domain, 20)] == [
        str(case) for case in wide_cases(softmax, 20, 3)
    ]
    assert len(tried.sampled(law.domain, 15)) == 15
    assert [str(case) for case in tried.sampled(law.domain, 15)] != [
        str(case) for case in tried.simple(law.domain, 15)
    ]
    first = tried.at_constants(law.domain, 10)
    assert first is tried.at_constants(law.domain, 10)
    tried.look_at([Fraction(15), Fraction(40)])
    assert tried.constants == (15, 40)
    assert tried.at_constants(law.domain, 10) is not first
    boundary = next(law for law in LAWS if law.name == "unbiased_at_value").domain
    assert all(case.b == case.v for case in tried.far(boundary, 10))
    assert all(case.b == case.v for case in tried.simple(boundary, 10))
    assert other.domain.restrict is None or tried.far(other.domain, 5)
    assert str(Tried(softmax, 4, []).far(law.domain, 20)) != str(tried.far(law.domain, 20))


def drawn_by_hypothesis(domain, seed):
    return [str(case) for case in sample(domain.strategy(softmax), 5, seed)]


def test_cases_of_hypothesis_are_copied_for_whoever_computes_of_them():
    unbiased = law_named("unbiased", LAWS).domain
    assert [
        str(case) for case in Tried(softmax, 3, []).sampled(unbiased, 5)
    ] == drawn_by_hypothesis(unbiased, 4)
    corner = next(law for law in LAWS if law.domain.restrict is None).domain
    one, two = (Tried(softmax, 3, []).simple(corner, 5) for _ in range(2))
    assert [str(case) for case in one] == [str(case) for case in two]
    assert all(first is not second for first, second in zip(one, two, strict=True))
    corners = [law.domain for law in LAWS if law.domain.restrict is None]
    assert len({str(Tried(softmax, 3, []).simple(domain, 5)) for domain in corners}) == len(
        {domain.strategy for domain in corners}
    )
    tried = Tried(softmax, 3, [])
    assert {str(tried.simple(domain, 5)) for domain in corners} == {
        str(Tried(softmax, 3, []).simple(domain, 5)) for domain in corners
    }


SUMS = {
    "+": (lambda x, y: x + y, 5.0, 5.0),
    "-": (lambda x, y: x - y, -1.0, 5.0),
    "*": (lambda x, y: x * y, 6.0, 6.0),
    "/": (lambda x, y: x / y, 2 / 3, 2 / 3),
}


@pytest.mark.parametrize("sign", SUMS)
def test_sizes_are_those_of_the_terms(sign):
    operation, value, size = SUMS[sign]
    for one, two in ((sized(2), 3), (2, sized(3)), (sized(2), sized(3)), (np.float64(2), sized(3))):
        found = operation(one, two)
        assert (found.value, found.size) == (value, size)


def test_sizes_grow_by_what_cancels():
    x = Sized(1.0, 4.0)
    assert (
        (x + 2).size,
        (x - 2).size,
        (2 - x).size,
        (x * -3).size,
        (x / -2).size,
        (6 / x).size,
    ) == (6, 6, 6, 12, 2, 6)
    assert ((2 - x).value, (6 / x).value, (-x).value, (-x).size, (x**3).value, (x**3).size) == (
        1,
        6,
        -1,
        4,
        1,
        64,
    )
    assert (float(x), repr(x), sized(x) is x, sized(-2.5).size, sized(Fraction(-1, 2)).value) == (
        1.0,
        "1.0",
        True,
        2.5,
        -0.5,
    )
    with pytest.raises(TypeError):
        hash(x)
    both = np.array([x, x], dtype=object) * x
    assert [entry.size for entry in both] == [16, 16]
    carried = Dual(x, [x]) * x
    assert (carried.value.size, carried.gradient[0].size) == (16, 16)


def test_a_measured_estimate_knows_the_size_of_its_terms():
    found = measuring(regular).formula(
        pi=np.array([0.25, 0.75]), e=np.array([1.0, 0.0]), r=3.0, b=1.0
    )
    assert [type(entry) for entry in found] == [Sized, Sized]
    assert [entry.value for entry in found] == [1.5, -1.5]
    assert (measuring(regular).name, measuring(regular).needs, measuring(regular).target) == (
        regular.name,
        regular.needs,
        regular.target,
    )

    @estimator
    def odd(pi, e, r, b):
        return [math.inf, r, pi[0] * e[0]]

    found = measuring(odd).formula(
        pi=np.array([0.5, 0.5]), e=np.array([1.0, 0.0]), r=Fraction(1), b=0
    )
    assert found[0] == math.inf
    assert found[1] == 1
    assert type(found[1]) is Fraction
    assert found[2].size == 0.5
    assert measuring(estimator(lambda pi, e, r, b: r)).formula(pi=0, e=0, r=2.0, b=0) == 2.0
