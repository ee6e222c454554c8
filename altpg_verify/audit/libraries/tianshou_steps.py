"""Tianshou: what one call of `update()` adds to the actor, with the whole algorithm around it.

The actor is a table of logits and the critic says 0; the replay buffer is filled with the draw, the
optimiser is gradient descent with step 1, and the update is what the logits moved by. Casts to
float32 in the algorithms are lifted to float64 while they run.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np

from altpg_verify.audit import torch_casts
from altpg_verify.audit.fixtures import stop_or_go
from altpg_verify.audit.function_updates import from_function
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.audit.libraries.shared import A2C, NORMALISING, PPO, generators_kept, two_steps
from altpg_verify.audit.objectives import entropy, value
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update

_tianshou = partial(LibraryAudit, package="tianshou", version="2.0.1")


class _Learner:
    """One algorithm, built once; its actor and its buffer are set before each step."""

    def __init__(self, algorithm: str, sigmoid: bool, **options: Any) -> None:
        import gymnasium
        import tianshou.algorithm
        import torch
        from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
        from tianshou.algorithm.optim import TorchOptimizerFactory

        class Actor(torch.nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.theta = torch.nn.Parameter(
                    torch.zeros(2 if sigmoid else 3, dtype=torch.float64)
                )

            def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
                if not sigmoid:
                    return self.theta.expand(len(obs), -1), state
                go = self.theta[torch.as_tensor(obs, dtype=torch.long)]
                return torch.stack([torch.zeros_like(go), go], -1), state

        class Zero(torch.nn.Module):
            def forward(self, obs: Any) -> Any:
                return torch.zeros(len(obs), 1, dtype=torch.float64)

        self.actor = Actor()
        policy = DiscreteActorPolicy(
            actor=cast(Any, self.actor), action_space=gymnasium.spaces.Discrete(2 if sigmoid else 3)
        )
        others = {} if algorithm == "Reinforce" else {"critic": Zero()}
        optimiser = TorchOptimizerFactory(torch.optim.SGD, lr=1.0)
        self.algorithm = getattr(tianshou.algorithm, algorithm)(
            policy=policy, optim=optimiser, **others, **options
        )

    def step(self, theta: np.ndarray, episodes: list[tuple[Any, Any, Any]]) -> np.ndarray:
        """What one call of `update()` adds to the logits, for episodes of (states, actions,
        rewards).
        """
        import torch
        from tianshou.algorithm.algorithm_base import policy_within_training_step
        from tianshou.data import Batch, ReplayBuffer

        buffer = ReplayBuffer(size=sum(len(states) for states, _, _ in episodes))
        for states, actions, rewards in episodes:
            for t, state in enumerate(states):
                done = t == len(states) - 1
                following = states[t] if done else states[t + 1]
                entry = {
                    "obs": state,
                    "act": actions[t],
                    "rew": rewards[t],
                    "obs_next": following,
                    "info": {},
                }
                buffer.add(Batch(terminated=done, truncated=False, done=done, **entry))
        with torch.no_grad():
            self.actor.theta.copy_(torch.tensor(theta))
        # returns are made float32 by `to_torch(returns, torch.float)`, too
        in_float64 = torch_casts.also_backward(torch, torch_casts.widening(torch))
        with in_float64, policy_within_training_step(self.algorithm.policy), generators_kept():
            self.algorithm.update(buffer=buffer, batch_size=None, repeat=1)
        return self.actor.theta.detach().numpy() - theta


def _on_arms(algorithm: str, target: Any = "value", **options: Any) -> Update:
    learner = _Learner(algorithm, sigmoid=False, gamma=1.0, **options)

    def step(
        theta: np.ndarray, states: np.ndarray, actions: np.ndarray, rewards: np.ndarray
    ) -> np.ndarray:
        return learner.step(
            theta, [([s], [a], [r]) for s, a, r in zip(states, actions, rewards, strict=True)]
        )

    return from_function(step, space=two_steps(), target=target, name=algorithm)


def _on_episodes(space: Space) -> Update:
    learner = _Learner("Reinforce", sigmoid=True, gamma=float(space.discount))

    def step(
        theta: np.ndarray, states: np.ndarray, actions: np.ndarray, rewards: np.ndarray
    ) -> np.ndarray:
        return learner.step(theta, [(states, actions, rewards)])

    return from_function(step, space=space, name="Reinforce")


_reinforce = partial(
    _tianshou,
    calls="tianshou.algorithm.Reinforce.update",
    summary="REINFORCE, the vanilla policy gradient",
)
_ppo = partial(_on_arms, "PPO", ent_coef=0.0)

AUDITS = (
    _reinforce(
        name="Tianshou Reinforce",
        setting="two one-step episodes, gradient descent with step 1",
        update=partial(_on_arms, "Reinforce"),
    ),
    _reinforce(
        name="Tianshou Reinforce, episodes of different length",
        setting="one episode an update, stopping pays 1/4, no discount",
        update=lambda: _on_episodes(stop_or_go("1/4")),
        design=(
            "the loss is a mean over the steps of the batch; with one episode a batch, short"
            " episodes count for more"
        ),
    ),
    _reinforce(
        name="Tianshou Reinforce, discounted",
        setting="one episode an update, stopping pays 1/4, γ = 1/2",
        update=lambda: _on_episodes(stop_or_go("1/4", discount="1/2")),
        design=(
            "returns to go without γᵗ, as almost everywhere in practice, and a mean over the steps"
            " of the batch"
        ),
    ),
    _tianshou(
        name="Tianshou A2C",
        calls="tianshou.algorithm.A2C.update",
        summary=A2C,
        setting=(
            "two one-step episodes, the critic says 0, ent_coef 0.01 (the default), asked for V +"
            " 0.01 H"
        ),
        update=partial(_on_arms, "A2C", value + 0.01 * entropy),
    ),
    _tianshou(
        name="Tianshou PPO",
        calls="tianshou.algorithm.PPO.update",
        summary=PPO,
        setting=(
            "as shipped, advantages normalised, but no entropy bonus; two one-step episodes, one"
            " pass, the critic says 0"
        ),
        update=_ppo,
        design=NORMALISING,
    ),
    _tianshou(
        name="Tianshou PPO, advantages as they are",
        calls="tianshou.algorithm.PPO.update(advantage_normalization=False)",
        summary=PPO,
        setting="no entropy bonus; two one-step episodes, one pass, the critic says 0",
        update=partial(_ppo, advantage_normalization=False),
    ),
)
