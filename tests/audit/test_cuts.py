"""A loss without a path to the parameters learns nothing: the verdict is zero, and names where the
path is cut.
"""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import audit, bandit, from_torch, tokens, trainer_loss  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402

ARMS = bandit([1, "1/2", 0])


def detached(logprobs, rewards):
    kept = logprobs.detach()
    return -(kept * rewards).mean()


def measured(logprobs, rewards):
    with torch.no_grad():
        doubled = 2 * logprobs
        moved = doubled + 1
    return -(moved * rewards).mean()


def one_of_two(logprobs, rewards):
    centred = rewards - logprobs.mean().detach()
    kept = logprobs.detach()
    return -(kept * centred).mean()


def twice(logprobs, rewards):
    kept = logprobs.detach()
    both = kept.exp() * logprobs.exp().detach()
    return -(both * 0 + kept * logprobs.detach() * rewards).mean()


def itemised(logprobs, rewards):
    return -logprobs[0].item() * rewards.mean()


def made_anew(logprobs, rewards):
    anew = torch.tensor(logprobs.tolist(), requires_grad=True)
    return -(anew * rewards).mean()


def ranked(logits, rewards):
    return -(logits.argmax() * rewards).mean()


def unread(logprobs, rewards):
    return -rewards.mean()


CUTS = {
    detached: (
        "cut by .detach() of 'logprobs' in test_cuts.py:18 (kept = logprobs.detach()); without that"
        " it has one"
    ),
    measured: (
        "cut by torch.no_grad() of 'logprobs' in test_cuts.py:24 (doubled = 2 * logprobs); without"
        " that it has one"
    ),
    itemised: "cut by .item() in test_cuts.py:42",
    made_anew: "cut by .tolist() of 'logprobs' in test_cuts.py:46",
    ranked: "cut by argmax() of 'logits' in test_cuts.py:51",
    unread: "the loss reads nothing of the parameters",
}


@pytest.mark.parametrize("loss", CUTS)
def test_the_cut_is_named(loss):
    found = audit(from_torch(loss, space=ARMS), differentiate=False)
    assert (found.kind, found.ok) == (Kind.ZERO, False)
    assert CUTS[loss] in found.sentence
    assert found.sentence.startswith(
        "zero: the expected update is 0, where ∇V = (1/6, 0, -1/6); the loss"
    )


def test_of_two_cuts_the_one_that_matters_is_named():
    """Either alone gives a path; the first that does is named, since that was tried."""
    said = audit(from_torch(one_of_two, space=ARMS), differentiate=False).causes[0]
    assert said.count("cut by") == 1
    assert said.endswith("without that it has one")


def test_a_trainers_loss_without_a_path():
    @torch.no_grad()
    def helper(log_prob, advantages, mask):
        return -(log_prob * advantages * mask).sum()

    def loss(log_prob, advantages, response_mask):
        return helper(log_prob, advantages, response_mask), {}

    space = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1)).group(2)
    found = audit(trainer_loss(loss, space=space, advantages="rloo"), differentiate=False)
    assert found.kind is Kind.ZERO
    assert "torch.no_grad() of 'log_prob'" in found.sentence


def test_a_path_on_some_draws_only():
    def skips(logprobs, rewards):
        return -(logprobs * rewards).mean() if rewards[0] < 1 else torch.zeros(())

    found = audit(from_torch(skips, space=ARMS), differentiate=False)
    assert found.kind is not Kind.ZERO
    assert "on some draws nothing is learned: the loss reads nothing of the parameters" in found.run
