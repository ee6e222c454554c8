"""A torch loss with one thing changed at one of its lines: a tensor detached there, or a divisor
held at a constant.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

DIVISIONS = ("div", "true_divide", "divide", "__truediv__", "__itruediv__", "div_")

OURS = os.path.dirname(__file__)


@dataclass(frozen=True)
class Site:
    """A line of a loss at which something can be changed.

    Args:
        change: "detached": what the line computes is; "constant": what it divides by is 1.
        file, line: where.
    """

    change: Literal["detached", "constant"]
    file: str
    line: int

    @property
    def text(self) -> str:
        """The line."""
        return linecache.getline(self.file, self.line).strip()

    @property
    def name(self) -> str:
        """What the line assigns to; empty if to nothing."""
        try:
            node = ast.parse(self.text).body[0]
        except (SyntaxError, IndexError):
            return ""
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        return target.id if isinstance(target, ast.Name) else ""

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line} ({self.text})"


def changing(torch: Any, site: Site | None, seen: dict[Site, None]) -> Any:
    """A mode that notes every site, in order, and changes one of them.

    Args:
        site: which; None for none.
        seen: gets the sites.
    """
    library = os.path.dirname(torch.__file__)

    def caller() -> tuple[str, int] | None:
        frame: Any = sys._getframe(2)
        while frame is not None:
            file = frame.f_code.co_filename
            ours = os.path.dirname(file) == OURS
            if ours and frame.f_code.co_name != "__torch_function__":
                # our own preparation of the batch is no line of the loss
                return None
            if not ours and not file.startswith((library, "<")):
                return file, frame.f_lineno
            frame = frame.f_back
        return None

    functorch = torch._C._functorch

    def moves(tensor: Any) -> bool:
        # many draws at once: the wrapper of a batch doesn't know what it wraps
        while functorch.is_batchedtensor(tensor):
            tensor = functorch.get_unwrapped(tensor)
        return bool(tensor.requires_grad)

    def act(kind: Literal["detached", "constant"], where: tuple[str, int]) -> bool:
        here = Site(kind, *where)
        seen.setdefault(here)
        return here == site

    class Changing(torch.overrides.TorchFunctionMode):
        def __torch_function__(
            self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            name = getattr(func, "__name__", "")
            if (
                name in DIVISIONS
                and len(args) > 1
                and isinstance(args[1], torch.Tensor)
                and not moves(args[1])
            ):
                where = caller()
                if where is not None and act("constant", where):
                    args = (args[0], torch.ones_like(args[1]), *args[2:])
            result = func(*args, **kwargs)
            # flags and properties are no results of the loss
            if (
                isinstance(result, torch.Tensor)
                and not name.startswith("__get__")
                and name != "requires_grad_"
                and moves(result)
            ):
                where = caller()
                if where is not None and act("detached", where):
                    return result.detach()
            return result

    return Changing()
