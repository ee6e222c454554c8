"""Code that computes in float32, or in half precision, evaluated in float64: casts are intercepted,
so that rounding isn't read as bias.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NARROW = ("float", "half", "bfloat16")
"""Methods of a tensor that are casts to fewer digits."""


def widening(torch: Any) -> Any:
    """A mode under which `.float()`, `.to(torch.float32)`, `dtype=torch.float32` and the like mean
    float64.

    Attributes:
        seen: the names of what was intercepted.
    """
    fewer = {torch.float32, torch.float16, torch.bfloat16}
    casts = {getattr(torch.Tensor, name): name for name in NARROW}

    def wide(entry: Any) -> Any:
        return torch.float64 if isinstance(entry, torch.dtype) and entry in fewer else entry

    class Widening(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            self.seen: set[str] = set()

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            if func in casts:
                self.seen.add(f".{casts[func]}()")
                return args[0].double()
            asked = [
                each
                for each in (*args, *kwargs.values())
                if isinstance(each, torch.dtype) and each in fewer
            ]
            if asked:
                self.seen.add(str(asked[0]))
                args, kwargs = (
                    tuple(map(wide, args)),
                    {name: wide(each) for name, each in kwargs.items()},
                )
            result = func(*args, **kwargs)
            if (
                isinstance(result, torch.Tensor)
                and result.dtype in fewer
                and not any(_narrow(torch, each, fewer) for each in args)
            ):
                # made of numpy's float32, or under a default that the loss has set
                self.seen.add(str(result.dtype))
                return result.double()
            return result

    return Widening()


@contextmanager
def also_backward(torch: Any, mode: Any) -> Iterator[Any]:
    """The mode, also within the backward passes of `torch.autograd.Function`, where torch has
    switched it off.
    """
    kind = torch.autograd.function.BackwardCFunction
    own = kind.apply

    def apply(self: Any, *args: Any) -> Any:
        with mode:
            return own(self, *args)

    kind.apply = apply
    try:
        with mode:
            yield mode
    finally:
        kind.apply = own


def _narrow(torch: Any, entry: Any, fewer: Any) -> bool:
    return isinstance(entry, torch.Tensor) and entry.dtype in fewer


def said(seen: set[str]) -> tuple[str, ...]:
    """What a verdict says of it."""
    return (f"in float64 throughout: {', '.join(sorted(seen))} meant float64",) if seen else ()
