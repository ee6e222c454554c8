"""P23, P24, P27, P28: slips of automatic differentiation, and code that was right."""

from __future__ import annotations

import pytest

from altpg_verify.audit import endpoints
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import entropy, value
from tests.audit.gallery import FOURTH_DECIMAL, audited, flavours, same, updates


@flavours("torch")
def test_p23_the_actor_is_right_and_the_critic_is_not(flavour):
    case = updates("p23_advantage_not_detached", flavour)
    found = audited(case.advantage_not_detached)
    assert found.kind is Kind.UNBIASED
    (end,) = endpoints(case.advantage_not_detached, groups=("v",))
    settled = value.value(case.SPACE) + entropy.value(case.SPACE) / (2 * 0.5)
    assert same(end.parameters["v"], settled)
    assert same(end.parameters["v"], 1.3447, within=FOURTH_DECIMAL)
    assert any("v settles at (1.34474); V = 1/3" in note for note in found.notes)
    (end,) = endpoints(case.advantage_detached, groups=("v",))
    assert same(end.parameters["v"], "1/3")


@flavours("torch")
def test_p23_with_a_shared_trunk_the_bias_reaches_the_policy(flavour):
    case = updates("p23_advantage_not_detached", flavour)
    found = audited(case.shared_trunk)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert same(found.bias[:3], 0, 0, 0)
    # the trunk gets the critic's pull, the entropy included, on top of the policy's gradient
    assert same(found.bias[3:], 1.3447, within=FOURTH_DECIMAL)


@pytest.mark.thorough
@flavours("torch", "jax")
def test_p24_the_ratio_is_one_and_its_gradient_is_not_zero(flavour):
    case = updates("p24_ratio_is_one", flavour)
    found = audited(case.ratio_is_one)
    assert found.kind is Kind.UNBIASED
    assert found.ok
    assert same(found.expected, "1/9", "1/18", "-1/6")


@pytest.mark.thorough
@flavours("torch", "jax")
def test_p27_a_sampled_mean_carries_no_gradient(flavour):
    case = updates("p27_no_score_term", flavour)
    found = audited(case.no_score_term)
    assert found.kind is Kind.ZERO
    assert same(found.expected, 0, 0, 0)
    if flavour == "torch":
        without = audited(case.no_path)
        assert without.kind is Kind.ZERO
        assert without.causes == ("the loss reads nothing of the parameters",)


@flavours("torch")
def test_p28_the_dropped_term_has_mean_zero(flavour):
    case = updates("p28_no_log_q_term", flavour)
    without, including = audited(case.without_the_term), audited(case.with_the_term)
    assert without.kind is including.kind is Kind.UNBIASED
    assert same(without.expected, 0.2412, 0.0846, -0.3258, within=FOURTH_DECIMAL)
    assert same([without.variance, including.variance], 1.908, 0.498, within=6e-4)
