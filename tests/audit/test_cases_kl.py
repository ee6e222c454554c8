"""P01 and P02: divergences as loss terms. The table gives gradients of the divergence; updates
descend it, so signs are turned here.
"""

from __future__ import annotations

import pytest

from altpg_verify.audit import endpoints
from altpg_verify.audit.fixtures import three_arms_with_reference, two_tokens
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import entropy, kl_from_reference, kl_to_reference, value
from tests.audit.gallery import FOURTH_DECIMAL, audited, flavours, same, updates

THETA = ("theta",)


def test_the_fixture_has_the_printed_numbers():
    space = three_arms_with_reference()
    assert value.value(space) == pytest.approx(1 / 3)
    assert same(value.gradient(space, THETA), "1/9", "1/18", "-1/6")
    assert same([entropy.value(space)], 1.0114, within=FOURTH_DECIMAL)
    assert same(entropy.gradient(space, THETA), 0.1301, 0.0291, -0.1591, within=FOURTH_DECIMAL)
    assert same([kl_to_reference.value(space)], 0.25937, within=6e-6)
    assert same(kl_to_reference.gradient(space, THETA), -0.22633, 0.00944, 0.21689, within=6e-6)
    assert same([kl_from_reference.value(space)], 0.30410, within=6e-6)
    assert same(kl_from_reference.gradient(space, THETA), "-1/3", "1/12", "1/4")


def test_the_divergence_of_a_sequence():
    space = two_tokens()
    assert same([kl_to_reference.value(space)], 0.22147, within=6e-6)
    assert same(kl_to_reference.gradient(space, THETA), -0.18047, -0.11553, 0.05545, within=6e-6)


@flavours("torch")
def test_p01_k1_in_the_loss_teaches_nothing(flavour):
    case = updates("p01_k1_kl_in_the_loss", flavour)
    found = audited(case.k1_in_the_loss)
    assert found.kind is Kind.ZERO
    assert same(found.expected, 0, 0, 0)
    assert same(found.gradient, 0.226, -0.009, -0.217, within=6e-4)
    assert not found.ok


@pytest.mark.thorough
@flavours("torch")
def test_p01_with_any_weight_training_is_the_unregularised_one(flavour):
    case = updates("p01_k1_kl_in_the_loss", flavour)
    found = audited(case.reward_with_k1_in_the_loss)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "V"
    (end,) = endpoints(case.reward_with_k1_in_the_loss)
    assert end.value == pytest.approx(1, abs=1e-9)
    assert audited(case.k1_in_the_reward).kind is Kind.UNBIASED


@flavours("torch")
def test_p02_k3_in_the_loss_follows_the_forward_divergence(flavour):
    case = updates("p02_k3_kl_in_the_loss", flavour)
    found = audited(case.k3_in_the_loss)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "-KL(ref‖π)"
    assert same(found.expected, "1/3", "-1/12", "-1/4")
    assert same(found.bias, 0.107, -0.074, -0.033, within=6e-4)
    assert found.curl == (0.0, 0.0)
    assert audited(case.k2_in_the_loss).kind is Kind.UNBIASED


@pytest.mark.thorough
@flavours("torch")
def test_p02_where_training_ends(flavour):
    case = updates("p02_k3_kl_in_the_loss", flavour)
    (end,) = endpoints(case.k3_in_the_loss)
    assert same(end.policy, "1/2", "1/4", "1/4")
    (end,) = endpoints(case.reward_with_k3_in_the_loss)
    assert same(end.policy, 0.7556, 0.1504, 0.0939, within=FOURTH_DECIMAL)
    assert same([end.value], 0.8309, within=FOURTH_DECIMAL)
    assert same([kl_to_reference.value(case.SPACE, end.parameters)], 0.1437, within=FOURTH_DECIMAL)
    (meant,) = endpoints(case.reward_with_k2_in_the_loss)
    assert same(meant.policy, 0.7990, 0.1470, 0.0541, within=FOURTH_DECIMAL)
    assert same([meant.value], 0.8725, within=FOURTH_DECIMAL)
    assert same(
        [kl_to_reference.value(case.SPACE, meant.parameters)], 0.2136, within=FOURTH_DECIMAL
    )
