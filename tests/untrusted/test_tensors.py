"""What a torch tensor holds is read, kept and put back, whatever sort of tensor it is."""

from __future__ import annotations

import warnings

import pytest

from altpg_verify.untrusted.state import Memory
from altpg_verify.untrusted.tensors import (
    ESCAPED,
    Unreadable,
    copy_of,
    is_tensor,
    put_back,
    token_of,
)

torch = pytest.importorskip("torch")

SORTS = {
    "plain": lambda entries: torch.tensor(entries),
    "conjugated": lambda entries: torch.tensor(entries, dtype=torch.cfloat).conj(),
    "half": lambda entries: torch.tensor(entries, dtype=torch.bfloat16),
    "with a gradient": lambda entries: torch.tensor(entries, requires_grad=True),
    "turned": lambda entries: torch.tensor([entries]).T,
    "coordinates": lambda entries: torch.tensor(entries).to_sparse(),
    "rows": lambda entries: torch.tensor([entries]).to_sparse_csr(),
    "columns": lambda entries: torch.tensor([entries]).to_sparse_csc(),
}


@pytest.mark.parametrize("make", SORTS.values(), ids=SORTS)
def test_equal_contents_have_equal_tokens(make):
    with warnings.catch_warnings():
        # torch says of some that they are new
        warnings.simplefilter("ignore")
        make([0.0])
    one = make([1.0, 0.0, 2.0])
    assert token_of(one) == token_of(make([1.0, 0.0, 2.0]))
    assert token_of(one) not in (token_of(make([1.0, 0.0, 3.0])), token_of(make([0.0, 1.0, 2.0])))


def test_what_nobody_can_read_is_told():
    kept = []
    torch.func.vmap(lambda each: kept.append(each) or each)(torch.ones(2))
    assert token_of(kept[0]) == ESCAPED
    assert isinstance(token_of(torch.ones(2).to_mkldnn()), Unreadable)
    assert copy_of(object()) is None
    assert copy_of(torch.ones(2), 2).tolist() == [1, 1]
    assert copy_of(torch.ones(3), 2) is None
    assert token_of(torch.ones(2, device="meta")) == token_of(torch.ones(2, device="meta"))
    assert not is_tensor(1.0)


class Still(torch.Tensor):
    def detach(self):
        return torch.zeros(2)

    numel = shape = dtype = None


class Mute(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, given=(), named=None):
        return torch.zeros(2)


@pytest.mark.parametrize("kind", [Still, Mute, torch.nn.Parameter])
def test_a_class_of_its_own_hides_nothing(kind):
    inside = torch.zeros(2)
    held = inside.as_subclass(kind) if kind is not torch.nn.Parameter else kind(inside)
    before, saved = token_of(held), copy_of(held)
    inside += 1
    assert token_of(held) != before
    put_back(held, saved)
    assert inside.tolist() == [0, 0]
    assert token_of(held) == before


def test_a_tensor_is_put_back():
    held = torch.tensor([1.0, 2.0], requires_grad=True)
    saved = copy_of(held)
    with torch.no_grad():
        held += 1
    put_back(held, saved)
    assert held.tolist() == saved.tolist() == [1.0, 2.0]


def test_a_tensor_that_a_function_sees_is_put_back():
    held = torch.tensor([1.0, 2.0])
    memory = Memory(lambda: held)
    before = memory.snapshot()
    held += 1
    assert before.changed(memory.snapshot())
    memory.restore()
    assert held.tolist() == [1.0, 2.0]
    assert not before.changed(memory.snapshot())
