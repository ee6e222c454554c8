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


ONE_STEP = bandit([1, "1/2", 0]).discounted("9/10")


def counted(row):
    return 1 + row.count(1)


@pytest.mark.parametrize(
    ("function", "space", "said"),
    [
        (lambda r, score, discount: discount * r * score, ONE_STEP, "9/10 = γ"),
        (lambda r, score, discount: r * score / discount, ONE_STEP, "10/9 = 1/γ"),
        (lambda r, score, discount: (1 - discount) * r * score, ONE_STEP, "1/10 = (1-γ)"),
        (lambda r, score, discount: r * score / (1 - discount), ONE_STEP, "10 = 1/(1-γ)"),
        (lambda r, score, discount: discount**3 * r * score, ONE_STEP, "729/1000 = γ^3"),
        (lambda r, score, discount: discount * r * score / 7, ONE_STEP, "9/70 = 1/7 · γ"),
        (
            lambda rewards, scores, discount: (
                discount * (rewards - rewards.mean()) @ scores / len(rewards)
            ),
            ONE_STEP.group(2),
            "9/20 = (G-1)/G · γ",
        ),
        (
            lambda r, score, discount, alpha: alpha * discount * r * score,
            ONE_STEP.having(alpha=0.5),
            "9/20 = γ · alpha",
        ),
    ],
    ids=["γ", "1/γ", "1-γ", "1/(1-γ)", "a cube", "a number", "a group", "another constant"],
)
def test_the_discount_of_an_episode_of_one_step_is_named(function, space, said):
    assert formula(function, space) == said


@pytest.mark.parametrize(
    ("function", "space", "said"),
    [
        (lambda r, score: 0.9 * r * score, ONE_STEP, "9/10"),
        (lambda r, score: r * score / 10, ONE_STEP, "1/10"),
        (
            lambda rewards, scores: (rewards - rewards.mean()) @ scores / len(rewards),
            bandit([1, 0]).discounted("9/10").group(10),
            "9/10 = (G-1)/G",
        ),
        (lambda r, score, alpha: alpha * r * score, ONE_STEP.having(alpha=0.9), "9/10 = alpha"),
        (
            lambda token_rewards, scores: 0.9 * token_rewards.sum() * scores.sum(axis=0),
            tokens(vocabulary=2, length=1, discount="9/10", reward=counted),
            "9/10",
        ),
    ],
    ids=["a literal", "1-γ as a literal", "a group of ten", "a constant equal to it", "a token"],
)
def test_a_number_that_happens_to_equal_the_discount_isnt_it(function, space, said):
    assert formula(function, space) == said


def undiscounted(token_rewards, scores):
    return token_rewards.sum() * scores.sum(axis=0)


@pytest.mark.parametrize(
    ("function", "length", "said"),
    [
        (undiscounted, 2, "10/9 = 1/γ^(length-1)"),
        (undiscounted, 3, "100/81 = 1/γ^(length-1)"),
        (
            lambda token_rewards, scores: token_rewards.sum() * scores.mean(axis=0),
            2,
            "5/9 = 1/γ^(length-1) · 1/length",
        ),
        (
            lambda token_rewards, scores, discount: (
                discount ** (2 * len(scores) - 2) * undiscounted(token_rewards, scores)
            ),
            3,
            "81/100 = γ^(length-1)",
        ),
        (
            lambda token_rewards, scores, discount: (
                discount ** (len(scores) - 1) * undiscounted(token_rewards, scores) * discount
            ),
            3,
            "9/10 = γ",
        ),
        # 10/9 · 9/10 at two tokens: the literal isn't the discount, and no short number is left
        (lambda token_rewards, scores: 0.81 * undiscounted(token_rewards, scores), 2, "9/10"),
    ],
    ids=["two", "three", "and a mean", "twice", "one γ at every length", "a literal"],
)
def test_a_discount_can_have_the_length_as_its_exponent(function, length, said):
    space = tokens(vocabulary=2, length=length, discount="9/10", reward=counted)
    assert formula(function, space) == said


def test_a_trainers_loss_times_the_discount():
    pytest.importorskip("torch")
    from altpg_verify.audit import trainer_loss

    def loss(log_prob, returns, response_mask, discount):
        return -(discount * log_prob * returns * response_mask).sum(-1).mean()

    space = tokens(vocabulary=2, length=1, reward=counted, discount="9/10")
    found = audit(trainer_loss(loss, space=space), differentiate=False)
    assert str(found.scale) == "9/10 = γ"
