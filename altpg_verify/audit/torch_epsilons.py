"""A torch loss with its safety epsilons at another size: small literals that are added to a
divisor, and nothing else, are scaled.
"""

from __future__ import annotations

from typing import Any

LARGEST = 1e-4
"""Literals up to here that are added to a divisor count as safety epsilons."""

DIVISOR = {
    "div": 1,
    "div_": 1,
    "true_divide": 1,
    "true_divide_": 1,
    "divide": 1,
    "__truediv__": 1,
    "__itruediv__": 1,
}
DIVISOR |= {"__rdiv__": 0, "__rtruediv__": 0, "reciprocal": 0, "rsqrt": 0, "log": 0}
"""Functions that divide, or whose slope does, with the place of the divisor among their
arguments.
"""

SHAPED = (
    *("unsqueeze", "squeeze", "reshape", "view", "view_as", "expand", "expand_as"),
    *("broadcast_to", "clone", "detach", "to", "double", "float", "type", "contiguous"),
    *("__getitem__", "transpose", "permute", "flatten", "repeat", "repeat_interleave", "where"),
)
COMPUTED = (
    *("sqrt", "mul", "multiply", "__mul__", "__rmul__", "pow", "square", "sum", "mean"),
    *("clamp", "clamp_min", "maximum", "add", "__add__", "__radd__", "std", "var", "abs"),
)
CARRIES = frozenset((*SHAPED, *COMPUTED))
"""Functions through which a divisor with an epsilon in it stays one."""


def is_epsilon(entry: Any) -> bool:
    """A small literal; a coefficient or a reward is only one where it is added to a divisor."""
    return isinstance(entry, float) and 0.0 < abs(entry) <= LARGEST


def scaled_epsilons(torch: Any, scale: float, seen: set[float]) -> Any:
    """A mode under which x / (y + ε) means x / (y + scale · ε).

    Args:
        seen: gets the epsilons by which something was divided.
    """

    class Scaled(torch.overrides.TorchFunctionMode):
        def __init__(self) -> None:
            super().__init__()
            # id -> (the tensor, what it is with other epsilons, which ones); the tensor is held, so
            # that its id stays its own
            self.others: dict[int, tuple[Any, Any, frozenset[float]]] = {}

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            kwargs = kwargs or {}
            name = getattr(func, "__name__", "")
            place = (
                0
                if name == "pow"
                and len(args) > 1
                and isinstance(args[1], int | float)
                and args[1] < 0
                else DIVISOR.get(name)
            )
            if place is not None and len(args) > place and id(args[place]) in self.others:
                _, other, epsilons = self.others[id(args[place])]
                seen.update(epsilons)
                return func(*args[:place], other, *args[place + 1 :], **kwargs)
            other, epsilons = self._other(func, name, args, kwargs)
            result = func(*args, **kwargs)
            if epsilons and isinstance(result, torch.Tensor):
                self.others[id(result)] = result, other, epsilons
            return result

        def _other(
            self, func: Any, name: str, args: Any, kwargs: Any
        ) -> tuple[Any, frozenset[float]]:
            """What the result is with other epsilons, and which they are; none where nothing
            changes.
            """
            known = [self.others[id(each)] for each in args if id(each) in self.others]
            epsilons = frozenset().union(*(each[2] for each in known))
            given = tuple(
                self.others[id(each)][1] if id(each) in self.others else each for each in args
            )
            if (
                name in ("add", "__add__", "__radd__", "add_", "__iadd__")
                and not kwargs
                and len(args) == 2
            ):
                added = [each for each in args if is_epsilon(each)]
                if added:
                    moved = [scale * each if is_epsilon(each) else each for each in given]
                    return torch.add(
                        *sorted(moved, key=lambda each: isinstance(each, float))
                    ), epsilons | frozenset(added)
            return (
                (func(*given, **kwargs), epsilons)
                if known and name in CARRIES
                else (None, frozenset())
            )

    return Scaled()
