"""Mends of whole steps: edits of the step's own source, each replayed as a step of its own."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, trainer
from altpg_verify.audit.kinds import Kind

ARMS = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])


class Agent:
    def __init__(self):
        self.theta = np.zeros(3)

    def policy(self):
        weights = np.exp(self.theta)
        return weights / weights.sum()

    def descending(self, rng, rewards):
        pi = self.policy()
        action = rng.choice(3, p=pi)
        self.theta = self.theta - 0.5 * rewards[action] * (np.eye(3)[action] - pi)

    def own_mean(self, rng, rewards):
        pi = self.policy()
        actions = np.array([rng.choice(3, p=pi), rng.choice(3, p=pi)])
        paid = rewards[actions]
        advantages = paid - paid.mean()
        self.theta = self.theta + 0.5 * (advantages @ (np.eye(3)[actions] - pi)) / 2

    def halved(self, rng, rewards):
        pi = self.policy()
        action = rng.choice(3, p=pi)
        self.theta = self.theta + 0.5 * rewards[action] / 2 * (np.eye(3)[action] - pi)

    def right(self, rng, rewards):
        pi = self.policy()
        action = rng.choice(3, p=pi)
        self.theta = self.theta + 0.5 * rewards[action] * (np.eye(3)[action] - pi)

    def with_its_own_rewards(self, rng):
        pi = self.policy()
        action = rng.choice(3, p=pi)
        self.theta = self.theta - 0.5 * (1, 0.5, 0)[action] * (np.eye(3)[action] - pi)


def mended(name):
    agent = Agent()
    step = trainer(
        getattr(agent, name), parameters={"theta": (agent, "theta")}, space=ARMS, stepsize=0.5
    )
    return audit(step, mend=True).mends


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("descending", "with `self.theta + 0.5"),
        ("own_mean", "(paid - paid.mean()) * len(paid) / (len(paid) - 1)"),
        ("halved", "with `0.5 * rewards[action]` for `0.5 * rewards[action] / 2`"),
    ],
)
def test_steps_of_numpy_are_mended_where_they_go_wrong(name, edit):
    found = mended(name)
    assert any(edit in each for mend in found for each in mend.edits)
    assert all(mend.where[0].startswith("test_trainer_mends.py:") for mend in found)
    assert all(mend.reservation == "" for mend in found), "tried with other rewards"


@pytest.mark.thorough
def test_what_was_tried_with_its_own_rewards_only_says_so():
    (first, *_) = mended("with_its_own_rewards")
    assert "only" in first.reservation


@pytest.mark.thorough
def test_a_right_step_has_no_mend():
    assert mended("right") == ()


@pytest.mark.thorough
def test_steps_of_torch_are_mended():
    torch = pytest.importorskip("torch")
    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([logits], lr=0.1)

    def step(rewards):
        policy = torch.distributions.Categorical(logits=logits)
        action = policy.sample()
        optimizer.zero_grad()
        (policy.log_prob(action) * rewards[action]).backward()
        optimizer.step()

    found = audit(trainer(step, parameters={"theta": logits}, space=ARMS), mend=True)
    assert found.kind is Kind.REVERSED
    assert "(-(policy.log_prob(action) * rewards[action])).backward()" in found.mends[0].edits[0]
    assert not logits.detach().any(), "the trainer is as it was"


def test_an_edit_that_lets_the_step_draw_for_ever_is_not_tried():
    agent = Agent()

    def until_paid(rng, rewards):
        pi = agent.policy()
        action = rng.choice(3, p=pi)
        while rewards[action] > 2:
            action = rng.choice(3, p=pi)
        agent.theta = agent.theta - 0.5 * rewards[action] * (np.eye(3)[action] - pi)

    step = trainer(until_paid, parameters={"theta": (agent, "theta")}, space=ARMS, stepsize=0.5)
    assert audit(step, mend=True).mends == ()
