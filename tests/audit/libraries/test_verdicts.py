"""What losses of public libraries follow, with numbers known beforehand where they are (from hand
or from the public cases).

pytest -m slow tests/audit/libraries
"""

from __future__ import annotations

import math

import pytest

from altpg_verify.audit.libraries.table import every_audit, run

pytestmark = pytest.mark.slow

KINDS = {
    "rlax policy_gradient_loss": "unbiased",
    "rlax policy_gradient_loss, padded": "scaled",
    "rlax entropy_loss": "unbiased",
    "rlax qpg_loss": "unbiased",
    "rlax rm_loss": "not a gradient",
    "rlax rpg_loss": "scaled",
    "rlax rpg_loss, for the regrets": "unbiased",
    "rlax clipped_surrogate_pg_loss, first step": "unbiased",
    "rlax clipped_surrogate_pg_loss, later step": "other objective",
    "rlax clipped_surrogate_pg_loss, for the surrogate": "unbiased",
    "TorchRL ReinforceLoss": "unbiased",
    "TorchRL A2CLoss": "unbiased",
    "TorchRL A2CLoss, for the value alone": "other objective",
    "TorchRL PPOLoss, first step": "unbiased",
    "TorchRL PPOLoss, later step": "unbiased",
    "TorchRL ClipPPOLoss, first step": "unbiased",
    "TorchRL ClipPPOLoss, later step": "other objective",
    "TorchRL ClipPPOLoss, for the surrogate": "unbiased",
    "TorchRL ClipPPOLoss, normalised advantages": "not a gradient",
    "TorchRL DiscreteSACLoss, actor": "unbiased",
    "Stable-Baselines3 A2C": "unbiased",
    "Stable-Baselines3 A2C, gradients clipped": "not a gradient",
    "Stable-Baselines3 A2C, normalised advantages": "not a gradient",
    "Stable-Baselines3 PPO": "not a gradient",
    "Stable-Baselines3 PPO, advantages as they are": "unbiased",
    "TRL GRPO, two reward levels": "scaled",
    "TRL GRPO, three reward levels": "not a gradient",
    "TRL GRPO, unscaled rewards": "scaled",
    "TRL GRPO, loss_type grpo, lengths differ": "not a gradient",
    "TRL GRPO, loss_type dapo, lengths differ": "not a gradient",
    "TRL GRPO, Dr. GRPO averages, lengths differ": "scaled",
    "TRL GRPO, KL term as shipped": "unbiased",
    "TRL GRPO, KL term uncorrected": "other objective",
    "TRL RLOO": "unbiased",
    "TRL RLOO, normalised advantages": "not a gradient",
    "Tianshou Reinforce": "unbiased",
    "Tianshou Reinforce, episodes of different length": "other objective",
    "Tianshou Reinforce, discounted": "not a gradient",
    "Tianshou A2C": "unbiased",
    "Tianshou PPO": "not a gradient",
    "Tianshou PPO, advantages as they are": "unbiased",
}

ROOT = math.sqrt(2)
# two rewards, mean and sample std: advantages ±1/√2 whenever they differ; half of them, for the
# mean over two
WHITENED = [5 / 36 / ROOT, 1 / 9 / ROOT, -1 / 4 / ROOT]

EXPECTED = {
    "rlax policy_gradient_loss, padded": ([3 / 80, 1 / 16], 1e-12),
    "rlax rm_loss": ([1 / 12, 0, -1 / 12], 1e-12),
    "rlax rpg_loss": ([2 / 9, 1 / 9, -1 / 3], 1e-12),
    "TorchRL ClipPPOLoss, normalised advantages": (WHITENED, 1e-5),
    "Stable-Baselines3 A2C, normalised advantages": (WHITENED, 1e-7),
    "Stable-Baselines3 PPO": (WHITENED, 1e-7),
    "Tianshou PPO": (WHITENED, 1e-7),
    # case P11 with the sample std, but for the 1e-4 that TRL adds to it
    "TRL GRPO, two reward levels": (
        [45 / 256 + 27 * math.sqrt(3) / 512, -45 / 256 - 27 * math.sqrt(3) / 512],
        2e-4,
    ),
    "TRL GRPO, three reward levels": (WHITENED, 4e-4),
    # case P08: (G - 1)/G
    "TRL GRPO, unscaled rewards": ([1 / 18, 1 / 36, -1 / 12], 1e-12),
    # case P14 with V moving, times (G - 1)/G
    "TRL GRPO, loss_type grpo, lengths differ": ([9 / 320, 1 / 32], 1e-12),
    "TRL GRPO, Dr. GRPO averages, lengths differ": ([3 / 160, 1 / 32], 1e-12),
    # case P02: ref - π
    "TRL GRPO, KL term uncorrected": ([1 / 3, -1 / 12, -1 / 4], 1e-12),
    "Tianshou Reinforce, episodes of different length": ([0, 1 / 16], 1e-12),
    "Tianshou Reinforce, discounted": ([-1 / 32, 1 / 16], 1e-12),
}

AUDITS = every_audit()


def test_every_audit_has_a_verdict_it_is_compared_with():
    assert {each.name for each in AUDITS} == set(KINDS)


@pytest.mark.parametrize("what", AUDITS, ids=[each.name.replace(" ", "-") for each in AUDITS])
def test_a_library_loss_follows_what_the_table_says(what):
    if not what.installed:
        pytest.skip(f"{what.package} isn't installed")
    row = run(what)
    assert row.kind == KINDS[what.name], str(row)
    if what.name in EXPECTED:
        numbers, tolerance = EXPECTED[what.name]
        assert [float(entry) for entry in row.found.expected] == pytest.approx(
            numbers, rel=tolerance, abs=1e-12
        )
