"""Sampled audits: their error rates are what they say, and a small sample is no pass."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, from_function
from altpg_verify.audit.findings import Kind
from altpg_verify.audit.fixtures import stop_or_go, three_arms, two_prompts
from altpg_verify.audit.sampling import draws_needed
from altpg_verify.errors import BadInput
from altpg_verify.verdicts import Verdict

NOISY = from_function(lambda reward, score, rng: reward * score + 0.1 * rng.normal(size=3), space=three_arms(), name="noisy")


def test_a_right_update_is_supported_and_never_called_exact():
    found = audit(NOISY, samples=4000)
    assert found.kind is Kind.UNBIASED
    assert found.verdict is Verdict.SUPPORTED
    assert "no bias seen" in found.sentence
    assert "false-alarm rate 0.001 over 3 components" in found.evidence


def test_a_wrong_one_is_refuted():
    found = audit(from_function(lambda reward, score, rng: 2 * reward * score, space=three_arms()), samples=4000)
    assert found.kind is Kind.BIASED
    assert found.verdict is Verdict.REFUTED
    assert not found.ok


def test_too_small_a_sample_is_not_a_pass():
    found = audit(NOISY, samples=1000, worth_finding=1e-4)
    assert found.kind is Kind.UNDECIDED
    assert found.verdict is Verdict.INCONCLUSIVE
    assert not found.ok


def test_false_alarms_are_as_rare_as_stated():
    # at a stated rate of 0.2, 60 audits of a right update: more than 24 alarms have probability below 1e-4
    alarms = sum(audit(NOISY, samples=1000, false_alarm_rate=0.2, seed=seed).kind is Kind.BIASED for seed in range(60))
    assert alarms <= 24


def test_the_draws_needed_see_the_bias():
    bias = 0.05
    tilted = from_function(lambda reward, score, rng: reward * score + np.array([bias, -bias, 0.0]), space=three_arms())
    needed = draws_needed(tilted, worth_finding=bias)
    assert 1000 <= needed < 20_000
    assert audit(tilted, samples=needed).kind is Kind.BIASED


@pytest.mark.parametrize("space", [three_arms().batch(3), two_prompts().group(2), two_prompts().group(2, every_start=True)], ids=str)
def test_sampled_draws_have_the_enumerated_mean(space):
    def mean_score(rewards, scores):
        lead = rewards.ndim
        return (rewards.reshape(*rewards.shape, *[1] * (scores.ndim - lead)) * scores).mean(axis=tuple(range(lead)))

    assert audit(from_function(mean_score, space=space)).kind is Kind.UNBIASED
    assert audit(from_function(mean_score, space=space), samples=3000).kind is Kind.UNBIASED


def test_trajectories_can_be_sampled():
    found = audit(from_function(lambda rewards, scores: rewards.sum() * scores.sum(axis=0), space=stop_or_go()), samples=3000)
    assert found.kind is Kind.UNBIASED


@pytest.mark.parametrize(("options", "says"), [({"samples": 10}, "at least 1000"), ({"samples": 2000, "false_alarm_rate": 2}, "between 0")])
def test_unusable_rates(options, says):
    with pytest.raises(BadInput, match=says):
        audit(NOISY, **options)
