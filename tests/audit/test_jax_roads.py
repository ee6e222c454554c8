"""The roads that a JAX loss is run on: compiled for many draws, traced for a few single calls that
these are compared with, and its own Python wherever it is watched.
"""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
jnp = jax.numpy

from altpg_verify.audit import audit, bandit, from_jax  # noqa: E402
from altpg_verify.audit.jax_epsilons import scaled_epsilons  # noqa: E402
from altpg_verify.audit.jax_loss import JaxLoss  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402
from altpg_verify.errors import BadInput  # noqa: E402

THETA = {"theta": np.array([0.3, -0.2, 0.5])}
DRAW = {"actions": np.array([0, 2, 1]), "rewards": np.array([1.0, 0.5, 0.25])}


def whitened(theta, actions, rewards):
    advantages = (rewards - rewards.mean()) / (rewards.std() + 1e-4)
    return -(jax.nn.log_softmax(theta)[actions] * advantages).mean()


def with_a_switch(theta, actions, rewards):
    weight = jax.lax.cond(rewards[0] > 0.3, lambda: 2.0, lambda: 0.5)
    return weight * whitened(theta, actions, rewards)


def with_a_loop(theta, actions, rewards):
    def add(total, each):
        action, reward = each
        return total - jax.nn.log_softmax(theta)[action] * reward / (reward**2 + 1e-3), None

    return jax.lax.scan(add, 0.0, (actions, rewards))[0]


def branching(theta, actions, rewards):
    return whitened(theta, actions, rewards) * (2.0 if float(rewards[0]) > 0.3 else 0.5)


@pytest.mark.parametrize("loss", [whitened, with_a_switch, with_a_loop, branching])
def test_the_roads_agree(loss):
    wrapped = JaxLoss(loss)
    compiled = wrapped(THETA, DRAW)["theta"]
    with wrapped.uncompiled(traced=True):
        traced = wrapped(THETA, DRAW)["theta"]
        with wrapped.uncompiled():
            own = wrapped(THETA, DRAW)["theta"]
        again = wrapped(THETA, DRAW)["theta"]
    assert np.abs(compiled).max() > 0.01
    np.testing.assert_allclose(traced, own, rtol=1e-13)
    np.testing.assert_allclose(compiled, own, rtol=1e-12)
    assert (again == traced).all(), "a context within another ends where it began"


def test_python_runs_where_it_is_watched_and_not_where_it_is_traced():
    calls = []

    def counting(theta, actions, rewards):
        calls.append(1)
        return whitened(theta, actions, rewards)

    wrapped = JaxLoss(counting)
    wrapped(THETA, DRAW)
    for traced, more in ((False, 3), (True, 0)):
        with wrapped.uncompiled(traced=traced):
            wrapped(THETA, DRAW)
            before = len(calls)
            for _ in range(3):
                wrapped(THETA, DRAW)
        assert len(calls) - before == more


@pytest.mark.parametrize("epsilon", [1e-4, 1e-8])
def test_one_program_for_all_scales_of_an_epsilon(epsilon):
    def loss(theta, actions, rewards):
        advantages = rewards / (rewards.std() + epsilon)
        return -(jax.nn.log_softmax(theta)[actions] * advantages).mean()

    wrapped = JaxLoss(loss)
    draws = {name: np.stack([values] * 7) for name, values in DRAW.items()}
    for scale in (1.0, 2.0, 4.0):

        def scaled(theta, actions, rewards, scale=scale):
            advantages = rewards / (rewards.std() + scale * epsilon)
            return -(jax.nn.log_softmax(theta)[actions] * advantages).mean()

        seen: set[float] = set()
        with scaled_epsilons(scale, seen):
            single = wrapped(THETA, DRAW)["theta"]
            many = wrapped.together(THETA, draws, list(DRAW), 7)["theta"]
        assert seen == {epsilon}
        written = JaxLoss(scaled)(THETA, DRAW)["theta"]
        np.testing.assert_allclose(single, written, rtol=1e-14)
        np.testing.assert_allclose(many, np.stack([written] * 7), rtol=1e-13)
    assert len(wrapped._mapped) == 2, "as it was written, and one for all other scales"


def test_an_audit_compiles_two_programs(monkeypatch):
    compiled = []
    whole = jax.jit
    monkeypatch.setattr(jax, "jit", lambda *given, **options: compiled.append(1) or whole(*given))
    found = audit(from_jax(whitened, space=bandit([1, "1/2", 0]).batch(3)), differentiate=False)
    assert found.kind is Kind.NOT_A_GRADIENT
    assert len(compiled) == 2


def drawing(theta, actions, rewards):
    return whitened(theta, actions, rewards) * (1 + 0.1 * np.random.random())


def remembering(theta, actions, rewards, seen=[]):  # noqa: B006
    seen.append(1)
    return whitened(theta, actions, rewards) * (1 + 0.1 * len(seen))


def in_turns(theta, actions, rewards, seen=[0]):  # noqa: B006
    seen[0] += 1
    return whitened(theta, actions, rewards) * (1 + (seen[0] > 20))


@pytest.mark.parametrize("loss", [drawing, remembering, in_turns])
def test_what_a_trace_would_hide_is_refused(loss):
    with pytest.raises(BadInput):
        audit(from_jax(loss, space=bandit([1, "1/2", 0]).batch(3)), differentiate=False)
