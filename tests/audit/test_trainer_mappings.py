"""Losses that take their batch as one mapping, and losses that are modules."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import audit, trainer_loss  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402
from altpg_verify.errors import BadEstimator, BadInput  # noqa: E402
from tests.audit.test_trainer_losses import AFTER_PROMPTS, PAIRS  # noqa: E402


class Trainer:
    """A trainer's method that takes a model and its inputs."""

    scale = 0.5

    def compute_loss(self, model, inputs):
        old = inputs.get("old_per_token_logps", None)
        ratio = torch.exp(inputs["per_token_logps"] - old)
        inputs["weights"] = inputs["advantages"] * inputs["completion_mask"]
        return -self.scale * (ratio * inputs["weights"]).sum()


def test_a_method_that_takes_a_mapping_of_inputs():
    made = trainer_loss(Trainer().compute_loss, space=PAIRS, advantages="rloo", model=None)
    assert audit(made).kind is Kind.UNBIASED


def of_attributes(data, response_mask):
    batch = data.to("cpu").batch
    assert "ref_log_prob" not in batch
    assert {"log_prob", "uid"} <= set(batch)
    return -(batch.log_prob * data["advantages"] * response_mask).sum() / 2


def test_workers_get_their_share_of_a_mapping():
    space = PAIRS.group(4)
    made = [
        trainer_loss(of_attributes, space=space, advantages="rloo", ranks=ranks) for ranks in (1, 2)
    ]
    alone, shared = map(audit, made)
    assert (alone.scale.factors, shared.kind) == ({"": 2}, Kind.UNBIASED)


def shifted_by_one(next_token_logits, data, global_valid_seqs):
    """The logits of a column are those of the next one's token."""
    logprobs = next_token_logits.to(torch.float32).log_softmax(-1)[:, :-1]
    chosen = logprobs.gather(-1, data["input_ids"][:, 1:, None])[..., 0]
    mask = (data["token_mask"] * data["sample_mask"][:, None])[:, 1:]
    return -(chosen * data["advantages"][:, 1:] * mask).sum() / global_valid_seqs


def test_logits_of_the_next_token():
    made = trainer_loss(shifted_by_one, space=AFTER_PROMPTS, advantages="rloo")
    assert audit(made).kind is Kind.UNBIASED
    with pytest.raises(BadInput, match="begin with a token of the policy"):
        trainer_loss(shifted_by_one, space=PAIRS, advantages="rloo")


class PolicyLoss(torch.nn.Module):
    """A module whose forward takes the batch."""

    def forward(self, log_probs, old_log_probs, advantages, action_mask=None):
        ratio = (log_probs - old_log_probs).exp()
        return -((ratio * advantages * action_mask).sum(-1)).mean(), ratio.mean()


def test_a_module_as_it_stands():
    assert audit(trainer_loss(PolicyLoss(), space=PAIRS, advantages="rloo")).kind is Kind.UNBIASED


@pytest.mark.parametrize(
    ("name", "settings", "kind", "sentence"),
    [
        ("foo", {}, BadEstimator, "asks for 'foo', which is no part of the batch"),
        ("advantages", {}, BadInput, "name an estimator, such as advantages='grpo'"),
        ("ref_log_prob", {"advantages": "rloo"}, BadInput, "asks for the reference policy"),
        ("next_token_logits", {}, BadInput, "begin with a token of the policy"),
    ],
)
def test_what_isn_t_in_the_mapping_is_said(name, settings, kind, sentence):
    with pytest.raises(kind, match=sentence):
        audit(trainer_loss(lambda data: data[name].sum(), space=PAIRS, **settings))
