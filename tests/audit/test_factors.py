"""A constant factor is explained by the space's constants: by those that it follows where they are
varied, and no others.
"""

from __future__ import annotations

import pytest

from altpg_verify.audit import audit, bandit, from_function, tokens

FIXED = tokens(vocabulary=2, length=2, reward=lambda row: row.count(1))
ENDING = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))


def formula(function, space):
    found = audit(from_function(function, space=space), differentiate=False)
    return str(found.scale)


@pytest.mark.parametrize(
    ("function", "space", "said"),
    [
        (lambda rewards, scores: rewards @ scores, bandit([1, "1/2", 0]).batch(3), "3 = N"),
        (
            lambda rewards, scores: (rewards - rewards.mean()) @ scores,
            bandit([1, 0]).group(3),
            "2 = G-1",
        ),
        (
            lambda rewards, scores: rewards @ scores / 5,
            bandit([1, "1/2", 0]).batch(3),
            "3/5 = 1/5 · N",
        ),
        (
            lambda reward, score, alpha: alpha * reward * score,
            bandit([1, 0]).having(alpha=0.25),
            "1/4 = alpha",
        ),
    ],
    ids=[
        "a sum for a mean",
        "two constants in one part",
        "a number that nothing explains",
        "a constant of one's own",
    ],
)
def test_the_parts_are_named(function, space, said):
    assert formula(function, space) == said


def test_a_number_in_the_code_is_no_constant_of_the_space():
    """1/2 is 1/G and 1/length here, and follows neither."""
    assert formula(lambda reward, score: reward * score / 2, bandit([1, "1/2", 0])) == "1/2"
    assert (
        formula(
            lambda rewards, scores: rewards @ scores / len(rewards) / 2,
            bandit([1, "1/2", 0]).group(2),
        )
        == "1/2"
    )


def test_a_group_of_one_size_explains_nothing(monkeypatch):
    """Where no other size can be tried, 2/3 isn't (G-1)/G."""
    space = bandit([1, "1/2", 0]).group(3)

    def own_mean(rewards, scores):
        return (rewards - rewards.mean()) @ scores / len(rewards)

    assert formula(own_mean, space) == "2/3 = (G-1)/G"
    monkeypatch.setattr("altpg_verify.audit.factors.MOST_DRAWS", 0)
    assert formula(own_mean, space) == "2/3"


def token_mean(log_probs, advantages, response_mask):
    return -(log_probs * advantages * response_mask).sum() / response_mask.sum()


def by_length(log_probs, advantages, response_mask, max_length):
    return -((log_probs * advantages * response_mask).sum(-1) / max_length).mean()


def token_count(log_probs, advantages, response_mask, num_items_in_batch):
    return -(log_probs * advantages * response_mask).sum() / num_items_in_batch


def halved(log_probs, advantages, response_mask):
    return -(log_probs * advantages * response_mask).sum(-1).mean() / 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("loss", "space", "options", "said"),
    [
        (token_mean, FIXED.group(2), {"advantages": "dr_grpo"}, "1/4 = (G-1)/G · 1/length"),
        (by_length, ENDING.group(2), {"advantages": "rloo", "max_length": 2}, "1/2 = 1/max_length"),
        (
            by_length,
            ENDING.group(2),
            {"advantages": "dr_grpo", "max_length": 3},
            "1/6 = (G-1)/G · 1/max_length",
        ),
        (
            token_count,
            bandit([1, 0]).batch(4),
            {"advantages": "return", "ranks": 2},
            "1/2 = 1/ranks",
        ),
        (halved, FIXED.group(2), {"advantages": "rloo"}, "1/2"),
    ],
    ids=[
        "own mean and token mean",
        "a fixed length",
        "both",
        "a global count in every worker",
        "a number in the code",
    ],
)
def test_parts_of_a_trainers_factor(loss, space, options, said):
    pytest.importorskip("torch")
    from altpg_verify.audit import trainer_loss

    assert str(audit(trainer_loss(loss, space=space, **options), differentiate=False).scale) == said


def test_a_discount_is_named_where_it_is_one():
    """Rewards come with the last token, and are discounted once too often."""
    space = tokens(vocabulary=2, length=2, discount="1/2", reward=lambda row: row.count(1))

    def discounted(token_rewards, scores, discount):
        return discount * discount * token_rewards.sum() * scores.sum(axis=0)

    assert formula(discounted, space) == "1/2 = γ"
