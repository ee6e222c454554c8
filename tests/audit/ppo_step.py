"""One iteration of PPO in the shape of CleanRL's `ppo.py`, on a gymnasium environment of two states
that slips, and the same as a space.

What differs from CleanRL: one environment, float64, gradient descent for Adam, no clipping of
gradients; options plant faults.
"""

from __future__ import annotations

import gymnasium
import numpy as np
import torch
from torch import nn

from altpg_verify.audit import mdp

REWARDS = ((1.0, 0.25), (0.0, 2.0))
SLIPS = 0.25
LIMIT = 2
AFTER = (0.5, -1.0)
"""What a state is worth where the time limit cuts an episode off; the critic says the same."""


class TwoStates(gymnasium.Env):
    """Action a leads to state a, or by a slip to the other one; two steps, then truncated."""

    observation_space = gymnasium.spaces.Box(0.0, 1.0, (2,))
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.t = 0
        return np.eye(2)[self.state], {}

    def step(self, action):
        reward = REWARDS[self.state][action]
        slipped = self.np_random.random() < SLIPS
        self.state, self.t = int(action) if not slipped else 1 - int(action), self.t + 1
        return np.eye(2)[self.state], reward, False, self.t == LIMIT, {}


def two_states(at_limit):
    """The same environment as a space; at_limit as for `mdp`."""
    rows = [[1 - SLIPS, SLIPS], [SLIPS, 1 - SLIPS]]
    return mdp(
        [rows, rows],
        REWARDS,
        [1, 0],
        horizon=LIMIT,
        at_limit=at_limit,
        pi=[["1/3", "2/3"], ["3/5", "2/5"]],
    )


class Ppo:
    """One actor and critic, its environment, and `step`: a rollout of an episode, then epochs of
    minibatches.

    Args:
        epochs, minibatches, stepsize, clip: as in CleanRL.
        bootstraps: at the time limit the critic's value of the last state follows; if not, nothing.
        normalises: advantages are normalised within each minibatch.
        sign: of the policy's loss.
    """

    def __init__(
        self,
        *,
        epochs=2,
        minibatches=2,
        stepsize=0.05,
        clip=0.2,
        bootstraps=True,
        normalises=False,
        sign=1.0,
        optimiser="SGD",
    ):
        self.env = TwoStates()
        self.actor = nn.Linear(2, 2, bias=False, dtype=torch.float64)
        self.critic = nn.Linear(2, 1, bias=False, dtype=torch.float64)
        with torch.no_grad():
            self.critic.weight.copy_(torch.tensor([AFTER]))
        self.optimizer = getattr(torch.optim, optimiser)(
            [*self.actor.parameters(), *self.critic.parameters()], lr=stepsize
        )
        self.epochs, self.minibatches, self.clip = epochs, minibatches, clip
        self.bootstraps, self.normalises, self.sign = bootstraps, normalises, sign
        self.global_step = 0

    @property
    def parameters(self):
        """The space's θ[s, a] is the weight[a, s] of the actor."""
        return {"theta": self.actor.weight.T}

    def step(self):
        obs, actions, logprobs, rewards, values = [], [], [], [], []
        observation, _ = self.env.reset(seed=1)
        for _ in range(LIMIT):
            self.global_step += 1
            seen = torch.as_tensor(observation)
            with torch.no_grad():
                policy = torch.distributions.Categorical(logits=self.actor(seen))
                action = policy.sample()
            obs.append(seen)
            values.append(self.critic(seen).detach().squeeze())
            actions.append(action)
            logprobs.append(policy.log_prob(action))
            observation, reward, _, _, _ = self.env.step(action.item())
            rewards.append(reward)
        following = (
            self.critic(torch.as_tensor(observation)).detach().squeeze()
            if self.bootstraps
            else torch.tensor(0.0)
        )
        returns = torch.stack([following + sum(rewards[t:]) for t in range(LIMIT)])
        obs, actions, logprobs, values = map(torch.stack, (obs, actions, logprobs, values))
        advantages = returns - values

        inds = np.arange(LIMIT)
        size = LIMIT // self.minibatches
        for _ in range(self.epochs):
            np.random.shuffle(inds)
            for start in range(0, LIMIT, size):
                mb = inds[start : start + size]
                policy = torch.distributions.Categorical(logits=self.actor(obs[mb]))
                ratio = (policy.log_prob(actions[mb]) - logprobs[mb]).exp()
                advantage = advantages[mb]
                if self.normalises:
                    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                clipped = ratio.clamp(1 - self.clip, 1 + self.clip)
                pg_loss = self.sign * torch.max(-advantage * ratio, -advantage * clipped).mean()
                v_loss = 0.5 * ((self.critic(obs[mb]).squeeze(-1) - returns[mb]) ** 2).mean()
                loss = pg_loss + 0.5 * v_loss
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
