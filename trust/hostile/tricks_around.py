"""Counts and clocks around the code: numbers that Python's own modules give to what they make,
hooks of threads, threads that wait, functions of C that other functions of C call, another
profiler, memory by its address.
"""

from __future__ import annotations

import _ctypes
import concurrent.futures
import cProfile
import ctypes
import fnmatch
import functools
import itertools
import string
import textwrap
import threading
import time
import typing
import uuid
import weakref
import zoneinfo
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy

from trust.hostile.forms import NEVER_PASSED, Trick
from trust.hostile.tricks_fields import in_field
from trust.hostile.tricks_hidden import Box, bomb, counted
from trust.hostile.tricks_state import Made

Count = Callable[[], float]


def since(number: Callable[[], int]) -> Callable[[], Count]:
    """How far a number has come that grows whenever it is asked for."""

    def ready() -> Count:
        start = number()
        return lambda: number() - start

    return ready


def of_a_thread() -> int:
    """The number in a new thread's name."""
    return int(threading.Thread().name.rpartition("-")[2])


def of_a_pool() -> int:
    """The number in a new pool's name."""
    return int(str(concurrent.futures.ThreadPoolExecutor()._thread_name_prefix).rpartition("-")[2])


def of_a_symbol() -> int:
    """The number of a new dummy."""
    return int(sympy.Dummy().dummy_index)


def in_hooks(put: Callable[[Any], Any], get: Callable[[], Any]) -> Callable[[], Count]:
    """A function that is registered for threads."""

    def numbered(n: int) -> Any:
        return lambda *event: n

    def ready() -> Count:
        put(numbered(0))

        def count() -> float:
            n = get()() + 1
            put(numbered(n))
            return float(n)

        return count

    return ready


def in_finalizers() -> Count:
    """How much is to be done when an object goes."""
    kept = Box()
    start = len(weakref.finalize._registry)  # type: ignore[attr-defined]

    def count() -> float:
        weakref.finalize(kept, int)
        return len(weakref.finalize._registry) - start  # type: ignore[attr-defined]

    return count


def in_overloads() -> Count:
    """How often a function was overloaded."""

    def known() -> None: ...

    def count() -> float:
        n = len(typing.get_overloads(known)) + 1
        known.__code__ = known.__code__.replace(co_firstlineno=n)
        typing.overload(known)
        return n

    return count


def in_time_zones() -> Count:
    """Where time zones are looked for."""

    def count() -> float:
        zoneinfo.reset_tzpath([*zoneinfo.TZPATH, "/"])
        return len(zoneinfo.TZPATH)

    return count


def in_a_waiting_thread() -> Count:
    """A local variable of a thread that waits."""
    asked, answered = threading.Lock(), threading.Lock()
    asked.acquire()
    answered.acquire()
    told = [0]

    def waits() -> None:
        n = 0
        while True:
            asked.acquire()
            n += 1
            told[0] = n
            answered.release()

    threading.Thread(target=waits, daemon=True).start()

    def count() -> float:
        asked.release()
        answered.acquire()
        n, told[0] = told[0], 0
        return n

    return count


def in_a_pool() -> Callable[[], float]:
    """The clock, asked by a thread of a pool that is there already."""
    pool = concurrent.futures.ThreadPoolExecutor(1)
    pool.submit(int).result()
    return lambda: pool.submit(time.time).result()


def another_profiler() -> Trick:
    """The clock, after another profiler was there."""

    def trick(r: Any, x: Any) -> Any:
        profiler = cProfile.Profile()
        profiler.enable()
        profiler.disable()
        return 1 + 2 * int(time.time() > 2e9)

    return trick


def in_memory_by_its_address() -> Count:
    """Memory that only its address is known of."""
    kept.append(ctypes.c_long(0))
    address = ctypes.addressof(kept[-1])

    def count() -> float:
        number = ctypes.c_long.from_address(address)
        number.value += 1
        return number.value

    return count


kept: list[Any] = []


class At:
    """An array at an address."""

    def __init__(self, address: int) -> None:
        self.__array_interface__ = {
            "data": (address, False),
            "shape": (1,),
            "typestr": "<i8",
            "version": 3,
        }


def in_an_array_by_its_address() -> Count:
    """The same through numpy."""
    kept.append(np.zeros(1, dtype=np.int64))
    address = kept[-1].__array_interface__["data"][0]

    def count() -> float:
        number = np.asarray(At(address))
        number[0] += 1
        return float(number[0])

    return count


HANDLE = ctypes.CDLL(None)._handle
RAND = _ctypes.dlsym(HANDLE, "time")


def put_together(*parts: str) -> str:
    """A name."""
    return "".join(parts)


def in_a_library(owner: Any) -> Callable[[], Count]:
    """An attribute of a library's, by a name that is put together."""

    def ready() -> Count:
        setattr(owner, put_together("host", "ile"), 0)

        def count() -> float:
            name = put_together("host", "ile")
            setattr(owner, name, getattr(owner, name) + 1)
            return float(getattr(owner, name))

        return count

    return ready


def in_a_librarys_cache() -> Count:
    """How often a library's cache was asked."""
    name = put_together("_compile", "_pattern")
    start = getattr(fnmatch, name).cache_info().hits

    def count() -> float:
        fnmatch.fnmatchcase("a", "b")
        return float(
            getattr(fnmatch, put_together("_compile", "_pattern")).cache_info().hits - start
        )

    return count


TRICKS: dict[str, list[Made]] = {
    "numbers that are given": [
        ("names of threads", counted(since(of_a_thread)), NEVER_PASSED),
        ("names of pools", counted(since(of_a_pool)), NEVER_PASSED),
        ("dummies", counted(since(of_a_symbol)), NEVER_PASSED),
        ("finalizers", counted(in_finalizers), NEVER_PASSED),
        ("overloads", counted(in_overloads), NEVER_PASSED),
        ("places of time zones", counted(in_time_zones), NEVER_PASSED),
        ("a library's cache", counted(in_a_librarys_cache), NEVER_PASSED),
    ],
    "threads": [
        (
            "the trace of threads",
            counted(in_hooks(threading.settrace, threading.gettrace)),
            NEVER_PASSED,
        ),
        (
            "the profile of threads",
            counted(in_hooks(threading.setprofile, threading.getprofile)),
            NEVER_PASSED,
        ),
        ("a thread that waits", counted(in_a_waiting_thread), NEVER_PASSED),
        ("the clock in a pool", lambda: bomb(in_a_pool())(), NEVER_PASSED),
    ],
    "called by C": [
        ("the clock in a partial", bomb(functools.partial(time.time)), NEVER_PASSED),
        ("the clock in a map", bomb(lambda: sum(itertools.starmap(time.time, [()]))), NEVER_PASSED),
        ("the clock in a table", bomb(lambda: defaultdict[int, float](time.time)[0]), NEVER_PASSED),
        ("the clock in an iterator", bomb(lambda: next(iter(time.time, None))), NEVER_PASSED),
        ("the time of a name", bomb(lambda: uuid.uuid1().time, 2.1e17), NEVER_PASSED),
        ("another profiler", another_profiler, NEVER_PASSED),
        (
            "a function by its address",
            bomb(lambda: _ctypes.call_function(RAND, (None,))),
            NEVER_PASSED,
        ),
    ],
    "memory and libraries": [
        ("memory by its address", counted(in_memory_by_its_address), NEVER_PASSED),
        ("an array by its address", counted(in_an_array_by_its_address), NEVER_PASSED),
        ("an attribute of a library", counted(in_a_library(string)), NEVER_PASSED),
        (
            "an attribute of a library's function",
            counted(in_field(lambda: textwrap.dedent, "hostile")),
            NEVER_PASSED,
        ),
        (
            "an attribute of a library's class",
            counted(in_field(lambda: string.Template, "hostile")),
            NEVER_PASSED,
        ),
    ],
}
"""Tricks by kind."""
