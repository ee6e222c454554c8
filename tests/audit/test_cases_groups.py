"""P08, P09, P11, P13, P30: baselines, standard deviations and filters over a batch or group."""

from __future__ import annotations

from math import sqrt

import pytest

from altpg_verify.audit.expected_update import expected
from altpg_verify.audit.fixtures import three_arms, two_arms, two_prompts
from altpg_verify.audit.kinds import Kind
from altpg_verify.verdicts import Verdict
from tests.audit.gallery import FOURTH_DECIMAL, audited, flavours, same, updates


@pytest.mark.thorough
@flavours("torch")
def test_p08_the_own_sample_in_the_mean(flavour):
    case = updates("p08_own_mean", flavour)
    found = audited(case.own_mean)
    assert found.kind is Kind.SCALED
    assert same([found.scale.factors[""]], "3/4")
    assert found.scale.constant
    assert found.scale.formula == "(N-1)/N"
    assert same(found.expected, "1/12", "1/24", "-1/8")
    assert same([found.variance], 0.0149, within=FOURTH_DECIMAL)
    plain, others = audited(case.no_baseline), audited(case.leave_one_out)
    assert plain.kind is others.kind is Kind.UNBIASED
    assert same([plain.variance, others.variance], 0.0482, 0.0265, within=FOURTH_DECIMAL)
    if flavour == "numpy":
        assert found.strength is plain.strength is others.strength is Verdict.PROVED


@pytest.mark.thorough
@flavours("torch")
def test_p09_the_standard_deviation_of_the_others(flavour):
    case = updates("p09_leave_one_out_std", flavour)
    found = audited(case.leave_one_out_std)
    assert found.kind is Kind.SCALED
    assert not found.scale.constant
    assert same([found.scale.factors[""]], 437_501, within=1e-6)
    assert same(found.expected[:1], 82_031, within=1e-5)
    assert same(found.gradient, "3/16", "-3/16")
    patched = audited(case.division_skipped)
    assert patched.kind is Kind.SCALED
    assert same([patched.scale.factors[""]], 1.631, within=6e-4)
    sample = audited(case.division_skipped.on(case.SPACE.having(ddof=1)))
    assert same([sample.scale.factors[""]], 1.412, within=6e-4)
    assert not sample.scale.constant


@pytest.mark.thorough
@flavours("torch")
def test_p11_on_a_coin_it_is_a_scale(flavour):
    case = updates("p11_group_std", flavour)
    found = audited(case.grpo_on_a_coin)
    assert found.kind is Kind.SCALED
    assert not found.scale.constant
    assert same(found.expected[:1], 27 / 256 + 15 * sqrt(3) / 128)
    sample = audited(case.grpo_on_a_coin.on(case.COIN.having(ddof=1)))
    assert same(sample.expected[:1], 45 / 256 + 27 * sqrt(3) / 512)


@flavours("torch")
def test_p11_on_three_arms_it_is_the_gradient_of_nothing(flavour):
    case = updates("p11_group_std", flavour)
    found = audited(case.grpo_on_three_arms)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert same(found.expected, "5/36", "1/9", "-1/4")
    assert same(found.curl, "1/18", "1/18")
    four = audited(case.grpo_on_three_arms.on(three_arms().batch(4).having(ddof=0)))
    assert four.kind is Kind.NOT_A_GRADIENT
    assert same(four.expected, 0.2108, 0.1733, -0.3841, within=FOURTH_DECIMAL)
    assert same(four.curl[1:], 0.0873, within=FOURTH_DECIMAL)


@pytest.mark.thorough
@flavours("torch")
def test_p11_two_prompts_are_weighted_otherwise(flavour):
    case = updates("p11_group_std", flavour)
    assert audited(case.grpo_on_two_prompts).kind is Kind.SCALED
    for size, weight in ((2, 0.2344), (4, 0.247), (8, 0.307), (16, 0.381)):
        space = two_prompts().group(size, every_start=True, exchangeable=True).having(ddof=0)
        field = expected(case.grpo_on_two_prompts.on(space))
        assert same([field[2] / field[0]], weight, within=6e-4 if size > 2 else FOURTH_DECIMAL)


@pytest.mark.thorough
@flavours()
def test_p13_mixed_groups_only(flavour):
    case = updates("p13_mixed_groups_only", flavour)
    for p, factor in (("1/2", "8/7"), ("1/4", "128/87"), ("1/16", "32768/7455")):
        found = audited(case.mixed_groups_only.on(two_arms(p).batch(4).keeping(case.mixed)))
        assert found.kind is Kind.SCALED
        assert same([found.scale.factors[""]], factor)
        assert found.scale.formula == "1/P(mixed group)"
    found = audited(case.mixed_groups_of_two_prompts)
    assert found.kind is Kind.SCALED
    assert same([found.expected[2] / found.expected[0]], 0.901, within=6e-4)
    every = audited(case.every_group_of_two_prompts)
    assert every.kind is Kind.UNBIASED
    # in a batch that holds both prompts each counts half: sizes 1/4 and 15/256 become 1/8 and
    # 15/512
    assert same(every.expected, "1/8", "-1/8", "15/512", "-15/512")
    assert same([every.expected[2] / every.expected[0]], 0.2344, within=FOURTH_DECIMAL)


@pytest.mark.thorough
def test_p13_a_trainer_with_a_loop_of_its_own_is_sampled():
    case = updates("p13_mixed_groups_only", "numpy")
    found = audited(case.trainer_step, samples=3000)
    assert found.verdict is Verdict.REFUTED
    # 8/29 = (128/87)(3/16), with an error of 0.001
    assert found.expected[0] == pytest.approx(8 / 29, abs=0.005)


@flavours("torch")
def test_p30_a_product_of_means(flavour):
    case = updates("p30_broadcast", flavour)
    found = audited(case.broadcast)
    assert found.kind is Kind.SCALED
    assert same([found.scale.factors[""]], "1/2")
    assert found.scale.formula == "1/N"
    whitened = audited(case.broadcast_whitened)
    assert whitened.kind is Kind.ZERO
    assert same(whitened.expected, 0, 0, 0)


def test_multisets_give_what_sequences_give():
    case = updates("p11_group_std", "numpy")
    each = expected(case.grpo_on_three_arms.on(three_arms().batch(4).having(ddof=1)))
    assert same(
        expected(
            case.grpo_on_three_arms.on(three_arms().batch(4, exchangeable=True).having(ddof=1))
        ),
        *each,
    )


def test_redrawing_the_prompt_too_keeps_the_weights():
    case = updates("p13_mixed_groups_only", "numpy")
    field = expected(
        case.mixed_groups_of_two_prompts.on(two_prompts().group(4).keeping(case.mixed))
    )
    assert field[2] / field[0] == pytest.approx(15 / 64)
