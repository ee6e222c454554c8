"""Mends of advantages that were named: another estimator, alone or with an edit of the loss."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from altpg_verify.audit import audit, tokens, trainer_loss  # noqa: E402
from altpg_verify.audit.kinds import Kind  # noqa: E402

SINGLE = tokens(vocabulary=2, length=2, eos=0, reward=lambda row: row.count(1))
PAIRS = SINGLE.group(2)


def by_row(log_probs, advantages, response_mask):
    return -(log_probs * advantages * response_mask).sum(-1).mean()


def by_token(log_probs, advantages, response_mask):
    return -(log_probs * advantages * response_mask).sum() / response_mask.sum()


def unsqueezed(log_probs, advantages, response_mask):
    return -(log_probs * advantages.unsqueeze(1) * response_mask).sum(-1).mean()


def as_it_is(log_probs, advantages, response_mask):
    return (log_probs * advantages * response_mask).sum(-1).mean()


def mended(loss, estimator, space=PAIRS):
    found = audit(trainer_loss(loss, space=space, advantages=estimator), mend=True)
    return [mend.edits for mend in found.mends]


@pytest.mark.parametrize("estimator", ["grpo", "dr_grpo", "reinforce++"])
@pytest.mark.parametrize("loss", [by_row, unsqueezed])
def test_the_others_mean_is_offered_for_a_groups_own(estimator, loss):
    first, *_ = mended(loss, estimator)
    assert first == (f'with `advantages="rloo"` for `advantages="{estimator}"`',)


def test_the_estimator_and_the_loss_are_mended_together():
    (edits,) = mended(by_token, "grpo")
    assert edits[0] == 'with `advantages="rloo"` for `advantages="grpo"`'
    assert len(edits) == 2


def test_what_is_shown_is_true_of_the_estimator_that_is_offered():
    found = audit(trainer_loss(by_row, space=PAIRS, advantages="grpo"), mend=True)
    offered = audit(trainer_loss(by_row, space=PAIRS, advantages="rloo"))
    assert offered.kind is Kind.UNBIASED
    assert found.mends[0].expected == pytest.approx(offered.expected)
    assert found.mends[0].where == ("",)
    assert "()" not in found.mends[0].sentence


def test_where_the_loss_alone_is_wrong_its_edit_is_what_is_offered():
    assert all("advantages=" not in edit for edits in mended(as_it_is, "rloo") for edit in edits)
    assert mended(as_it_is, "rloo")


def test_without_others_no_mean_of_the_others_is_offered():
    assert ('with `advantages="rloo"` for `advantages="reinforce++"`',) not in mended(
        by_row, "reinforce++", SINGLE
    )


def test_an_estimator_that_was_not_meant_to_be_another_one_is_left():
    assert mended(by_row, "rloo") == []
