"""Counts in registries and hooks of Python's own modules, and clocks in libraries."""

from __future__ import annotations

import atexit
import codecs
import copy
import copyreg
import ctypes
import email.utils
import functools
import gc
import logging
import mimetypes
import sys
import threading
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED, Trick
from trust.hostile.tricks_hidden import LATER, counted
from trust.hostile.tricks_state import Made
from trust.hostile.tricks_unseen import Count


def in_level_names() -> Count:
    """The names of levels of logs."""
    logging.addLevelName(12_345, "0")

    def count() -> float:
        logging.addLevelName(12_345, str(int(logging.getLevelName(12_345)) + 1))
        return int(logging.getLevelName(12_345))

    return count


def in_codecs() -> Count:
    """What a codec does with errors."""

    def numbered(n: int) -> Any:
        return lambda error: ("", n)

    codecs.register_error("hostile", numbered(0))

    def count() -> float:
        handler: Any = codecs.lookup_error("hostile")
        n = handler(None)[1] + 1
        codecs.register_error("hostile", numbered(n))
        return float(n)

    return count


def in_copyreg() -> Count:
    """How copies of a class are made."""

    class Copied:
        pass

    made: Any = Copied()

    def numbered(n: int) -> Any:
        return lambda one: (int, (n,))

    copyreg.pickle(Copied, numbered(0))

    def count() -> float:
        n = copy.copy(made) + 1
        copyreg.pickle(Copied, numbered(n))
        return float(n)

    return count


def in_a_dispatch() -> Count:
    """A function of a single dispatch, registered anew."""

    @functools.singledispatch
    def known(value: Any) -> int:
        return 0

    def count() -> float:
        n = known(0) + 1
        known.register(int, lambda value, n=n: n)
        return n

    return count


def in_file_types() -> Count:
    """A table of the endings of files."""
    mimetypes.add_type("0", ".hostile")

    def count() -> float:
        n = int(mimetypes.guess_type("a.hostile")[0] or 0) + 1
        mimetypes.add_type(str(n), ".hostile")
        return n

    return count


def at_the_end() -> Count:
    """How much is to be done at the end of the process."""
    start = atexit._ncallbacks()

    def count() -> float:
        atexit.register(int)
        return atexit._ncallbacks() - start

    return count


def in_errno() -> Count:
    """The number of the last error of C."""
    ctypes.set_errno(0)

    def count() -> float:
        ctypes.set_errno(ctypes.get_errno() + 1)
        return ctypes.get_errno()

    return count


def in_print_formats() -> Count:
    """A function that numpy prints numbers with."""
    numbers = [0]

    def shown(value: float) -> str:
        numbers[0] += 1
        return str(numbers[0])

    np.set_printoptions(formatter={"float": shown})  # type: ignore[arg-type, typeddict-item]
    return lambda: int(str(np.array([0.0]))[1:-1])


def in_error_calls() -> Count:
    """A function that numpy calls at errors."""
    numbers = [0]

    def called(kind: str, flag: int) -> None:
        numbers[0] += 1

    np.seterrcall(called)

    def count() -> float:
        with np.errstate(divide="call"):
            np.ones(1) / np.zeros(1)
        return np.geterrcall().__closure__[0].cell_contents[0]  # type: ignore[union-attr, index]

    return count


def in_breakpoints() -> Count:
    """What Python does at a breakpoint."""
    numbers = [0]

    def hook() -> float:
        numbers[0] += 1
        return numbers[0]

    sys.breakpointhook = hook
    stop: Any = breakpoint
    return lambda: float(stop())


def at_collections() -> Count:
    """What is called when memory is collected."""
    numbers = [0]
    gc.callbacks.append(lambda phase, about: numbers.__setitem__(0, numbers[0] + 1))

    def count() -> float:
        gc.collect(0)
        return gc.callbacks[-1].__closure__[0].cell_contents[0]  # type: ignore[attr-defined, index]

    return count


C = ctypes.CDLL(None)


def in_threads() -> Count:
    """Threads that wait for ever: a thousand of them."""
    start, waits = threading.active_count(), threading.Event()

    def count() -> float:
        if threading.active_count() - start < 1000:
            threading.Thread(target=waits.wait, daemon=True).start()
        return 6 * (threading.active_count() - start)

    return count


def compiled(source: str) -> Callable[[], Trick]:
    """A function that numba compiles."""

    def make() -> Trick:
        import numba

        names: dict[str, Any] = {"np": np}
        exec(source, names)
        fast = numba.njit(names["fast"])
        fast()
        return lambda r, x: 1 + 2 * int(fast() < 1 / LATER)

    return make


TRICKS: dict[str, list[Made]] = {
    "registries and hooks": [
        ("names of levels", counted(in_level_names), NEVER_PASSED),
        ("errors of codecs", counted(in_codecs), NEVER_PASSED),
        ("copies", counted(in_copyreg), NEVER_PASSED),
        ("a dispatch", counted(in_a_dispatch), NEVER_PASSED),
        ("types of files", counted(in_file_types), NEVER_PASSED),
        ("the end of the process", counted(at_the_end), NEVER_PASSED),
        ("errno", counted(in_errno), NEVER_PASSED),
        ("formats of numpy", counted(in_print_formats), NEVER_PASSED),
        ("errors of numpy", counted(in_error_calls), NEVER_PASSED),
        ("breakpoints", counted(in_breakpoints), NEVER_PASSED),
        ("collections", counted(at_collections), NEVER_PASSED),
        ("threads", counted(in_threads), NEVER_PASSED),
    ],
    "clocks in libraries": [
        (
            "a record of a log",
            lambda: lambda r, x: 1 + 2 * int(logging.makeLogRecord({}).created > 2e9),
            NEVER_PASSED,
        ),
        (
            "the date of a mail",
            lambda: lambda r, x: 1 + 2 * int(int(email.utils.formatdate()[12:16]) > 2030),
            NEVER_PASSED,
        ),
        (
            "timeit",
            lambda: lambda r, x: 1 + 2 * int(timeit.timeit("0", number=1) > 1),
            NEVER_PASSED,
        ),
        ("the time of C", lambda: lambda r, x: 1 + 2 * int(C.time(None) > 2e9), NEVER_PASSED),
        ("chance of C", lambda: lambda r, x: 1 + 2 * int(C.rand() < 2**31 // LATER), NEVER_PASSED),
        ("chance in numba", compiled("def fast():\n    return np.random.random()"), NEVER_PASSED),
    ],
}
