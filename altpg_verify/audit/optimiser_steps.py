"""What torch optimisers do to some tensors, step by step, in units of the stepsize: (θ' - θ) / α, α
being each step's own.

Plain gradient descent is read as it is. With a stepsize of one's own, every optimiser, Adam or
another, is read as gradient descent with that stepsize on the gradients that it is handed; with 0
the parameters stand still, and the gradients of all steps add up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from altpg_verify.audit.draw_tree import Branch

INSTEAD = (
    "write stepsize=0, and the gradients that it is handed are judged, added up (or another number,"
    " for steps of gradient descent)"
)


class Steps:
    """What is added to some tensors while it is entered, divided by the stepsize.

    Args:
        branch: the run it belongs to; refusals are kept there.
        tensors: group -> tensor.
        stepsize: of gradient descent in the place of each optimiser; None for the optimisers' own.
        keep: is handed each optimiser before its first step.

    Attributes:
        found: group -> array, the sum of all steps so far, each divided by its stepsize.
        count: steps that optimisers have made.
        torch: the module.
    """

    def __init__(
        self, branch: Branch, tensors: Mapping[str, Any], stepsize: float | None, keep: Any
    ) -> None:
        import torch

        self.torch, self.branch, self.tensors, self.stepsize, self.keep = (
            torch,
            branch,
            dict(tensors),
            stepsize,
            keep,
        )
        self.found = {
            name: torch.zeros_like(each, dtype=torch.float64) for name, each in self.tensors.items()
        }
        self.count = 0
        self._rates: dict[str, float] = {}
        self._before: dict[int, Any] = {}
        self._last = {name: each.detach().clone() for name, each in self.tensors.items()}

    @contextmanager
    def watched(self) -> Iterator[Steps]:
        """A context in which steps are noted."""
        from torch.optim.optimizer import (
            register_optimizer_step_post_hook,
            register_optimizer_step_pre_hook,
        )

        handles = [
            register_optimizer_step_pre_hook(self._begins),
            register_optimizer_step_post_hook(self._ends),
        ]
        try:
            yield self
        finally:
            for handle in handles:
                handle.remove()

    def answer(self) -> dict[str, np.ndarray]:
        """(θ' - θ) / α for each group."""
        for name in self.tensors:
            self._besides(name)
        return {name: each.numpy().copy() for name, each in self.found.items()}

    def _begins(self, optimiser: Any, args: Any, kwargs: Any) -> None:
        self.keep(optimiser)
        kind = type(optimiser).__name__
        if self.stepsize is None and (why := _not_plain(self.torch, optimiser)) is not None:
            self.branch.refuse(
                f"steps with {kind}{why}, whose steps are no multiples of the gradient; {INSTEAD}"
            )
        if [each for each in (*args[1:], *kwargs.values()) if each is not None]:
            self.branch.refuse(
                f"hands {kind} a closure, so that its gradient can't be read; compute the gradient"
                " before the step"
            )
        self.count += 1
        with self.torch.no_grad():
            self._before = {
                id(p): (p.clone(), None if p.grad is None else p.grad.clone())
                for p in _parameters(optimiser)
            }
        rates = {
            id(p): float(group["lr"]) for group in optimiser.param_groups for p in group["params"]
        }
        for name, tensor in self.tensors.items():
            if id(tensor) in rates:
                self._rates[name] = rates[id(tensor)]
                if self.stepsize is None and self._rates[name] == 0:
                    self.branch.refuse(
                        "steps with a stepsize of 0 (a schedule that begins or ends there?);"
                        f" {INSTEAD}"
                    )
            self._besides(name)

    def _ends(self, optimiser: Any, args: Any, kwargs: Any) -> None:
        torch = self.torch
        with torch.no_grad():
            for group in optimiser.param_groups:
                for p in group["params"]:
                    before, gradient = self._before[id(p)]
                    if self.stepsize is not None:
                        # what the optimiser made of it is undone
                        uphill = group.get("maximize", False)
                        p.copy_(before)
                        if gradient is not None and self.stepsize:
                            p.add_(gradient, alpha=self.stepsize if uphill else -self.stepsize)
                    for name in [name for name, each in self.tensors.items() if each is p]:
                        self.found[name] += self._moved(p, before, gradient, group)
                        self._last[name] = p.clone()

    def _moved(self, now: Any, before: Any, gradient: Any, group: Any) -> Any:
        """One step in units of its stepsize: the gradient itself where the step is a multiple of
        it, without a rounding.
        """
        torch = self.torch
        if gradient is None:
            return torch.zeros_like(now, dtype=torch.float64)
        sign = 1.0 if group.get("maximize", False) else -1.0
        rate = float(group["lr"]) if self.stepsize is None else self.stepsize
        if torch.equal(now, before.add(gradient, alpha=sign * rate)):
            return sign * gradient.double()
        return (now.double() - before.double()) / rate

    def _besides(self, name: str) -> None:
        """What moved the tensor since the last step, if anything did."""
        tensor = self.tensors[name]
        if self.torch.equal(tensor, self._last[name]):
            return
        rate = self.stepsize if self.stepsize is not None else self._rates.get(name)
        if rate is None:
            self.branch.refuse(
                f"moves {name} without an optimiser of torch's, so that its stepsize isn't known;"
                " write stepsize=..."
            )
        if rate == 0:
            self.branch.refuse(
                f"moves {name} besides the steps of its optimiser, which stepsize=0 can't take"
                " apart; write the stepsize itself"
            )
        moved = tensor.detach().double() - self._last[name].double()
        self.found[name] += moved / rate
        self._last[name] = tensor.detach().clone()


def _parameters(optimiser: Any) -> list[Any]:
    return [p for group in optimiser.param_groups for p in group["params"]]


def _not_plain(torch: Any, optimiser: Any) -> str | None:
    """What its name is to be followed by where its steps aren't multiples of the gradient, up to
    weight decay; None if they are.
    """
    if type(optimiser) is not torch.optim.SGD:
        return ""
    return " and momentum" if any(group["momentum"] for group in optimiser.param_groups) else None
