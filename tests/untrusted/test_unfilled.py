"""An answer that depends on memory which nobody filled is refused; memory that is filled is not."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from numpy import empty as by_another_name

from altpg_verify import check_estimator, estimator
from altpg_verify.audit import audit, bandit, loss, update
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.unfilled import FILLS, _modules, asks_for_memory, filled

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


def test_functions_that_name_none_of_it_ask_for_none():
    def asks():
        return np.empty(2)

    def asks_by_another_name():
        return by_another_name(2)

    def asks_not():
        return np.zeros(2)

    assert asks_for_memory([asks])
    assert asks_for_memory([asks_not, asks_by_another_name])
    assert not asks_for_memory([asks_not])


def test_the_modules_whose_variables_they_see():
    space = {"__name__": __name__}
    exec("def elsewhere(): return 1", space)
    assert list(_modules([half_filled, like_another, space["elsewhere"]])) == [
        sys.modules[__name__]
    ]


def test_what_torch_has_no_deterministic_way_for_runs_all_the_same():
    torch = pytest.importorskip("torch")
    with filled([half_filled], FILLS[0]):
        assert torch.empty(2).isnan().all()
        with pytest.warns(UserWarning, match="put_ does not have a deterministic implementation"):
            torch.zeros(2).put_(torch.tensor([0]), torch.ones(1))
    assert not torch.are_deterministic_algorithms_enabled()
