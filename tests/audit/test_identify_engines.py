"""A loss that weighs for another engine's sampling is named, in the first step of an update, where
the trainer's old policy is the current one.
"""

from __future__ import annotations

import pytest

from altpg_verify.audit import audit, identify, tokens, trainer_loss
from altpg_verify.errors import BadInput

torch = pytest.importorskip("torch")

GROUPS = (
    tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))
    .sampled_by([["1/3", "2/3"]] * 3)
    .group(2)
)


def averaged(per_token, mask):
    return ((per_token * mask).sum(-1) / mask.sum(-1)).mean()


def surrogate(log_prob, old, advantages):
    ratio = (log_prob - old).exp()
    return -torch.min(ratio * advantages, ratio.clamp(0.8, 1.2) * advantages)


def by_token(log_prob, rollout_log_probs, advantages, response_mask):
    old = log_prob.detach()
    weight = torch.clamp((old - rollout_log_probs).exp(), max=2.0)
    return averaged(surrogate(log_prob, old, advantages) * weight, response_mask)


def without_a_cap(log_prob, rollout_log_probs, advantages, response_mask):
    old = log_prob.detach()
    weight = (old - rollout_log_probs).exp()
    return averaged(surrogate(log_prob, old, advantages) * weight, response_mask)


def by_sequence(log_prob, rollout_log_probs, advantages, response_mask):
    old = log_prob.detach()
    logs = ((old - rollout_log_probs) * response_mask).sum(-1, keepdim=True)
    return averaged(surrogate(log_prob, old, advantages) * logs.exp().clamp(max=2.0), response_mask)


def upside_down(log_prob, rollout_log_probs, advantages, response_mask):
    old = log_prob.detach()
    weight = torch.clamp((rollout_log_probs - old).exp(), max=2.0)
    return averaged(surrogate(log_prob, old, advantages) * weight, response_mask)


def without_a_weight(log_prob, old_log_prob, advantages, response_mask):
    return averaged(surrogate(log_prob, old_log_prob, advantages), response_mask)


def identified(loss, **asked):
    return identify(trainer_loss(loss, space=GROUPS, advantages="grpo"), **asked)


def test_the_weight_between_two_engines_is_named():
    found = identified(by_token)
    (name,) = found.names
    assert name.startswith("GRPO with truncated importance sampling (")
    assert "min(π_old/μ, 2)" in name
    assert identified(by_token, conforms_to="grpo_tis").ok


@pytest.mark.parametrize("loss", [without_a_cap, by_sequence, upside_down, without_a_weight])
def test_other_weights_are_not(loss):
    found = identified(loss)
    assert not any("truncated" in name for name in found.names)
    assert not identified(loss, conforms_to="grpo_tis").ok
    assert not identified(by_token, conforms_to="grpo").ok


def with_both(log_prob, old_log_prob, rollout_log_probs, advantages, response_mask):
    weight = torch.clamp((old_log_prob - rollout_log_probs).exp(), max=2.0)
    return averaged(surrogate(log_prob, old_log_prob, advantages) * weight, response_mask)


def test_an_old_policy_beside_the_rollouts_is_the_current_one():
    assert identified(with_both, conforms_to="grpo_tis").ok
    found = audit(trainer_loss(with_both, space=GROUPS, advantages="grpo"), differentiate=False)
    assert "old_log_prob of the current policy, held; sampled is the rollout's" in found.run
    # nothing goes through it
    without = audit(trainer_loss(by_token, space=GROUPS, advantages="grpo"), differentiate=False)
    assert found.expected == pytest.approx(without.expected, abs=1e-12)


def test_what_is_said_of_the_old_policy_stands():
    """Declared to be the sampled one it is, and the weight is 1."""
    made = trainer_loss(
        with_both, space=GROUPS, advantages="grpo", names={"old_log_prob": "old_log_probs"}
    )
    assert identify(made, conforms_to="grpo").ok


def test_in_later_epochs_there_would_have_to_be_a_third_policy():
    with pytest.raises(BadInput, match="the current policy in a first step only"):
        trainer_loss(with_both, space=GROUPS, advantages="grpo", epochs=2, stepsize=0.1)
