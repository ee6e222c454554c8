"""A batch that a loss takes whole, as a mapping: `data["log_probs"]`, `inputs["completion_mask"]`,
`experience.advantages`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any

WHOLE = (
    *("data", "batch", "inputs", "micro_batch", "mini_batch", "minibatch", "train_batch"),
    *("experience", "experiences", "samples", "rollout", "rollouts"),
)
"""What a loss calls its batch, where it takes one mapping of all parts."""


class NamedParts(MutableMapping[str, Any]):
    """The parts of one batch, under any of the names that the field uses for them.

    Args:
        read: makes a part from its name; raises where there is none, and says what to do.
        there: whether there is a part of that name.
        names: all of them.
    """

    def __init__(
        self, read: Callable[[str], Any], there: Callable[[str], bool], names: tuple[str, ...]
    ) -> None:
        self.__dict__.update(_read=read, _there=there, _names=names, _own={})

    def __getitem__(self, name: str) -> Any:
        return self._own[name] if name in self._own else self._read(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._own[name] = value

    def __delitem__(self, name: str) -> None:
        self._own.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._own or (isinstance(name, str) and self._there(name))

    def __iter__(self) -> Iterator[str]:
        return iter((*(each for each in self._names if self._there(each)), *self._own))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def get(self, name: str, default: Any = None) -> Any:
        """The part, or the default where there is none."""
        # a part may be None, or there and refused
        if name not in self:
            return default
        return self[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        # a container of tensors within one of other things, as in verl
        return self if name == "batch" else self[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def to(self, *args: Any, **kwargs: Any) -> NamedParts:
        """Itself: it is where and what it should be."""
        return self


def signature(function: Callable[..., Any]) -> inspect.Signature:
    """How a loss is called; an `nn.Module` as its `forward` is."""
    return inspect.signature(getattr(function, "forward", function))
