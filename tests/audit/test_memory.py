"""What is the same at every policy, what is asked once, and that arrays handed out are the caller's
own.
"""

from __future__ import annotations

import numpy as np

from altpg_verify.audit import bandit, endpoints, passes, training
from altpg_verify.audit.draw_names import FIXED
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.expected_update import moments_at
from altpg_verify.audit.fixtures import two_prompts
from altpg_verify.audit.function_updates import from_function
from altpg_verify.audit.policy_quantities import Tables

ELSEWHERE = {"theta": np.array([0.5, -0.25, 0.0])}


def test_what_is_fixed_is_the_same_at_every_policy():
    space = bandit([1, "1/2", 0]).batch(2)
    indices = np.array([[0, 1], [2, 2]])
    here, there = (
        Draws(Tables.at(space, place), indices) for place in (space.parameters, ELSEWHERE)
    )
    for name in FIXED - {"action", "reward", "e"}:
        assert np.array_equal(here.array(name), there.array(name))
    assert not here.moves
    assert not np.array_equal(here.array("logprobs"), there.array("logprobs"))
    assert here.moves


def test_one_draw_is_a_row_of_its_block_with_arrays_of_its_own():
    space = bandit([1, "1/2", 0]).batch(2)
    block = Draws(Tables.at(space, space.parameters), np.array([[0, 1], [2, 2]]))
    rewards = block.row(1)["rewards"]
    rewards += 7
    assert block.row(1)["rewards"].tolist() == [0, 0]


def counted_rows(monkeypatch):
    """How many draws a space was asked about each time."""
    asked = []
    real = passes.kept_rows
    monkeypatch.setattr(passes, "kept_rows", lambda draws: asked.append(len(draws)) or real(draws))
    return asked


def test_what_is_kept_is_asked_again_where_it_depends_on_the_policy(monkeypatch):
    asked = counted_rows(monkeypatch)

    def unlikely(draw):
        return bool(draw["pi"][draw["action"]] < 0.4)

    space = bandit([1, "1/2", 0]).keeping(unlikely)
    update = from_function(lambda reward, score: reward * score, space=space)
    assert [found.draws for found in moments_at(update, [space.parameters, ELSEWHERE])] == [3, 2]
    assert asked == [3, 3]


def test_what_is_kept_is_asked_once_where_it_is_about_rewards(monkeypatch):
    asked = counted_rows(monkeypatch)

    def mixed(draw):
        return len(set(draw["rewards"].tolist())) > 1

    space = bandit([1, "1/2", 0]).batch(2).keeping(mixed)
    update = from_function(lambda rewards, scores: rewards @ scores, space=space)
    assert [found.draws for found in moments_at(update, [space.parameters, ELSEWHERE])] == [6, 6]
    assert asked == [9]


def test_slopes_are_taken_in_directions_that_change_the_policy(monkeypatch):
    asked = []
    real = training.moments_at
    monkeypatch.setattr(
        training,
        "moments_at",
        lambda update, points, **options: (
            asked.append(len(points)) or real(update, points, **options)
        ),
    )
    monkeypatch.setattr(training, "STEPS", 1)
    endpoints(
        from_function(
            lambda rewards, scores: np.tensordot(rewards, scores, 2),
            space=two_prompts().group(2, every_start=True),
        )
    )
    # two runs, each: the start, both sides of two directions (not of four logits) in one pass, and
    # one step
    assert asked == 2 * [1, 2 * 2, 1]
