"""Where a trainer keeps a group of parameters: a tensor, an array, or an attribute of some object,
read and written by the audit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from altpg_verify.audit.declarations import shown
from altpg_verify.audit.spaces import Space
from altpg_verify.errors import BadInput


@dataclass(frozen=True)
class Slot:
    """One group of parameters of a trainer.

    Args:
        name: the group.
        held: a torch tensor or a view of one (`weight.T`), a numpy array of floats, or (object,
            attribute) for one that is put in another's place.
    """

    name: str
    held: Any

    @property
    def value(self) -> Any:
        """The tensor or array as it is now."""
        return getattr(*self.held) if isinstance(self.held, tuple) else self.held

    @property
    def tensor(self) -> Any | None:
        """The tensor; None if it is none."""
        torch = sys.modules.get("torch")
        value = self.value
        return value if torch is not None and isinstance(value, torch.Tensor) else None

    @property
    def leaf(self) -> Any | None:
        """The tensor that an optimiser moves: the one of which it is a view, such as a transpose;
        None if it is no tensor.
        """
        tensor = self.tensor
        return tensor if tensor is None or tensor._base is None else tensor._base

    def part(self, values: np.ndarray) -> np.ndarray:
        """Its own part of numbers shaped like `leaf`."""
        tensor = self.tensor
        assert tensor is not None
        torch = sys.modules["torch"]
        whole = torch.from_numpy(np.ascontiguousarray(values))
        leaf = self.leaf
        if leaf is tensor or leaf is None:
            return values
        # the same strides, on numbers laid out as the leaf's are
        laid = torch.empty_strided(leaf.size(), leaf.stride(), dtype=whole.dtype).copy_(whole)
        found: np.ndarray = (
            laid.as_strided(tensor.size(), tensor.stride(), tensor.storage_offset()).numpy().copy()
        )
        return found

    def read(self) -> np.ndarray:
        """Its numbers, in float64."""
        tensor = self.tensor
        return np.array(
            self.value if tensor is None else tensor.detach().cpu().numpy(), dtype=float
        )

    def kept(self, keep_tensor: Callable[[Any], None]) -> Any:
        """What `put_back` is to be given; a tensor is handed on, for whoever keeps those."""
        if self.leaf is not None:
            keep_tensor(self.leaf)
            return None
        return self.value if isinstance(self.held, tuple) else self.value.copy()

    def put_back(self, own: Any) -> None:
        """As it was when `kept` was asked."""
        if own is None:
            return
        if isinstance(self.held, tuple):
            owner, attribute = self.held
            setattr(owner, attribute, own)
        else:
            self.value[...] = own

    def write(self, values: np.ndarray) -> None:
        """Put other numbers in, and no gradient beside them."""
        tensor = self.tensor
        if tensor is not None:
            torch = sys.modules["torch"]
            with torch.no_grad():
                tensor.copy_(torch.from_numpy(np.array(values, dtype=float)).reshape(tensor.shape))
            (tensor if tensor._base is None else tensor._base).grad = None
        elif isinstance(self.held, tuple):
            owner, attribute = self.held
            setattr(owner, attribute, np.array(values, dtype=float))
        else:
            self.value[...] = values


def slots_of(given: Any, space: Space, who: str) -> tuple[Slot, ...]:
    """The slots for what was declared, checked.

    Raises:
        BadInput: a group is missing or unknown, has another shape than the space's or fewer digits
            than float64.
    """
    if not isinstance(given, Mapping) or not given:
        first = next(iter(space.policy.shapes))
        raise BadInput(
            f"{who} needs its parameters by group, parameters={{{first!r}: tensor}}, not"
            f" {shown(given)}"
        )
    unknown = [name for name in given if name not in space.parameters]
    missing = [name for name in space.policy.shapes if name not in given]
    if unknown or missing:
        what = (
            f"has parameters {unknown[0]!r}" if unknown else f"doesn't say where {missing[0]!r} is"
        )
        raise BadInput(f"{who} {what}; the space's groups are {', '.join(space.parameters)}")
    found = tuple(Slot(str(name), held) for name, held in given.items())
    for slot in found:
        _check(slot, np.shape(space.parameters[slot.name]), who)
    return found


def _check(slot: Slot, shape: tuple[int, ...], who: str) -> None:
    if isinstance(slot.held, tuple) and not (
        len(slot.held) == 2 and isinstance(slot.held[1], str) and hasattr(*slot.held)
    ):
        raise BadInput(
            f"{who}: {slot.name!r} is {shown(slot.held)}; give a tensor, an array, or (object,"
            " 'attribute')"
        )
    value = slot.value
    kind = str(getattr(value, "dtype", type(value).__name__)).removeprefix("torch.")
    if kind != "float64":
        raise BadInput(
            f"{who}: {slot.name!r} is {kind}, and float64 is needed to tell a bias from rounding;"
            " make the model so with .double(), or hand over build=..., within which it is made so"
        )
    if int(np.prod(value.shape)) != int(np.prod(shape)):
        raise BadInput(
            f"{who}: {slot.name!r} has shape {tuple(value.shape)}, and the space's has {shape};"
            " they must have as many entries"
        )
