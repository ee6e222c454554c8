"""An update that draws, remembers or writes is refused by name; what never ran is named."""

from __future__ import annotations

import random

import numpy as np
import pytest

from altpg_verify.audit import audit, loss, update
from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadEstimator

SPACE = three_arms().batch(2)
COUNTS = {"calls": 0}


def plain(rewards, scores):
    return (rewards[:, None] * scores).mean(axis=0)


def rarely_random(rewards, scores):
    return plain(rewards, scores) * (1 if random.random() < 0.99 else 0)


def noisy(rewards, scores):
    return plain(rewards, scores) * (1 + 1e-12 * np.random.standard_normal())


def own_generator(rewards, scores, rng_of_its_own=np.random.default_rng(0)):  # noqa: B008
    return plain(rewards, scores) * (1 if rng_of_its_own.random() < 0.999 else 0)


def changes_late(rewards, scores):
    COUNTS["calls"] += 1
    return plain(rewards, scores) * (1 if COUNTS["calls"] < 3000 else 0)


def writes(rewards, scores):
    rewards -= rewards.mean()
    return plain(rewards, scores)


def moves(theta, rewards, scores):
    theta += 1.0
    return plain(rewards, scores)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (rarely_random, "draws random numbers"),
        (noisy, "draws random numbers"),
        (own_generator, "draws random numbers|remembers earlier calls"),
        (changes_late, "remembers earlier calls"),
        (writes, "writes into rewards"),
        (moves, "writes into theta"),
    ],
)
def test_an_impure_numpy_update_is_refused_by_name(function, message):
    with pytest.raises(BadEstimator, match=message):
        audit(update(space=SPACE)(function))


@pytest.mark.thorough
def test_an_impure_torch_loss_is_refused_whatever_the_first_draw_is():
    torch = pytest.importorskip("torch")

    def dropping(logprobs, rewards):
        return -(torch.dropout(logprobs, 0.5, True) * rewards).mean()

    def masking(logprobs, rewards):
        return -(logprobs * rewards * (torch.rand(2) < 0.999)).mean()

    def tilting(logprobs, rewards):
        return -(logprobs * rewards).mean() * (1 if random.random() < 0.999 else 0)

    for function in (dropping, masking, tilting):
        with pytest.raises(BadEstimator, match="draws random numbers"):
            audit(loss(space=three_arms(("1/3", "1/3", "1/3")).batch(2))(function))


@pytest.mark.thorough
def test_an_impure_jax_loss_is_refused():
    pytest.importorskip("jax")

    def tilting(logprobs, rewards):
        return -(logprobs * rewards).mean() * (1 if random.random() < 0.999 else 0)

    with pytest.raises(BadEstimator, match="draws random numbers"):
        audit(loss(space=SPACE, framework="jax")(tilting))


def test_a_table_that_only_saves_time_is_allowed():
    known = {}

    def remembering(rewards, scores):
        key = rewards.tobytes() + scores.tobytes()
        if key not in known:
            known[key] = plain(rewards, scores)
        return known[key]

    assert audit(update(space=SPACE)(remembering)).kind is Kind.UNBIASED


def test_a_line_that_never_ran_is_named_and_no_pass_under_strict():
    def branching(pi, rewards, scores):
        if rewards.sum() == 17 * pi[0]:
            return 0 * scores[0]
        return plain(rewards, scores)

    found = audit(update(space=SPACE)(branching))
    assert found.partial
    assert "never" in found.unrun
    assert ("unseen", found.unrun) in found.rows()


def test_a_threshold_that_stands_in_the_source_is_looked_at_from_both_sides():
    def saturating(pi, rewards, scores):
        return plain(rewards, scores) * (0 if max(pi) > 0.987 else 1)

    assert audit(update(space=SPACE)(saturating)).kind is not Kind.UNBIASED


def test_a_comparison_is_no_rational_function():
    def twice_when_uniform(pi, rewards, scores):
        return plain(rewards, scores) * (2 if len(set(pi)) == 1 else 1)

    found = audit(update(space=three_arms(("1/7", "2/7", "4/7")).batch(2))(twice_when_uniform))
    assert str(found.strength) != "PROVED"


def test_a_denominator_that_may_vanish_is_no_proof():
    def cancelling(pi, rewards, scores):
        return plain(rewards, scores) * (pi[0] - pi[1]) / (pi[0] - pi[1])

    found = audit(update(space=three_arms(("1/7", "2/7", "4/7")).batch(2))(cancelling))
    assert str(found.strength) != "PROVED"
