"""A JAX loss in a trainer's names gets what the same loss in torch gets: the batch and its
estimators are one definition.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, tokens, trainer_loss
from altpg_verify.audit.advantages import ESTIMATORS
from altpg_verify.audit.expected_update import expected
from altpg_verify.errors import BadInput
from tests.shares import share

jnp = pytest.importorskip("jax.numpy")
torch = pytest.importorskip("torch")

UNIFORM = [["1/2", "1/2"]] * 3
SPACE = (
    tokens(vocabulary=2, length=2, eos=0, discount="9/10", reward=lambda row: 1 + row.count(1))
    .against(UNIFORM)
    .group(2)
)


def in_torch(
    log_prob, old_log_probs, ref_log_prob, advantages, eos_mask, values, entropy, returns, gamma
):
    ratio = torch.exp(log_prob - old_log_probs)
    weights = advantages + 0.1 * values + 0.1 * returns + gamma
    return (
        ((0.1 * (log_prob - ref_log_prob) ** 2 - ratio * weights - 0.1 * entropy) * eos_mask)
        .sum(-1)
        .mean()
    )


def in_jax(
    log_prob, old_log_probs, ref_log_prob, advantages, eos_mask, values, entropy, returns, gamma
):
    ratio = jnp.exp(log_prob - old_log_probs)
    weights = advantages + 0.1 * values + 0.1 * returns + gamma
    return (
        ((0.1 * (log_prob - ref_log_prob) ** 2 - ratio * weights - 0.1 * entropy) * eos_mask)
        .sum(-1)
        .mean()
    )


@pytest.mark.parametrize("estimator", share(ESTIMATORS, 4))
def test_the_same_loss_has_the_same_expected_update(estimator):
    sides = [
        expected(trainer_loss(loss, space=SPACE, advantages=estimator, framework=framework))
        for loss, framework in ((in_torch, "torch"), (in_jax, "jax"))
    ]
    np.testing.assert_allclose(*sides, rtol=1e-10, atol=1e-13)


# compiled for each worker's rows; by default that of torch, in `test_trainer_losses.py`
@pytest.mark.thorough
def test_workers_divide_by_their_own_token_count():
    def own_tokens(log_probs, advantages, loss_mask):
        return -(log_probs * advantages * loss_mask).sum() / loss_mask.sum()

    found = audit(
        trainer_loss(own_tokens, space=SPACE, advantages="return", framework="jax", ranks=2),
        differentiate=False,
    )
    assert "rows shared by 2 workers" in found.run
    assert not found.ok


def test_a_function_of_the_batch_gives_advantages():
    def centred(sequence_rewards, response_mask):
        return (sequence_rewards - sequence_rewards.mean())[:, None] * response_mask

    def reinforce(logp, adv, mask):
        return -(logp * adv * mask).sum(-1).mean()

    own = trainer_loss(reinforce, space=SPACE, advantages=centred, framework="jax")
    named = trainer_loss(reinforce, space=SPACE, advantages="dr_grpo", framework="jax")
    np.testing.assert_allclose(expected(own), expected(named), rtol=1e-12)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (
            {"framework": "tensorflow"},
            "framework: 'tensorflow' is not known; write 'torch' or 'jax'",
        ),
        ({"framework": "jax", "layout": "flat"}, "leave it out for 'rows'"),
    ],
)
def test_what_cannot_be_used_is_said(settings, sentence):
    with pytest.raises(BadInput, match=sentence):
        trainer_loss(in_jax, space=SPACE, advantages="rloo", **settings)
