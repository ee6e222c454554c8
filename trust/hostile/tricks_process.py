"""Tricks with what is the process's own: orders of sets, which another process has otherwise;
numbers that Python, numpy and torch keep for everybody; and answers that are no plain numbers.
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
import time
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import numpy as np

from trust.hostile.forms import ANYTHING, NEVER_PASSED, WRONG, Trick
from trust.hostile.tricks_hidden import DOOMSDAY, counted
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


class Lying(np.ndarray):
    """An array that answers every function of numpy with twice the number."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = [np.asarray(each) for each in inputs]
        return 2 * getattr(ufunc, method)(*plain, **options)


class Twice(float):
    """A float that doubles what it is multiplied with."""

    def __mul__(self, other: Any) -> Any:
        return 2 * other

    __rmul__ = __mul__


class AsArray:
    """Something that says which array it is: another one every time."""

    def __init__(self) -> None:
        self.n = 0

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        self.n += 1
        return np.array(1.0 if self.n < 5_000 else 3.0, dtype=dtype)

    def __rmul__(self, other: Any) -> Any:
        return other * self.__array__()


def lying(r: Any, x: Any) -> Any:
    """See `Lying`."""
    return np.ones(()).view(Lying)


def yielded(r: Any, x: Any) -> Any:
    """A generator as a factor."""
    return (each for each in (1,))


async def later(r: Any, x: Any) -> Any:
    """A coroutine as a factor."""
    return 1


async def slowly(r: Any, x: Any) -> AsyncIterator[int]:
    """An asynchronous generator as a factor."""
    yield 1


def structured(r: Any, x: Any) -> Any:
    """A record as a factor."""
    return np.array([(1.0, 2)], dtype=[("one", "f8"), ("two", "i4")])


def through_a_buffer(r: Any, x: Any) -> Any:
    """Writes into an argument by way of its buffer."""
    view = memoryview(x).cast("B")
    view[:] = bytes(len(view))
    return 1


def through_strides(r: Any, x: Any) -> Any:
    """Writes into an argument by way of a view with strides."""
    if isinstance(x, np.ndarray):
        view = np.lib.stride_tricks.as_strided(x, writeable=True)
        view.flags.writeable = True
        view[...] = 0
    return 1


def by_its_address(r: Any, x: Any) -> Any:
    """Writes into an argument by way of its address."""
    if isinstance(x, np.ndarray):

        class Same:
            __array_interface__: ClassVar = {
                **x.__array_interface__,
                "data": (x.ctypes.data, False),
            }

        np.asarray(Same())[...] = 0
    return 1


def kept_views() -> Trick:
    """Keeps its arguments, and writes into those of earlier calls."""
    kept: list[Any] = []

    def trick(r: Any, x: Any) -> Any:
        for each in kept:
            if isinstance(each, np.ndarray) and each.dtype != object:
                each[...] = 7
        kept[:] = [x]
        return 1

    return trick


def at_a_collection() -> Trick:
    """Reads the clock whenever the collector is done."""
    told = [0.0]
    gc.callbacks.append(lambda phase, info: told.__setitem__(0, time.time()))

    def trick(r: Any, x: Any) -> Any:
        gc.collect(0)
        return 1 + 2 * int(told[0] > DOOMSDAY)

    return trick


def at_a_deletion() -> Trick:
    """Reads the clock when an object goes."""
    told = [0.0]

    class Going:
        def __del__(self) -> None:
            told[0] = time.time()

    def trick(r: Any, x: Any) -> Any:
        Going()
        return 1 + 2 * int(told[0] > DOOMSDAY)

    return trick


def at_a_reference() -> Trick:
    """Reads the clock when a weak reference dies."""
    told = [0.0]

    class Going:
        pass

    def trick(r: Any, x: Any) -> Any:
        going = Going()
        dying = weakref.ref(going, lambda _: told.__setitem__(0, time.time()))
        del going
        return 1 + 2 * int(told[0] > DOOMSDAY or dying() is not None)

    return trick


def in_another_thread() -> Trick:
    """Reads the clock in a thread."""

    def trick(r: Any, x: Any) -> Any:
        told: list[float] = []
        thread = threading.Thread(target=lambda: told.append(time.time()))
        thread.start()
        thread.join()
        return 1 + 2 * int(told[0] > DOOMSDAY)

    return trick


def in_an_asynchronous_generator() -> Callable[[], float]:
    """The place of one that waits."""

    async def numbers() -> AsyncIterator[int]:
        n = 0
        while True:
            n += 1
            yield n

    waiting = numbers()

    def count() -> float:
        try:
            waiting.__anext__().send(None)  # type: ignore[attr-defined]
        except StopIteration as told:
            return float(told.value)
        return 0.0

    return count


class Counting(np.ndarray):
    """An array that counts what numpy does with it."""

    n = 0

    def __array_function__(self, function: Any, types: Any, given: Any, named: Any) -> Any:
        Counting.n += 1
        return super().__array_function__(function, types, given, named)


def in_functions_of_numpy() -> Callable[[], float]:
    """See `Counting`."""
    one = np.ones(1).view(Counting)

    def count() -> float:
        np.sum(one)
        return Counting.n

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


PLAIN_ONLY = {"numpy": NEVER_PASSED, "sampler": NEVER_PASSED, "torch": NEVER_PASSED}

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
    "events": [
        ("the clock at a collection", at_a_collection, NEVER_PASSED),
        ("the clock at a deletion", at_a_deletion, NEVER_PASSED),
        ("the clock at the end of a reference", at_a_reference, NEVER_PASSED),
        ("the clock in a thread", in_another_thread, NEVER_PASSED),
        (
            "an asynchronous generator that waits",
            counted(in_an_asynchronous_generator),
            NEVER_PASSED,
        ),
        ("functions of numpy", counted(in_functions_of_numpy), NEVER_PASSED),
    ],
    "odd answers": [
        ("an array that lies", always(lying), NEVER_PASSED),
        ("a float that doubles", lambda: lambda r, x: Twice(1), NEVER_PASSED),
        (
            "what says which array it is",
            lambda: (lambda one: lambda r, x: one)(AsArray()),
            NEVER_PASSED,
        ),
        ("a generator", always(yielded), NEVER_PASSED),
        ("a coroutine", always(later), NEVER_PASSED),
        ("an asynchronous generator", always(slowly), NEVER_PASSED),
        ("a record", always(structured), NEVER_PASSED),
    ],
    "buffers of arguments": [
        ("a memoryview", always(through_a_buffer), NEVER_PASSED),
        ("strides", always(through_strides), ANYTHING),
        ("an address", always(by_its_address), ANYTHING),
        ("arguments of earlier calls", kept_views, ANYTHING),
    ],
}
"""Tricks by kind."""
