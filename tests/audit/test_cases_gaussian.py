"""P100 to P105: tanh, noise, clipping and scales of Gaussian policies."""

from __future__ import annotations

import pytest

from altpg_verify.audit.kinds import Kind
from tests.audit.gallery import audited, same, updates


@pytest.mark.thorough
def test_p60_the_correction_for_tanh_made_twice_pays_for_the_middle_of_the_range():
    case = updates("p100_tanh_twice", "torch")
    found = audited(case.corrected_twice)
    assert found.follows == "V + 1/10·H + 1/10·E[log(1-a²)]"
    assert found.causes == ("log π has the correction for tanh, log(1 - a²), twice",)
    assert audited(case.corrected_once, differentiate=False).kind is Kind.UNBIASED


@pytest.mark.slow
def test_p60_a_correction_at_the_action_follows_nothing_that_has_a_name():
    case = updates("p100_tanh_twice", "torch")
    assert audited(case.tanh_of_the_action).kind is Kind.BIASED


@pytest.mark.thorough
def test_p61_the_entropy_before_tanh_is_another_bonus():
    case = updates("p101_entropy_before_tanh", "torch")
    assert audited(case.entropy_of_the_gaussian).follows == "V + 1/10·H(u)"
    assert audited(case.without_a_bonus, differentiate=False).kind is Kind.UNBIASED


@pytest.mark.thorough
def test_p62_nothing_is_learned_through_sample():
    case = updates("p102_sample_for_rsample", "torch")
    assert audited(case.sampled).kind is Kind.ZERO
    assert audited(case.sampled_with_a_bonus).follows == "1/10·H"
    assert same(audited(case.reparameterised).expected, 1.4, -0.5)


def test_p63_a_clipped_action_is_no_sample_of_its_density():
    case = updates("p103_clipped_action", "torch")
    found = audited(case.clipped_is_scored)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert any("a constant baseline doesn't cancel" in note for note in found.notes)
    assert audited(case.sampled_is_scored, differentiate=False).kind is Kind.UNBIASED


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "factor"),
    [("without_the_timestep", 0.25), ("mean_over_numbers", 0.5), ("scaled_by_the_timestep", 1)],
)
def test_p64_the_scale_of_a_density_scales_the_step(name, factor):
    found = audited(getattr(updates("p104_flow_density_scale", "torch"), name))
    assert same(found.expected, *(factor * each for each in found.gradient))


@pytest.mark.thorough
def test_p65_a_standard_deviation_for_the_variance_scores_another_policy():
    case = updates("p105_std_for_variance", "torch")
    found = audited(case.std_for_variance)
    assert found.causes == (
        (
            "what is scored has the standard deviation √σ, as if σ were the variance: were that"
            " sampled, it would be unbiased"
        ),
    )
    # the score in the mean is σ times as long
    assert same(found.expected[0], 0.5 * 1.4)
    assert audited(case.variance, differentiate=False).kind is Kind.UNBIASED
