"""P14, P16, P17, P18, P20: lengths, denominators, returns and discounts."""

from __future__ import annotations

from math import log

import pytest

from altpg_verify.audit import endpoints
from altpg_verify.audit.expected_update import expected
from altpg_verify.audit.fixtures import survival, time_limit, two_decisions
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import value
from tests.audit.gallery import audited, flavours, same, updates


def test_the_fixtures_have_the_printed_numbers():
    theta = ("theta",)
    assert same(value.gradient(two_decisions(), theta), "1/4", "1/4")
    assert same(value.gradient(two_decisions(discount="1/2"), theta), "1/4", "1/8")
    assert same(value.gradient(survival(), theta), "3/8", "1/8")
    assert same(value.gradient(time_limit(), theta), "13/80", "-13/80")


@pytest.mark.thorough
@flavours("torch")
def test_p14_over_length(flavour):
    case = updates("p14_over_length", flavour)
    found = audited(case.over_length)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert found.follows == "E[R / length]"
    assert same(found.expected, "1/80", "1/16")
    assert same(found.gradient, "3/40", "1/8")
    assert audited(case.over_fixed_length).kind is Kind.SCALED
    (end,) = endpoints(case.stops_too_early)
    assert end.value == pytest.approx(0.6)
    # the objective it follows prefers stopping, 0.6 against 0.5, though going is worth 1
    assert end.policy[0, 1] < 1e-6


@flavours("torch")
def test_p14_the_class_turns_on_what_is_frozen(flavour):
    case = updates("p14_over_length", flavour)
    frozen, follows = audited(case.baseline_frozen), audited(case.baseline_follows)
    assert same(frozen.expected, "9/160", "1/16")
    assert same(follows.expected, "9/160", "1/16")
    assert frozen.kind is Kind.OTHER_OBJECTIVE
    assert frozen.curl == (0.0, 0.0)
    assert same([frozen.curl_moving], "1/64")
    assert follows.kind is Kind.NOT_A_GRADIENT
    assert same(follows.curl, "1/64", "1/64")


@pytest.mark.thorough
@flavours("torch")
def test_p16_without_discount(flavour):
    case = updates("p16_missing_discount", flavour)
    found = audited(case.without_discount)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert same(found.expected, "1/80", "1/8")
    assert same(found.gradient, "1/80", "1/16")
    assert same(found.bias, "0", "1/16")
    assert same(found.curl, "1/32", "1/32")
    assert same(audited(case.for_the_undiscounted).bias, "-1/16", "0")
    assert audited(case.with_discount).kind is Kind.UNBIASED


@pytest.mark.thorough
@flavours("torch")
def test_p16_with_a_shared_logit_it_ends_elsewhere(flavour):
    case = updates("p16_missing_discount", flavour)
    (without,), (meant,) = endpoints(case.shared_logit), endpoints(case.shared_logit_with_discount)
    assert same([without.value, meant.value], "1/2", "3/5")
    for update, threshold in ((case.shared_logit, 0.4), (case.shared_logit_with_discount, 0.6)):
        below, above = (
            expected(update, {"theta": [log(p / (1 - p))]})[0]
            for p in (threshold - 1e-6, threshold + 1e-6)
        )
        assert below < 0 < above


# where training ends is followed for the shared logit by default, above
@pytest.mark.slow
@flavours("torch")
def test_p16_separate_logits_end_at_the_same_place(flavour):
    case = updates("p16_missing_discount", flavour)
    (without,), (meant,) = endpoints(case.without_discount), endpoints(case.with_discount)
    assert same(without.policy, *meant.policy.reshape(-1), within=1e-6)


@pytest.mark.thorough
@flavours("torch")
def test_p17_the_old_form_was_right(flavour):
    case = updates("p17_whole_return", flavour)
    assert audited(case.old).kind is Kind.UNBIASED
    assert same(audited(case.old).expected, "1/4", "1/8")
    fix = audited(case.fixed)
    # with two steps it is E[Σ rₜ], and with more it isn't
    assert fix.kind is Kind.BIASED
    assert any(
        "also the gradient of E[Σ rₜ]; with other lengths it isn't" in note for note in fix.notes
    )
    assert same(fix.expected, "1/4", "1/4")
    assert same(fix.bias, "0", "1/8")
    before, after = audited(case.old_undiscounted), audited(case.fixed_undiscounted)
    assert before.kind is after.kind is Kind.UNBIASED
    assert same([before.variance, after.variance], 0.625, 0.375)
    before, after = audited(case.old_survival), audited(case.fixed_survival)
    assert same([before.variance, after.variance], 1.59375, 1.09375)


@pytest.mark.thorough
@flavours("torch")
def test_p18_one_environment_is_not_enough(flavour):
    case = updates("p18_mean_logprob", flavour)
    assert audited(case.terminal_reward).kind is Kind.UNBIASED
    found = audited(case.reward_on_the_way)
    assert found.kind is Kind.OTHER_OBJECTIVE
    assert same(found.expected, "1/8", "1/4")
    assert same(found.gradient, "1/4", "1/4")
    # with two steps E[(1/T) Σₜ Gₜ] is E[(r₀ + 2 r₁) / 2]
    assert found.follows == "E[(1/T) Σₜ Gₜ]"
    found = audited(case.lengths_differ)
    assert same(found.expected, "1/4", "1/8")
    assert same(found.gradient, "3/8", "1/8")


@pytest.mark.thorough
@flavours("torch")
def test_p20_the_last_decision_learns_nothing(flavour):
    case = updates("p20_standardised_returns", flavour)
    assert same(audited(case.centred_only).expected, "1/8", "0")
    assert same(audited(case.centred_only).gradient, "1/4", "1/4")
    assert same(audited(case.standardised_returns).expected, "1/4", "0")
    sample = case.standardised_returns.on(two_decisions().having(ddof=1))
    assert same(audited(sample).expected, 1 / (4 * 2**0.5), 0)
    assert same(audited(sample).expected, 0.177, 0, within=6e-4)
    divided = audited(case.divided_only)
    assert same(divided.expected, "3/4", "1/4")
    assert same(audited(case.centred_survival).expected, "1/8", "0")
    assert audited(case.standardised_bandit).kind is Kind.ZERO
    for update in (
        case.centred_only,
        case.standardised_returns,
        case.divided_only,
        case.centred_survival,
    ):
        assert audited(update).kind not in (Kind.UNBIASED, Kind.SCALED)
