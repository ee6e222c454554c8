"""A time limit is part of the problem, or has a value declared, or every verdict says that it was
left open.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from altpg_verify.audit import audit, mdp, update
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.errors import BadInput
from altpg_verify.verdicts import Verdict

STAY, LEAVE, OVER = [1, 0], [0, 1], [0, 1]


def waiting(**options):
    """Stay for 1, or leave for 2 and be done; looked at for two steps."""
    return mdp(
        [[STAY, LEAVE], [OVER, OVER]],
        [[1, 2], [0, 0]],
        [1, 0],
        horizon=2,
        ends=[1],
        discount="1/2",
        name="waiting",
        **options,
    )


def treating_the_limit_as_an_end(space):
    @update(space=space)
    def reward_to_go(rewards, scores, discount):
        powers = [discount**t for t in range(len(rewards))]
        return sum(
            sum(p * r for p, r in zip(powers[t:], rewards[t:], strict=True)) * score
            for t, score in enumerate(scores)
        )

    return audit(reward_to_go)


def bootstrapping(space):
    @update(space=space)
    def reward_to_go(rewards, scores, discount, final_values):
        steps = len(rewards)
        powers = [discount**t for t in range(steps + 1)]
        tails = [
            *[p * r for p, r in zip(powers, rewards, strict=False)],
            powers[steps] * final_values,
        ]
        return sum(sum(tails[t:]) * score for t, score in enumerate(scores))

    return audit(reward_to_go)


def said(found):
    return [note for note in found.notes if "time limit" in note]


def test_an_undeclared_cut_is_said_in_the_verdict_with_its_probability():
    space = waiting(pi=[["1/3", "2/3"], ["1/2", "1/2"]])
    assert space.undeclared_cut == (Fraction(1, 9), 2)
    found = treating_the_limit_as_an_end(space)
    assert found.verdict is Verdict.PROVED
    (note,) = said(found)
    assert "with probability 11.1 %" in note
    assert note in str(found)
    assert note in found.as_dict()["notes"]
    sampled = audit(
        update(space=space)(lambda rewards, scores: rewards.sum() * scores.sum(axis=0)),
        samples=1000,
    )
    assert len(said(sampled)) == 1


def test_a_limit_that_is_part_of_the_problem_needs_no_word():
    found = treating_the_limit_as_an_end(waiting(at_limit="ends"))
    assert found.verdict is Verdict.PROVED
    assert not said(found)


@pytest.mark.parametrize("at_limit", [["3/2", 0], "value"])
def test_where_the_rest_is_worth_something_a_limit_is_no_end(at_limit):
    space = waiting(at_limit=at_limit)
    wrong, right = treating_the_limit_as_an_end(space), bootstrapping(space)
    assert wrong.verdict is Verdict.REFUTED
    assert (right.kind, right.verdict) == (Kind.UNBIASED, Verdict.PROVED)
    assert not said(wrong) + said(right)


def test_the_exact_value_of_the_policy_is_declared_by_name():
    # v = 1/2 (1 + v/2) + 1/2 · 2, so v = 2; then the value with two steps is v, too
    space = waiting(at_limit="value")
    assert {episode.final_value for episode in space.episodes} == {0, 2}
    assert Tables.exact(space, space.weights).value == 2
    short = mdp(
        [[STAY, LEAVE], [OVER, OVER]],
        [[1, 2], [0, 0]],
        [1, 0],
        horizon=1,
        ends=[1],
        discount="1/2",
        at_limit="value",
    )
    assert Tables.exact(short, short.weights).value == 2


def test_a_value_without_discount_is_solved_where_every_episode_ends():
    space = mdp(
        [[STAY, LEAVE], [OVER, OVER]],
        [[1, 2], [0, 0]],
        [1, 0],
        horizon=1,
        ends=[1],
        at_limit="value",
    )
    # v = 1/2 (1 + v) + 1/2 · 2
    assert Tables.exact(space, space.weights).value == 3


def test_a_cut_after_which_nothing_is_paid_needs_no_word():
    space = mdp([[STAY, LEAVE], [OVER, OVER]], [[1, 2], [0, 0]], [0, 1], horizon=2)
    assert space.undeclared_cut is None
    leads_out = mdp([[LEAVE, LEAVE], [OVER, OVER]], [[1, 2], [0, 0]], [1, 0], horizon=1)
    assert leads_out.undeclared_cut is None
    assert waiting().undeclared_cut is not None


def test_rewards_can_be_random():
    space = mdp(
        [[STAY, LEAVE], [OVER, OVER]],
        [[[(0, "1/2"), (2, "1/2")], 2], [0, 0]],
        [1, 0],
        horizon=1,
        ends=[1],
        at_limit="ends",
    )
    assert sorted((episode.chance, episode.rewards) for episode in space.episodes) == [
        (Fraction(1, 2), (0,)),
        (Fraction(1, 2), (2,)),
        (1, (2,)),
    ]


def test_a_space_without_a_choice_says_that_nothing_was_tested():
    space = mdp([[[1]]], [[1]], [1], horizon=2, at_limit="ends")
    assert any(
        "nothing was tested" in note
        for note in audit(update(space=space)(lambda scores: scores.sum(axis=0))).notes
    )


def leaving_late(**options):
    """Two states to stay in, one to leave to; both can be where the limit strikes."""
    return mdp(
        [[["1/2", "1/2", 0], [0, 0, 1]], [[0, 1, 0], ["1/3", "1/3", "1/3"]], [[*OVER, 0]] * 2],
        [[1, 2], [0, [(3, "1/4"), (-1, "3/4")]], [0, 0]],
        ["2/3", "1/3", 0],
        horizon=2,
        ends=[2],
        discount="1/2",
        **options,
    )


@pytest.mark.parametrize(
    ("make", "drawn", "mean"),
    [
        (waiting, [[(1, "1/2"), (0, "1/2")], 0], ["1/2", 0]),
        # a mean of 0, one that is certain, a value that comes twice, a state that is never cut off
        (leaving_late, [[(3, "1/4"), (-1, "3/4")], [("2/3", 1)], 5], [0, "2/3", 5]),
        (
            leaving_late,
            [[(1, 0.5), (1, 0.25), (7, 0.25)], "1/5", [(1, "1/2"), (2, "1/2")]],
            ["5/2", "1/5", 0],
        ),
    ],
    ids=["one state", "beside numbers", "a value twice"],
)
def test_a_worth_at_the_limit_that_is_drawn_is_worth_its_mean(make, drawn, mean):
    several, one = make(at_limit=drawn), make(at_limit=mean)
    for space in (several, one):
        assert bootstrapping(space).kind is Kind.UNBIASED
    values = [Tables.exact(space, space.weights).value for space in (several, one)]
    assert values[0] == values[1]
    assert bootstrapping(several).gradient == bootstrapping(one).gradient
    assert treating_the_limit_as_an_end(several).kind is not Kind.UNBIASED
    assert not said(bootstrapping(several))


def test_each_worth_that_can_be_drawn_is_an_episode():
    space = waiting(at_limit=[[(1, "1/3"), (0, "2/3")], 0], pi=[["1/3", "2/3"], ["1/2", "1/2"]])
    cut = {each.final_value: each.chance for each in space.episodes if each.actions == (0, 0)}
    assert cut == {Fraction(1): Fraction(1, 3), Fraction(0): Fraction(2, 3)}
    assert len(space.episodes) == len(waiting(at_limit=[1, 0]).episodes) + 1


@pytest.mark.parametrize(
    ("worth", "message"),
    [
        ([[(1, "1/2"), (0, "1/3")], 0], "at_limit of state 0: the chances add up to 5/6, not to 1"),
        ([0, [(1, "3/2"), (0, "-1/2")]], "at_limit of state 1: a chance of '3/2'"),
        ([[("much", 1)], 0], "at_limit of state 0: 'much' is no number"),
        ([[(1, 1), (0, 0)], 0], "at_limit of state 0: entry 1 has a chance of 0"),
        ([[], 0], "at_limit of state 0: there are no chances"),
        ([[1, 2], 0], "at_limit of state 0"),
    ],
)
def test_a_worth_that_isnt_drawn_from_a_distribution_is_refused(worth, message):
    with pytest.raises(BadInput, match=message):
        waiting(at_limit=worth)
