"""What each law compares, written out by hand on one bandit with noise, and what each law says of
itself.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify import LAWS, alternate, bandit, estimator, regular
from altpg_verify.case_parsing import parse_case
from altpg_verify.errors import BadInput
from altpg_verify.law_domains import OPTIMISTIC, PESSIMISTIC
from altpg_verify.laws import SHIFTED_BY, law_named

PI = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
CASE = parse_case("pi=1/2,1/3,1/6; r=0@1/2|2@1/2,3,1@1/3|4@2/3; b=1/2")
B = Fraction(1, 2)
DRAWS = [
    (Fraction(1, 4), 0, Fraction(0)),
    (Fraction(1, 4), 0, Fraction(2)),
    (Fraction(1, 3), 1, Fraction(3)),
    (Fraction(1, 18), 2, Fraction(1)),
    (Fraction(1, 9), 2, Fraction(4)),
]
Q = [Fraction(1), Fraction(3), Fraction(3)]
V = Fraction(2)
ACTIONS = range(3)
GRADIENT = [PI[a] * (Q[a] - V) for a in ACTIONS]


def estimate_of(a, r, b=B, pi=PI):
    """Of the estimator below, by hand."""
    return [(r - b) * (Fraction(a == i) - pi[i] / 2) for i in ACTIONS]


@estimator
def half(pi, e, r, b):
    return (r - b) * (e - pi / 2)


def mean(function):
    return [sum(p * function(a, r)[i] for p, a, r in DRAWS) for i in ACTIONS]


UPDATE = mean(estimate_of)


def sides(name, est=half, case=CASE):
    left, right = law_named(name).sides(est, case)
    return list(left), list(right)


def test_the_draws_by_hand_are_those_of_the_case():
    assert list(CASE.draws()) == DRAWS
    assert (list(CASE.pi), list(CASE.q), CASE.v, CASE.b) == (PI, Q, V, B)
    assert [PI[a] * (Q[a] - B - (V - B) / 2) for a in ACTIONS] == UPDATE


@pytest.mark.parametrize("name", ["unbiased", "unbiased_at_value"])
def test_bias(name):
    assert sides(name) == (UPDATE, GRADIENT)


def test_baseline():
    assert sides("baseline_invariant") == (UPDATE, mean(lambda a, r: estimate_of(a, r, b=0)))


def test_direction_is_a_matter_of_what_the_policy_feels():
    def projected(vector):
        return [entry - sum(vector) / 3 for entry in vector]

    g, d = projected(UPDATE), projected(GRADIENT)
    pairs = [(0, 1), (0, 2), (1, 2)]
    assert sides("right_direction") == (
        [g[a] * d[c] for a, c in pairs],
        [g[c] * d[a] for a, c in pairs],
    )
    # a common shift changes an escort policy
    moved = parse_case("theta=1,2; r=0,3; b=1", "escort:2")
    left, right = sides("right_direction", regular, moved)
    gradient = [
        Fraction(2) * p * (q - Fraction(12, 5)) / x
        for p, q, x in zip(moved.pi, moved.q, moved.x, strict=True)
    ]
    update = [p * (q - Fraction(12, 5)) for p, q in zip(moved.pi, moved.q, strict=True)]
    assert (left, right) == ([update[0] * gradient[1]], [update[1] * gradient[0]])


def test_ascent():
    assert sides("ascends") == ([sum(g * d for g, d in zip(UPDATE, GRADIENT, strict=True))], [0])


def test_translation():
    moved, kept = sides("translation_invariant")
    expected = [entry for _, a, r in DRAWS for entry in estimate_of(a, r)]
    assert (moved, kept) == (expected, expected)

    @estimator
    def sees_the_reward(e, r, b):
        return r * e

    moved, kept = sides("translation_invariant", sees_the_reward)
    assert kept == [r * (a == i) for _, a, r in DRAWS for i in ACTIONS]
    assert moved == [(r + 1) * (a == i) for _, a, r in DRAWS for i in ACTIONS]


def test_relabelling_by_a_swap_and_a_rotation():
    @estimator
    def first(pi, e, r, b):
        return (r - b) * (e - pi / 2) * [2, *[1] * (len(pi) - 1)]

    def update(pi, q):
        v = sum(p * value for p, value in zip(pi, q, strict=True))
        return [(2 if i == 0 else 1) * pi[i] * (q[i] - B - (v - B) / 2) for i in ACTIONS]

    left, right = sides("relabel_equivariant", first)
    expected_left, expected_right = [], []
    for order in ([1, 0, 2], [1, 2, 0]):
        expected_left += update([PI[a] for a in order], [Q[a] for a in order])
        expected_right += [update(PI, Q)[a] for a in order]
    assert (left, right) == (expected_left, expected_right)


def test_a_shift_of_all_preferences_is_a_factor_of_all_coordinates():
    @estimator
    def sees_preferences(theta, e):
        return theta * e

    shifted, kept = sides("shift_invariant", sees_preferences, CASE.as_float())
    expected = [math.log(p) * (a == i) for _, a, _ in DRAWS for i, p in enumerate(PI)]
    assert kept == pytest.approx(expected * len(SHIFTED_BY))
    assert shifted == pytest.approx(
        [
            (math.log(p) + math.log(factor)) * (a == i)
            for factor in SHIFTED_BY
            for _, a, _ in DRAWS
            for i, p in enumerate(PI)
        ]
    )
    # a formula that doesn't see preferences is asked once
    assert len(sides("shift_invariant")[0]) == len(sides("shift_invariant")[1]) == len(expected)


def test_sums_of_the_estimates():
    assert sides("zero_sum") == ([sum(estimate_of(a, r)) for _, a, r in DRAWS], [0] * 5)


def test_entries_of_the_other_actions():
    others = [entry for _, a, r in DRAWS for i, entry in enumerate(estimate_of(a, r)) if i != a]
    assert sides("touches_taken_action_only") == (others, [0] * 10)


def test_at_a_corner():
    corner = parse_case("pi=0,1,0; r=5,0@1/4|4@3/4,7; b=1/2")
    # E[R] = 3, V[R] = 3
    assert sides("vanishes_at_corner", alternate, corner) == ([0, Fraction(5, 2), 0], [0, 0, 0])
    assert sides("quiet_at_corner", alternate, corner) == ([0, 3, 0], [0, 0, 0])
    assert sides("keeps_noise_at_corner", alternate, corner) == ([0, 3, 0], [0, 3, 0])
    assert sides("keeps_noise_at_corner", regular, corner) == ([0, 0, 0], [0, 3, 0])


def test_curl():
    pairs = [(0, 1), (0, 2), (1, 2)]
    curl = np.zeros((3, 3), dtype=object)
    for a in ACTIONS:
        for c in ACTIONS:
            # of the alternate update π∘(q - b): ∂_c = π_a (1[a=c] - π_c)(q_a - b)
            curl[a, c] = PI[a] * ((a == c) - PI[c]) * (Q[a] - B) - PI[c] * ((a == c) - PI[a]) * (
                Q[c] - B
            )
    rows = curl.sum(axis=0) / Fraction(3)
    columns = curl.sum(axis=1) / Fraction(3)
    projected = [curl[a, c] - rows[c] - columns[a] + curl.sum() / Fraction(9) for a, c in pairs]
    assert sides("conservative", alternate) == (projected, [0, 0, 0])
    escorted = parse_case("theta=1,2; r=0,3; b=1", "escort:2")
    # π = (1, 4)/5 and ∂π₁/∂θ₂ = -2θ₁²θ₂/25, ∂π₂/∂θ₁ = -2θ₁θ₂²/25
    assert sides("conservative", alternate, escorted) == (
        [Fraction(-4, 25) * (0 - 1) - Fraction(-8, 25) * (3 - 1)],
        [0],
    )


def test_finiteness_counts_what_is_not():
    @estimator
    def breaks(pi, e, r, b):
        return (r - b) * e / np.array([0.0, *[1.0] * (len(pi) - 1)])

    case = CASE.as_float()
    # e/0 is inf where e = 1, 0/0 where e = 0: once a draw
    assert sides("finite_when_saturated", breaks, case) == ([5], [0])
    assert sides("finite_when_saturated", alternate, case) == ([0], [0])


@pytest.mark.parametrize("name", ["optimistic_attracts", "pessimistic_repels"])
def test_drift_relative_to_the_distance_from_the_fixed_point(name):
    case = bandit([1, 2, 3], PI, 4)
    # π* ∝ 1/(b - r) = (1/3, 1/2, 1)
    star = [Fraction(2, 11), Fraction(3, 11), Fraction(6, 11)]
    update = [PI[a] * (Fraction(a + 1) - 4) for a in ACTIONS]
    drift = sum((PI[a] - star[a]) * update[a] for a in ACTIONS)
    away = sum((PI[a] - star[a]) ** 2 for a in ACTIONS)
    assert sides(name, alternate, case) == ([drift / away], [0])
    assert sides(name, alternate, bandit([1, 2, 3], star, 4)) == ([], [])


def test_requirements_and_properties():
    properties = [
        "touches_taken_action_only",
        "quiet_at_corner",
        "keeps_noise_at_corner",
        "optimistic_attracts",
        "pessimistic_repels",
    ]
    assert [law.name for law in LAWS if not law.required] == properties


def test_relations():
    others = {law.name: law.relation for law in LAWS if law.relation != "="}
    assert others == {"ascends": ">=", "optimistic_attracts": "<", "pessimistic_repels": ">"}


def test_by_how_much_laws_move_the_rewards():
    assert {law.name: law.moves for law in LAWS if law.moves} == {"translation_invariant": 1}
    moved, kept = sides("translation_invariant", estimator(lambda e, r: r * e))
    assert sum(moved) - sum(kept) == law_named("translation_invariant").moves * len(DRAWS)


def test_what_follows_from_what():
    implied = {law.name: law.implied_by for law in LAWS if law.implied_by}
    # what holds for every baseline holds at b = v, and an update that is the gradient has its
    # direction
    assert implied == {
        "unbiased_at_value": "unbiased",
        "baseline_invariant": "unbiased",
        "right_direction": "unbiased_at_value",
        "ascends": "unbiased_at_value",
    }
    # a formula that doesn't see them can't depend on them
    assert {law.name: set(law.trivial) for law in LAWS if law.trivial} == {
        "baseline_invariant": {"b"},
        "shift_invariant": {"theta"},
    }


def test_layouts_say_how_long_the_sides_are():
    k, n = 3, len(DRAWS)
    length = {
        "actions": k,
        "draws": n,
        "draws x actions": n * k,
        "draws x other actions": n * (k - 1),
        "scalar": 1,
    }
    for law in LAWS:
        case = (
            CASE.as_float()
            if law.domain.floats
            else bandit([1, 2, 3], PI, 4)
            if law.domain in (OPTIMISTIC, PESSIMISTIC)
            else CASE
        )
        left, right = law.sides(half, case)
        assert len(left) == len(right)
        if law.layout != "pairs":
            assert len(left) == length[law.layout], law.name
    assert {law.name for law in LAWS if law.layout == "pairs"} == {
        "right_direction",
        "relabel_equivariant",
        "conservative",
    }


def test_a_law_is_found_among_those_given():
    assert law_named("zero_sum").name == "zero_sum"
    with pytest.raises(BadInput, match=r"law 'zero_sum' is not known; choose from unbiased$"):
        law_named("zero_sum", LAWS[:1])
