"""The symbolic case stands for every case: put numbers in, and the exact case comes out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import alternate, escort, estimator, regular
from altpg_verify.cases import Case
from altpg_verify.exact import expected_update, policy_gradient, update_jacobian, variance
from altpg_verify.forward_mode import Dual
from altpg_verify.opaque_numbers import NotRational
from altpg_verify.parameterisations import softmax
from altpg_verify.rational_functions import RationalFunction
from altpg_verify.symbolic import MAX_MOMENT, generic

OUTCOMES = (
    ((Fraction(1), Fraction(1, 3)), (Fraction(4), Fraction(2, 3))),
    ((Fraction(-2), Fraction(1)),),
    ((Fraction(0), Fraction(1, 2)), (Fraction(3), Fraction(1, 4)), (Fraction(-1), Fraction(1, 4))),
)
X = (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
B = Fraction(5, 7)


def moment(action: int, power: int) -> Fraction:
    return sum(weight * reward**power for reward, weight in OUTCOMES[action])


def number(entry) -> Fraction:
    """The rational function at the numbers of this file."""
    if not isinstance(entry, RationalFunction):
        return Fraction(entry)
    values = {"b": B, "R": 0}
    for a in range(3):
        values[f"p{a + 1}"], values[f"r{a + 1}"] = X[a], moment(a, 1)
        values |= {f"m{a + 1}_{n}": moment(a, n) for n in range(2, MAX_MOMENT + 1)}
    return entry.at(values)


def numbers(entries) -> list[Fraction]:
    return [number(entry) for entry in np.ravel(entries)]


@estimator
def quadratic(pi, e, r, b):
    return (r * r - b) * (e - pi * pi)


@pytest.mark.parametrize("parameterisation", [softmax, escort(2)], ids=["softmax", "escort"])
@pytest.mark.parametrize("est", [regular, alternate, quadratic], ids=lambda est: est.name)
def test_numbers_put_in_give_the_exact_case(est, parameterisation):
    symbolic, exact = generic(3, parameterisation), Case(X, OUTCOMES, B, parameterisation)
    assert numbers(symbolic.pi) == list(exact.pi)
    assert numbers(symbolic.q) == list(exact.q)
    assert numbers(symbolic.sigma2) == list(exact.sigma2)
    for ask in (
        lambda case: [case.v],
        lambda case: expected_update(est, case),
        lambda case: variance(est, case),
        policy_gradient,
    ):
        assert numbers(ask(symbolic)) == list(ask(exact))
    assert numbers(update_jacobian(est, symbolic)) == list(np.ravel(update_jacobian(est, exact)))
    assert numbers(expected_update(est, symbolic.at_value())) == list(
        expected_update(est, exact.at_value())
    )
    assert numbers(expected_update(est, symbolic.translated(2))) == list(
        expected_update(est, exact.translated(Fraction(2)))
    )
    assert numbers(variance(regular, symbolic.translated(2))) == list(
        variance(regular, exact.translated(Fraction(2)))
    )
    order = [2, 0, 1]
    assert numbers(expected_update(est, symbolic.relabelled(order))) == list(
        expected_update(est, exact.relabelled(order))
    )


def test_every_moment_is_its_own():
    case = generic(2)
    powers = [(lambda action, reward, n=n: reward**n) for n in range(MAX_MOMENT + 1)]
    for n, power in enumerate(powers):
        expected = sum(
            (p * moments[n] for p, moments in zip(case.pi, case.moments, strict=True)), start=0
        )
        assert case.expectation(power) == expected
    assert str(case.expectation(lambda action, reward: (action == 1) * reward**2)) == str(
        (1 - case.x[0]) * case.moments[1][2]
    )
    assert MAX_MOMENT == 4
    with pytest.raises(NotRational, match="the reward occurs to the power 5"):
        case.expectation(lambda action, reward: reward**5)
    with pytest.raises(NotRational, match="the reward stands in a denominator"):
        case.expectation(lambda action, reward: case.b / (reward + 1))


def test_a_denominator_without_the_reward_stays():
    case = generic(2)
    assert case.expectation(lambda action, reward: reward / case.b) == case.v / case.b
    assert (
        case.expectation(lambda action, reward: (reward * case.b + reward) / (case.b + 1)) == case.v
    )


def test_vectors_numbers_and_derivatives_are_averaged_alike():
    case = generic(2)
    both = case.expectation(lambda action, reward: np.array([reward, 1], dtype=object))
    assert both[0] == case.v
    assert both[1] == 1
    assert case.expectation(lambda action, reward: 3) == 3
    got = case.expectation(lambda action, reward: Dual(reward, (reward * reward, 1)))
    assert got.value == case.v
    assert got.gradient[0] == sum(
        p * moments[2] for p, moments in zip(case.pi, case.moments, strict=True)
    )
    assert got.gradient[1] == 1


def test_draws_have_the_reward_as_a_symbol_and_leave_out_what_cannot_happen():
    case = generic(3)
    assert [action for _, action, _ in case.draws()] == [0, 1, 2]
    assert all(reward is case.reward for _, _, reward in case.draws())
    assert [action for _, action, _ in generic(3, corner=1).draws()] == [1]


def test_shapes_of_policies():
    case = generic(3)
    assert sum(case.pi) == 1
    assert str(list(case.x)) == "[p1, p2, -p1 - p2 + 1]"
    assert [str(entry) for entry in generic(3, escort(2)).x] == ["p1", "p2", "p3"]
    corner = generic(3, corner=2)
    assert [entry == n for entry, n in zip(corner.pi, (0, 0, 1), strict=True)] == [True] * 3
    assert all(isinstance(entry, RationalFunction) for entry in corner.x)
    assert (case.k, case.parameterisation, generic(2, escort(3)).parameterisation) == (
        3,
        softmax,
        escort(3),
    )
    assert str(case.b) == "b"
    assert str(case.reward) == "R"
    assert [[str(entry) for entry in powers] for powers in case.moments[:2]] == [
        ["1", "r1", "m1_2", "m1_3", "m1_4"],
        ["1", "r2", "m2_2", "m2_3", "m2_4"],
    ]
    with pytest.raises(AttributeError):
        case.b = 0


def test_translation_moves_reward_baseline_and_moments_together():
    case = generic(2)
    moved = case.translated(3)
    assert moved.reward == case.reward + 3
    assert moved.b == case.b + 3
    assert moved.expectation(lambda action, reward: reward - moved.b) == case.v - case.b
    assert [one == other + 3 for one, other in zip(moved.q, case.q, strict=True)] == [True] * 2
    assert list(moved.sigma2) == list(case.sigma2)
    fourth = moved.expectation(lambda action, reward: (action == 0) * reward**4)
    one = case.moments[0]
    assert fourth == case.x[0] * (one[4] + 12 * one[3] + 54 * one[2] + 108 * one[1] + 81)


def test_there_is_no_float_form():
    with pytest.raises(NotRational, match="no float64 form"):
        generic(2).as_float()
