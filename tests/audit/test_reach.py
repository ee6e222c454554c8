"""Spaces out of reach are refused before any work, with how long they would take."""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, loss, update
from altpg_verify.audit.fixtures import stop_or_go, three_arms, two_prompts
from altpg_verify.audit.reach import in_time
from altpg_verify.errors import BadInput

SAID = re.compile(
    r"; that would take (about [\d,]+|≈10\^\d+) (s|hours|days|years) at 4 policies, by the time of"
    r" \d+ of them; .*or sample with stated error rates"
)


def plain(rewards, scores):
    """The likelihood-ratio estimator of whatever shape."""
    spread = rewards.reshape(rewards.shape + (1,) * (scores.ndim - rewards.ndim))
    return (spread * scores).sum(axis=tuple(range(rewards.ndim)))


@pytest.mark.parametrize(
    "space",
    [
        bandit([i / 20 for i in range(20)]).batch(12),
        bandit([i / 30 for i in range(30)]).batch(9),
        two_prompts().group(10**4, every_start=True),
        stop_or_go().batch(20_000),
        three_arms().batch(9100),
    ],
    ids=str,
)
def test_the_time_is_estimated_from_some_draws(space):
    with pytest.raises(BadInput, match=SAID):
        audit(update(space=space)(plain))


def test_of_a_torch_loss_too_and_with_the_orders_it_needs():
    pytest.importorskip("torch")

    def ordered(theta, actions, rewards):
        return -(theta.log_softmax(-1)[actions] * rewards).mean() * (1.0 + (actions[0] > 0))

    with pytest.raises(BadInput, match="looks at the order of its draws") as refused:
        audit(loss(space=three_arms().batch(18))(ordered))
    assert SAID.search(str(refused.value))


def test_a_slower_update_takes_longer():
    def slow(rewards, scores):
        return float(rewards[0]) * scores[0]

    units = {"s": 1, "hours": 3600, "days": 86_400, "years": 31_557_600}
    taken = []
    for function in (plain, slow):
        with pytest.raises(BadInput) as refused:
            audit(update(space=bandit(list(range(20))).batch(12))(function))
        number, unit = re.search(r"about ([\d,]+) (\w+)", str(refused.value)).groups()
        taken.append(int(number.replace(",", "")) * units[unit])
    assert taken[0] < taken[1]


def test_draws_that_are_too_long_to_try_are_said_to_be_assumed():
    with pytest.raises(BadInput, match=r"if a draw takes 1 µs, which is assumed; make the group"):
        audit(update(space=three_arms().batch(10**9))(plain))


def test_an_update_that_fails_is_refused_for_its_size_first():
    def broken(rewards, scores):
        raise ValueError

    with pytest.raises(BadInput, match="which is assumed"):
        audit(update(space=bandit(list(range(20))).batch(12))(broken))


def test_what_is_tried_leaves_no_trace():
    seen = []

    def keeping(rewards, scores):
        seen.append(1)
        return random.random() * scores[0]

    made = update(space=bandit(list(range(20))).batch(12))(keeping)
    before = random.getstate()
    with pytest.raises(BadInput, match="that would take"):
        audit(made)
    assert random.getstate() == before
    assert not seen
    assert made.program.mode == ""


def test_nothing_is_timed_within_reach(monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.reach.estimate", lambda *_: pytest.fail("timed"))
    assert audit(update(space=three_arms().batch(3))(plain)).draws == 27


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1.2, "about 1 s"),
        (7000, "about 7,000 s"),
        (7200 * 1.001, "about 2 hours"),
        (3 * 86_400, "about 3 days"),
        (31_557_600 * 5e4, "about 50,000 years"),
        (31_557_600 * 1e30, "≈10^30 years"),
    ],
)
def test_times_in_words(seconds, said):
    assert in_time(math.log10(seconds)) == said


def test_times_that_no_number_holds():
    assert in_time(float(np.float64(4342.0))).startswith("≈10^43")
