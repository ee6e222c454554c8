"""A JAX loss becomes the ascent direction it stands for, in 64 bits that stay inside."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.kept_draws import drawn
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.programs import NotBatched
from altpg_verify.errors import BadEstimator

jax = pytest.importorskip("jax")
jnp = jax.numpy

from altpg_verify.audit import jax_loss  # noqa: E402
from altpg_verify.audit.jax_loss import JaxLoss  # noqa: E402
from altpg_verify.audit.jax_updates import from_jax  # noqa: E402

THETA = np.log([1 / 6, 1 / 3, 1 / 2])
PI = np.exp(THETA)
DRAW = {"actions": np.array([0, 1, 1]), "rewards": np.array([1.0, 0.5, 0.5])}


def reinforce(theta, actions, rewards):
    """Minus the mean of log π(a) r."""
    return -jnp.mean(jax.nn.log_softmax(theta)[actions] * rewards)


def by_hand(actions, rewards):
    return np.mean(
        [
            reward * (np.eye(3)[action] - PI)
            for action, reward in zip(actions, rewards, strict=True)
        ],
        axis=0,
    )


def test_minus_the_gradient_in_64_bits_and_the_configuration_stays():
    assert not jax.config.jax_enable_x64
    found = JaxLoss(reinforce)({"theta": THETA}, DRAW)["theta"]
    np.testing.assert_allclose(found, by_hand(**DRAW), rtol=1e-13)
    assert not jax.config.jax_enable_x64


def test_an_update_on_the_draws_of_a_space():
    update = from_jax(reinforce, space=three_arms().batch(2))
    tables = Tables.at(update.space, update.space.parameters)
    mean = sum(
        probability * update.at(update.space.parameters, draw)["theta"]
        for probability, draw in drawn(tables)
    )
    np.testing.assert_allclose(mean, [1 / 9, 1 / 18, -1 / 6], rtol=1e-12)
    assert update.origin == "jax loss"


def test_a_loss_that_branches_on_values_runs_uncompiled():
    def branching(theta, actions, rewards):
        if float(rewards.sum()) > 1:
            return reinforce(theta, actions, rewards)
        return reinforce(theta, actions, 0 * rewards)

    wrapped = JaxLoss(branching)
    np.testing.assert_allclose(
        wrapped({"theta": THETA}, DRAW)["theta"], by_hand(**DRAW), rtol=1e-13
    )
    found = wrapped({"theta": THETA}, {**DRAW, "rewards": np.zeros(3)})["theta"]
    np.testing.assert_array_equal(found, np.zeros(3))


def test_a_mean_of_samples_without_a_score_has_gradient_zero_and_that_is_an_answer():
    def sample_mean(theta, rewards):
        return -jnp.mean(rewards) + 0 * theta.sum()

    np.testing.assert_array_equal(
        JaxLoss(sample_mean)({"theta": THETA}, DRAW)["theta"], np.zeros(3)
    )


def test_a_mask_may_be_cast_to_float32_but_only_while_nothing_is_lost():
    def masked(theta, actions, rewards, mask):
        return -jnp.mean(jax.nn.log_softmax(theta)[actions] * rewards * mask.astype(jnp.float32))

    wrapped = JaxLoss(masked)
    np.testing.assert_allclose(
        wrapped({"theta": THETA}, {**DRAW, "mask": np.ones(3)})["theta"],
        by_hand(**DRAW),
        rtol=1e-13,
    )
    with pytest.raises(BadEstimator, match="float32"):
        wrapped({"theta": THETA}, {**DRAW, "mask": np.full(3, 0.2)})


def test_it_agrees_with_torch():
    torch = pytest.importorskip("torch")
    from altpg_verify.audit.torch_loss import TorchLoss

    def in_torch(theta, actions, rewards):
        ratio = (theta.log_softmax(-1)[actions] - theta.log_softmax(-1)[actions].detach()).exp()
        return (
            -(ratio * (rewards - rewards.mean())).mean()
            - 0.1 * torch.distributions.Categorical(logits=theta).entropy()
        )

    def in_jax(theta, actions, rewards):
        log_pi = jax.nn.log_softmax(theta)
        ratio = jnp.exp(log_pi[actions] - jax.lax.stop_gradient(log_pi[actions]))
        return -jnp.mean(ratio * (rewards - rewards.mean())) + 0.1 * jnp.sum(
            jnp.exp(log_pi) * log_pi
        )

    np.testing.assert_allclose(
        JaxLoss(in_jax)({"theta": THETA}, DRAW)["theta"],
        TorchLoss(in_torch)({"theta": THETA}, DRAW)["theta"],
        rtol=1e-12,
    )


def test_the_loss_itself():
    assert JaxLoss(reinforce).value({"theta": THETA}, DRAW) == pytest.approx(
        -np.mean(np.log(PI[DRAW["actions"]]) * DRAW["rewards"])
    )


@pytest.mark.parametrize("stacked", [("actions", "rewards"), ("actions", "rewards", "theta")])
@pytest.mark.parametrize(("block", "room"), [(8, 1 << 24), (1, 1 << 24), (64, 1 << 24), (8192, 64)])
def test_blocks_of_any_size_are_draw_for_draw_the_single_calls(stacked, block, room, monkeypatch):
    monkeypatch.setattr(jax_loss, "BLOCK", block)
    monkeypatch.setattr(jax_loss, "BLOCK_BYTES", room)
    generator = np.random.default_rng(0)
    count = 19
    draw = {
        "actions": generator.integers(0, 3, (count, 2)),
        "rewards": generator.random((count, 2)),
    }
    thetas = generator.normal(size=(count, 3))
    params = {"theta": thetas if "theta" in stacked else thetas[0]}
    loss = JaxLoss(reinforce)
    found = loss.together(params, draw, stacked, count)["theta"]
    assert found.shape == (count, 3)
    for row in range(count):
        at = {"theta": thetas[row if "theta" in stacked else 0]}
        alone = loss(at, {name: values[row] for name, values in draw.items()})["theta"]
        np.testing.assert_allclose(found[row], alone, rtol=1e-12, atol=1e-15)


def test_one_draw_that_is_not_finite_is_seen_in_the_last_block_too(monkeypatch):
    monkeypatch.setattr(jax_loss, "BLOCK", 4)
    draw = {"actions": np.zeros((9, 2), dtype=int), "rewards": np.ones((9, 2))}
    draw["rewards"][8] = np.inf
    with pytest.raises(NotBatched, match="isn't finite"):
        JaxLoss(reinforce).together({"theta": THETA}, draw, ("actions", "rewards"), 9)
