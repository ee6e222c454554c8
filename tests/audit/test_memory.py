"""What is remembered of draws from policy to policy: only what no policy moves, and never an array that an update may write into."""

from __future__ import annotations

import numpy as np

from altpg_verify.audit import bandit, endpoints, training
from altpg_verify.audit.draws import FIXED, drawn
from altpg_verify.audit.fields import expected
from altpg_verify.audit.fixtures import two_prompts
from altpg_verify.audit.tables import Tables
from altpg_verify.audit.updates import from_function

ELSEWHERE = {"theta": np.array([0.5, -0.25, 0.0])}


def test_what_is_fixed_is_the_same_at_every_policy():
    space = bandit([1, "1/2", 0]).batch(2)
    here, there = Tables.at(space, space.parameters), Tables.at(space, ELSEWHERE)
    for (_, one), (_, other) in zip(drawn(here), drawn(there), strict=True):
        for name in FIXED - {"action", "reward", "e"}:
            assert np.array_equal(one[name], other[name])
            assert not one.moves
        assert not np.array_equal(one["logprobs"], other["logprobs"])
        assert one.moves


def test_an_update_may_write_into_its_arrays():
    def careless(rewards, scores):
        rewards -= rewards.mean()
        rewards *= 2
        return (rewards[:, None] * scores).mean(axis=0)

    def careful(rewards, scores):
        return (2 * (rewards - rewards.mean())[:, None] * scores).mean(axis=0)

    space = bandit([1, "1/2", 0]).batch(3)
    for place in (space.parameters, ELSEWHERE, space.parameters):
        found = expected(from_function(careless, space=space), place)
        assert np.array_equal(found, expected(from_function(careful, space=space), place))


def test_what_is_kept_is_asked_again_where_it_depends_on_the_policy():
    asked = []

    def unlikely(draw):
        asked.append(draw)
        return bool(draw["pi"][draw["action"]] < 0.4)

    space = bandit([1, "1/2", 0]).keeping(unlikely)
    count = [len(list(drawn(Tables.at(space, place)))) for place in (space.parameters, ELSEWHERE)]
    assert count == [3, 2]
    assert len(asked) == 6


def test_what_is_kept_is_asked_once_where_it_is_about_rewards():
    asked = []

    def mixed(draw):
        asked.append(draw)
        return len(set(draw["rewards"].tolist())) > 1

    space = bandit([1, "1/2", 0]).batch(2).keeping(mixed)
    for place in (space.parameters, ELSEWHERE):
        assert len(list(drawn(Tables.at(space, place)))) == 6
    assert len(asked) == 9


def test_slopes_are_taken_in_directions_the_policy_feels(monkeypatch):
    calls = []
    real = training.expected
    monkeypatch.setattr(training, "expected", lambda *arguments, **options: calls.append(1) or real(*arguments, **options))
    monkeypatch.setattr(training, "STEPS", 1)
    endpoints(from_function(lambda rewards, scores: np.tensordot(rewards, scores, 2), space=two_prompts().group(2, every_start=True)))
    # two runs, each: the start, both sides of two directions (not of four logits), and one step
    assert len(calls) == 2 * (1 + 2 * 2 + 1)
