"""An update is run on many draws at once where that gives the same, else draw by draw; the verdict
says which.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from altpg_verify.audit import Objective, audit, bandit, from_function, loss, update
from altpg_verify.audit.expected_update import expected, moments_at, points
from altpg_verify.audit.fixtures import (
    stop_or_go,
    survival,
    three_arms,
    three_arms_with_reference,
    two_prompts,
    two_tokens,
)
from altpg_verify.audit.kept_draws import NothingKept, drawn
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.errors import BadEstimator, BadInput

SPACES = [
    three_arms().batch(3),
    three_arms_with_reference().batch(2),
    two_prompts().group(2),
    two_prompts().group(2, every_start=True),
    stop_or_go().batch(3),
    survival(discount="1/2"),
    two_tokens().batch(2),
]


def on_actions(rewards, scores):
    """Rewards times scores, summed over everything but the parameters."""
    spread = rewards.reshape(rewards.shape + (1,) * (scores.ndim - rewards.ndim))
    return (spread * scores).sum(axis=tuple(range(rewards.ndim)))


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_both_modes_give_the_same_moments(space):
    together = from_function(on_actions, space=space)
    alone = replace(together, batch=None)
    places = points(space, 3)
    for one, other in zip(moments_at(together, places), moments_at(alone, places), strict=True):
        np.testing.assert_allclose(one.mean, other.mean, rtol=1e-14, atol=1e-16)
        np.testing.assert_allclose(one.size, other.size, rtol=1e-14)
        assert one.trace == pytest.approx(other.trace, rel=1e-12)
        assert one.draws == other.draws
    assert (together.program.mode, alone.program.mode) == ("batched", "")


def test_the_variance_is_that_of_every_draw_counted_one_by_one():
    made = from_function(on_actions, space=stop_or_go().batch(3))
    place = points(made.space, 2)[1]
    every = [
        (probability, made.at(place, draw)["theta"])
        for probability, draw in drawn(Tables.at(made.space, place))
    ]
    mean = sum(probability * vector for probability, vector in every)
    spread = sum(probability * (vector - mean) @ (vector - mean) for probability, vector in every)
    (found,) = moments_at(made, [place])
    np.testing.assert_allclose(found.mean, mean, rtol=1e-13)
    assert found.trace == pytest.approx(spread, rel=1e-12)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_torch_losses_in_log_probabilities_run_in_both_modes(space):
    pytest.importorskip("torch")

    def surrogate(logprobs, rewards):
        return -(logprobs * rewards).sum()

    together = loss(space=space)(surrogate)
    np.testing.assert_allclose(
        expected(together), expected(replace(together, batch=None)), rtol=1e-12, atol=1e-15
    )
    assert together.program.mode in ("batched", "")


@pytest.mark.thorough
def test_a_branch_on_data_is_run_draw_by_draw_and_the_verdict_says_so():
    def branching(rewards, scores):
        return (rewards[:, None] * scores).mean(axis=0) if rewards.sum() > 1 else 0 * scores[0]

    found = audit(update(space=three_arms().batch(5))(branching))
    assert found.run[0].startswith("draw by draw, since it")
    assert found.as_dict()["run"] == list(found.run)


def test_what_only_looks_the_same_on_many_draws_is_found_out():
    """On stacked arrays this doubles; the single calls with which it is compared don't."""

    def two_faced(rewards, scores):
        return (rewards[:, None] * scores).mean(axis=0) * (1 if type(rewards) is np.ndarray else 2)

    made = update(space=three_arms().batch(2))(two_faced)
    assert audit(made).kind is Kind.UNBIASED
    assert made.program.mode == "single"


def test_blocks_don_t_change_the_moments(monkeypatch):
    made = from_function(on_actions, space=three_arms().batch(4))
    whole = moments_at(made, points(made.space, 2))
    monkeypatch.setattr("altpg_verify.audit.passes.LARGEST_BLOCK", 16)
    parts = moments_at(
        from_function(on_actions, space=three_arms().batch(4)), points(made.space, 2)
    )
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_allclose(one.mean, other.mean, rtol=1e-14, atol=1e-16)
        assert one.trace == pytest.approx(other.trace, rel=1e-12)


def test_declared_choices_are_enumerated_in_torch_losses():
    pytest.importorskip("torch")

    def doubled_now_and_then(logprobs, rewards, times):
        return -(logprobs * rewards * times).mean()

    made = loss(space=three_arms().batch(2), choices={"times": [(0, "1/2"), (2, "1/2")]})(
        doubled_now_and_then
    )
    assert audit(made).kind is Kind.UNBIASED


def test_a_policy_at_which_nothing_is_kept_says_so():
    made = from_function(on_actions, space=three_arms().batch(2).keeping(lambda draw: False))
    assert moments_at(made, points(made.space, 2)) == [None, None]
    with pytest.raises(NothingKept, match="keeps none of its draws"):
        expected(made)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"places": 0}, "places must be a whole number of at least 2"),
        ({"places": True}, "places must be"),
        ({"budget": -1}, "budget must be a number of seconds above 0"),
        ({"jobs": 0}, "jobs must be a number of processes of at least 1"),
    ],
)
def test_unusable_options_say_what_to_change(options, message):
    with pytest.raises(BadInput, match=message):
        audit(from_function(on_actions, space=three_arms().batch(2)), **options)


def test_a_budget_stops_honestly():
    found = audit(from_function(on_actions, space=bandit(list(range(6))).batch(5)), budget=1e-9)
    assert (found.kind, str(found.verdict)) == (Kind.UNDECIDED, "INCONCLUSIVE")
    assert not found.ok
    assert "stopped after" in found.sentence
    assert "evaluations" in found.sentence
    assert "left" not in dict(found.rows())


def test_progress_is_reported_where_it_takes_long(monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.progress.QUIET", 0.0)
    monkeypatch.setattr("altpg_verify.audit.progress.OFTEN", 0.0)
    lines = []
    audit(from_function(on_actions, space=three_arms().batch(4)), report=lines.append)
    assert lines
    assert all(line.startswith("on_actions: ") and "evaluations" in line for line in lines)


@pytest.mark.thorough
def test_several_processes_give_the_same_numbers(monkeypatch):
    monkeypatch.setattr("altpg_verify.audit.workers.WORTH_IT", 10)
    monkeypatch.setattr("altpg_verify.audit.workers.PIECE", 16)

    def branching(rewards, scores):
        return (rewards[:, None] * scores).mean(axis=0) * (2 if float(rewards[0]) > 0.4 else 1)

    space = three_arms().batch(4)
    one, other = (
        audit(update(space=space)(branching), jobs=jobs, differentiate=False) for jobs in (None, 2)
    )
    assert one.as_dict() == other.as_dict()


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (SystemExit(0), "calls sys.exit"),
        (KeyboardInterrupt(), "raised KeyboardInterrupt by itself"),
        (RecursionError(), "recurses"),
    ],
)
def test_whatever_an_update_raises_is_its_own_fault(error, message):
    def ending(rewards, scores):
        raise error

    with pytest.raises(BadEstimator, match=message):
        audit(update(space=three_arms().batch(2))(ending))


def test_an_objective_and_a_keep_of_somebody_s_own_are_their_fault_too():
    broken = Objective("the broken one", "B", lambda tables, held: tables.value.nothing)
    with pytest.raises(BadInput, match="objective 'the broken one' raised AttributeError"):
        audit(from_function(on_actions, space=three_arms().batch(2), target=broken))
    with pytest.raises(BadInput, match="`keep` of space 'three arms' raised ZeroDivisionError"):
        audit(from_function(on_actions, space=three_arms().batch(2).keeping(lambda draw: 1 / 0)))
