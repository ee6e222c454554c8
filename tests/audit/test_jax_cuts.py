"""A JAX loss without a path to the parameters learns nothing: the verdict is zero, and names where
the path is cut.
"""

from __future__ import annotations

import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from altpg_verify.audit import audit, bandit, from_jax, tokens, trainer_loss  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402
from tests.shares import share  # noqa: E402

ARMS = bandit([1, "1/2", 0])
stop = jax.lax.stop_gradient


def stopped(logprobs, rewards):
    kept = stop(logprobs)
    return -(kept * rewards).mean()


def twice(logits, rewards, actions):
    kept = stop(jax.nn.log_softmax(logits))
    chosen = stop(2 * kept[actions])
    return -(chosen * rewards).mean()


@jax.jit
def helper(logprobs):
    return stop(logprobs)


def in_a_helper(logprobs, rewards):
    return -(helper(logprobs) * rewards).mean()


def ranked(logits, rewards):
    return -(jnp.argmax(logits) * rewards).mean()


def rounded(logits, rewards):
    return -(jnp.round(logits) * rewards).mean()


def cast(logits, rewards):
    return -(logits.astype(int) * rewards).mean()


def unread(logprobs, rewards):
    return -rewards.mean()


CUTS = {
    stopped: (
        "cut by stop_gradient of 'logprobs' in test_jax_cuts.py:21 (kept = stop(logprobs)); without"
        " that it has one"
    ),
    twice: (
        "cut by stop_gradient in test_jax_cuts.py:26 (kept = stop(jax.nn.log_softmax(logits))) and"
        " by stop_gradient in test_jax_cuts.py:27 (chosen = stop(2 * kept[actions])); without these"
        " it has one"
    ),
    in_a_helper: "cut by stop_gradient of 'logprobs' within helper() in test_jax_cuts.py:37",
    ranked: "cut by argmax of 'logits' in test_jax_cuts.py:41",
    rounded: "cut by round of 'logits' in test_jax_cuts.py:45",
    cast: "cut by a cast to int",
    unread: "the loss reads nothing of the parameters",
}


@pytest.mark.parametrize("loss", share(CUTS, 3))
def test_the_cut_is_named(loss):
    found = audit(from_jax(loss, space=ARMS), differentiate=False)
    assert (found.kind, found.ok) == (Kind.ZERO, False)
    assert CUTS[loss] in found.sentence
    assert found.sentence.startswith(
        "zero: the expected update is 0, where ∇V = (1/6, 0, -1/6); the loss"
    )


def test_of_two_cuts_the_one_that_matters_is_named():
    """The baseline's is meant, and softmax has one of its own."""

    def one_of_two(logits, rewards, actions):
        logprobs = jax.nn.log_softmax(logits)
        centred = rewards - stop(logprobs.mean())
        return -(stop(logprobs)[actions] * centred).mean()

    said = audit(from_jax(one_of_two, space=ARMS), differentiate=False).causes[0]
    assert said.count("cut by") == 1
    assert said.endswith("without that it has one")


def test_a_path_whose_gradient_happens_to_be_zero_is_not_cut():
    def alive(logprobs, rewards):
        return -(0 * logprobs * rewards).mean()

    def looped(logprobs, rewards):
        total, _ = jax.lax.scan(lambda carry, each: (carry + 0 * each, None), 0.0, logprobs)
        return -(total * rewards).mean()

    for loss in (alive, looped):
        found = audit(from_jax(loss, space=ARMS), differentiate=False)
        assert found.kind is Kind.ZERO
        assert not found.causes


@pytest.mark.slow
def test_a_trainers_loss_without_a_path():
    def loss(log_pi, adv, loss_mask):
        return -(stop(log_pi) * adv * loss_mask).mean()

    space = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)
    update = trainer_loss(loss, space=space, advantages="rloo", framework="jax")
    found = audit(update, differentiate=False)
    assert found.kind is Kind.ZERO
    assert "stop_gradient in test_jax_cuts.py:114 (return -(stop(log_pi)" in found.sentence


def test_a_rule_of_differentiation_of_its_own_may_have_the_path_that_the_program_lacks():
    @jax.custom_jvp
    def straight_through(number):
        return stop(jnp.round(number))

    straight_through.defjvp(lambda given, slopes: (straight_through(*given), slopes[0]))

    def learns(logprobs, rewards):
        return -(straight_through(logprobs) * rewards).mean()

    def weighted_with_zero(logprobs, rewards):
        return -(0 * straight_through(logprobs) * rewards).mean()

    assert audit(from_jax(learns, space=ARMS), differentiate=False).kind is Kind.UNBIASED
    found = audit(from_jax(weighted_with_zero, space=ARMS), differentiate=False)
    assert found.kind is Kind.ZERO
    assert not found.causes
