"""Advantages are handed over in the shape that the loss takes: one for each row, or each token."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import audit, bandit, kl_to_reference, tokens, trainer_loss, value  # noqa: E402
from altpg_verify.audit.advantage_shapes import ROWS_SAID  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402

# as many rows as columns, so that the wrong shape is broadcast without an error
SQUARE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)


def unsqueezed(per_token_logps, old_per_token_logps, advantages, completion_mask, epsilon):
    """As TRL has it."""
    ratio = torch.exp(per_token_logps - old_per_token_logps)
    clipped = torch.clamp(ratio, 1 - epsilon, 1 + epsilon)
    losses = -torch.min(ratio * advantages.unsqueeze(1), clipped * advantages.unsqueeze(1))
    return (losses * completion_mask).sum(-1).mean()


def of_sequences(logprobs, advantages, completion_mask):
    """As TRL's RLOOTrainer had it."""
    return -((logprobs * completion_mask).sum(1) * advantages).mean()


def indexed(logprobs, advantages, mask):
    return -(logprobs * advantages[:, None] * mask).sum(-1).mean()


def either(logprobs, advantages, mask):
    if advantages.dim() == 1:
        advantages = advantages.unsqueeze(1)
    return -(logprobs * advantages * mask).sum(-1).mean()


def of_tokens(logprobs, advantages, mask):
    """As verl has it."""
    return -(logprobs * advantages * mask).sum(-1).mean()


def column_of_sequences(logprobs, advantages, mask):
    """A column times (rows, T); a column times (rows,) would be broadcast, too."""
    whole = (logprobs * mask).sum(-1, keepdim=True)
    return -(whole * advantages / mask.sum(-1, keepdim=True)).sum(-1).mean()


def through_a_table(logprobs, advantages, mask):
    """A table of tokens by tokens is larger than anything that the advantages make grow."""
    length = logprobs.shape[1]
    earlier = torch.tril(torch.ones(length, length, dtype=logprobs.dtype)).T
    padded = torch.zeros(logprobs.shape[0], length, length, dtype=logprobs.dtype) + earlier
    alike = (logprobs[:, :, None] * padded).sum(-1) / padded.sum(-1)
    return -(alike * advantages * mask).sum(-1).mean()


def with_a_figure(logprobs, advantages, mask):
    """Logs the mean of each row on the way."""
    figure = advantages.mean(-1, keepdim=True).detach().abs().max()
    return -(logprobs * advantages * mask).sum(-1).mean() + 0 * figure


def scaled_rows(logprobs, advantages, mask):
    """Rows, by way of a diagonal matrix."""
    return -(torch.diag(advantages) @ (logprobs * mask)).sum(-1).mean()


@pytest.mark.parametrize("loss", [unsqueezed, of_sequences, indexed, scaled_rows])
def test_losses_of_rows_get_one_advantage_for_each(loss):
    constants = {"epsilon": 0.2} if loss is unsqueezed else {}
    found = audit(trainer_loss(loss, space=SQUARE, advantages="rloo", **constants))
    assert found.kind is Kind.UNBIASED
    assert ROWS_SAID in found.run


@pytest.mark.parametrize(
    "loss", [either, of_tokens, column_of_sequences, through_a_table, with_a_figure]
)
def test_losses_of_tokens_get_one_for_each_token(loss):
    found = audit(trainer_loss(loss, space=SQUARE, advantages="rloo"))
    assert found.kind is Kind.UNBIASED
    assert ROWS_SAID not in found.run


def test_a_batch_taken_whole_is_read_in_its_shape():
    class Trainer:
        def _compute_loss(self, model, inputs):
            score = inputs["per_token_logps"] * inputs["advantages"].unsqueeze(1)
            return -(score * inputs["completion_mask"]).sum(-1).mean()

    found = audit(
        trainer_loss(Trainer()._compute_loss, space=SQUARE, advantages="rloo", model=None)
    )
    assert found.kind is Kind.UNBIASED
    assert ROWS_SAID in found.run


def test_own_functions_say_the_shape_themselves():
    def centred(sequence_rewards):
        return sequence_rewards - 0.5

    def by_token(token_rewards, mask):
        return token_rewards.sum(-1, keepdim=True) * mask

    rows = audit(trainer_loss(indexed, space=SQUARE, advantages=centred))
    assert rows.kind is Kind.UNBIASED
    assert ROWS_SAID in rows.run
    assert audit(trainer_loss(of_tokens, space=SQUARE, advantages=by_token)).run == ()


@pytest.mark.parametrize("first", ["log_probs", "advantages"])
def test_advantages_that_read_the_policy_leave_its_gradient_to_the_loss(first):
    def penalised(token_rewards, log_probs, ref_log_probs, mask):
        return (token_rewards - 0.1 * (log_probs - ref_log_probs) * mask).sum(-1)

    def loss(log_probs, advantages, mask):
        return -(log_probs * advantages * mask).sum(-1).mean()

    def other_order(advantages, log_probs, mask):
        return loss(log_probs, advantages, mask)

    space = SQUARE.against([["1/3", "2/3"]] * 3)
    found = audit(
        trainer_loss(
            loss if first == "log_probs" else other_order,
            space=space,
            advantages=penalised,
            target=value - 0.1 * kl_to_reference,
        )
    )
    assert found.kind is Kind.UNBIASED


def test_one_column_is_not_taken_for_one_row():
    space = bandit([1, "1/2", 0]).batch(3)
    assert audit(trainer_loss(of_tokens, space=space, advantages="rloo")).kind is Kind.UNBIASED
    assert audit(trainer_loss(of_sequences, space=space, advantages="rloo")).kind is Kind.UNBIASED


def test_workers_get_the_advantages_of_their_rows():
    shared = trainer_loss(indexed, space=SQUARE, advantages="rloo", ranks=2)
    assert audit(shared).kind is Kind.UNBIASED


def test_a_wrong_baseline_is_still_seen():
    found = audit(trainer_loss(unsqueezed, space=SQUARE, advantages="dr_grpo", epsilon=0.2))
    assert found.scale.factors == {"": 0.5}


def test_the_tokens_of_a_tool_have_the_rows_advantage():
    def tool(row):
        return [1] if len(row) == 1 else []

    space = tokens(length=2, turns=tool, reward=lambda row: row[0] + 2 * row[-1] * row[1])

    def without_mask(logprobs, advantages):
        return -(logprobs * advantages.unsqueeze(1)).sum(-1).mean()

    def masked(logprobs, advantages, mask):
        return -(logprobs * advantages.unsqueeze(1) * mask).sum(-1).mean()

    biased = audit(trainer_loss(without_mask, space=space.group(2), advantages="rloo"))
    assert biased.kind is not Kind.UNBIASED
    assert (
        audit(trainer_loss(masked, space=space.group(2), advantages="rloo")).kind is Kind.UNBIASED
    )


@pytest.mark.parametrize("compiled", [False, True])
def test_jax_losses_of_rows(compiled):
    jax = pytest.importorskip("jax")

    def loss(log_probs, advantages, response_mask):
        return -(log_probs * advantages[:, None] * response_mask).sum(-1).mean()

    made = trainer_loss(
        jax.jit(loss) if compiled else loss,
        space=SQUARE,
        advantages="rloo",
        framework="jax",
        name="rows",
    )
    found = audit(made)
    assert found.kind is Kind.UNBIASED
    assert ROWS_SAID in found.run
