"""What was evaluated while the order of the draws was established isn't evaluated again, and
nothing else is taken over.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, update
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.expected_update import moments_at, points
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Pass
from altpg_verify.errors import BadEstimator, BadInput

SPACE = bandit([1, "1/2", 0]).batch(5, exchangeable=True)


@pytest.fixture(autouse=True)
def _many(monkeypatch):
    """These few draws are many: orders are tried on multisets, and a block holds few."""
    monkeypatch.setattr("altpg_verify.audit.merging.COUNTABLE", 0)
    monkeypatch.setattr("altpg_verify.audit.passes.LARGEST_BLOCK", 16)


def _own_mean(rewards, scores):
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)


def _bits(moments):
    return [(each.mean.tobytes(), each.size.tobytes(), each.trace, each.draws) for each in moments]


def test_what_was_seen_is_what_a_sweep_gives_to_the_last_bit():
    made, anew = (update(space=SPACE)(_own_mean) for _ in range(2))
    assert made.program.order.enumeration.merged
    assert made.program.seen is not None
    _ = anew.program.order
    anew.program.seen = None
    places = points(SPACE, 4)
    assert _bits(moments_at(made, places)) == _bits(moments_at(anew, places))
    assert made.program.calls < anew.program.calls


@pytest.mark.parametrize("number", [0, 1, 3])
def test_another_policy_in_its_place_is_evaluated(number):
    made = update(space=SPACE)(_own_mean)
    _ = made.program.order
    places = points(SPACE, 4)
    places[1] = {"theta": places[number]["theta"] + np.array([1e-6, 0, 0])}
    made.program.calls = 0
    found = moments_at(made, places)
    # 21 multisets in two blocks at each of four policies
    assert made.program.calls >= 8
    assert found[1].mean.tobytes() != made.program.seen.moments.mean.tobytes()


def test_the_first_policy_is_evaluated_always():
    made = update(space=SPACE)(_own_mean)
    assert made.program.seen is None
    assert made.program.order.sentence
    moments_at(made, [points(SPACE, 2)[1]])
    assert sum(each.spec.stop - each.spec.start for each in made.program.first_pass) == 21


def test_quantities_held_elsewhere_are_evaluated():
    def with_value(rewards, scores, value):
        return ((rewards - value)[:, None] * scores).mean(axis=0)

    made = update(space=SPACE, frozen=("value",))(with_value)
    _ = made.program.order
    places = points(SPACE, 4)
    held = moments_at(made, places, held=places[2])[1]
    assert held.trace != made.program.seen.moments.trace


@pytest.mark.parametrize("more", [1, 4, 7])
def test_what_changes_once_the_order_is_established_is_refused(more):
    calls, limit = [], [10**9]

    def changing(rewards, scores):
        calls.append(0)
        return ((rewards - (len(calls) > limit[0]))[:, None] * scores).mean(axis=0)

    made = update(space=SPACE)(changing)
    assert made.program.order.sentence
    limit[0] = len(calls) + more
    with pytest.raises(BadEstimator, match="remembers earlier calls"):
        audit(made)


# in every draw by little; in the last multisets only; where the update is small beside others
@pytest.mark.parametrize(
    "weight",
    [
        lambda rewards: 1e-9 * rewards[0],
        lambda rewards: 1e-6 * rewards[0] * (rewards.sum() == 0.5),
        lambda rewards: 1e-10 * (rewards[0] > rewards[1]) + 1e6 * (rewards.sum() == 0.0),
    ],
    ids=["little", "seldom", "beside large ones"],
)
def test_an_order_that_shows_little_or_seldom_is_seen(weight):
    def ordered(rewards, scores):
        return (1 + weight(rewards)) * (rewards[:, None] * scores + scores).mean(axis=0)

    made = update(space=SPACE)(ordered)
    with pytest.raises(BadInput, match="looks at the order"):
        _ = made.program.order


def test_a_block_in_another_order_says_which_draws_it_has():
    made = update(space=SPACE)(_own_mean)
    passes = Pass(
        made.program,
        points(SPACE, 2)[1:],
        Enumeration(SPACE, merged=True),
        Layout.of(made.judged, SPACE.parameters),
    )
    for spec in passes.specs():
        own = passes.block(spec).draws.indices
        for order, there in (("swap", [1, 0, 2, 3, 4]), ("rotation", [4, 0, 1, 2, 3])):
            block = passes.block(replace(spec, order=order))
            assert np.array_equal(own[block.moves][:, there], block.draws.indices)
            assert np.array_equal(own[~block.moves][:, there], own[~block.moves])


def test_draws_are_listed_once_for_episodes_as_long():
    made = update(space=SPACE)(_own_mean)
    paid = replace(
        SPACE,
        episodes=tuple(
            replace(each, rewards=tuple(reward + 1 for reward in each.rewards))
            for each in SPACE.episodes
        ),
    )
    shared = made.alike(paid).program.order.enumeration
    assert shared.parts is made.program.order.enumeration.parts
    assert shared.space is paid
    more = bandit([1, "1/2", 0, 0]).batch(5, exchangeable=True)
    other = made.alike(more).program.order.enumeration
    assert other.count == sum(part.count for part in Enumeration(more, merged=True).parts) == 56
