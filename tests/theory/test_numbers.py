"""The exact numbers of the paper's two examples, computed here a second time, and the checkers of
the certificates behind them.
"""

from __future__ import annotations

import copy
import math
from fractions import Fraction

import pytest

from altpg_verify.theory.attraction import three_arms
from altpg_verify.theory.attraction.kl import optimistic_attracts, pessimistic_repels
from altpg_verify.theory.chain import fixed_point as chain
from altpg_verify.theory.proving import chain_check, exponential_check


def test_fixed_point_and_value_of_the_bandit():
    assert three_arms.fixed_point(Fraction(4)) == (
        Fraction(2, 11),
        Fraction(3, 11),
        Fraction(6, 11),
    )
    assert three_arms.value(Fraction(4)) == Fraction(26, 11)
    assert three_arms.kappa(Fraction(4)) == Fraction(-6, 11)
    pessimistic = three_arms.fixed_point(Fraction(-4))
    assert sum(pessimistic) == 1
    assert [p * (reward + 4) for p, reward in zip(pessimistic, (1, 2, 3), strict=True)] == [
        three_arms.kappa(Fraction(-4))
    ] * 3
    assert three_arms.value(Fraction(-4)) < 2


def change(alpha: float, policy=(0.2, 0.1, 0.7), baseline=4.0) -> float:
    """log Σ π e^(α π (r - b)) - α κ in floats."""
    kappa = 1 / sum(1 / (reward - baseline) for reward in (1, 2, 3))
    return (
        math.log(
            sum(
                p * math.exp(alpha * p * (reward - baseline))
                for p, reward in zip(policy, (1, 2, 3), strict=True)
            )
        )
        - alpha * kappa
    )


def test_four_readings_of_the_stepsize():
    certified = sum(1 / (Fraction(4) - reward) for reward in (1, 2, 3))
    assert certified == Fraction(11, 6)
    assert -2 / three_arms.kappa(Fraction(4)) == Fraction(11, 3)
    assert three_arms.paper_bound() == Fraction(744, 275)
    assert round(float(three_arms.paper_bound()), 4) == 2.7055
    low, high = 4.0, 5.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if change(middle) < 0 else (low, middle)
    assert round(low, 4) == 4.6957
    assert three_arms.change(Fraction(46956, 10000), "<").recheck()
    assert three_arms.change(Fraction(46958, 10000), ">").recheck()


@pytest.mark.parametrize(
    ("alpha", "relation"), [("4.6956", ">"), ("4.6958", "<"), ("0", "<"), ("0", ">")]
)
def test_a_wrong_sign_of_exponentials_is_refused(alpha, relation):
    assert not three_arms.change(Fraction(alpha), relation).recheck()


def test_exponential_bounds_enclose():
    for x in ("-9", "-1/3", "0", "1/7", "12"):
        low, high = exponential_check.exponential(Fraction(x))
        assert low <= Fraction(math.exp(Fraction(x))) * (1 + Fraction(1, 10**14))
        assert high >= Fraction(math.exp(Fraction(x))) * (1 - Fraction(1, 10**14))
        assert 0 <= high - low < Fraction(1, 10**6)


@pytest.mark.parametrize("y", ["-9", "-1", "-1/100", "0", "1/3", "5", "11"])
def test_psi_bound(y):
    exact = (
        0.5 if y == "0" else (math.exp(-Fraction(y)) - 1 + Fraction(y)) / float(Fraction(y)) ** 2
    )
    bound = float(exponential_check.psi_above(Fraction(y)))
    assert exact - 1e-12 <= bound
    assert bound <= exact + max(abs(exact), 1) / 32


# depth: the whole simplex in floats, beside the certificate
@pytest.mark.slow
def test_descent_on_the_whole_simplex():
    """At α = 3 it holds and is shown; the true limit is 3.1386, so at 3.2 nothing is shown."""
    assert three_arms.descent(Fraction(3)).recheck()
    assert not three_arms.descent(Fraction(16, 5), deepest=7).recheck()
    beyond = [
        change(3.2, (x / 300, y / 300, (300 - x - y) / 300))
        for x in range(1, 299)
        for y in range(1, 300 - x)
    ]
    within = [
        change(3.0, (x / 60, y / 60, (60 - x - y) / 60))
        for x in range(1, 59)
        for y in range(1, 60 - x)
    ]
    assert max(beyond) > 1e-6
    assert max(within) <= 1e-12


@pytest.mark.parametrize(
    "spoil",
    [
        {"alpha": "3"},
        {"alpha": "-1"},
        {"baseline": "3"},
        {"baseline": "9"},
        {"tree": "l"},
        {"rewards": ["1", "2"]},
    ],
)
def test_a_spoiled_descent_is_refused(spoil):
    data = dict(three_arms.descent(Fraction(2)).data)
    assert exponential_check.descent_holds(data)
    assert not exponential_check.descent_holds({**data, **spoil})


@pytest.mark.parametrize(
    "change_tree",
    [
        lambda tree: tree[:-1],
        lambda tree: tree + "l",
        lambda tree: tree.replace("s", "l", 1),
        lambda tree: "x" + tree,
    ],
)
def test_a_tree_that_does_not_cover_is_refused(change_tree):
    data = dict(three_arms.descent(Fraction(2)).data)
    assert not exponential_check.descent_holds({**data, "tree": change_tree(data["tree"])})


def bellman(policy: list[float], steps: int = 2000) -> list[float]:
    """Values of the chain by iterating its Bellman equation, a second way."""
    values = [0.0] * 7
    for _ in range(steps):
        values = [
            0.0,
            *(
                0.9 * (p * values[s + 1] + (1 - p) * values[s - 1]) + (p * 1.0 if s == 5 else 0.0)
                for s, p in enumerate(policy, 1)
            ),
            0.0,
        ]
    return values[1:6]


def test_chain_values_solve_the_bellman_equation():
    policy = [Fraction(1, 3), Fraction(2, 5), Fraction(1, 2), Fraction(4, 7), Fraction(9, 10)]
    assert bellman([float(p) for p in policy]) == pytest.approx(
        [float(v) for v in chain.value(policy)], abs=1e-13
    )


def test_chain_at_the_immediate_reward_policy():
    policy = chain.immediate_reward_policy()
    assert policy == [Fraction(1, 2)] * 4 + [Fraction(4, 7)]
    assert chain.value(policy)[2] == Fraction(103356, 369859)
    assert round(float(chain.value(policy)[2]), 6) == 0.279447


def test_chain_at_its_exact_fixed_point():
    certificate = chain.certificate()
    assert certificate.recheck()
    low, high = map(Fraction, certificate.data["value"])
    assert Fraction("0.2976410") < low < high < Fraction("0.2976413")
    assert high - low < Fraction(2, 10**7)
    policy = [0.5] * 5
    for _ in range(400):
        v = [0.0, *bellman(policy, 400), 0.0]
        left = [0.9 * v[s - 1] for s in range(1, 6)]
        right = [1.0 if s == 5 else 0.9 * v[s + 1] for s in range(1, 6)]
        new = [(x - 4) / (x + y - 8) for x, y in zip(left, right, strict=True)]
        if max(abs(x - y) for x, y in zip(new, policy, strict=True)) < 1e-12:
            break
        policy = new
    assert bellman(policy)[2] == pytest.approx(float(low + high) / 2, abs=1e-9)
    assert policy == pytest.approx([0.509865, 0.512847, 0.518576, 0.528160, 0.543361], abs=1e-6)


def test_chain_with_the_pessimistic_baseline():
    certificate = chain.certificate(chain.PESSIMISTIC_BASELINE)
    assert certificate.recheck()
    assert float(Fraction(certificate.data["value"][0])) == pytest.approx(0.228072, abs=1e-6)
    assert not chain_check.holds({**certificate.data, "attracts": True})


def spoil_box(data: dict, name: str, at: int, end: int, shift: Fraction) -> dict:
    changed = copy.deepcopy(dict(data))
    changed[name][at][end] = str(Fraction(changed[name][at][end]) + shift)
    return changed


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("end", [0, 1])
def test_a_spoiled_box_is_refused(at, end):
    data = chain.certificate().data
    inwards = Fraction(1, 10**9) * (1 if end == 0 else -1)
    for name in ("inner", "inner_values"):
        assert not chain_check.holds(spoil_box(data, name, at, end, inwards))
    assert not chain_check.holds(spoil_box(data, "outer", at, end, inwards * 10**8))
    assert not chain_check.holds(spoil_box(data, "outer_values", at, end, inwards * 10**8))


@pytest.mark.parametrize(
    "spoil",
    [
        {"baseline": "1/2"},
        {"baseline": "-4"},
        {"discount": "99/100"},
        {"discount": "1"},
        {"value": ["0.2794470", "0.2794471"]},
        {"slopes": [["0", "0"]] * 5},
        {"slopes": [["0", "100"]] * 5},
        {"inner": [["0", "1"]] * 5},
        {"inner": []},
    ],
)
def test_a_spoiled_fixed_point_is_refused(spoil):
    assert not chain_check.holds({**chain.certificate().data, **spoil})


def test_lipschitz_bound_is_not_crossed():
    """The certified constant against differences of the map at pairs of policies."""
    data = chain.certificate().data
    values = [(Fraction(low), Fraction(high)) for low, high in data["outer_values"]]
    constant = float(chain_check.lipschitz(values, chain.DISCOUNT, chain.OPTIMISTIC_BASELINE))
    assert constant < 1
    ends = [[float(Fraction(x)) for x in interval] for interval in data["outer"]]
    images = []
    for pattern in range(32):
        policy = [ends[s][pattern >> s & 1] for s in range(5)]
        v = [0.0, *bellman(policy, 400), 0.0]
        left, right = (
            [0.9 * v[s - 1] for s in range(1, 6)],
            [1.0 if s == 5 else 0.9 * v[s + 1] for s in range(1, 6)],
        )
        images.append((policy, [(x - 4) / (x + y - 8) for x, y in zip(left, right, strict=True)]))
    for p, image in images:
        for other, other_image in images:
            distance = max(abs(x - y) for x, y in zip(p, other, strict=True))
            assert (
                max(abs(x - y) for x, y in zip(image, other_image, strict=True))
                <= constant * distance + 1e-12
            )


@pytest.mark.parametrize("k", range(2, 7))
def test_theorem_in_floats(k):
    """Pessimistic steps of any size raise the divergence, optimistic ones up to Σ 1/(b - r) lower
    it.
    """
    rewards = [((7 * action) % 5) / 2 for action in range(k)]
    policy = [(1 + action) / (k * (k + 1) / 2) for action in range(k)]
    for baseline, sizes in ((-1.0, (0.01, 1.0, 30.0)), (3.0, (0.01, 0.5, 1.0))):
        kappa = 1 / sum(1 / (reward - baseline) for reward in rewards)
        for size in sizes:
            alpha = (
                size if baseline < 0 else size * sum(1 / (baseline - reward) for reward in rewards)
            )
            moved = (
                math.log(
                    sum(
                        p * math.exp(alpha * p * (reward - baseline))
                        for p, reward in zip(policy, rewards, strict=True)
                    )
                )
                - alpha * kappa
            )
            assert moved > 0 if baseline < 0 else moved < 0
    assert pessimistic_repels().verdict is optimistic_attracts().verdict
