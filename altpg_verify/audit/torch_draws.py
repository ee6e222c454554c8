"""Draws of torch, enumerated: every operation that torch marks as random is asked of a branch, or
refused by its name.

`Categorical.sample`, `torch.multinomial`, `model.generate`, `Bernoulli.sample`, dropout,
`torch.randint` and `torch.randperm` end in one of the operations that are known here, whatever
generator they are given. Where they are called by name it is enough to stand in for them (`named`);
what draws within torch itself is seen below autograd (`enumerated`), which takes longer at every
operation.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from typing import Any

import numpy as np

from altpg_verify.audit.draw_tree import Branch
from altpg_verify.untrusted.standing_in import standing_in

LOADERS = "torch/utils/data/"
"""Code that draws seeds for generators whose own draws are enumerated."""


def enumerated(branch: Branch, *, strict: bool = True) -> AbstractContextManager[Any]:
    """A context in which torch's draws are the branch's.

    Args:
        branch: decides how they come out.
        strict: whether other random operations are refused; if not, they run as they are.
    """
    mode: AbstractContextManager[Any] = _mode_class()(branch, strict)
    return mode


@cache
def _mode_class() -> Any:
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Enumerated(TorchDispatchMode):  # type: ignore[misc]
        def __init__(self, branch: Branch, strict: bool) -> None:
            super().__init__()
            self.branch, self.strict = branch, strict

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if torch.Tag.nondeterministic_seeded not in func.tags:
                return func(*args, **(kwargs or {}))
            return _drawn(torch, self.branch, func, args, kwargs or {}, self.strict)

    return Enumerated


NAMED = ("multinomial", "bernoulli", "randperm", "randint")
METHODS = ("multinomial", "bernoulli", "bernoulli_")


class DrawsWithin(Exception):
    """Torch was asked to draw in a way that only `enumerated` sees."""


@contextmanager
def named(branch: Branch, *, strict: bool = True) -> Iterator[None]:
    """A context in which the functions and methods that draw, called by their names, are the
    branch's.

    Args:
        branch: decides how they come out.
        strict: whether other draws are noticed; if not, they are as they were.

    Raises:
        DrawsWithin: on leaving, or within: something else drew.
    """
    import torch

    owners = [(torch, name) for name in NAMED] + [(torch.Tensor, name) for name in METHODS]
    state = torch.default_generator.get_state()
    with standing_in(
        (owner, name, _drawing(branch, getattr(owner, name))) for owner, name in owners
    ):
        yield
    if strict and not torch.equal(torch.default_generator.get_state(), state):
        torch.default_generator.set_state(state)
        raise DrawsWithin


def _drawing(branch: Branch, own: Any) -> Any:
    def drawn(*args: Any, **kwargs: Any) -> Any:
        with enumerated(branch):
            return own(*args, **kwargs)

    return drawn


def _drawn(torch: Any, branch: Branch, func: Any, args: Any, kwargs: Any, strict: bool) -> Any:
    """What a random operation gives."""
    given = {
        each.name: value for each, value in zip(func._schema.arguments, args, strict=False)
    } | kwargs
    name = func._schema.name.removeprefix("aten::")
    what = f"torch.{name.rstrip('_')}"
    if name == "multinomial":
        return _multinomial(
            torch,
            branch,
            given["self"],
            int(given["num_samples"]),
            bool(given.get("replacement", False)),
            what,
        )
    if name == "bernoulli" and "p" not in given:
        return _coins(torch, branch, given["self"], what)
    if name == "bernoulli":
        return _coins(torch, branch, torch.full_like(given["self"], given["p"]), what)
    if name == "bernoulli_":
        chances = given.get("p", 0.5)
        whole = (
            chances
            if isinstance(chances, torch.Tensor)
            else torch.full_like(given["self"], chances, dtype=torch.float64)
        )
        return given["self"].copy_(_coins(torch, branch, whole.expand_as(given["self"]), what))
    if name == "randperm":
        return torch.tensor(
            branch.order(int(given["n"]), what), dtype=given.get("dtype") or torch.int64
        )
    if name in ("randint", "randint_like"):
        low, high = int(given.get("low", 0)), int(given["high"])
        like = given.get("self")
        size, dtype = (
            (tuple(given["size"]), torch.int64) if like is None else (tuple(like.shape), like.dtype)
        )
        found = [low + branch.choose(np.ones(high - low), what) for _ in range(int(np.prod(size)))]
        return torch.tensor(found, dtype=given.get("dtype") or dtype).reshape(size)
    if not strict:
        return func(*args, **kwargs)
    if name == "random_" and _of_a_loader():
        return given["self"].zero_()
    branch.refuse(
        f"draws by {what}, whose outcomes can't be enumerated; draw by torch.multinomial,"
        " Categorical, Bernoulli, randint or randperm"
    )


def _multinomial(
    torch: Any, branch: Branch, weights: Any, count: int, again: bool, what: str
) -> Any:
    rows = weights.detach().double().cpu().reshape(-1, weights.shape[-1]).numpy()
    found = [branch.several(row, count, again=again, what=what) for row in rows]
    return torch.tensor(found, dtype=torch.int64, device=weights.device).reshape(
        *weights.shape[:-1], count
    )


def _coins(torch: Any, branch: Branch, chances: Any, what: str) -> Any:
    found = [
        branch.choose([1 - p, p], what)
        for p in chances.detach().double().cpu().reshape(-1).tolist()
    ]
    return torch.tensor(found, dtype=chances.dtype, device=chances.device).reshape(chances.shape)


def _of_a_loader() -> bool:
    frame = sys._getframe(1)
    for _ in range(12):
        if frame is None:
            return False
        if LOADERS in frame.f_code.co_filename.replace("\\", "/"):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False
