"""Stable-Baselines3: what one call of `train()` adds to the policy, with the whole trainer around
it.

The environment has one state, seen as the number 1; the policy network is one linear layer, whose
weights are the logits (its bias, which gets the same gradient, starts at 0 and is not read). The
rollout buffer is filled with the draw, the optimiser is gradient descent with step 1, and the
update is what the weights moved by.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from altpg_verify.audit.function_updates import from_function
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.audit.libraries.shared import A2C, NORMALISING, PPO, generators_kept, two_steps
from altpg_verify.audit.updates import Update

_sb3 = partial(LibraryAudit, package="stable-baselines3", version="2.9.2")

BATCH = 2
"""Steps in the rollout buffer."""

NO_CLIPPING = 1e9
"""A gradient norm that is never reached."""


class _Trainer:
    """One A2C or PPO object, built once; its weights and its buffer are set before each step."""

    def __init__(self, algorithm: str, **options: Any) -> None:
        import gymnasium
        import stable_baselines3
        import torch
        from stable_baselines3.common.logger import configure
        from stable_baselines3.common.torch_layers import FlattenExtractor

        class OneState(gymnasium.Env):
            observation_space = gymnasium.spaces.Box(0.0, 1.0, (1,))
            action_space = gymnasium.spaces.Discrete(3)

            def reset(self, **given: Any) -> Any:
                return np.ones(1, np.float32), {}

            def step(self, action: Any) -> Any:
                return np.ones(1, np.float32), 0.0, True, False, {}

        class InFloat64(FlattenExtractor):
            def forward(self, observations: Any) -> Any:
                return super().forward(observations).double()

        networks = {
            "net_arch": [],
            "features_extractor_class": InFloat64,
            "optimizer_class": torch.optim.SGD,
            "optimizer_kwargs": {},
        }
        common: dict[str, Any] = {
            "n_steps": BATCH,
            "learning_rate": 1.0,
            "policy_kwargs": networks,
            "device": "cpu",
            "seed": 0,
        }
        self.model = getattr(stable_baselines3, algorithm)(
            "MlpPolicy", OneState(), **common, **options
        )
        self.model.policy.double()
        self.model.set_logger(configure(None, []))

    def step(self, theta: np.ndarray, actions: np.ndarray, rewards: np.ndarray) -> np.ndarray:
        """(3,) what one call of `train()` adds to the logits."""
        import torch

        policy, buffer = self.model.policy, self.model.rollout_buffer
        with torch.no_grad():
            for values in policy.parameters():
                values.zero_()
            policy.action_net.weight.copy_(torch.tensor(theta)[:, None])
        log_pi = torch.tensor(theta).log_softmax(-1)
        buffer.reset()
        for name in ("rewards", "returns", "values", "log_probs", "advantages"):
            setattr(buffer, name, np.zeros((BATCH, 1)))
        zero = torch.zeros(1, dtype=torch.float64)
        for action, reward in zip(actions, rewards, strict=True):
            buffer.add(
                np.ones((1, 1), np.float32),
                np.array([action]),
                np.array([reward]),
                np.ones(1),
                zero,
                log_pi[action].reshape(1),
            )
        # every episode ends after its step, so that the advantage is the reward less the critic's
        # value, 0
        buffer.compute_returns_and_advantage(zero, np.ones(1))
        with generators_kept():
            self.model.train()
        return policy.action_net.weight.detach().numpy()[:, 0] - theta


def _steps(algorithm: str, *, max_grad_norm: float = NO_CLIPPING, **options: Any) -> Update:
    trainer = _Trainer(algorithm, max_grad_norm=max_grad_norm, **options)
    return from_function(trainer.step, space=two_steps(), name=algorithm)


_one_pass = partial(_steps, "PPO", n_epochs=1, batch_size=BATCH)
_a2c = partial(
    _sb3,
    calls="stable_baselines3.A2C.train",
    summary=A2C,
    setting=(
        "two one-step episodes, the critic says 0, gradient clipping off, gradient descent with"
        " step 1"
    ),
)

AUDITS = (
    _a2c(name="Stable-Baselines3 A2C", update=partial(_steps, "A2C")),
    _a2c(
        name="Stable-Baselines3 A2C, gradients clipped",
        calls="stable_baselines3.A2C.train(max_grad_norm=0.5)",
        summary=f"{A2C}, gradients clipped to norm 0.5 (the default)",
        setting=(
            "two one-step episodes, the critic says 0 and is clipped along with the actor, gradient"
            " descent with step 1"
        ),
        update=partial(_steps, "A2C", max_grad_norm=0.5),
        design=(
            "clipping the norm is documented and on by default; it steadies the step and is known"
            " to bias it"
        ),
    ),
    _a2c(
        name="Stable-Baselines3 A2C, normalised advantages",
        calls="stable_baselines3.A2C.train(normalize_advantage=True)",
        summary=(
            "advantage actor-critic with advantages normalised within the batch, an option that is"
            " off by default"
        ),
        update=partial(_steps, "A2C", normalize_advantage=True),
        design=(
            "not in the original, as the code's comment says; widely used to steady the step size"
        ),
    ),
    _sb3(
        name="Stable-Baselines3 PPO",
        calls="stable_baselines3.PPO.train",
        summary=PPO,
        setting=(
            "as shipped, advantages normalised, gradients not clipped; one epoch, one batch of two"
            " one-step episodes, critic 0"
        ),
        update=_one_pass,
        design=NORMALISING,
    ),
    _sb3(
        name="Stable-Baselines3 PPO, advantages as they are",
        calls="stable_baselines3.PPO.train(normalize_advantage=False)",
        summary=PPO,
        setting=(
            "one epoch, one batch of two one-step episodes, the critic says 0, gradient"
            " clipping off"
        ),
        update=partial(_one_pass, normalize_advantage=False),
    ),
)
