"""The parts that the enumeration is made of: balls, linear systems, MDPs, the sampling tree, the
approach to a corner.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from random import Random

import numpy as np
import pytest

from altpg_verify.estimators import alternate
from altpg_verify.forward_mode import Dual
from altpg_verify.judging import Verdict
from altpg_verify.report.evidence.ball_arithmetic import (
    Undecided,
    ball,
    entropy,
    excess,
    kullback_leibler,
    sign,
    stepped,
)
from altpg_verify.report.evidence.boundary_approach import NEAR_CORNERS
from altpg_verify.report.evidence.chain import HALF, POLICIES, START, chain, lemma_chain, matched
from altpg_verify.report.evidence.divergence import CLAIMS
from altpg_verify.report.evidence.domains import ANYWHERE, Domain
from altpg_verify.report.evidence.enumerated import Enumerated, flat
from altpg_verify.report.evidence.fixed_points import constant
from altpg_verify.report.evidence.linear_systems import solved
from altpg_verify.report.evidence.mdp_fixed_points import matched_policy, stated_bound
from altpg_verify.report.evidence.sampling_tree import (
    Counted,
    SamplingTree,
    Tally,
    alternate_step,
    regular_step,
)
from altpg_verify.report.evidence.stepping import Step, stepsize_bound

THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("x", "expected"), [(Fraction(1, 10**40), 1), (Fraction(-1, 10**40), -1), (Fraction(0), 0)]
)
def test_the_sign_of_a_tiny_exponential_less_one(x, expected):
    assert sign(lambda: ball(x).expm1()) == expected


def test_what_no_precision_can_tell_is_undecided_and_no_verdict():
    def zero():
        return ball(THIRD).exp() * ball(-THIRD).exp() - ball(1)

    with pytest.raises(Undecided):
        sign(zero)
    one_case = Domain("one", lambda max_examples, seed: [None])
    assert (
        Enumerated(lambda case: (sign(zero), 0), one_case).judged(1, 0).verdict
        is Verdict.INCONCLUSIVE
    )


def test_mean_exponentials_are_compared_with_one():
    half = [HALF, HALF]
    assert excess(half, [Fraction(1), Fraction(-1)]) == 1  # cosh 1 > 1
    assert excess(half, [Fraction(1), Fraction(-2)]) == 1
    assert excess(half, [Fraction(1, 10), Fraction(-2)]) == -1
    assert excess(half, [Fraction(0), Fraction(0)]) == 0


def test_divergence_and_entropy_from_their_definition():
    policy = [Fraction(1, 4), Fraction(3, 4)]
    assert float(kullback_leibler([HALF, HALF], map(ball, policy))) == pytest.approx(
        0.5 * np.log(4 / 3)
    )
    assert float(entropy(map(ball, policy))) == pytest.approx(
        -0.25 * np.log(0.25) - 0.75 * np.log(0.75)
    )
    assert [float(p) for p in stepped(policy, [Fraction(1), Fraction(0)])] == pytest.approx(
        np.array([np.e, 3]) / (np.e + 3)
    )


def test_the_figure_of_the_proof():
    (case,) = [
        case for case in ANYWHERE.cases(1, 0) if str(case) == "pi=1/5,1/10,7/10; r=1,2,3; b=4"
    ]
    assert round(float(stepsize_bound(case)), 4) == 2.7055
    # falls at 4.6 and rises at 4.8, both above the bound of the paper
    assert Step(case, Fraction(46, 10)).divergence_change() == -1
    assert Step(case, Fraction(48, 10)).divergence_change() == 1


def test_a_stepsize_too_large_refutes_attraction():
    attracts = CLAIMS["optimistic-attracts"]
    far = attracts.domain.each(
        "a thousand times the stepsize", lambda step: [Step(step.case, 1000 * step.alpha)]
    )
    assert Enumerated(attracts.sides, far, "<").judged(20, 0).verdict is Verdict.REFUTED


def test_linear_systems():
    assert solved([[0, 2], [3, 1]], [4, 5]) == [1, 2]
    with pytest.raises(ZeroDivisionError, match="singular"):
        solved([[1, 2], [2, 4]], [1, 1])
    (x,) = solved([[Dual(Fraction(2), [1])]], [Fraction(6)])
    assert (x.value, x.gradient) == (3, (Fraction(-3, 2),))


def test_known_values_of_the_chain():
    assert round(float(lemma_chain(Fraction(4)).values[START]), 6) == 0.279447
    assert chain((Fraction(1),) * 5).values[START] == Fraction(81, 100)
    assert stated_bound(chain((HALF,) * 5)) == Fraction(11, 2)


def test_matched_estimates_make_fixed_points_and_others_do_not():
    fixed = [
        matched(mdp)
        for mdp in POLICIES.cases(20, 0)
        if all(left != right for left, right in mdp.policy)
    ]
    assert fixed
    for mdp in fixed:
        assert all(constant(update) for update in mdp.expected(alternate))
        assert matched_policy(mdp).policy == mdp.policy
    printed = lemma_chain(Fraction(4))
    assert not all(constant(update) for update in printed.expected(alternate))


def test_the_gradient_of_the_chain_is_a_difference_quotient():
    at = chain((HALF, THIRD, HALF, THIRD, HALF))
    step = 1e-6
    for s in range(5):
        right = [float(p) for _, p in at.policy]
        moved = []
        for direction in (1, -1):
            odds = right[s] / (1 - right[s]) * np.exp(direction * step)
            moved.append(chain([*right[:s], odds / (1 + odds), *right[s + 1 :]]).values[START])
        assert float(at.gradient()[s][1]) == pytest.approx(
            (moved[0] - moved[1]) / (2 * step), abs=1e-8
        )


def test_near_policies_have_the_stated_mass_on_the_corner():
    for near in NEAR_CORNERS.cases(20, 0):
        assert near.case.pi[near.corner] == 1 - near.epsilon
        assert min(near.case.pi) > 0
        assert sum(near.case.pi) == 1


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7, 8, 20])
def test_the_tree_samples_like_the_cumulative_sums_and_is_mended(k):
    random = Random(k)
    weights = np.array([random.randint(1, 5) for _ in range(k)])
    tree = SamplingTree(weights)
    for _ in range(5):
        order = tree.in_order()
        ends = list(accumulate(int(weights[a]) for a in order))
        expected = [
            order[next(i for i, end in enumerate(ends) if key < end)] for key in range(ends[-1])
        ]
        assert [tree.select(Counted(key, Tally())) for key in range(ends[-1])] == expected
        action, weight = random.randrange(k), random.randint(1, 5)
        weights[action] = weight
        tree.change(action, Counted(weight, Tally()))
        rebuilt = SamplingTree(weights)
        assert (list(tree.left), tree.total) == (list(rebuilt.left), rebuilt.total)


def test_both_steps_follow_their_estimator():
    theta, b, alpha = np.array([0.3, -0.2, 0.1]), 0.5, 0.25
    pi = np.exp(theta) / np.exp(theta).sum()
    moved, _ = regular_step(theta, lambda action: 2.0, b, alpha, Random(3))
    drawn = [
        a for a in range(3) if np.allclose(moved - theta, alpha * (2.0 - b) * (np.eye(3)[a] - pi))
    ]
    assert len(drawn) == 1
    changed = theta.copy()
    action, _ = alternate_step(
        changed, SamplingTree(np.exp(theta)), lambda action: 2.0, b, alpha, Random(3)
    )
    assert np.allclose(changed - theta, alpha * (2.0 - b) * np.eye(3)[action])


def test_operations_are_counted_entry_by_entry():
    tally = Tally()
    _ = Counted(np.ones(4), tally) * 2 - Counted(1.0, tally)
    assert tally.operations == 8
    assert (Counted(1.0, tally) < 2.0) is True
    assert tally.operations == 9


def test_sides_are_flattened_in_order():
    assert flat([np.array([1, 2], dtype=object), (True, [Fraction(1, 2)]), 3]) == [
        1,
        2,
        1,
        Fraction(1, 2),
        3,
    ]
