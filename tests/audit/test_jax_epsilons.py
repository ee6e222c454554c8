"""Safety epsilons of a JAX loss are said as what they are; a bias that merely is as small is a
bias.
"""

from __future__ import annotations

import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from altpg_verify.audit import audit, bandit, from_jax, tokens, trainer_loss  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402
from tests.shares import share  # noqa: E402

ARMS = bandit(["1/3", "1/7", 0])
PAIR = bandit([1, 0]).group(3)


def divided(logprobs, rewards):
    return -(rewards / (1 + 0 * rewards.mean() + 1e-8) * logprobs).mean()


@jax.jit
def of_a_helper(values, scale, small=1e-8):
    return values / (jnp.sqrt(scale**2) + small)


def through_a_helper(logprobs, rewards):
    return -(of_a_helper(rewards, 1 + 0 * rewards) * logprobs).mean()


def to_a_power(logprobs, rewards):
    return -(rewards * (1 + 0 * rewards + 1e-8) ** -1 * logprobs).mean()


@pytest.mark.parametrize("loss", share([divided, through_a_helper, to_a_power], 3))
def test_an_epsilon_is_no_bias(loss):
    found = audit(from_jax(loss, space=ARMS), differentiate=False)
    assert (found.kind, found.ok) == (Kind.UNBIASED, True)
    assert found.sentence == "unbiased: the expected update is ∇V, up to 6e-10: an epsilon of 1e-08"
    # the numbers are those of the loss as it was handed over
    assert 0 < max(abs(float(entry)) for entry in found.bias) < 1e-9


def by_root(logprobs, rewards):
    return -((rewards - rewards.mean()) * jax.lax.rsqrt(rewards.var() + 1e-8) * logprobs).mean()


def without_epsilon(logprobs, rewards):
    deviation = jnp.where(rewards.var() > 0, jnp.sqrt(rewards.var()), 1.0)
    return -((rewards - rewards.mean()) / deviation * logprobs).mean()


@pytest.mark.slow
def test_a_factor_that_an_epsilon_hides():
    found, clean = (
        audit(from_jax(each, space=PAIR), differentiate=False)
        for each in (by_root, without_epsilon)
    )
    assert (found.kind, found.scale.formula) == (clean.kind, clean.scale.formula)
    assert "an epsilon of 1e-08" in found.sentence
    assert not clean.precision


@pytest.mark.slow
def test_a_trainers_loss_in_jax():
    def loss(log_probs, advantages, response_mask):
        size = response_mask.shape[0]
        return -(log_probs * advantages * response_mask).sum() / (size + 0 * advantages[0] + 1e-8)

    space = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1) * 2 / 7).group(2)

    def summed(log_probs, advantages, response_mask):
        return loss(log_probs, advantages, response_mask).mean()

    found = audit(
        trainer_loss(summed, space=space, advantages="rloo", framework="jax"), differentiate=False
    )
    assert found.ok
    assert "an epsilon of 1e-08" in found.sentence


def a_factor(logprobs, rewards):
    return -(rewards * (1 + 1e-8) * logprobs).mean()


def a_bonus_beside_an_epsilon(logprobs, rewards):
    return -((rewards / (1 + 0 * rewards + 1e-8) - 1e-8 * logprobs) * logprobs).mean()


def an_epsilon_in_the_numerator(logprobs, rewards):
    return -((rewards + 1e-8) * rewards / (rewards + 1) * logprobs).mean()


def an_epsilon_that_decides(logprobs, rewards):
    return -(1e-8 * rewards / (0 * rewards + 1e-8) * 2 * logprobs).mean()


SMALL = [a_factor, a_bonus_beside_an_epsilon, an_epsilon_in_the_numerator, an_epsilon_that_decides]


@pytest.mark.parametrize("loss", share(SMALL, 3))
def test_a_bias_that_merely_is_small_is_not_excused(loss):
    found = audit(from_jax(loss, space=ARMS), differentiate=False)
    assert not found.ok
    assert found.kind is not Kind.UNBIASED


def test_a_loss_that_branches_on_values_is_judged_as_it_is():
    def branching(logprobs, rewards):
        weight = rewards / (1 + 0 * rewards + 1e-8) if float(rewards[0]) >= 0 else 0 * rewards
        return -(weight * logprobs).mean()

    found = audit(from_jax(branching, space=ARMS), differentiate=False)
    assert not found.precision
