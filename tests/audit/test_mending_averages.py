"""Edits of what is averaged mend losses that they weren't written for, and only where it helps."""

from __future__ import annotations

import pytest

from altpg_verify.audit import audit, bandit, tokens

torch = pytest.importorskip("torch")

from altpg_verify.audit import loss, trainer_loss  # noqa: E402

ARMS = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])
PADDED = tokens(
    vocabulary=2, length=2, eos=0, pad=1, policy="shared", reward=lambda row: 1 + row.count(1)
)
LEGAL = tokens(
    vocabulary=3,
    length=2,
    legal=lambda row: [True, bool(row), True],
    policy="shared",
    reward=lambda row: 2 * row[0] + row[1],
)


def first(update):
    """The first edit of the first mend; empty if there is none."""
    found = audit(update, differentiate=False, mend=True)
    assert bool(found.mends) is not bool(found.unmended)
    return found.mends[0].edits[0] if found.mends else ""


@loss(space=ARMS.batch(2))
def of_rewards(logits, rewards):
    return -rewards.mean() + 0 * logits.sum()


@loss(space=ARMS.batch(2))
def of_halves(logits, actions, rewards):
    own = torch.softmax(logits, -1)
    return -2 * (rewards / 2).mean() * own.sum()


@loss(space=ARMS)
def of_a_sum(logits, rewards):
    nothing = (logits - logits.detach()).sum()
    return nothing * 0 - rewards.sum()


@pytest.mark.thorough
@pytest.mark.parametrize("update", [of_rewards, of_halves, of_a_sum])
def test_what_is_sampled_is_scored(update):
    assert ".detach() * logprobs)" in first(update)


@loss(space=LEGAL)
def by_distribution(theta, actions, rewards):
    scores = torch.distributions.Categorical(logits=theta).log_prob(actions)
    return -scores.sum(-1) * rewards.sum(-1)


@loss(space=LEGAL)
def by_place(theta, actions, rewards):
    scored = torch.log_softmax(theta, 0)[actions]
    return -(scored * rewards.sum(-1, keepdim=True)).sum()


@loss(space=LEGAL.batch(2))
def in_a_batch(theta, actions, rewards):
    scores = theta.log_softmax(-1)[actions]
    return -(scores.sum(-1) * rewards.sum(-1)).mean()


@pytest.mark.thorough
@pytest.mark.parametrize("update", [by_distribution, by_place, in_a_batch])
def test_what_is_scored_is_what_acts(update):
    assert first(update).startswith("with `logprobs` for")


@loss(space=ARMS)
def all_actions(logits, h):
    return -(logits * h).sum()


@loss(space=ARMS)
def of_logarithms(logits, h):
    return -(torch.log_softmax(logits, -1) * h).sum(-1)


@loss(space=ARMS)
def held_advantages(logits, h):
    advantages = h.detach()
    return (-advantages * logits).sum()


@pytest.mark.parametrize("update", [all_actions, of_logarithms, held_advantages])
def test_a_sum_over_actions_is_weighed_by_the_policy(update):
    assert "pi.detach()).sum(" in first(update)


@loss(space=ARMS)
def not_centred(logits, q):
    return -(logits * q).sum()


def test_values_that_are_no_advantages_are_not_mended_so():
    assert "pi.detach()).sum(" not in first(not_centred)


@trainer_loss(space=PADDED, advantages="return")
def mean_of_scores(log_probs, advantages, response_mask):
    return -(log_probs.mean(-1) * advantages[:, 0] * response_mask.sum(-1)).mean()


@trainer_loss(space=PADDED)
def mean_over_places(logprobs, sequence_rewards):
    return -(logprobs * sequence_rewards[:, None]).mean()


@trainer_loss(space=PADDED)
def of_what_is_picked(logprobs, sequence_rewards, mask):
    there = mask > 0
    return -(logprobs * sequence_rewards[:, None])[there].mean()


@pytest.mark.thorough
@pytest.mark.parametrize("update", [mean_of_scores, mean_over_places, of_what_is_picked])
def test_padding_is_no_part_of_a_mean(update):
    assert "mask).sum(-1)" in first(update) or "there).sum(-1)" in first(update)


@pytest.mark.thorough
def test_a_search_that_ends_by_its_count_tells_how_many_it_tried(monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.mending.MOST_EDITS", 3)
    found = audit(of_a_sum, differentiate=False, mend=True)
    assert found.unmended.startswith("none: of 3 edits that were tried")
    assert str(found).count("mend      none: of 3 edits") == 1
    assert not any("within" in note for note in found.notes)
