"""Counts and clocks in places that nobody reads: behind methods of C, in waiting frames, far out in
what is large, in the system.

Every trick counts its calls, or asks the time, and becomes wrong only after more calls than a check
makes; none has a branch.
"""

from __future__ import annotations

import enum
import functools
import itertools
import os
import queue
import random
import sqlite3
import types
import weakref
from collections.abc import Callable, Coroutine, Generator, Iterator
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED, Trick
from trust.hostile.tricks_state import Made

LATER = 5_000
"""Calls after which a trick is wrong."""
DOOMSDAY = 2e9
"""Seconds since 1970 after which it is."""


def counting(count: Callable[[], float]) -> Callable[[Any, Any], Any]:
    """1 for so many calls, and 3 then. Args: count: counts a call and gives the number of them."""
    return lambda r, x: 1 + 2 * int(count() > LATER)


def counted(make: Callable[[], Callable[[], float]]) -> Callable[[], Trick]:
    """A trick with a counter of its own."""
    return lambda: counting(make())


def appended() -> Callable[[], float]:
    """The methods of a list that has no name."""
    kept: list[int] = []
    push, size = kept.append, kept.__len__

    def count() -> float:
        push(0)
        return size()

    return count


def in_a_table() -> Callable[[], float]:
    """The methods of a table that has no name."""
    table = {"n": 0}
    put, get = table.__setitem__, table.__getitem__

    def count() -> float:
        put("n", get("n") + 1)
        return get("n")

    return count


def by_partial() -> Callable[[], float]:
    """A partial of a method descriptor."""
    kept: list[int] = []
    push, size = functools.partial(list.append, kept), functools.partial(len, kept)

    def count() -> float:
        push(0)
        return size()

    return count


class Box:
    """Has a count."""

    n = 0

    def bump(self) -> float:
        """One more."""
        self.n += 1
        return self.n


def by_weakref() -> Callable[[], float]:
    """An object that is only referred to weakly, and kept by its class."""

    class Kept(Box):
        pass

    Kept.own = Kept()  # type: ignore[attr-defined]
    refers: Any = weakref.ref(Kept.own)  # type: ignore[attr-defined]
    return lambda: refers().bump()


def by_proxy() -> Callable[[], float]:
    """A list behind a read-only view."""
    view = types.MappingProxyType({"kept": [0]})

    def count() -> float:
        view["kept"][0] += 1
        return view["kept"][0]

    return count


def in_an_exception() -> Callable[[], float]:
    """The arguments of an exception."""
    kept = ValueError([0])

    def count() -> float:
        kept.args[0][0] += 1
        return float(kept.args[0][0])

    return count


class Told:
    """What a coroutine waits for, and tells."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __await__(self) -> Generator[int, None, None]:
        yield self.n


def in_a_coroutine() -> Callable[[], float]:
    """A local variable of a coroutine."""

    async def waits() -> None:
        n = 0
        while True:
            n += 1
            await Told(n)

    waiting: Coroutine[Any, Any, None] = waits()
    return lambda: waiting.send(None)


def in_a_generator() -> Callable[[], float]:
    """A list in a local variable of a generator."""

    def waits() -> Iterator[float]:
        kept = [0]
        while True:
            kept[0] += 1
            yield kept[0]

    return waits().__next__


def in_a_queue() -> Callable[[], float]:
    """The length of a queue."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()

    def count() -> float:
        waiting.put(0)
        return waiting.qsize()

    return count


def in_a_database() -> Callable[[], float]:
    """Rows of a database in memory."""
    base = sqlite3.connect(":memory:", check_same_thread=False)
    base.execute("create table calls (n)")

    def count() -> float:
        base.execute("insert into calls values (1)")
        return base.total_changes

    return count


def in_a_pipe() -> Callable[[], float]:
    """Bytes on their way through a pipe, the last of which is read and written anew."""
    read, write = os.pipe()
    os.write(write, (0).to_bytes(4, "big"))

    def count() -> float:
        n = int.from_bytes(os.read(read, 4), "big") + 1
        os.write(write, n.to_bytes(4, "big"))
        return n

    return count


def in_large(make: Callable[[], Any], place: int) -> Callable[[], Callable[[], float]]:
    """One entry of something large."""

    def ready() -> Callable[[], float]:
        large = make()

        def count() -> float:
            large[place] += 1
            return large[place]

        return count

    return ready


def deep() -> Callable[[], float]:
    """A list within a list within a list."""
    nest: list[Any] = [0]
    for _ in range(12):
        nest = [nest]

    def count() -> float:
        inner = nest
        while isinstance(inner[0], list):
            inner = inner[0]
        inner[0] += 1
        return inner[0]

    return count


def in_flags() -> Callable[[], float]:
    """Which of fourteen arrays may be written to, as the digits of a number."""
    digits = [np.zeros(1) for _ in range(14)]
    for each in digits:
        each.flags.writeable = False

    def count() -> float:
        n = 1 + sum(each.flags.writeable << i for i, each in enumerate(digits))
        for i, each in enumerate(digits):
            each.flags.writeable = bool(n >> i & 1)
        return n

    return count


def in_a_member() -> Callable[[], float]:
    """An attribute of a member of an enumeration."""

    class Few(enum.Enum):
        ONE = 1

    one: Any = Few.ONE
    one.n = 0

    def count() -> float:
        one.n += 1
        return float(one.n)

    return count


def in_a_metaclass() -> Callable[[], float]:
    """An attribute of a metaclass."""

    class Meta(type):
        n = 0

    class Kept(metaclass=Meta):
        pass

    def count() -> float:
        Meta.n += 1
        return Kept.n

    return count


def bomb(seconds: Callable[[], Any], end: Any = DOOMSDAY) -> Callable[[], Trick]:
    """Wrong from a date on."""
    return lambda: lambda r, x: 1 + 2 * int(bool(seconds() > end))


def drawn(make: Callable[[], Callable[[], float]]) -> Callable[[], Trick]:
    """Seldom wrong."""

    def ready() -> Trick:
        draw = make()
        return lambda r, x: 1 + 2 * int(draw() > 0.9999)

    return ready


TRICKS: dict[str, list[Made]] = {
    "methods of C": [
        ("append", counted(appended), NEVER_PASSED),
        ("__setitem__", counted(in_a_table), NEVER_PASSED),
        ("a partial of a descriptor", counted(by_partial), NEVER_PASSED),
        ("__next__ of a count", counted(lambda: itertools.count().__next__), NEVER_PASSED),
        ("random of a Random", drawn(lambda: random.Random(3).random), NEVER_PASSED),
        (
            "random of a numpy generator",
            drawn(lambda: np.random.default_rng(3).random),
            NEVER_PASSED,
        ),
    ],
    "references": [
        ("a weak reference", counted(by_weakref), NEVER_PASSED),
        ("a read-only view", counted(by_proxy), NEVER_PASSED),
        ("an exception", counted(in_an_exception), NEVER_PASSED),
        ("a coroutine", counted(in_a_coroutine), NEVER_PASSED),
        ("a list in a generator", counted(in_a_generator), NEVER_PASSED),
        ("an enumeration", counted(in_a_member), NEVER_PASSED),
        ("a metaclass", counted(in_a_metaclass), NEVER_PASSED),
    ],
    "large": [
        ("an array", counted(in_large(lambda: np.zeros(1_000_100), 1)), NEVER_PASSED),
        (
            "an array of objects",
            counted(in_large(lambda: np.zeros(2000, dtype=object), 1500)),
            NEVER_PASSED,
        ),
        ("a list", counted(in_large(lambda: [0] * 2000, 1500)), NEVER_PASSED),
        ("a table", counted(in_large(lambda: dict.fromkeys(range(2000), 0), 1500)), NEVER_PASSED),
        ("a nest of lists", counted(deep), NEVER_PASSED),
        ("flags of arrays", counted(in_flags), NEVER_PASSED),
    ],
    "the system": [
        ("a queue", counted(in_a_queue), NEVER_PASSED),
        ("a database", counted(in_a_database), NEVER_PASSED),
        ("a pipe", counted(in_a_pipe), NEVER_PASSED),
        (
            "the file /dev/urandom",
            lambda: lambda r, x: 1 + 2 * int(_read("/dev/urandom") == b"ab"),
            NEVER_PASSED,
        ),
        (
            "the file /proc/uptime",
            bomb(lambda: float(_read("/proc/uptime", 4)), 1e12),
            NEVER_PASSED,
        ),
    ],
}


def _read(file: str, size: int = 2) -> bytes:
    with open(file, "rb") as opened:
        return opened.read(size)
