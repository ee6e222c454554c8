"""Whole steps of libraries' trainers: rollout or generation, loss and optimiser, as they are
shipped and called.

Beside each verdict the same expectation enumerated by hand, and a fault that is planted.

pytest -m slow tests/audit/libraries/test_whole_steps.py
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, trainer
from altpg_verify.audit.expected_update import moments

# the libraries warn of their own future
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
torch = pytest.importorskip("torch")
pytest.importorskip("gymnasium")

from tests.audit.libraries.arms_environment import GRADIENT, PAYS, PI, Arms  # noqa: E402

ARMS = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])
TOKENS = bandit([0, 1], pi=["1/3", "2/3"])


def by_hand(pi, pays, advantages, group):
    """Σ over groups of P(group) · mean of A · (e_a - π)."""
    total = np.zeros(len(pi))
    for actions in itertools.product(range(len(pi)), repeat=group):
        rewards = np.array([pays[a] for a in actions])
        scores = np.eye(len(pi))[list(actions)] - pi
        total += np.prod([pi[a] for a in actions]) * (advantages(rewards)[:, None] * scores).mean(
            axis=0
        )
    return total


# --- Stable-Baselines3
# ----------------------------------------------------------------------------------------------


def sb3(**options):
    from stable_baselines3 import A2C

    descent = {"net_arch": [], "optimizer_class": torch.optim.SGD, "optimizer_kwargs": {}}

    def build():
        model = A2C(
            "MlpPolicy",
            Arms(),
            n_steps=2,
            learning_rate=0.5,
            max_grad_norm=1e9,
            device="cpu",
            policy_kwargs=descent,
            **options,
        )
        torch.nn.init.zeros_(model.policy.action_net.bias)
        return lambda: model.learn(2), {"theta": model.policy.action_net.weight[:, 0]}

    return trainer(build=build, space=ARMS, name="A2C")


def test_a2c_of_stable_baselines3():
    pytest.importorskip("stable_baselines3")
    found = audit(sb3())
    # two pulls in each of both orders of the buffer
    assert (str(found.kind), found.draws) == ("unbiased", 18)
    np.testing.assert_allclose(found.expected, GRADIENT, rtol=1e-9)


def test_a2c_of_stable_baselines3_with_advantages_normalised_within_the_batch():
    pytest.importorskip("stable_baselines3")

    def normalised(rewards):
        # the critic's one value cancels; equal rewards leave 0 / (0 + 1e-8)
        return (rewards - rewards.mean()) / (rewards.std(ddof=1) + 1e-8)

    found = moments(sb3(normalize_advantage=True)).mean
    np.testing.assert_allclose(found, by_hand(PI, PAYS, normalised, 2), rtol=1e-9, atol=1e-12)
    assert np.abs(np.cross(found, GRADIENT)).max() > 1e-3


# --- Tianshou
# --------------------------------------------------------------------------------------------------


def tianshou(sign=1.0):
    import tianshou.algorithm
    from tianshou.algorithm.algorithm_base import policy_within_training_step
    from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
    from tianshou.algorithm.optim import TorchOptimizerFactory
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv

    class Actor(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.theta = torch.nn.Parameter(torch.zeros(3))

        def forward(self, obs, state=None, info=None):
            return self.theta.expand(len(obs), -1), state

    class Turned(Arms):
        def step(self, action):
            observation, reward, *others = super().step(action)
            return observation, sign * reward, *others

    def build():
        actor = Actor()
        policy = DiscreteActorPolicy(actor=actor, action_space=Arms.action_space)
        descent = TorchOptimizerFactory(torch.optim.SGD, lr=0.5)
        learner = tianshou.algorithm.Reinforce(policy=policy, optim=descent, gamma=1.0)
        rollout = Collector(learner, DummyVectorEnv([Turned]), VectorReplayBuffer(2, 1))

        def step():
            rollout.reset()
            with policy_within_training_step(policy):
                rollout.collect(n_step=2)
                learner.update(buffer=rollout.buffer, batch_size=None, repeat=1)

        return step, {"theta": actor.theta}

    return trainer(build=build, space=ARMS, name="Reinforce")


@pytest.mark.parametrize(("sign", "kind"), [(1.0, "unbiased"), (-1.0, "reversed")])
def test_reinforce_of_tianshou(sign, kind):
    pytest.importorskip("tianshou")
    found = audit(tianshou(sign))
    assert str(found.kind) == kind, found
    np.testing.assert_allclose(found.expected, sign * GRADIENT, rtol=1e-9)


# --- TRL
# --------------------------------------------------------------------------------------------------


def trl(kind, group, *, sign=1.0, **settings):
    from tests.audit.libraries.two_tokens import builder

    return trainer(
        build=builder(kind, group=group, pays=lambda tokens: sign * tokens[0], **settings),
        space=TOKENS,
        name=kind,
    )


TWO = np.array([1 / 3, 2 / 3])


def leave_one_out(rewards):
    return rewards - (rewards.sum() - rewards) / (len(rewards) - 1)


def centred(rewards):
    return rewards - rewards.mean()


def standardised(rewards):
    return centred(rewards) / (rewards.std(ddof=1) + 1e-4)


@pytest.mark.parametrize(
    ("kind", "settings", "advantages", "verdict"),
    [
        ("RLOO", {"beta": 0.0}, leave_one_out, "unbiased"),
        ("RLOO", {"beta": 0.0, "sign": -1.0}, lambda rewards: -leave_one_out(rewards), "reversed"),
        ("GRPO", {"scale_rewards": "none"}, centred, "scaled"),
        ("GRPO", {}, standardised, "scaled"),
        ("GRPO", {"sign": -1.0}, lambda rewards: -standardised(rewards), "reversed"),
    ],
)
def test_trainers_of_trl(kind, settings, advantages, verdict):
    pytest.importorskip("trl")
    found = audit(trl(kind, 2, **settings))
    assert str(found.kind) == verdict, found
    np.testing.assert_allclose(found.expected, by_hand(TWO, [0.0, 1.0], advantages, 2), rtol=1e-9)
