"""Bounds of a clip are told apart from other numbers, for ratios of whole sequences too."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import bandit, from_function, tokens, trainer_loss  # noqa: E402
from altpg_verify.audit.references.identification import Likeness  # noqa: E402
from altpg_verify.audit.references.identifying import identify  # noqa: E402

PAIRS = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


def of_sequences(log_probs, old_log_probs, response_mask):
    far = ((log_probs - old_log_probs) * response_mask).sum(-1)
    return torch.exp(far / response_mask.sum(-1))


def narrow(log_probs, old_log_probs, advantages, response_mask):
    ratio = of_sequences(log_probs, old_log_probs, response_mask)
    return -torch.min(ratio * advantages, ratio.clamp(1 - 3e-4, 1 + 4e-4) * advantages).mean()


def wide(log_probs, old_log_probs, advantages, response_mask):
    ratio = of_sequences(log_probs, old_log_probs, response_mask)
    return -torch.min(ratio * advantages, ratio.clamp(1 - 0.2, 1 + 0.28) * advantages).mean()


def configured(log_probs, old_log_probs, advantages, response_mask, low, high):
    ratio = of_sequences(log_probs, old_log_probs, response_mask)
    return -torch.min(ratio * advantages, ratio.clamp(1 - low, 1 + high) * advantages).mean()


def half_configured(log_probs, old_log_probs, advantages, response_mask, low):
    ratio = of_sequences(log_probs, old_log_probs, response_mask)
    return -torch.min(ratio * advantages, ratio.clamp(1 - low, 1 + 4e-4) * advantages).mean()


@pytest.mark.parametrize(
    ("loss", "constants", "bounds"),
    [
        (narrow, {}, "clip(s, 1 - 0.0003, 1 + 0.0004)"),
        (wide, {}, "clip(s, 1 - 0.2, 1 + 0.28)"),
        (configured, {"low": 3e-4, "high": 4e-4}, "clip(s, 1 - low, 1 + high)"),
        (configured, {"low": 0.2, "high": 0.2}, "clip(s, 1 - low, 1 + high)"),
        (half_configured, {"low": 3e-4}, "clip(s, 1 - low, 1 + 0.0004)"),
    ],
)
def test_the_bounds_that_are_named_are_those_of_the_loss(loss, constants, bounds):
    made = trainer_loss(loss, space=PAIRS, advantages="grpo", **constants)
    found = identify(made, conforms_to="gspo")
    assert found.conforms
    assert len(found.names) == 1
    assert bounds in found.names[0]


def soft_gate(log_probs, old_log_probs, advantages, response_mask, up, down):
    """SAPO."""
    ratio = torch.exp(log_probs - old_log_probs)
    heat = torch.where(advantages > 0, up, down)
    gate = 4 / heat * torch.sigmoid(heat * (ratio - 1)) * advantages
    return -((gate * response_mask).sum(-1) / response_mask.sum(-1)).mean()


def geometric(log_probs, old_log_probs, advantages, response_mask, reach):
    """GMPO."""
    sign = torch.sign(advantages)
    far = sign * (log_probs - old_log_probs)
    far = sign * torch.minimum(far, far.clamp(-reach, reach))
    lengths = response_mask.sum(-1)
    weight = torch.exp((far * response_mask).sum(-1) / lengths)
    return -((advantages * response_mask).sum(-1) / lengths * weight).mean()


def geometric_between(log_probs, old_log_probs, advantages, response_mask, low, high):
    """GMPO with a bound for each direction."""
    logs = log_probs - old_log_probs
    sign = torch.sign(advantages)
    far = sign * torch.minimum(sign * logs, sign * torch.clamp(logs, -low, high))
    lengths = response_mask.sum(-1)
    weight = torch.exp((far * response_mask).sum(-1) / lengths)
    return -((advantages * response_mask).sum(-1) / lengths * weight).mean()


def geometric_swapped(log_probs, old_log_probs, advantages, response_mask, low, high):
    """Its bounds the wrong way round."""
    return geometric_between(log_probs, old_log_probs, advantages, response_mask, high, low)


@pytest.mark.parametrize(
    ("loss", "name", "constants", "formula"),
    [
        (soft_gate, "sapo", {"up": 1.0, "down": 1.05}, "τ = up for A > 0, else down"),
        (soft_gate, "sapo", {"up": 2.0, "down": 0.5}, "τ = up for A > 0, else down"),
        (geometric, "gmpo", {"reach": 0.4}, "clipped at reach for A > 0, else at -reach"),
        (
            *(geometric_between, "gmpo", {"low": 0.3, "high": 0.4}),
            "clipped at high for A > 0, else at -low",
        ),
        (
            *(geometric_between, "gmpo", {"low": 0.4, "high": 0.4}),
            "clipped at high for A > 0, else at -low",
        ),
        (
            *(geometric_swapped, "gmpo", {"low": 0.3, "high": 0.4}),
            "clipped at low for A > 0, else at -high",
        ),
    ],
)
def test_configured_numbers_are_named_by_their_constant(loss, name, constants, formula):
    made = trainer_loss(loss, space=PAIRS, advantages="grpo", **constants)
    found = identify(made, conforms_to=name)
    assert found.conforms
    assert formula in found.names[0]


def test_a_number_in_place_of_a_configured_one_is_told_apart():
    def ignoring(log_probs, old_log_probs, advantages, response_mask, low, high):
        return narrow(log_probs, old_log_probs, advantages, response_mask) + 0 * low * high

    made = trainer_loss(ignoring, space=PAIRS, advantages="grpo", low=3e-4, high=4e-4)
    (formula,) = identify(made).names
    assert "clip(s, 1 - 0.0003, 1 + 0.0004)" in formula


def grpo(log_probs, old_log_probs, advantages, response_mask, high=0.2):
    ratio = torch.exp(log_probs - old_log_probs)
    losses = -torch.min(ratio * advantages, ratio.clamp(1 - 0.2, 1 + high) * advantages)
    return ((losses * response_mask).sum(-1) / response_mask.sum(-1)).mean()


def clipped_advantages(log_probs, old_log_probs, advantages, response_mask):
    return grpo(log_probs, old_log_probs, advantages.clamp(-1.5, 1.5), response_mask)


def far_clipped_advantages(log_probs, old_log_probs, advantages, response_mask):
    return grpo(log_probs, old_log_probs, advantages.clamp(-8, 8), response_mask)


def outliers_dropped(log_probs, old_log_probs, advantages, response_mask):
    kept = torch.where(advantages.abs() > 3, 0 * advantages, advantages)
    return grpo(log_probs, old_log_probs, kept, response_mask)


def halved_in_large_groups(log_probs, old_log_probs, advantages, response_mask):
    share = 0.5 if len(log_probs) > 4 else 1.0
    return share * grpo(log_probs, old_log_probs, advantages, response_mask)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "loss", [clipped_advantages, far_clipped_advantages, outliers_dropped, halved_in_large_groups]
)
def test_what_happens_in_large_groups_only_is_met(loss):
    """In groups of 2 or 3 no advantage is larger than 2/√3 deviations."""
    found = identify(trainer_loss(loss, space=PAIRS, advantages="grpo"), conforms_to="grpo")
    assert not found.conforms
    assert found.likeness not in (Likeness.EQUAL, Likeness.SHIFTED)
    assert "GRPO (" in (found.nearest or found.names[0])


def test_the_nearest_is_what_agrees_on_most_draws():
    found = identify(trainer_loss(clipped_advantages, space=PAIRS, advantages="grpo"))
    assert found.nearest.startswith("GRPO (")
    assert found.difference.share < 0.1
    # of a draw of a large group only the first are shown
    assert len(found.difference.draw) < 300


def test_a_bound_next_to_another_is_its_own():
    """Only ratios from 1.2 to 1.2001 tell."""

    def a_little_wider(log_probs, old_log_probs, advantages, response_mask):
        return grpo(log_probs, old_log_probs, advantages, response_mask, high=0.2001)

    found = identify(trainer_loss(a_little_wider, space=PAIRS, advantages="grpo"))
    assert len(found.names) == 1
    assert "clip(ρ, 1 - 0.2, 1 + 0.2001)" in found.names[0]


def test_workers_that_cannot_share_a_batch_say_nothing():
    """Of 3 rows for 2 workers one was left out, and the rest agreed with a mean over rows."""

    def own_tokens(log_probs, advantages, response_mask):
        return -(log_probs * advantages * response_mask).sum() / response_mask.sum()

    made = trainer_loss(own_tokens, space=PAIRS, advantages="return", ranks=2)
    found = identify(made)
    assert found.likeness is Likeness.NONE
    assert "sizes 2, 8, 32" in found.evidence


@pytest.mark.thorough
def test_clipped_scores_of_a_batch_and_of_two_prompts_are_met_too():
    def whitened(rewards, scores):
        advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-8)
        return (advantages.clip(-1.5, 1.5)[:, None] * scores).mean(axis=0)

    batch = identify(from_function(whitened, space=bandit([1, "1/2", 0]).batch(2)))
    assert batch.likeness is Likeness.NONE
    space = tokens(
        vocabulary=2, length=2, eos=0, prompts=[[0], [1]], reward=lambda row: row.count(1)
    ).group(2)
    made = trainer_loss(clipped_advantages, space=space, advantages="grpo")
    assert identify(made).likeness is Likeness.NONE
