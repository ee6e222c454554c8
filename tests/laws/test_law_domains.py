"""On which cases each law is stated, and that its cases lie there."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from altpg_verify import LAWS, escort
from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case
from altpg_verify.law_domains import (
    ANYWHERE,
    AT_VALUE,
    CORNERS,
    OPTIMISTIC,
    PESSIMISTIC,
    SATURATED,
    SHIFTS,
    Domain,
)
from altpg_verify.parameterisations import softmax
from altpg_verify.symbolic import generic

CASE = parse_case("pi=1/2,1/3,1/6; r=0@1/2|2@1/2,3,1@1/3|4@2/3; b=1/2")


def test_each_law_is_stated_on_its_domain():
    domains = {
        ANYWHERE: {
            "unbiased",
            "baseline_invariant",
            "translation_invariant",
            "relabel_equivariant",
            "conservative",
            "touches_taken_action_only",
        },
        AT_VALUE: {"unbiased_at_value", "right_direction", "ascends"},
        SHIFTS: {"shift_invariant", "zero_sum"},
        CORNERS: {"vanishes_at_corner", "quiet_at_corner", "keeps_noise_at_corner"},
        SATURATED: {"finite_when_saturated"},
        OPTIMISTIC: {"optimistic_attracts"},
        PESSIMISTIC: {"pessimistic_repels"},
    }
    for domain, names in domains.items():
        assert {law.name for law in LAWS if law.domain is domain} == names
    assert [domain.softmax_only for domain in domains] == [
        False,
        False,
        True,
        False,
        True,
        True,
        True,
    ]
    assert [domain.floats for domain in domains] == [False, False, False, False, True, False, False]
    assert [domain.boundary for domain in domains] == [
        False,
        False,
        False,
        True,
        False,
        False,
        False,
    ]


def draws(domain: Domain, parameterisation=softmax) -> list[Case]:
    from altpg_verify.search import sample

    return sample(domain.strategy(parameterisation), 25, 0)


@pytest.mark.thorough
def test_cases_lie_in_their_domain():
    assert all(case.b == case.v for case in draws(AT_VALUE))
    assert not all(case.b == case.v for case in draws(ANYWHERE))
    assert not all(case.b == case.v for case in draws(SHIFTS))
    for case in draws(CORNERS):
        assert sorted(case.pi) == [*[0] * (case.k - 1), 1]
    assert all(len(outcomes) > 1 for case in draws(CORNERS) for outcomes in case.rewards)
    assert all(case.b > max(case.q) for case in draws(OPTIMISTIC))
    assert all(case.b < min(case.q) for case in draws(PESSIMISTIC))
    assert all(isinstance(case.b, float) for case in draws(SATURATED))
    assert any(max(case.theta) - min(case.theta) > 100 for case in draws(SATURATED))
    for domain in (ANYWHERE, AT_VALUE, CORNERS):
        assert all(case.parameterisation == escort(2) for case in draws(domain, escort(2)))


def test_a_named_case_lies_in_a_domain_or_not():
    assert ANYWHERE.includes(CASE)
    assert AT_VALUE.includes(CASE.at_value())
    assert not AT_VALUE.includes(CASE)
    assert CORNERS.includes(parse_case("pi=0,1,0; r=5,0,7; b=1/2"))
    assert not CORNERS.includes(CASE)
    # the rewards lie between 0 and 4
    assert [bool(OPTIMISTIC.includes(CASE.with_baseline(b))) for b in (3, 4, 5)] == [
        False,
        False,
        True,
    ]
    assert [bool(PESSIMISTIC.includes(CASE.with_baseline(b))) for b in (-1, 0, 1)] == [
        True,
        False,
        False,
    ]


def test_symbolic_cases_stand_for_their_domain():
    for domain in (ANYWHERE, SHIFTS):
        (case,) = domain.symbolic(3, softmax)
        assert case.b != case.v
        assert case == generic(3, softmax)
    (case,) = AT_VALUE.symbolic(3, softmax)
    assert case.b == case.v
    corners = list(CORNERS.symbolic(3, softmax))
    assert [[int(entry == 1) for entry in case.pi] for case in corners] == [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
    ]
    assert all(
        entry in (0, 1)
        for case in corners
        for entry in [0 if p == 0 else 1 if p == 1 else 2 for p in case.pi]
    )
    assert all(domain.symbolic is None for domain in (OPTIMISTIC, PESSIMISTIC, SATURATED))


def test_laws_and_domains_stay_as_they_are():
    with pytest.raises(FrozenInstanceError):
        LAWS[0].relation = "!="
    with pytest.raises(FrozenInstanceError):
        ANYWHERE.floats = True
    assert "sides" not in repr(LAWS[0])
    assert "domain" not in repr(LAWS[0])
    assert replace(LAWS[0]) == LAWS[0]
