"""A sum of objectives is named only if it is the same with other rewards and other lengths; what
can't be tried elsewhere says so.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function, mdp
from altpg_verify.audit.fixtures import survival
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.varied_spaces import varied

ARMS = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])
ROWS = survival()


def found_of(function, space=ROWS, **options):
    return audit(from_function(function, space=space, **options), differentiate=False)


def by_square_of_length(rewards, scores):
    return rewards.sum() * scores.sum(axis=0) / len(rewards) ** 2


def test_a_fit_of_one_space_is_not_named():
    """With lengths 1 and 2 only, R / length² is -1/2·V + 3/2·E[R / length]; with a length of 3 it
    isn't.
    """
    found = found_of(by_square_of_length)
    assert found.kind is Kind.BIASED
    assert not found.follows
    (note,) = [each for each in found.notes if "also the gradient of" in each]
    assert "E[R / length]" in note
    assert note.endswith("with other lengths it isn't, so that isn't what it follows")


def test_what_holds_elsewhere_is_named_and_says_where():
    found = found_of(lambda rewards, scores: rewards.sum() * scores.sum(axis=0) / len(rewards))
    assert found.follows == "E[R / length]"
    assert found.elsewhere == "the same with other rewards (2 spaces) and other lengths (2 spaces)"
    assert not found.reservation


def test_of_two_objectives_that_fit_here_the_one_that_fits_elsewhere_is_named():
    def squared(reward, score, logprobs):
        return (reward * reward - logprobs[0]) * score

    found = found_of(squared, bandit([1, 1, 0], pi=["1/6", "1/3", "1/2"]), target="-entropy")
    assert found.follows == "H + E[R²]"


def test_what_cant_be_tried_elsewhere_says_so(monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.confirmation.MOST_DRAWS", 2)
    found = found_of(lambda reward, score, logprobs: (reward - 0.25 * logprobs[0]) * score, ARMS)
    assert (
        found.sentence
        == "biased for the value V, but exactly the gradient of V + 1/4·H, on this space only"
    )
    assert found.elsewhere == "tried on this space only: more than 2 draws"


def test_an_update_that_runs_at_its_own_lengths_only():
    weights = np.array([1.0, 0.5, 1.0])

    def looked_up(rewards, scores, states, actions):
        # a table with a row for each state there is
        return rewards.sum() * scores.sum(axis=0) / len(rewards) * (weights[states] > 0).all()

    found = found_of(
        looked_up,
        mdp(
            [[[1, 0, 0], [0, 1, 0]]] * 3,
            [[1, 2]] * 3,
            [1, 0, 0],
            ends=[1, 2],
            horizon=2,
            at_limit="ends",
        ),
    )
    assert found.reservation == "at these lengths only"
    assert "other lengths weren't tried" in found.elsewhere


def test_one_direction_is_said_and_other_rewards_decide():
    arms = bandit([1, "1/2"], pi=["1/3", "2/3"])
    steep = found_of(lambda reward, score: 3 * reward * score, arms)
    assert str(steep.scale) == "3"
    assert any(
        note.endswith("in which every bias looks like a factor; with other rewards the factor is 3")
        for note in steep.notes
    )
    # uphill for these rewards by accident
    square = found_of(lambda reward, score: reward**2 * score, arms)
    assert str(square.scale) == "3/2 here, and with other rewards it isn't that"
    assert square.follows == "E[R²]"
    assert any(
        note.endswith("so that it is uphill with some rewards only") for note in square.notes
    )
    right_by_chance = found_of(lambda reward, score: reward**2 * score, bandit([1, 0]))
    assert right_by_chance.kind is Kind.UNBIASED
    assert any(
        "with other rewards it isn't unbiased, and this space doesn't show it" in note
        for note in right_by_chance.notes
    )


def test_a_factor_that_comes_from_the_rewards_says_so():
    found = found_of(lambda reward, score: reward**2 * score, bandit([2, 0, 0]))
    assert str(found.scale) == "2 here, and with other rewards it isn't that"


def test_variations_keep_the_structure():
    space = bandit([1, 0, 0]).against(["1/2", "1/4", "1/4"]).sampled_by(["1/2", "1/2", 0])
    rewards = [each.space for each in varied(space) if each.what == "rewards"]
    assert all(each.behaviour[0, 2] == 0 and sum(each.behaviour[0]) == 1 for each in rewards)
    levels = [each.space for each in varied(space) if each.what == "levels"]
    assert levels
    assert all(
        {episode.rewards for episode in each.episodes} == {(Fraction(1),), (Fraction(0),)}
        for each in levels
    )
    lengths = [each.space for each in varied(survival()) if each.what == "length"]
    assert len(lengths) == 2
    assert all(each.horizon > survival().horizon for each in lengths)


@pytest.mark.parametrize("target", ["value", "entropy"])
def test_factors_of_states_stand_in_every_verdict(target):
    found = found_of(
        lambda rewards, scores: rewards.sum() * scores.sum(axis=0) / len(rewards), target=target
    )
    assert any(note.startswith("state 0: ") for note in found.notes)
