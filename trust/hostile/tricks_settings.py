"""Counts in settings of the process and in words about code, functions under borrowed names, and other
clocks.
"""

from __future__ import annotations

import csv
import decimal
import gc
import os
import socket
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED, Trick
from trust.hostile.tricks_hidden import DOOMSDAY, Box, bomb, counted
from trust.hostile.tricks_state import Made


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


COUNTING = "kept = [0]\ndef trick(r, x):\n    kept[0] += 1\n    return 1 + 2 * (kept[0] > 5000)\n"


TELLING_THE_TIME = "import time\ndef trick(r, x):\n    return 1 + 2 * (time.time() > 2e9)\n"


BRANCHING = "def trick(r, x):\n    if r == -1234567:\n        return 5\n    return 1\n"


TRICKS: dict[str, list[Made]] = {
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
