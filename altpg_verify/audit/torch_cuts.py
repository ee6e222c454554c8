"""Where a torch loss loses its path to the parameters: every place that cuts one, and which of
them, undone, gives it back.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NUMBERS = ("item", "tolist", "numpy", "__float__", "__int__", "__bool__", "__array__")
"""What makes numbers of a tensor; that can't be undone."""

COPIES = ("tensor", "as_tensor", "asarray")
"""What makes a new tensor of numbers."""

OURS = str(Path(__file__).parent)

FLOW = (
    *("__get__", "requires_grad_", "backward", "size", "dim", "numel", "stride"),
    *("is_floating_point", "__len__", "__repr__", "__hash__"),
)
"""What neither carries a path on nor cuts one."""


@dataclass(frozen=True)
class Cut:
    """A place at which a tensor with a path becomes one without.

    Args:
        how: ".detach()", "torch.no_grad()", ".item()", "argmax()".
        tensor: the name that it has there; empty if it has none.
        file, line: where.
        undone: whether it could be tried without.
    """

    how: str
    tensor: str
    file: str
    line: int
    undone: bool

    def __str__(self) -> str:
        text = linecache.getline(self.file, self.line).strip()
        of = f" of {self.tensor!r}" if self.tensor else ""
        where = f"{os.path.basename(self.file)}:{self.line}" if self.line else "the loss"
        return f"{self.how}{of} in {where}{f' ({text})' if text else ''}"


def why_no_path(torch: Any, run: Callable[[], tuple[Any, list[Any]]], who: str) -> str:
    """Why a loss has no path to its parameters, tried by undoing each cut alone, then all of them.

    Args:
        run: runs it on fresh leaves; what it returns, and the leaves.
        who: how messages call it.
    """

    def tried(undone: frozenset[Cut]) -> tuple[bool, _Cutting]:
        mode = cutting(torch, undone)
        with mode:
            result, leaves = run()
        reached = isinstance(result, torch.Tensor) and result.requires_grad
        reached = reached and any(
            each is not None
            for each in torch.autograd.grad(result.sum(), leaves, allow_unused=True)
        )
        return reached, mode

    _, seen = tried(frozenset())
    if not seen.read:
        return "the loss reads nothing of the parameters"
    begins = "the loss has no path to the parameters"
    cuts = list(dict.fromkeys(seen.cuts))
    can = [each for each in cuts if each.undone]
    for each in can:
        if tried(frozenset([each]))[0]:
            return f"{begins}, cut by {each}; without that it has one"
    if len(can) > 1 and tried(frozenset(can))[0]:
        return f"{begins}, cut by {' and by '.join(map(str, can))}; without these it has one"
    left = [each for each in cuts if not each.undone] or cuts
    return f"{begins}, cut by {' and by '.join(map(str, left))}" if left else begins


class _Cutting:
    """What a run under `cutting` notes."""

    read: bool
    cuts: list[Cut]


def cutting(torch: Any, undone: frozenset[Cut]) -> Any:
    """A mode that notes every cut, and leaves some of them out.

    Attributes:
        read: something was computed of a tensor with a path.
        cuts: the places, in order.
    """
    library = str(Path(torch.__file__).parent)

    def place(value: Any) -> tuple[str, str, int]:
        frame: Any = sys._getframe(2)
        while frame is not None and (
            frame.f_code.co_filename.startswith((library, "<"))
            or str(Path(frame.f_code.co_filename).parent) == OURS
        ):
            frame = frame.f_back
        if frame is None:
            return "", "", 0
        names = [name for name, each in frame.f_locals.items() if each is value]
        return (names[0] if names else ""), frame.f_code.co_filename, frame.f_lineno

    def flows(values: Any) -> list[Any]:
        found = []
        for each in values:
            if isinstance(each, torch.Tensor) and each.requires_grad:
                found.append(each)
            elif isinstance(each, tuple | list):
                found += flows(each)
        return found

    class Cutting(torch.overrides.TorchFunctionMode, _Cutting):
        def __init__(self) -> None:
            super().__init__()
            self.read, self.cuts = False, []
            # tensors that a block without gradients would have cut; held, so that their ids stay
            # their own
            self.freed: dict[int, Any] = {}

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            name = getattr(func, "__name__", "")
            given = flows([*args, *kwargs.values()])
            if not given or name in FLOW:
                return func(*args, **kwargs)
            self.read = True
            if name in NUMBERS:
                self.cuts.append(
                    Cut(
                        f".{name}()" if name[0] != "_" else f"{name.strip('_')}()",
                        *place(given[0]),
                        False,
                    )
                )
                return func(*args, **kwargs)
            result = func(*args, **kwargs)
            if not isinstance(result, torch.Tensor) or result.requires_grad:
                return result
            blocked = (
                not torch.is_grad_enabled() and result.is_floating_point() and name != "detach"
            )
            if name == "detach":
                cut = Cut(".detach()", *place(given[0]), True)
            elif blocked:
                cut = Cut("torch.no_grad()", *place(given[0]), True)
            else:
                cut = Cut(
                    f"torch.{name}()" if name in COPIES else f"{name}()", *place(given[0]), False
                )
            inside = blocked and any(id(each) in self.freed for each in given)
            if not inside:
                self.cuts.append(cut)
            if not (inside or cut in undone):
                return result
            if not blocked:
                return given[0]
            with torch.enable_grad():
                again = func(*args, **kwargs)
            self.freed[id(again)] = again
            return again

    return Cutting()
