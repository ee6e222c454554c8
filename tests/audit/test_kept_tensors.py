"""Tensors that a loss keeps, or holds, are read without a crash, of whatever sort: what is kept of
many draws at once, sparse ones, ones without data; and what counts in them is refused.
"""

from __future__ import annotations

import pytest

from altpg_verify.audit import audit, bandit, from_torch
from altpg_verify.audit.kinds import Kind
from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.tensors import ESCAPED, Unreadable, copy_of, put_back, token_of

torch = pytest.importorskip("torch")

SPACE = bandit([-1, "1/2", 2, 3, 5, 7, 8])


def judged(loss):
    return audit(from_torch(loss, space=SPACE), differentiate=False)


def surrogate(theta, actions, rewards):
    return -(theta.log_softmax(-1)[actions] * rewards).sum()


def test_a_loss_may_keep_its_last_value():
    kept = {"loss": None, "theta": None}

    def logging(theta, actions, rewards):
        loss = surrogate(theta, actions, rewards)
        kept["loss"], kept["theta"] = loss.detach(), theta
        return loss

    assert judged(logging).kind is Kind.UNBIASED


def test_a_loss_may_keep_its_last_value_in_an_attribute():
    class Trainer:
        last = None

        def loss(self, theta, actions, rewards):
            self.last = surrogate(theta, actions, rewards)
            return self.last

    assert judged(Trainer().loss).kind is Kind.UNBIASED


def test_a_list_that_grows_is_refused():
    kept = []

    def growing(theta, actions, rewards):
        kept.append(theta.detach())
        return surrogate(theta, actions, rewards)

    with pytest.raises(BadEstimator, match="remembers earlier calls"):
        judged(growing)


def test_a_count_in_a_tensor_that_is_made_anew_is_refused():
    kept = [torch.zeros(())]

    def counting(theta, actions, rewards):
        kept[0] = kept[0].detach() + 1
        return surrogate(theta, actions, rewards) * (1 if kept[0] < 5_000 else 3)

    with pytest.raises(BadEstimator):
        judged(counting)


HELD = {
    "sparse": lambda: torch.eye(2).to_sparse(),
    "compressed": lambda: torch.eye(2).to_sparse_csr(),
    "without data": lambda: torch.empty(2, device="meta"),
    "conjugate": lambda: torch.ones(2, dtype=torch.complex64).conj(),
    "negative": lambda: torch.ones(2, dtype=torch.complex64).conj().imag,
    "bfloat16": lambda: torch.ones(2, dtype=torch.bfloat16),
    "of no size": lambda: torch.ones(0),
    "a number": lambda: torch.ones(()),
    "expanded": lambda: torch.ones(1).expand(3),
    "of truth values": lambda: torch.ones(2, dtype=torch.bool),
}


@pytest.mark.filterwarnings("ignore:Sparse CSR")
@pytest.mark.parametrize("make", HELD.values(), ids=HELD)
def test_tensors_of_every_sort_are_read(make):
    held = make()

    def loss(theta, actions, rewards):
        return surrogate(theta, actions, rewards) * len(held.shape) / max(1, len(held.shape))

    assert token_of(held) == token_of(make())
    if held.dim():
        assert judged(loss).kind is Kind.UNBIASED


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.complex64, torch.int8])
def test_one_number_more_is_another_tensor_and_is_put_back(dtype):
    held = torch.ones(3, dtype=dtype)
    before, saved = token_of(held), copy_of(held)
    held[1] = 2
    assert token_of(held) != before
    put_back(held, saved)
    assert token_of(held) == before


def test_entries_of_a_sparse_tensor_are_told_apart():
    assert token_of(torch.eye(2).to_sparse()) != token_of((2 * torch.eye(2)).to_sparse())
    assert token_of(torch.eye(2).to_sparse()) != token_of(torch.eye(2).flip(0).to_sparse())


def test_what_cant_be_read_is_equal_to_nothing_and_what_escaped_to_what_escaped():
    kept = []
    torch.func.vmap(lambda one: kept.append(one) or one)(torch.ones(2))
    assert token_of(kept[0]) == ESCAPED
    assert copy_of(kept[0]) is None

    class Odd(torch.Tensor):
        def detach(self):
            raise RuntimeError("no")

    # read as torch has it
    assert token_of(torch.ones(2).as_subclass(Odd)) == token_of(torch.ones(2))
    unread = torch.ones(2).to_mkldnn()
    assert isinstance(token_of(unread), Unreadable)
    assert token_of(unread) != token_of(unread)
