"""What a trainer's step may remember, put back before each branch of its draws is replayed."""

from __future__ import annotations

import copy
import sys
from dataclasses import dataclass, field
from typing import Any

from altpg_verify.untrusted.reaching import reachable

AHEAD = (1, 10_000, 1_000_000)
"""So far what counts steps is moved on, to see whether it makes a difference."""


MOST_CONSTANTS = 32
"""So many whole numbers of the step's code it is set to as well, and their neighbours."""


FARTHEST = 10**12
"""No count is set to more."""


@dataclass
class SavedState:
    """What of torch is put back before each step: tensors that are leaves or buffers, their
    gradients, optimisers and schedules.

    Args:
        roots: the functions whose objects are put back; optimisers that step are added.
    """

    roots: tuple[Any, ...]
    _tensors: dict[int, tuple[Any, Any, Any]] = field(default_factory=dict)
    _optimisers: dict[int, tuple[Any, Any, Any]] = field(default_factory=dict)
    _schedules: dict[int, tuple[Any, dict[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        torch = sys.modules.get("torch")
        if torch is None:
            return
        for root in self.roots:
            for seen in reachable(root):
                self._keep(torch, seen.value)

    def _keep(self, torch: Any, value: Any) -> None:
        if isinstance(value, torch.nn.Module):
            for each in (*value.parameters(), *value.buffers()):
                self.keep_tensor(each)
        elif isinstance(value, torch.optim.Optimizer):
            self.keep_optimiser(value)
        elif isinstance(value, torch.optim.lr_scheduler.LRScheduler):
            self._schedules[id(value)] = value, dict(vars(value))
        elif isinstance(value, torch.Tensor) and value.is_leaf:
            self.keep_tensor(value)

    def keep_tensor(self, tensor: Any) -> None:
        """Note a tensor and its gradient."""
        if id(tensor) not in self._tensors:
            gradient = None if tensor.grad is None else tensor.grad.clone()
            self._tensors[id(tensor)] = tensor, tensor.detach().clone(), gradient

    def keep_optimiser(self, optimiser: Any) -> None:
        """Note an optimiser and its parameters before its first step; nothing if the trainer is
        made anew each time.
        """
        if not self.roots or id(optimiser) in self._optimisers:
            return
        for group in optimiser.param_groups:
            for each in group["params"]:
                self.keep_tensor(each)
        state = {
            key: {name: copy.deepcopy(value) for name, value in of.items()}
            for key, of in optimiser.state.items()
        }
        settings = [
            {name: value for name, value in group.items() if name != "params"}
            for group in optimiser.param_groups
        ]
        self._optimisers[id(optimiser)] = optimiser, state, settings

    def restore(self) -> None:
        """Put everything back to what it was when it was noted."""
        for tensor, values, gradient in self._tensors.values():
            tensor.detach().copy_(values)
            tensor.grad = None if gradient is None else gradient.clone()
        for optimiser, state, settings in self._optimisers.values():
            optimiser.state.clear()
            for key, of in state.items():
                optimiser.state[key] = {name: copy.deepcopy(value) for name, value in of.items()}
            for group, own in zip(optimiser.param_groups, settings, strict=True):
                group.update(own)
        for schedule, own in self._schedules.values():
            vars(schedule).clear()
            vars(schedule).update(own)
