"""What a loss makes a Python number of and never looks at, such as its metrics: `.item()` on many
draws at once.

There is no one number for many draws. What stands in its place can be kept until the loss returns,
and handed on; whatever looks at it, or keeps it longer, ends the attempt, and the loss is run draw
by draw.
"""

from __future__ import annotations

import weakref
from typing import Any

from altpg_verify.audit.programs import NotBatched

WHY = "makes a Python number of a tensor"

# fmt: off
LOOKS = (
    "abs", "add", "and", "bool", "ceil", "complex", "contains", "delitem", "divmod", "enter",
    "eq", "exit", "float", "floor", "floordiv", "format", "ge", "getitem", "gt", "hash", "index",
    "int", "invert", "iter", "le", "len", "lshift", "lt", "matmul", "mod", "mul", "ne", "neg",
    "next", "or", "pos", "pow", "radd", "rand", "rdivmod", "repr", "rfloordiv", "rlshift",
    "rmatmul", "rmod", "rmul", "ror", "round", "rpow", "rrshift", "rshift", "rsub", "rtruediv",
    "rxor", "setitem", "str", "sub", "truediv", "trunc", "xor",
)
# fmt: on
"""Special methods by which something is looked at."""


def keeping(torch: Any) -> Any:
    """A mode under which `.item()` of a tensor of many draws is a number that can't be read."""

    class Keeping(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            self.looked, self.over = False, False
            self.made: list[weakref.ref[_Unread]] = []

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            if func is torch.Tensor.item and torch._C._functorch.is_batchedtensor(args[0]):
                number = _Unread(self)
                self.made.append(weakref.ref(number))
                return number
            return func(*args, **(kwargs or {}))

        def close(self) -> None:
            """What the loss has returned by now is all that it will.

            Raises:
                NotBatched: it looked at a number, even if it caught the refusal, or keeps one.
            """
            self.over = True
            if self.looked or any(each() is not None for each in self.made):
                raise NotBatched(WHY)

    return Keeping()


class _Unread:
    """A number of each of many draws."""

    __slots__ = ("__weakref__", "_mode")

    def __init__(self, mode: Any) -> None:
        object.__setattr__(self, "_mode", mode)

    def __getattribute__(self, name: str) -> Any:
        mode = object.__getattribute__(self, "_mode")
        # what was stored in spite of all is looked at by ourselves, to be put back
        return object.__getattribute__(self, name) if mode.over else _look(self)

    def __setattr__(self, name: str, value: Any) -> None:
        _look(self)


def _looks(name: str) -> Any:
    own = getattr(object, name, None)

    def look(self: Any, *args: Any) -> Any:
        over = object.__getattribute__(self, "_mode").over
        return own(self, *args) if over and own is not None else _look(self)

    return look


def _look(self: Any) -> Any:
    object.__getattribute__(self, "_mode").looked = True
    raise NotBatched(WHY)


for _name in LOOKS:
    setattr(_Unread, f"__{_name}__", _looks(f"__{_name}__"))
