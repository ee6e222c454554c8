"""Updates written by reading the engine for its assumptions: none of them may get a whole pass that
it doesn't deserve.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function, loss
from altpg_verify.audit.fixtures import three_arms, two_arms
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadEstimator

SPACE = three_arms().batch(2)


def plain(rewards, scores):
    return (rewards[:, None] * scores).mean(axis=0)


def outcome(function, space=SPACE, **options):
    """ "refused", or whether it passed whole."""
    try:
        found = audit(from_function(function, space=space, **options))
    except BadEstimator:
        return "refused"
    return "passed" if found.kind is Kind.UNBIASED and not found.partial else "not passed"


def test_a_bias_below_the_tolerance_of_floats_is_known_exactly():
    def slightly_biased(reward, score, e):
        return reward * score + e / 10**12

    found = audit(from_function(slightly_biased, space=three_arms()))
    assert found.kind is not Kind.UNBIASED
    assert max(map(abs, found.bias)) == Fraction(1, 2 * 10**12)


def test_a_scale_below_the_tolerance_of_floats_is_known_exactly():
    def slightly_long(reward, score):
        return reward * score * (10**12 + 1) / 10**12

    found = audit(from_function(slightly_long, space=three_arms()))
    assert found.kind is Kind.SCALED
    assert found.scale.factors[""] == 1 + Fraction(1, 10**12)


def test_what_is_remembered_by_the_address_of_an_argument():
    """Arrays of earlier calls are gone, and later ones get their addresses."""
    seen = {}

    def by_address(rewards, scores):
        return seen.setdefault(id(rewards), plain(rewards, scores))

    assert outcome(by_address) != "passed"


def test_a_generator_that_is_new_at_every_call():
    assert (
        outcome(
            lambda rewards, scores: (
                plain(rewards, scores) * (np.random.default_rng().random() < 0.999)
            )
        )
        == "refused"
    )


def test_a_branch_on_the_policy_that_the_batched_mode_can_take_at_one_policy_alone():
    assert (
        outcome(lambda pi, rewards, scores: plain(rewards, scores) * (2 if pi[0] > 0.6 else 1))
        == "not passed"
    )


def test_a_step_in_the_logits_far_from_the_point_of_the_audit():
    assert (
        outcome(lambda theta, rewards, scores: plain(rewards, scores) * (2 if theta[0] > 7 else 1))
        == "not passed"
    )


def test_a_closure_that_counts_and_an_attribute_that_grows():
    calls = []

    def counting(rewards, scores):
        calls.append(None)
        return plain(rewards, scores) * (1 if len(calls) < 10**6 else 0)

    def growing(rewards, scores):
        growing.calls = getattr(growing, "calls", 0) + 1
        return plain(rewards, scores) * (1 if growing.calls < 10**6 else 0)

    assert (outcome(counting), outcome(growing)) == ("refused", "refused")


@pytest.mark.thorough
def test_an_honest_loss_that_branches_on_the_policy_is_not_called_forgetful():
    pytest.importorskip("torch")

    def two_forms(theta, pi, actions, rewards):
        # the same number twice, in another form
        logprobs = (
            theta.log_softmax(-1)[actions] if pi[0] > 0.5 else theta[actions] - theta.logsumexp(-1)
        )
        return -(logprobs * rewards).mean()

    found = audit(loss(space=three_arms().batch(3), frozen=("pi",))(two_forms))
    assert found.kind is Kind.UNBIASED


def test_a_cast_that_would_lose_digits_of_one_reward_only_is_evaluated_in_float64():
    pytest.importorskip("torch")

    def narrowing(logprobs, rewards):
        return -(logprobs * rewards.float().double()).mean()

    found = audit(loss(space=bandit([0, "1/2", 1, "1/5"]).batch(2))(narrowing))
    assert found.kind is Kind.UNBIASED
    assert found.run == ("in float64 throughout: .float() meant float64",)


def test_parameters_that_a_loss_moves_behind_autograd_s_back():
    pytest.importorskip("torch")

    def moving(theta, actions, rewards):
        theta.data.add_(1.0)
        return -(theta.log_softmax(-1)[actions] * rewards).mean()

    with pytest.raises(BadEstimator, match="changes its parameters"):
        audit(loss(space=SPACE)(moving))


@pytest.mark.thorough
def test_a_hook_that_scales_the_gradient():
    pytest.importorskip("torch")

    def hooked(theta, actions, rewards):
        theta.register_hook(lambda gradient: 2 * gradient)
        return -(theta.log_softmax(-1)[actions] * rewards).mean()

    with suppress(BadEstimator):
        assert audit(loss(space=SPACE)(hooked)).kind is not Kind.UNBIASED


@pytest.mark.thorough
def test_a_compiled_loss_that_remembers_while_it_is_traced():
    pytest.importorskip("jax")
    traces = []

    def tracing(logprobs, rewards):
        traces.append(None)
        return -(logprobs * rewards).mean() * (1.0 if len(traces) < 10**6 else 0.0)

    with pytest.raises(BadEstimator, match="remembers earlier calls"):
        audit(loss(space=SPACE, framework="jax")(tracing))


def test_two_actions_and_a_zero_that_is_none():
    """With two actions every update is parallel to the gradient; at p = 1/2 this one vanishes."""
    assert (
        outcome(lambda reward, score, pi: reward * score * (pi[0] - pi[1]), space=two_arms())
        == "not passed"
    )
