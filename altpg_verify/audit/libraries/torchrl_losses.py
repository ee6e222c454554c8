"""TorchRL: loss modules that read a TensorDict."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from altpg_verify.audit.fixtures import three_arms
from altpg_verify.audit.libraries import LibraryAudit
from altpg_verify.audit.libraries.shared import CLIPPING, two_steps
from altpg_verify.audit.libraries.targets import clipped_surrogate
from altpg_verify.audit.objectives import entropy, value
from altpg_verify.audit.torch_updates import from_torch
from altpg_verify.audit.updates import Update

_torchrl = partial(LibraryAudit, package="torchrl", version="0.14.1")


class _Networks:
    """An actor whose logits are θ in every state and a critic that says 0, as TorchRL's modules; θ
    is set before each use.
    """

    def __init__(self) -> None:
        import torch
        from tensordict.nn import TensorDictModule
        from torchrl.modules import ProbabilisticActor, ValueOperator

        networks = self

        class Logits(torch.nn.Module):
            def forward(self, observation: Any) -> Any:
                return networks.theta.expand(observation.shape[0], -1)

        class Zero(torch.nn.Module):
            def forward(self, observation: Any) -> Any:
                return torch.zeros(observation.shape[0], 1)

        self.theta: Any = None
        self.actor = ProbabilisticActor(
            TensorDictModule(Logits(), in_keys=["observation"], out_keys=["logits"]),
            in_keys=["logits"],
            distribution_class=torch.distributions.Categorical,
            return_log_prob=True,
        )
        self.critic = ValueOperator(Zero(), in_keys=["observation"])


def _data(actions: Any, rewards: Any, **others: Any) -> Any:
    import torch
    from tensordict import TensorDict

    count = rewards.shape[0]
    entries = {
        "observation": torch.ones(count, 1),
        "action": actions,
        "advantage": rewards[:, None],
        "value_target": torch.zeros(count, 1),
        **others,
    }
    return TensorDict(entries, batch_size=[count])


def _reinforce() -> Update:
    from torchrl.objectives import ReinforceLoss

    networks = _Networks()
    module = ReinforceLoss(networks.actor, networks.critic, functional=False)

    def reinforce_loss(theta: Any, actions: Any, rewards: Any) -> Any:
        networks.theta = theta
        return module(_data(actions, rewards))["loss_actor"]

    return from_torch(reinforce_loss, space=two_steps())


def _whole_loss(found: Any) -> Any:
    return sum(
        found[name] for name in ("loss_objective", "loss_critic", "loss_entropy") if name in found
    )


def _a2c(target: Any) -> Update:
    from torchrl.objectives import A2CLoss

    networks = _Networks()
    module = A2CLoss(networks.actor, networks.critic, functional=False)

    def a2c_loss(theta: Any, actions: Any, rewards: Any) -> Any:
        networks.theta = theta
        return _whole_loss(module(_data(actions, rewards)))

    return from_torch(a2c_loss, space=two_steps(), target=target)


def _ppo(name: str, *, fresh: bool = True, target: Any = "value", **options: Any) -> Update:
    import torchrl.objectives

    networks = _Networks()
    module = getattr(torchrl.objectives, name)(
        networks.actor, networks.critic, functional=False, entropy_bonus=False, **options
    )

    def ppo_loss(theta: Any, actions: Any, rewards: Any, old_logprobs: Any) -> Any:
        networks.theta = theta
        return _whole_loss(module(_data(actions, rewards, action_log_prob=old_logprobs)))

    return from_torch(ppo_loss, space=two_steps(fresh=fresh), target=target, name=name)


def _discrete_sac() -> Update:
    import torch
    from tensordict import TensorDict
    from tensordict.nn import TensorDictModule
    from torchrl.objectives import DiscreteSACLoss

    class Values(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.q = torch.nn.Parameter(torch.zeros(3))

        def forward(self, observation: Any) -> Any:
            return self.q.expand(observation.shape[0], -1)

    networks = _Networks()
    values = TensorDictModule(Values(), in_keys=["observation"], out_keys=["action_value"])
    options: dict[str, Any] = {
        "action_space": "categorical",
        "num_actions": 3,
        "num_qvalue_nets": 1,
    }
    module = DiscreteSACLoss(networks.actor, values, alpha_init=1.0, fixed_alpha=True, **options)
    with torch.no_grad():
        # the module draws its critics afresh
        module.qvalue_network_params["module", "q"].copy_(torch.tensor([1.0, 0.5, 0.0]))

    def actor_loss(theta: Any) -> Any:
        networks.theta = theta
        return module.actor_loss(TensorDict({"observation": torch.ones(1, 1)}, batch_size=[1]))[0]

    return from_torch(actor_loss, space=three_arms(), target=value + entropy)


ENTROPY_COEFF = float(np.float32(0.01))
"""The default as the library keeps it: in single precision, which float64 tells from 1/100."""

_a2c_loss = partial(
    _torchrl,
    calls="torchrl.objectives.A2CLoss",
    summary="the advantage actor-critic loss, with an entropy bonus",
)
_ppo_loss = partial(
    _torchrl,
    calls="torchrl.objectives.PPOLoss",
    summary="the importance-weighted policy gradient (Schulman et al., 2017)",
)
_clip_ppo_loss = partial(
    _torchrl,
    calls="torchrl.objectives.ClipPPOLoss",
    summary="the clipped surrogate (Schulman et al., 2017)",
    setting="sampled by the uniform policy, ε = 0.2, advantages are the rewards, no entropy bonus",
)

AUDITS = (
    _torchrl(
        name="TorchRL ReinforceLoss",
        calls="torchrl.objectives.ReinforceLoss",
        summary="the REINFORCE loss (Williams, 1992)",
        setting="two steps, advantages are the rewards, actor loss",
        update=_reinforce,
    ),
    _a2c_loss(
        name="TorchRL A2CLoss",
        setting=(
            "two steps, advantages are the rewards, entropy_coeff 0.01 (the default), asked for V +"
            " c H, c = 0.01 in single precision"
        ),
        update=partial(_a2c, value + ENTROPY_COEFF * entropy),
    ),
    _a2c_loss(
        name="TorchRL A2CLoss, for the value alone",
        setting="two steps, advantages are the rewards, entropy_coeff 0.01 (the default)",
        update=partial(_a2c, "value"),
        design="the entropy bonus is documented",
    ),
    _ppo_loss(
        name="TorchRL PPOLoss, first step",
        setting="the old policy is the current one, advantages are the rewards, no entropy bonus",
        update=partial(_ppo, "PPOLoss"),
    ),
    _ppo_loss(
        name="TorchRL PPOLoss, later step",
        setting="sampled by the uniform policy, advantages are the rewards, no entropy bonus",
        update=partial(_ppo, "PPOLoss", fresh=False),
    ),
    _clip_ppo_loss(
        name="TorchRL ClipPPOLoss, first step",
        setting=(
            "the old policy is the current one, ε = 0.2, advantages are the rewards, no entropy"
            " bonus"
        ),
        update=partial(_ppo, "ClipPPOLoss"),
    ),
    _clip_ppo_loss(
        name="TorchRL ClipPPOLoss, later step",
        update=partial(_ppo, "ClipPPOLoss", fresh=False),
        design=CLIPPING,
    ),
    _clip_ppo_loss(
        name="TorchRL ClipPPOLoss, for the surrogate",
        update=partial(_ppo, "ClipPPOLoss", fresh=False, target=clipped_surrogate(0.2)),
    ),
    _clip_ppo_loss(
        name="TorchRL ClipPPOLoss, normalised advantages",
        calls="torchrl.objectives.ClipPPOLoss(normalize_advantage=True)",
        summary="the clipped surrogate, with advantages normalised within the batch",
        setting=(
            "two steps, the old policy is the current one, advantages are the rewards, no entropy"
            " bonus"
        ),
        update=partial(_ppo, "ClipPPOLoss", normalize_advantage=True),
        design=(
            "normalisation within a batch is an option that is off by default; it is widely used to"
            " steady the step size"
        ),
    ),
    _torchrl(
        name="TorchRL DiscreteSACLoss, actor",
        calls="torchrl.objectives.DiscreteSACLoss.actor_loss",
        summary="the actor loss of discrete soft actor-critic: E_π[α log π - Q]",
        setting="all actions, exact action values, α = 1, asked for V + H",
        update=_discrete_sac,
    ),
)
