"""Counts and clocks in places that nobody reads: behind methods of C, in waiting frames, in the
system, in settings of the process.

Every trick counts its calls, or asks the time, and becomes wrong only after more calls than a check
makes; none has a branch.
"""

from __future__ import annotations

import csv
import decimal
import enum
import functools
import gc
import itertools
import os
import queue
import random
import socket
import sqlite3
import sys
import time
import types
import warnings
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


def in_setting(
    get: Callable[[], int], put: Callable[[int], object]
) -> Callable[[], Callable[[], float]]:
    """A setting of the process."""

    def ready() -> Callable[[], float]:
        start = get()

        def count() -> float:
            put(get() + 1)
            return get() - start

        return count

    return ready


def in_filters() -> Callable[[], float]:
    """The list of warning filters."""
    start = len(warnings.filters)

    def count() -> float:
        warnings.filters.append(("ignore", None, UserWarning, None, 0))  # type: ignore[attr-defined]
        return len(warnings.filters) - start

    return count


def in_words(owner: Callable[[], Any], name: str) -> Callable[[], Callable[[], float]]:
    """What is written about a function or a class."""

    def ready() -> Callable[[], float]:
        noted = owner()
        setattr(noted, name, "x")

        def count() -> float:
            setattr(noted, name, getattr(noted, name) + "x")
            return len(getattr(noted, name))

        return count

    return ready


def in_annotations() -> Callable[[], float]:
    """The annotations of a function."""

    def noted() -> None: ...

    def count() -> float:
        own = noted.__annotations__
        own["n"] = own.get("n", 0) + 1
        return float(own["n"])

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


def named_otherwise(module: str) -> Callable[[], Callable[[], float]]:
    """An object whose class says that it is of a module which keeps no state."""

    def ready() -> Callable[[], float]:
        kept = type("Box", (Box,), {"__module__": module})()
        return kept.bump

    return ready


def in_the_file_of_a_library(source: str, file: str = np.__file__) -> Callable[[], Trick]:
    """Code that says it stands in the file of a library."""

    def make() -> Trick:
        space: dict[str, Any] = {}
        exec(compile(source, file, "exec"), space)
        trick: Trick = space["trick"]
        return trick

    return make


def bomb(seconds: Callable[[], Any], end: Any = DOOMSDAY) -> Callable[[], Trick]:
    """Wrong from a date on."""
    return lambda: lambda r, x: 1 + 2 * int(bool(seconds() > end))


def drawn(make: Callable[[], Callable[[], float]]) -> Callable[[], Trick]:
    """Seldom wrong."""

    def ready() -> Trick:
        draw = make()
        return lambda r, x: 1 + 2 * int(draw() > 0.9999)

    return ready


COUNTING = "kept = [0]\ndef trick(r, x):\n    kept[0] += 1\n    return 1 + 2 * (kept[0] > 5000)\n"
TELLING_THE_TIME = "import time\ndef trick(r, x):\n    return 1 + 2 * (time.time() > 2e9)\n"
BRANCHING = "def trick(r, x):\n    if r == -1234567:\n        return 5\n    return 1\n"

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
    "settings": [
        (
            "decimals",
            counted(
                in_setting(
                    lambda: decimal.getcontext().prec,
                    lambda n: setattr(decimal.getcontext(), "prec", n),
                )
            ),
            NEVER_PASSED,
        ),
        (
            "the switch interval",
            counted(
                in_setting(
                    lambda: round(sys.getswitchinterval() * 1e6),
                    lambda n: sys.setswitchinterval(n / 1e6),
                )
            ),
            NEVER_PASSED,
        ),
        (
            "numpy's print options",
            counted(
                in_setting(
                    lambda: np.get_printoptions()["threshold"],
                    lambda n: np.set_printoptions(threshold=n),
                )
            ),
            NEVER_PASSED,
        ),
        (
            "numpy's buffer",
            counted(in_setting(lambda: np.getbufsize() // 16, lambda n: np.setbufsize(16 * n))),
            NEVER_PASSED,
        ),
        (
            "the timeout of sockets",
            counted(
                in_setting(lambda: int(socket.getdefaulttimeout() or 1), socket.setdefaulttimeout)
            ),
            NEVER_PASSED,
        ),
        (
            "the collector",
            counted(
                in_setting(lambda: gc.get_threshold()[2], lambda n: gc.set_threshold(700, 10, n))
            ),
            NEVER_PASSED,
        ),
        (
            "the length of a table's fields",
            counted(in_setting(csv.field_size_limit, csv.field_size_limit)),
            NEVER_PASSED,
        ),
        (
            "digits of whole numbers",
            counted(in_setting(sys.get_int_max_str_digits, sys.set_int_max_str_digits)),
            NEVER_PASSED,
        ),
        ("warnings", counted(in_filters), NEVER_PASSED),
    ],
    "words about code": [
        (
            "the docstring of a function",
            counted(in_words(lambda: lambda: None, "__doc__")),
            NEVER_PASSED,
        ),
        (
            "the name of a function",
            counted(in_words(lambda: lambda: None, "__name__")),
            NEVER_PASSED,
        ),
        (
            "the docstring of a class",
            counted(in_words(lambda: type("Kept", (), {}), "__doc__")),
            NEVER_PASSED,
        ),
        ("annotations", counted(in_annotations), NEVER_PASSED),
    ],
    "borrowed names": [
        ("a class of this project's", counted(named_otherwise("altpg_verify.box")), NEVER_PASSED),
        ("a class of fractions", counted(named_otherwise("fractions")), NEVER_PASSED),
        ("a count in numpy's file", in_the_file_of_a_library(COUNTING), NEVER_PASSED),
        ("the time in numpy's file", in_the_file_of_a_library(TELLING_THE_TIME), NEVER_PASSED),
        (
            "the time in a frozen file",
            in_the_file_of_a_library(TELLING_THE_TIME, "<frozen os>"),
            NEVER_PASSED,
        ),
        (
            "a branch in numpy's file",
            in_the_file_of_a_library(BRANCHING),
            {"formula": NEVER_PASSED},
        ),
    ],
    "other clocks": [
        ("clock_gettime", bomb(lambda: time.clock_gettime(time.CLOCK_REALTIME)), NEVER_PASSED),
        (
            "clock_gettime_ns",
            bomb(lambda: time.clock_gettime_ns(time.CLOCK_REALTIME), 1e9 * DOOMSDAY),
            NEVER_PASSED,
        ),
        (
            "datetime64",
            bomb(lambda: np.datetime64("now"), np.datetime64("2060-01-01")),
            NEVER_PASSED,
        ),
        ("the status of a file", bomb(lambda: os.stat("/proc/self").st_mtime), NEVER_PASSED),
        ("the age of a file", bomb(lambda: os.path.getmtime("/proc/self")), NEVER_PASSED),
        ("os.times", bomb(lambda: os.times().elapsed), NEVER_PASSED),
        ("the load", bomb(lambda: os.getloadavg()[0]), NEVER_PASSED),
    ],
}


def _read(file: str, size: int = 2) -> bytes:
    with open(file, "rb") as opened:
        return opened.read(size)
