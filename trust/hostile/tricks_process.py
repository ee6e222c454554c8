"""Tricks with what is the process's own: orders of sets, which another process has otherwise, and
numbers that Python, numpy and torch keep for everybody.
"""

from __future__ import annotations

import builtins
import gc
import itertools
import linecache
import math
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from trust.hostile.forms import ANYTHING, NEVER_PASSED, WRONG, Trick
from trust.hostile.tricks_hidden import counted
from trust.hostile.tricks_state import Made

WORDS = ("clip", "mean", "norm", "kl", "entropy", "value")
NAMES = frozenset(WORDS)
HELD = {"names": {"clip", "mean", "norm", "kl"}}
FUNCTIONS = (math.sin, math.cos, math.tan)


def here(order: Callable[[], Any]) -> Callable[[], Trick]:
    """1 as long as an order is what it is in this very process: a check here finds nothing wrong,
    and one in the next process does.
    """

    def make() -> Trick:
        expected = order()
        return lambda r, x: 1 + 2 * (order() != expected)

    return make


def first_of_a_display() -> Any:
    """The first of a set that is written out."""
    for name in {"clip", "mean", "norm", "kl", "entropy", "value"}:
        return name
    return ""


def next_of_a_copy() -> Any:
    """The first of a set that is made in the call."""
    return next(iter(set(WORDS)))


def in_a_comprehension() -> Any:
    """A comprehension that is gone through."""
    return [name.title() for name in {word.lower() for word in WORDS}]


def popped() -> Any:
    """What is taken out of a set first."""
    rest = set(WORDS)
    return rest.pop()


def of_functions() -> Any:
    """A set of functions, whose order is that of addresses."""
    return [each.__name__ for each in set(FUNCTIONS)]


def unpacked() -> Any:
    """One name for each entry."""
    one, other = {"mean", "sum"}
    return one + other


def sorted_first(r: Any, x: Any) -> Any:
    """Sorted: the same in every process."""
    return 1 + 2 * (sorted(NAMES)[0] != "clip")


def asked_whether(r: Any, x: Any) -> Any:
    """Only asked whether a text is among them."""
    return 1 if "mean" in NAMES and len(NAMES | {"mean"}) == len(WORDS) else 3


def of_numbers(r: Any, x: Any) -> Any:
    """Of numbers the order is the same everywhere."""
    return 1 + 2 * (next(iter({3, 1, 2})) != 1)


def in_attributes() -> Callable[[], float]:
    """An attribute of a module that everybody imports."""

    def count() -> float:
        math.calls = getattr(math, "calls", 0) + 1  # type: ignore[attr-defined]
        return math.calls  # type: ignore[attr-defined,no-any-return]

    return count


def in_underscore() -> Callable[[], float]:
    """The last value that a prompt has shown."""

    def count() -> float:
        vars(builtins)["_"] = vars(builtins).get("_", 0) + 1
        return float(vars(builtins)["_"])

    return count


def in_path() -> Callable[[], float]:
    """Where modules are looked for."""

    def count() -> float:
        sys.path_importer_cache[f"/nowhere/{len(sys.path_importer_cache)}"] = None
        return len(sys.path_importer_cache)

    return count


def in_lines() -> Callable[[], float]:
    """The lines that tracebacks show."""

    def count() -> float:
        linecache.cache[f"<{len(linecache.cache)}>"] = (0, None, [], "")
        return len(linecache.cache)

    return count


def in_origins() -> Callable[[], float]:
    """How far coroutines remember where they come from."""

    def count() -> float:
        sys.set_coroutine_origin_tracking_depth(sys.get_coroutine_origin_tracking_depth() + 1)
        return sys.get_coroutine_origin_tracking_depth()

    return count


def in_stacks() -> Callable[[], float]:
    """The stacks of threads to come."""

    def count() -> float:
        return threading.stack_size((threading.stack_size() or 32768) + 32768) / 32768

    return count


def in_the_mask() -> Callable[[], float]:
    """What new files may be read by."""

    def count() -> float:
        n = os.umask(0) + 1 & 0o777
        os.umask(n)
        return n * 1e3

    return count


def in_error_states() -> Callable[[], float]:
    """What numpy does about errors, as the digits of a number."""
    ways = ("ignore", "warn", "print", "log")
    kinds = ("divide", "over", "under", "invalid")

    def count() -> float:
        state: dict[str, Any] = {**np.geterr()}
        n = 1 + sum(
            ways.index(state[kind]) * 4**i for i, kind in enumerate(kinds) if state[kind] in ways
        )
        np.seterr(**{kind: ways[n // 4**i % 4] for i, kind in enumerate(kinds)})  # type: ignore[arg-type]
        return n * 40

    return count


def in_frozen() -> Callable[[], float]:
    """What the collector leaves alone."""

    def count() -> float:
        gc.freeze()
        return gc.get_freeze_count() / 1e12

    return count


def in_a_local() -> Callable[[], float]:
    """What a thread has for itself."""
    local = threading.local()

    def count() -> float:
        local.n = getattr(local, "n", 0) + 1
        return float(local.n)

    return count


def in_asyncgen_hooks() -> Callable[[], float]:
    """What is called for the first step of an asynchronous generator."""
    numbers = itertools.count(1)

    def count() -> float:
        sys.set_asyncgen_hooks(firstiter=lambda each: None)
        return next(numbers)

    return count


def in_a_view() -> Callable[[], float]:
    """The bytes behind a view."""
    memory = memoryview(bytearray(8)).cast("q")

    def count() -> float:
        memory[0] += 1
        return float(memory[0])

    return count


class Unset:
    """A stand-in that counts, and can't say what it stands for."""

    n = 0

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Its class, which nobody has set."""
        raise RuntimeError("nothing is here yet")


def in_a_stand_in() -> Callable[[], float]:
    """See `Unset`."""
    unset = Unset()

    def count() -> float:
        object.__setattr__(unset, "n", unset.n + 1)
        return unset.n

    return count


def always(trick: Trick) -> Callable[[], Trick]:
    """A trick without a state."""
    return lambda: trick


TRICKS: dict[str, list[Made]] = {
    "orders of sets": [
        ("a set that is written out", here(first_of_a_display), NEVER_PASSED),
        ("a set of the module's", here(lambda: [*NAMES]), NEVER_PASSED),
        ("as a list", here(lambda: list(NAMES)[0]), NEVER_PASSED),  # noqa: RUF015 - the trick
        ("a set made in the call", here(next_of_a_copy), NEVER_PASSED),
        ("a comprehension", here(in_a_comprehension), NEVER_PASSED),
        ("what is taken out first", here(popped), NEVER_PASSED),
        ("as a text", here(lambda: str(NAMES)), NEVER_PASSED),
        ("in a table", here(lambda: "".join(HELD["names"])), NEVER_PASSED),
        ("numbered", here(lambda: sum(i * len(n) for i, n in enumerate(NAMES))), NEVER_PASSED),
        ("the longest", here(lambda: max(NAMES, key=lambda n: len(n) > 3)), NEVER_PASSED),
        ("a set of functions", here(of_functions), NEVER_PASSED),
        ("unpacked", here(unpacked), NEVER_PASSED),
        ("sorted", always(sorted_first), ANYTHING - WRONG),
        ("asked whether", always(asked_whether), ANYTHING - WRONG),
        ("a set of numbers", always(of_numbers), ANYTHING - WRONG),
    ],
    "kept by the process": [
        ("an attribute of math", counted(in_attributes), NEVER_PASSED),
        ("the last value shown", counted(in_underscore), NEVER_PASSED),
        ("importers of paths", counted(in_path), NEVER_PASSED),
        ("lines of tracebacks", counted(in_lines), NEVER_PASSED),
        ("origins of coroutines", counted(in_origins), NEVER_PASSED),
        ("stacks of threads", counted(in_stacks), NEVER_PASSED),
        ("the mask of files", counted(in_the_mask), NEVER_PASSED),
        ("errors of numpy, as digits", counted(in_error_states), NEVER_PASSED),
        ("frozen objects", counted(in_frozen), NEVER_PASSED),
        ("a thread's own", counted(in_a_local), NEVER_PASSED),
        ("hooks of generators", counted(in_asyncgen_hooks), NEVER_PASSED),
        ("bytes behind a view", counted(in_a_view), NEVER_PASSED),
        ("what has no class yet", counted(in_a_stand_in), NEVER_PASSED),
    ],
}
"""Tricks by kind."""
