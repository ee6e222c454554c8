"""Memory that was asked for and not filled: what it holds is what lay there before, which is mostly
the same until it isn't.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FunctionType, ModuleType
from typing import Any

from altpg_verify.untrusted.reaching import names_in
from altpg_verify.untrusted.standing_in import standing_in

OF_NUMPY = ("empty", "empty_like")
OF_TORCH = frozenset(
    {"empty", "empty_like", "empty_strided", "empty_permuted", "new_empty", "resize_", "Tensor"}
)
FILLS = (7.25, -3.5)
"""Numbers that are put into such memory: if an answer differs between them, it was read."""


def asks_for_memory(roots: Iterable[FunctionType]) -> bool:
    """Whether some function names what gives memory that isn't filled, by whatever name."""
    given = [
        getattr(library, name)
        for library in map(sys.modules.get, ("numpy", "torch"))
        for name in (*OF_NUMPY, "empty_strided", "empty_permuted")
        if hasattr(library, name)
    ]
    for root in roots:
        names = names_in(root.__code__)
        if {*OF_NUMPY, *OF_TORCH} & names:
            return True
        known = (root.__globals__.get(name) for name in names)
        if any(value is each for value in known for each in given):
            return True
    return False


@contextmanager
def filled(roots: Iterable[FunctionType], number: float) -> Iterator[None]:
    """A context in which numpy's memory that isn't filled holds a number, and torch's holds NaN in
    the first of `FILLS` and what it held in the others.

    Args:
        roots: the functions that run in it, which may have the functions of numpy in their modules.
        number: one of `FILLS`.
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    with ExitStack() as stack:
        if numpy is not None:
            own = {name: getattr(numpy, name) for name in OF_NUMPY}
            made = {name: _filling(numpy, function, number) for name, function in own.items()}
            places = [(numpy, name, function) for name, function in made.items()]
            places += [
                (module, name, made[each])
                for module in _modules(roots)
                for name, value in vars(module).items()
                for each in OF_NUMPY
                if value is own[each]
            ]
            stack.enter_context(standing_in(places))
        if torch is not None and number == FILLS[0]:
            stack.enter_context(_deterministic(torch))
        yield


def _filling(numpy: Any, own: Callable[..., Any], number: float) -> Callable[..., Any]:
    def full(*arguments: Any, **named: Any) -> Any:
        made = own(*arguments, **named)
        if made.dtype.kind in "iufcb":
            made[...] = numpy.asarray(number).astype(made.dtype)
        return made

    return full


def _modules(roots: Iterable[FunctionType]) -> Iterator[ModuleType]:
    """Those whose variables the functions see."""
    seen: set[int] = set()
    for root in roots:
        module = sys.modules.get(str(root.__globals__.get("__name__")))
        if module is not None and vars(module) is root.__globals__ and id(module) not in seen:
            seen.add(id(module))
            yield module


@contextmanager
def _deterministic(torch: Any) -> Iterator[None]:
    """Torch fills such memory with NaN."""
    # what is public for this loads torch's compiler
    turn = torch._C._set_deterministic_algorithms
    before = torch.are_deterministic_algorithms_enabled()
    warns = torch.is_deterministic_algorithms_warn_only_enabled()
    fills = torch.utils.deterministic.fill_uninitialized_memory
    try:
        turn(True, warn_only=True)
        torch.utils.deterministic.fill_uninitialized_memory = True
        yield
    finally:
        turn(before, warn_only=warns)
        torch.utils.deterministic.fill_uninitialized_memory = fills
