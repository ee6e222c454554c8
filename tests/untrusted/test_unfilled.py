"""An answer that depends on memory which nobody filled is refused; memory that is filled is not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy import empty as by_another_name

from altpg_verify import check_estimator, estimator
from altpg_verify.audit import audit, bandit, loss, update
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadEstimator

SPACE = bandit([1, "1/2", 0]).batch(2)
READS = "reads memory that nobody filled"


def kind_of(function, declare=update):
    return audit(declare(space=SPACE)(function)).kind


def half_filled(rewards, scores):
    made = np.empty(3)
    made[:2] = 0
    return (rewards[:, None] * scores).mean(axis=0) * (1 + (made[2] > 3))


def like_another(rewards, scores):
    made = np.empty_like(rewards)
    return (rewards[:, None] * scores).mean(axis=0) + 0 * made[0] + (made[0] > 3)


def under_another_name(rewards, scores):
    made = by_another_name(1)
    return (rewards[:, None] * scores).mean(axis=0) + (made[0] > 3)


@pytest.mark.parametrize(
    "function", [half_filled, like_another, under_another_name], ids=lambda each: each.__name__
)
def test_what_reads_it_is_refused(function):
    with pytest.raises(BadEstimator, match=READS):
        kind_of(function)


def test_what_fills_all_of_it_is_judged():
    def filled(rewards, scores):
        made = np.empty_like(scores)
        made[...] = rewards[:, None] * scores
        return made.mean(axis=0)

    assert kind_of(filled) is Kind.UNBIASED


def test_a_formula_that_reads_it_is_refused():
    @estimator
    def reads(r, b, e, pi):
        return (r - b) * (e - pi) * (1 if np.empty(1)[0] < 7 else 2)

    with pytest.raises(BadEstimator, match=READS):
        check_estimator(reads, on_fail="return")


def test_so_is_a_loss_of_torch():
    torch = pytest.importorskip("torch")

    def reads(logprobs, rewards):
        return -(rewards * logprobs).mean() * (1 + torch.empty(2).isnan().sum())

    def fills(logprobs, rewards):
        made = torch.empty(2)
        made[:] = 1
        return -(rewards * logprobs).mean() * made.prod()

    with pytest.raises(BadEstimator, match=READS):
        kind_of(reads, loss)
    assert kind_of(fills, loss) is Kind.UNBIASED
