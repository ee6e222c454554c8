"""The guards about an update, one by one: what is asked again and how often, in which states of
chance, and at which policies.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, contexts, from_function, with_policy
from altpg_verify.audit.constant_policies import MOST_CONSTANTS, _with_probability, at_constants
from altpg_verify.audit.guarding import look
from altpg_verify.audit.purity import CALLS, STATES, TIMES, refuse_impure
from altpg_verify.errors import BadEstimator

FOUR = bandit([1, "1/2", "1/3", 0])


def one_step(reward, score):
    return reward * score


def ran(function, space=FOUR):
    """An update that was audited, so that its first pass is known."""
    update = from_function(function, space=space)
    audit(update, differentiate=False)
    return update


def mean(rewards, scores):
    return (rewards[:, None] * scores).mean(axis=0)


@pytest.mark.parametrize(
    ("size", "asked"), [(1, 2 * 3), (2, 4 * 3), (4, 16 * 3), (5, 32 * 2), (6, 64)]
)
def test_few_draws_are_asked_again_a_few_times_and_many_once(size, asked):
    assert (CALLS, TIMES, STATES) == (60, 3, 3)
    assert refuse_impure(ran(mean, bandit([1, 0]).batch(size))) == asked


def test_chance_is_left_as_it_was():
    update = ran(one_step)
    np.random.seed(3)
    random.seed(3)
    before = random.getstate(), np.random.get_state(legacy=False)["state"]["key"].tolist()
    refuse_impure(update)
    look(update, [FOUR.parameters])
    assert (random.getstate(), np.random.get_state(legacy=False)["state"]["key"].tolist()) == before


class Box:
    """What an update sees and a test changes."""

    factor = 1.0
    draws = False
    calls = 0


@pytest.fixture
def box():
    Box.factor, Box.draws, Box.calls = 1.0, False, 0
    return Box


def boxed(reward, score):
    Box.calls += 0
    if Box.draws:
        np.random.random()
    return Box.factor * reward * score


def test_another_answer_than_the_first_is_memory(box):
    update = ran(boxed)
    box.factor = 2.0
    with pytest.raises(BadEstimator, match=r"remembers earlier calls, or looks at a clock"):
        refuse_impure(update)


def test_a_generator_that_is_moved_is_chance_though_the_answers_agree(box):
    update = ran(boxed)
    box.draws = True
    with pytest.raises(
        BadEstimator, match=r"draws random numbers of its own; declare them as choices"
    ):
        refuse_impure(update)


def test_answers_that_follow_a_generator_are_chance(box):
    def follows(reward, score):
        return reward * score * (1.0 + (np.random.random() if Box.draws else 0.0))

    update = ran(follows)
    box.draws = True
    with pytest.raises(
        BadEstimator, match=r"draws random numbers of its own; declare them as choices"
    ):
        refuse_impure(update)


@pytest.mark.parametrize("later", [1, 2, 5, 9])
def test_single_draws_are_asked_again_too(later):
    calls = []

    def sometimes(reward, score):
        calls.append(1)
        # numbers of one draw only, and not the first times
        return (
            reward
            * score
            * (2.0 if isinstance(reward, float) and len(calls) % (7 + later) == 0 else 1.0)
        )

    with pytest.raises(BadEstimator, match="remembers earlier calls"):
        audit(from_function(sometimes, space=FOUR), differentiate=False)


def test_what_never_ran_is_told_from_what_did():
    def branches(reward, score):
        if reward == 1:
            return reward * score
        if reward == -100:
            return 2 * score
        return reward * score

    unrun = look(ran(branches), [FOUR.parameters])
    assert str(unrun).startswith("line ")
    assert "never ran" in str(unrun)
    assert not look(ran(one_step), [FOUR.parameters])


def test_a_line_that_few_policies_reach_is_reached():
    def at_corners(reward, score, pi):
        if max(pi) > 0.9999:
            return reward * score
        return reward * score

    update = ran(at_corners)
    near = _with_probability(FOUR, FOUR.policy, 0.99999)
    assert look(update, [FOUR.parameters])
    assert not look(update, [FOUR.parameters, near])


def test_a_line_that_one_draw_in_forty_reaches_is_reached():
    space = bandit([1, *[0] * 39])

    def seldom(reward, score):
        if reward == 1:
            return reward * score
        return 0 * score

    assert not look(ran(seldom, space), [space.parameters])


def test_what_is_not_compiled_is_watched_as_it_is():
    with from_function(one_step, space=FOUR).watched() as nothing:
        assert nothing is None


@pytest.mark.parametrize("number", [0.25, 0.3, 0.95, 1e-3])
def test_a_policy_with_a_given_probability(number):
    space = contexts([[1, 0, "1/2"], [0, 1, "1/3"]])
    table = space.policy.table(_with_probability(space, space.policy, number))
    for row in table:
        assert row[0] == pytest.approx(number, rel=1e-12)
        assert row[1] == pytest.approx((1 - number) / 2, rel=1e-12)
        assert row[2] == pytest.approx((1 - number) / 2, rel=1e-12)


def test_policies_lie_on_both_sides_of_the_updates_own_numbers():
    def clipped(reward, score, pi):
        return reward * score * np.where(pi.max() > 0.95, 1.0, 1.0)

    places = at_constants(from_function(clipped, space=FOUR))
    seen = [FOUR.policy.table(place)[0][0] for place in places]
    assert min(seen) < 0.95 < max(seen)
    assert any(probability == pytest.approx(0.95) for probability in seen)
    # the opposite, and its neighbours, are no probabilities; what is far from the number says
    # nothing of it
    assert all(min(abs(probability - 0.95), abs(probability - 1)) < 0.02 for probability in seen)
    assert len(places) <= 3 * MOST_CONSTANTS


def test_no_policies_where_there_are_no_numbers_or_no_table():
    assert at_constants(from_function(one_step, space=FOUR)) == []
    large = from_function(lambda reward, score: 15 * reward * score / 15, space=FOUR)
    assert at_constants(large) == []
    space = with_policy(FOUR, lambda parameters: parameters["w"][None, :], w=np.zeros(4))
    assert (
        at_constants(
            from_function(
                lambda rewards, scores: 0.3 * rewards[0] * scores[0], space=space.batch(1)
            )
        )
        == []
    )


def test_of_many_numbers_only_so_many_are_looked_at():
    def many(reward, score):
        limits = (0.11, 0.17, 0.23, 0.29, 0.31, 0.37, 0.41, 0.43, 0.47, 0.53, 0.59, 0.61, 0.67)
        return reward * score * (len(limits) / 13)

    assert len(at_constants(from_function(many, space=FOUR))) == 3 * MOST_CONSTANTS


def test_an_update_that_says_that_it_drew_is_chance():
    update = replace(ran(one_step), drew=lambda: True)
    with pytest.raises(BadEstimator, match="draws random numbers of its own"):
        refuse_impure(update)


def test_an_action_that_cannot_be_moved_keeps_its_logit():
    space = contexts([[1, 0], [0, 1]])
    held = replace(space, policy=replace(space.policy, index=((0, 1), (-1, -1))))
    assert np.asarray(_with_probability(held, held.policy, 0.25)["theta"]).ravel().tolist() == [
        np.log(1 / 3),
        0,
        0,
        0,
    ]


def test_what_is_known_of_the_coverage_is_returned_at_the_end_of_all_draws():
    def never(reward, score):
        return reward * score if reward > -100 else 0 * score

    assert str(look(ran(never), [FOUR.parameters] * 3)).endswith("never ran")


def test_a_draw_that_is_the_only_one_is_asked_once():
    """A line that it doesn't reach is named; there is no second draw to look with."""

    def branches(reward, score):
        if reward > 7:
            return 0 * score
        return reward * score

    only = bandit([1])
    assert "never ran" in str(look(from_function(branches, space=only), [only.parameters]))
