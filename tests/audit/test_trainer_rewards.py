"""Steps of trainers whose environment pays what the space says: tried with other rewards, and their
causes named by changing one thing.
"""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import audit, bandit, mdp, tokens, trainer  # noqa: E402
from altpg_verify.audit.declared_rewards import reward_of, rewards  # noqa: E402
from altpg_verify.errors import BadEstimator, BadInput  # noqa: E402

ARMS = bandit([1, "1/2", 0], pi=["1/6", "1/3", "1/2"])


def made(loss, *, epochs=1, batch=1):
    """A step of REINFORCE's shape, in an environment that pays what it is handed."""
    logits = torch.zeros(3, dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.SGD([logits], lr=0.1)

    def step(rewards):
        acting = torch.distributions.Categorical(logits=logits.detach().clone())
        actions = torch.stack([acting.sample() for _ in range(batch)])
        paid = torch.tensor(rewards)[actions]
        for _ in range(epochs):
            policy = torch.distributions.Categorical(logits=logits)
            optimiser.zero_grad()
            loss(policy, actions, paid).backward()
            optimiser.step()

    return trainer(step, parameters={"theta": logits}, space=ARMS)


def reinforce(policy, actions, paid):
    return -(policy.log_prob(actions) * paid).mean()


def squared(policy, actions, paid):
    return -(policy.log_prob(actions) * paid**2).mean()


def whitened(policy, actions, paid):
    advantages = (paid - paid.mean()) / (paid.std() + 1e-8)
    return -(policy.log_prob(actions) * advantages).mean()


def with_a_critic(policy, actions, paid):
    value_loss = ((policy.logits.sum() - paid) ** 2).mean()
    return reinforce(policy, actions, paid) + value_loss / 2


def test_what_is_named_is_named_with_other_rewards_too():
    found = audit(made(squared), differentiate=False)
    assert (found.follows, found.reservation, found.causes) == ("E[R²]", "", ())
    assert found.elsewhere == "the same with other rewards (2 spaces)"


def test_a_factor_of_these_rewards_only_is_said_to_be_one():
    def of_this_space(policy, actions, paid):
        return -(policy.log_prob(actions) * torch.tensor([0.5, 0.25, 0.0])[actions]).mean()

    assert audit(made(of_this_space)).scale.alone == "other rewards"


@pytest.mark.parametrize(
    ("loss", "options", "begins"),
    [
        (whitened, {"batch": 2}, "what is divided by changes from draw to draw, in "),
        (with_a_critic, {}, "an unwanted gradient through 'value_loss' in "),
        (
            reinforce,
            {"epochs": 2},
            "later steps of a call see the parameters that earlier ones have moved: while they"
            " stand still it follows the target, times 2",
        ),
    ],
)
def test_the_cause_of_a_wrong_step(loss, options, begins):
    (cause,) = audit(made(loss, **options), differentiate=False).causes
    assert cause.startswith(begins)


def test_what_makes_the_trainer_anew_is_handed_the_rewards():
    class Agent:
        def __init__(self, pays):
            self.theta, self.pays = np.zeros(3), pays

        def learn(self, rng):
            pi = np.exp(self.theta) / np.exp(self.theta).sum()
            action = rng.choice(3, p=pi)
            self.theta = self.theta + self.pays([action]) ** 2 * (np.eye(3)[action] - pi)

    def build(reward_of):
        agent = Agent(reward_of)
        return agent.learn, {"theta": (agent, "theta")}

    found = audit(trainer(build=build, space=ARMS, stepsize=1))
    assert (found.follows, found.reservation) == ("E[R²]", "")


def test_what_a_space_pays():
    assert rewards(ARMS).tolist() == [1, 0.5, 0]
    rows = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))
    assert [reward_of(rows)(row) for row in ([0], [1, 0], torch.tensor([1, 1]))] == [0, 1, 2]
    with pytest.raises(BadInput, match="no episode with actions"):
        reward_of(rows)([1])
    chain = mdp([[[0, 1]], [[0, 1]]], [[2], [0]], [1, 0], ends=[1], horizon=1)
    assert rewards(chain).tolist() == [[2], [0]]


def test_rewards_of_chance_are_refused():
    drawn = bandit([[(1, "1/2"), (0, "1/2")], 0])
    for step in (lambda rewards: None, lambda reward_of: None):
        with pytest.raises(BadInput, match="depends on chance"):
            trainer(step, parameters={"theta": np.zeros(2)}, space=drawn)


def test_what_builds_is_given_nothing_else():
    with pytest.raises(BadEstimator, match="is given `rewards` or `reward_of` at most"):
        trainer(build=lambda rng: None, space=ARMS)
