"""Bounds and bands that an update names are met by a policy, whatever they are bounds of."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, contexts, from_function, from_torch
from altpg_verify.audit.constant_policies import USUAL_RATIOS, at_constants, at_ratios
from altpg_verify.audit.kinds import Kind

ARMS = bandit([1, "1/2", 0])


def band_of_logarithms(reward, score, logprobs):
    """A hundredth wide: no policy is there by chance."""
    dead = (logprobs > -3.01) & (logprobs < -3.0)
    return np.where(dead.any(), 0.0, reward) * score


def band_of_a_logarithm_that_is_taken(reward, score, pi):
    logs = np.log(pi)
    return np.where(((logs > -4.5001) & (logs < -4.5)).any(), 0.0, reward) * score


def band_of_surprise(reward, score, logprobs):
    return np.where(((-logprobs > 5) & (-logprobs < 5.001)).any(), 0.0, reward) * score


def band_of_logits(reward, score, theta):
    return np.where(((theta > 3.5) & (theta < 3.5001)).any(), 0.0, reward) * score


def band_of_negative_logits(reward, score, theta):
    return np.where(((theta < -0.3) & (theta > -0.3001)).any(), 0.0, reward) * score


@pytest.mark.parametrize(
    "step",
    [
        band_of_logarithms,
        band_of_a_logarithm_that_is_taken,
        band_of_surprise,
        band_of_logits,
        band_of_negative_logits,
    ],
)
def test_a_band_that_the_source_names_is_met(step):
    assert audit(from_function(step, space=ARMS), differentiate=False).kind is not Kind.UNBIASED


def test_in_torch_too():
    torch = pytest.importorskip("torch")

    def loss(logprobs, rewards):
        dead = (logprobs > -3.01) & (logprobs < -3.0)
        return -(torch.where(dead, 0 * logprobs, logprobs) * rewards).mean()

    assert audit(from_torch(loss, space=ARMS), differentiate=False).kind is not Kind.UNBIASED


def test_on_both_sides_of_a_logarithm():
    def floored(reward, score, logprobs):
        return reward * score * np.where(logprobs < -7.25, 1.0, 1.0)

    places = at_constants(from_function(floored, space=ARMS))
    logs = np.log([ARMS.policy.table(place)[0][0] for place in places])
    below, above = max(logs[logs < -7.25]), min(logs[logs > -7.25])
    assert above - below < 1e-4


def test_what_names_no_logarithm_has_none():
    def times(reward, score):
        return 15 * reward * score / 15

    assert at_constants(from_function(times, space=ARMS)) == []


WEIGHED = ARMS.sampled_by(["1/2", "1/4", "1/4"])


def dead_for_ratios(low, high):
    def step(reward, score, logprobs, old_logprobs):
        ratio = np.exp(logprobs - old_logprobs)
        return np.where(((ratio > low) & (ratio < high)).any(), 0.0, reward * ratio[0]) * score

    return step


@pytest.mark.parametrize(
    ("low", "high"), [(1.2, 1.3), (1.2, 1.2001), (0.5, 0.5001), (0.01, 0.0101), (2.5, 2.5001)]
)
def test_a_band_of_the_ratio_is_met(low, high):
    """A whole tenth beside the usual clip lay between all policies that were tried."""
    step = dead_for_ratios(low, high)
    found = audit(from_function(step, space=WEIGHED), differentiate=False)
    assert found.kind is not Kind.UNBIASED


def test_without_a_band_the_same_is_unbiased():
    def step(reward, score, logprobs, old_logprobs):
        return reward * np.exp(logprobs - old_logprobs)[0] * score

    assert audit(from_function(step, space=WEIGHED), differentiate=False).kind is Kind.UNBIASED


def test_what_a_clip_does_is_confirmed_for_returns_of_both_signs():
    """With rewards above 0 alone, a cut at 3.5 is also the pessimistic surrogate."""
    torch = pytest.importorskip("torch")

    def cut(logprobs, old_logprobs, rewards):
        ratio = (logprobs - old_logprobs).exp()
        return -(torch.where(ratio > 3.5, 0 * ratio, ratio) * rewards).mean()

    found = audit(from_torch(cut, space=WEIGHED), differentiate=False)
    assert found.follows == "E_μ[Σ min(ρ, 3.5) G]"


@pytest.mark.parametrize(
    "space",
    [
        WEIGHED,
        # what is never sampled has no ratio
        ARMS.sampled_by([["1/2", "1/2", 0]]),
        contexts([[1, 0], [0, 1]]).sampled_by([["1/3", "2/3"], [1, 0]]),
    ],
)
def test_such_policies_have_the_ratios_that_are_wanted(space):
    wanted = [*USUAL_RATIOS, *(each * side for each in (1.2, 0.8) for side in (1 - 1e-6, 1 + 1e-6))]
    places = at_ratios(from_function(band_of_logits, space=ARMS).on(space), [Fraction(1, 5)])
    mu = np.asarray(space.behaviour, dtype=float)
    for place in places:
        pi = space.policy.table(place)
        ratios = (pi[mu > 0] / mu[mu > 0]).tolist()
        assert np.allclose(pi.sum(axis=1), 1)
        assert any(
            abs(one - other) < 1e-9 for one in ratios for other in (*wanted, *_exponentials())
        )
    assert len(places) >= 4


def _exponentials():
    return [np.exp(sign / 5) * side for sign in (1, -1) for side in (1 - 1e-6, 1 + 1e-6)] + [
        0.2 * (1 - 1e-6),
        0.2 * (1 + 1e-6),
    ]


def test_a_band_that_float32_holds_is_met():
    """0.2 in float32 is another number, by more than rounding in float64."""
    torch = pytest.importorskip("torch")
    epsilon = torch.tensor(0.2)

    def dead(logprobs, old_logprobs, rewards):
        ratio = (logprobs - old_logprobs).exp()
        held = (ratio > 1 + epsilon) & (ratio < 1.21 + 0 * epsilon)
        return -(torch.where(held, 0 * ratio, ratio) * rewards).mean()

    assert audit(from_torch(dead, space=WEIGHED), differentiate=False).kind is not Kind.UNBIASED
