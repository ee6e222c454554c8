"""P32, P33, P39, P41, P43, P44, P45: which policy is scored, entropies and signs, and other
estimators.
"""

from __future__ import annotations

from math import e

import numpy as np
import pytest

from altpg_verify.audit import endpoints
from altpg_verify.audit.expected_update import identifiable_projection
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.training import near_corners
from tests.audit.gallery import FOURTH_DECIMAL, audited, flavours, same, updates


@pytest.mark.thorough
@flavours("torch", "jax")
def test_p32_scored_as_another_policy(flavour):
    case = updates("p32_probabilities_as_logits", flavour)
    found = audited(case.scored_only)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert same(found.expected, 0.0179, 0.0302, -0.0481, within=FOURTH_DECIMAL)
    assert same(found.bias, -0.0932, -0.0254, 0.1186, within=FOURTH_DECIMAL)
    assert same(found.curl[1:], 1.3e-4, within=6e-6)
    assert any("constant baseline doesn't cancel" in note for note in found.notes)
    assert not same_vector(audited(case.scored_only_with_baseline).expected, found.expected)


@pytest.mark.thorough
@flavours("torch", "jax")
def test_p32_consistent_use_is_a_capped_policy(flavour):
    case = updates("p32_probabilities_as_logits", flavour)
    assert audited(case.consistent).kind is Kind.UNBIASED
    (end,) = endpoints(case.consistent)
    assert same([end.policy[0, 0]], e / (e + 2))
    assert same([end.policy[0, 0]], 0.576, within=6e-4)
    assert same([end.value], 0.682, within=6e-4)


@pytest.mark.thorough
@flavours("torch", "jax")
def test_p33_outside_the_clamp_nothing_is_learned(flavour):
    case = updates("p33_clamped_probability", flavour)
    found = audited(case.clamped)
    assert same(found.expected, 0, 0, 0)
    assert same(found.gradient, 5.0e-4, -2.5e-4, -2.5e-4, within=6e-7)
    assert found.kind is Kind.ZERO


@pytest.mark.thorough
@flavours("torch", "jax")
def test_p33_epsilon_makes_another_objective(flavour):
    case = updates("p33_clamped_probability", flavour)
    found = audited(case.epsilon_added)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "Σ r (π - ε log(1 + π/ε))"
    assert same(found.expected, 0.1041, 0.0555, -0.1595, within=FOURTH_DECIMAL)
    assert any("constant baseline doesn't cancel" in note for note in found.notes)
    tiny = audited(case.tiny_epsilon_added)
    assert max(abs(float(entry)) for entry in tiny.bias) < 1e-8
    assert tiny.kind is Kind.OTHER_OBJECTIVE


@flavours("torch")
def test_p39_the_wrong_sign_of_the_entropy(flavour):
    case = updates("p39_entropy_sign", flavour)
    found = audited(case.wrong_sign)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "V - 1/10·H"
    assert same(found.expected, 0.0981, 0.0526, -0.1508, within=FOURTH_DECIMAL)
    assert same(found.gradient, 0.1241, 0.0585, -0.1826, within=FOURTH_DECIMAL)
    assert audited(case.right_sign).kind is Kind.UNBIASED


@pytest.mark.thorough
@flavours("torch")
def test_p39_where_training_ends(flavour):
    case = updates("p39_entropy_sign", flavour)
    (meant,) = endpoints(case.right_sign)
    assert same(meant.policy, 0.9933, 0.0067, 0.0001, within=FOURTH_DECIMAL)
    assert same([meant.value], 0.9966, within=FOURTH_DECIMAL)
    (end,) = endpoints(case.wrong_sign_from_a_bad_start)
    assert end.value == pytest.approx(0, abs=1e-9)
    # every corner attracts, however small beta is, from near enough
    for start, corner in zip(near_corners(three_arms(), left=1e-6), range(3), strict=True):
        (end,) = endpoints(case.wrong_sign, starts=[start])
        assert end.policy[0, corner] == pytest.approx(1, abs=1e-9)


@pytest.mark.thorough
@flavours("torch")
def test_p41_a_probability_for_its_logarithm(flavour):
    case = updates("p41_probability_for_its_log", flavour)
    found = audited(case.probability_for_its_log)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "V - 1/2·Σ π²"
    assert same(found.expected, "4/27", "2/27", "-2/9")
    assert same(found.gradient, 0.1761, 0.0701, -0.2462, within=FOURTH_DECIMAL)
    assert audited(case.as_meant).kind is Kind.UNBIASED
    (end,), (meant,) = endpoints(case.probability_for_its_log), endpoints(case.as_meant)
    assert same(end.policy, "3/4", "1/4", "0", within=1e-5)
    assert same([end.value], 0.875, within=1e-5)
    assert end.corner
    assert same(meant.policy, 0.665, 0.245, 0.090, within=6e-4)
    assert same([meant.value], 0.7876, within=FOURTH_DECIMAL)


@pytest.mark.thorough
@flavours("torch", "jax")
def test_p43_straight_through(flavour):
    case = updates("p43_straight_through", flavour)
    assert audited(case.linear_critic).kind is Kind.UNBIASED
    found = audited(case.square_critic)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "(E u)²"
    assert same(found.expected, "2/27", "1/27", "-1/9")
    assert same(found.gradient, "1/8", "0", "-1/8")


@pytest.mark.thorough
@flavours("torch")
def test_p44_neurd_is_a_gradient_up_to_what_the_policy_cant_feel(flavour):
    case = updates("p44_neurd", flavour)
    found = audited(case.neurd)
    assert same(found.expected, "2/3", "1/6", "-1/3")
    assert same(found.curl, "5/18", 0)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert any(
        "in the raw logits it is not a gradient field (curl 5/18)" in note for note in found.notes
    )
    sampled, plain = audited(case.sampled_neurd), audited(case.plain_score)
    assert same([sampled.variance], 119.3, within=6e-4)
    assert same([plain.variance], 0.0231, within=FOURTH_DECIMAL)
    assert plain.kind is Kind.UNBIASED


@flavours("torch")
def test_p44_the_mean_over_illegal_actions_is_not_felt(flavour):
    case = updates("p44_neurd", flavour)
    legal, everything = audited(case.centred_over_legal), audited(case.centred_over_all)
    identifiable = identifiable_projection(case.MASKED, ("theta",))
    change = np.array(legal.expected, dtype=float) - np.array(everything.expected, dtype=float)
    assert np.ptp(change[:3]) < 1e-12
    assert abs(change[0]) > 0.01
    assert np.abs(identifiable @ change).max() < 1e-12


@flavours()
def test_p45_an_action_dependent_baseline(flavour):
    case = updates("p45_action_baseline", flavour)
    found = audited(case.uncorrected)
    assert same(found.expected, "7/144", "-5/72", "1/48")
    assert same(found.bias, "-1/16", "-1/8", "3/16")
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert audited(case.corrected).kind is Kind.UNBIASED
    perfect = audited(case.perfect_baseline)
    assert perfect.kind is Kind.ZERO
    assert same(perfect.expected, "0", "0", "0")


def same_vector(one, other):
    return np.allclose(np.array(one, dtype=float), np.array(other, dtype=float), atol=1e-9)
