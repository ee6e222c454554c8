"""What happens beside a call, and answers that are no plain numbers."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any, ClassVar

import numpy as np

from trust.hostile.forms import ANYTHING, NEVER_PASSED, Trick
from trust.hostile.tricks_hidden import DOOMSDAY, counted
from trust.hostile.tricks_process import always
from trust.hostile.tricks_state import Made


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


async def later(r: Any, x: Any) -> Any:
    """A coroutine as a factor."""
    return 1


async def slowly(r: Any, x: Any) -> AsyncIterator[int]:
    """An asynchronous generator as a factor."""
    yield 1


TRICKS: dict[str, list[Made]] = {
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
