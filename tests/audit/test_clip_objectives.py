"""Clipped surrogates whose bounds stand in the code: named with the bounds where these are sure,
without where others do as well, and not at all where nothing clips.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function, from_jax, tokens, trainer_loss
from altpg_verify.audit.clip_objectives import Clip, written_clips
from altpg_verify.verdicts import Verdict

torch = pytest.importorskip("torch")

ROWS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: 1 + row.count(1)).sampled_by(
    [["1/3", "2/3"]] * 3
)
ARMS = bandit([1, "1/2", 0], pi=["1/2", "1/4", "1/4"]).sampled_by(["1/3", "1/3", "1/3"])

HIGH = 0.28


def pessimistic(ratio, cut, returns, mask):
    return -(torch.min(ratio * returns, cut * returns) * mask).sum(-1).mean()


def method(log_prob, old_log_prob, returns, response_mask):
    ratio = (log_prob - old_log_prob).exp()
    return pessimistic(ratio, ratio.clamp(0.8, 1.2), returns, response_mask)


def from_globals(log_prob, old_log_prob, returns, response_mask):
    ratio = (log_prob - old_log_prob).exp()
    return pessimistic(ratio, torch.clip(ratio, 1 - 0.2, 1 + HIGH), returns, response_mask)


def one_sided(log_prob, old_log_prob, returns, response_mask):
    ratio = (log_prob - old_log_prob).exp()
    return pessimistic(ratio, torch.clamp(ratio, max=1.2), returns, response_mask)


def dual(log_prob, old_log_prob, returns, response_mask):
    ratio = (log_prob - old_log_prob).exp()
    least = torch.min(ratio * returns, ratio.clamp(0.8, 1.2) * returns)
    kept = torch.where(returns < 0, torch.max(least, 1.5 * returns), least)
    return -(kept * response_mask).sum(-1).mean()


def truncated(log_prob, old_log_prob, returns, response_mask):
    ratio = (log_prob - old_log_prob).exp()
    return -(ratio.clamp(0.5, 1.1) * returns * response_mask).sum(-1).mean()


def with_bonus(log_prob, old_log_prob, returns, response_mask):
    return (
        method(log_prob, old_log_prob, returns, response_mask)
        - 0.05 * (log_prob * response_mask).sum(-1).mean()
    )


def _closing(eps):
    def in_a_closure(log_prob, old_log_prob, returns, response_mask):
        ratio = (log_prob - old_log_prob).exp()
        return pessimistic(ratio, ratio.clamp(1 - eps, 1 + eps), returns, response_mask)

    return in_a_closure


class Surrogate(torch.nn.Module):
    """Keeps its bound as libraries do, in a buffer."""

    def __init__(self, half):
        super().__init__()
        self.register_buffer("epsilon", torch.tensor(half * 2))

    def forward(self, log_prob, old_log_prob, returns, response_mask):
        ratio = (log_prob - old_log_prob).exp()
        cut = ratio.clamp(1 - self.epsilon, 1 + self.epsilon)
        return pessimistic(ratio, cut, returns, response_mask)


def _calling(module):
    def of_a_module(log_prob, old_log_prob, returns, response_mask):
        return module(log_prob, old_log_prob, returns, response_mask)

    return of_a_module


@pytest.mark.parametrize(
    ("loss", "clip"),
    [
        (method, "min(ρ G, clip(ρ, 0.8, 1.2) G)"),
        (from_globals, "min(ρ G, clip(ρ, 0.8, 1.28) G)"),
        (_closing(0.3), "min(ρ G, clip(ρ, 0.7, 1.3) G)"),
        (_calling(Surrogate(0.125)), "min(ρ G, clip(ρ, 0.75, 1.25) G)"),
        (one_sided, "min(ρ G, min(ρ, 1.2) G)"),
        (dual, "(min(ρ G, clip(ρ, 0.8, 1.2) G), at least 1.5 G for G < 0)"),
        (truncated, "clip(ρ, 0.5, 1.1) G"),
    ],
)
def test_bounds_in_the_code_are_named(loss, clip):
    found = audit(trainer_loss(loss, space=ROWS), differentiate=False)
    assert found.follows == f"E_μ[Σ {clip}]"
    assert found.strength is Verdict.HOLDS
    # seen with other rewards and lengths, too
    assert "other rewards (2 spaces)" in found.elsewhere
    assert "other lengths (2 spaces)" in found.elsewhere


def test_numpy_and_jax():
    def ascent(logprobs, old_logprobs, rewards, scores):
        ratios = np.exp(logprobs - old_logprobs)
        inside = np.clip(ratios, 0.8, 1.28)
        kept = ratios * rewards <= inside * rewards
        return np.tensordot(kept * ratios * rewards, scores, axes=1)

    jnp = pytest.importorskip("jax.numpy")

    def loss(logprobs, old_logprobs, rewards):
        ratios = jnp.exp(logprobs - old_logprobs)
        return -jnp.sum(jnp.minimum(ratios * rewards, jnp.clip(ratios, 0.8, 1.28) * rewards))

    for update in (from_function(ascent, space=ARMS), from_jax(loss, space=ARMS)):
        named = audit(update, differentiate=False).follows
        assert named == "E_μ[Σ min(ρ G, clip(ρ, 0.8, 1.28) G)]"


def test_a_term_beside_it():
    found = audit(trainer_loss(with_bonus, space=ARMS.batch(2)), differentiate=False)
    assert found.follows == "E_μ[Σ min(ρ G, clip(ρ, 0.8, 1.2) G)] + 1/20·E_μ[Σ log π]"


def test_a_clip_that_never_acts_is_not_named():
    def wide(log_prob, old_log_prob, returns, response_mask):
        ratio = (log_prob - old_log_prob).exp()
        return pessimistic(ratio, ratio.clamp(1e-6, 900), returns, response_mask)

    found = audit(trainer_loss(wide, space=ROWS), differentiate=False)
    assert found.follows == "Σ d^μ Σ π Q^μ"


def test_what_is_no_clipped_surrogate_is_not_named_one():
    def held_weight(log_prob, old_log_prob, returns, response_mask):
        weight = (log_prob - old_log_prob).exp().clamp(0.8, 1.2).detach()
        return -(weight * returns * log_prob * response_mask).sum(-1).mean()

    def of_the_log(log_prob, old_log_prob, returns, response_mask):
        ratio = (log_prob - old_log_prob).clamp(-0.1, 0.3).exp()
        return -(ratio * ratio * returns * response_mask).sum(-1).mean()

    def optimistic(log_prob, old_log_prob, returns, response_mask):
        ratio = (log_prob - old_log_prob).exp()
        return (
            -(torch.max(ratio * returns, ratio.clamp(0.8, 1.2) * returns) * response_mask)
            .sum(-1)
            .mean()
        )

    for loss in (held_weight, of_the_log, optimistic):
        named = audit(trainer_loss(loss, space=ROWS), differentiate=False).follows
        assert not any(part in named for part in ("clip(ρ", "min(ρ")), named


def test_bounds_that_others_replace_are_left_out():
    """No ratio comes near to 0.0005, so that whether there is a lower bound can't be seen."""

    def low(log_prob, old_log_prob, returns, response_mask):
        ratio = (log_prob - old_log_prob).exp()
        cut = torch.maximum(ratio.clamp(max=1.2), torch.tensor(0.0005))
        return pessimistic(ratio, cut, returns, response_mask)

    named = audit(trainer_loss(low, space=ROWS), differentiate=False).follows
    assert named == "E_μ[Σ min(ρ G, clip(ρ) G)]"


def test_without_a_fixed_behaviour_or_a_word_that_clips_there_is_no_candidate():
    def plain(log_prob, old_log_prob, returns, response_mask):
        return -((log_prob - old_log_prob).exp() * 1.2 * returns * response_mask).sum(-1).mean()

    on_policy = bandit([1, "1/2", 0], pi=["1/2", "1/4", "1/4"])
    assert not [*written_clips(trainer_loss(plain, space=ARMS.batch(2)))]
    assert not [
        *written_clips(
            from_function(lambda reward, score: max(reward, 0.5) * score, space=on_policy)
        )
    ]


@pytest.mark.parametrize("behaviour", [("2/7", "5/7"), ("3/10", "7/10"), ("4/9", "5/9")])
def test_gradients_are_derivatives(behaviour):
    """Of every candidate, beside central differences of its value, where no ratio is a bound."""
    space = ROWS.sampled_by([[*behaviour]] * ROWS.states)
    clips = [*written_clips(trainer_loss(dual, space=space))]
    assert len({clip.bounds for clip in clips}) > 12
    for clip in clips:
        assert isinstance(clip, Clip)
        numerical = replace(clip, of_parameters=True)
        np.testing.assert_allclose(
            clip.gradient(space, ("theta",)),
            numerical.gradient(space, ("theta",)),
            rtol=1e-7,
            atol=1e-9,
        )
