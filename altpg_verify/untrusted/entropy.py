"""Which calls a function makes to the clock, to the system's entropy, to addresses in memory, or to see who is watching.

They are seen by the profiler, without touching any of these. An address (`id`, and `hash` of objects and texts) is the same for all
calls of one process now and then, so that asking again wouldn't tell it from a constant.
"""

from __future__ import annotations

import builtins
import datetime
import gc
import os
import sys
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from altpg_verify.untrusted.reaching import is_library

_ENTROPY = {getattr(os, name, None): f"os.{name}" for name in ("urandom", "getrandom")}
_CLOCK = {
    getattr(time, name): f"time.{name}"
    for name in (
        *("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns"),
        *("thread_time", "thread_time_ns", "localtime", "gmtime", "ctime", "asctime", "strftime"),
    )
    if hasattr(time, name)
}
_OUTSIDE = {
    **{getattr(builtins, name): name for name in ("id", "hash")},
    **{getattr(os, name, None): f"os.{name}" for name in ("getpid", "getppid")},
    **{getattr(threading, name): f"threading.{name}" for name in ("get_ident", "get_native_id")},
    **{getattr(sys, name): f"sys.{name}" for name in ("_getframe", "_current_frames", "gettrace", "getprofile", "getrefcount")},
    **{getattr(sys, name): f"sys.{name}" for name in ("settrace", "setprofile", "setrecursionlimit", "getrecursionlimit")},
    **{getattr(gc, name): f"gc.{name}" for name in ("get_objects", "get_referrers", "get_count", "get_stats")},
}
_DATES = {"now", "utcnow", "today"}
# code between the user's and the operating system's
_BETWEEN = (
    "/random.py",
    "/secrets.py",
    "/uuid.py",
    "/numpy/random/",
    "/tempfile.py",
    "/datetime.py",
    "/_pydatetime.py",
    "/inspect.py",
    "/traceback.py",
)


def outside_calls(run: Callable[[], Any]) -> tuple[Any, dict[str, str]]:
    """What `run` returns, and which of these it asked: name -> "entropy", "clock" or "outside".

    Only calls that come from the user's own code count, directly or through `random`, `secrets`, `uuid` or `numpy.random`; what a
    library does for itself, such as timing a compilation, doesn't.
    """
    found: dict[str, str] = {}

    def watch(frame: FrameType, event: str, called: Any) -> None:
        if event != "c_call":
            return
        try:
            name = _ENTROPY.get(called)
            kind = "entropy" if name else "clock"
            name = name or _CLOCK.get(called)
            if name is None and (name := _OUTSIDE.get(called)):
                kind = "outside"
        except TypeError:
            return
        if name is None and getattr(called, "__name__", "") in _DATES:
            owner = getattr(called, "__self__", None)
            if isinstance(owner, type) and issubclass(owner, datetime.date):
                name = f"{owner.__name__}.{called.__name__}"
        if name is None and getattr(called, "__name__", "") == "seed" and _fresh(frame):
            name, kind = "random.seed() without a number", "entropy"
        if name is not None and _of_user(frame):
            found.setdefault(name, kind)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        returned = run()
    finally:
        sys.setprofile(before if callable(before) else None)
        if before is not None and not callable(before):
            # cProfile, which is no Python function
            before.enable()
    return returned, found


def _fresh(frame: FrameType) -> bool:
    """Whether `random.Random.seed` is about to ask for entropy."""
    return frame.f_code.co_name == "seed" and frame.f_code.co_filename.endswith("random.py") and frame.f_locals.get("a", 0) is None


def _of_user(frame: FrameType | None) -> bool:
    while frame is not None:
        file = frame.f_code.co_filename.replace("\\", "/")
        # the hash of a dataclass is code without a file; whoever asks for it stands behind it
        generated = file == "<string>" and frame.f_code.co_name == "__hash__"
        if not generated and not any(part in file for part in _BETWEEN) and not file.endswith(".pyx"):
            return not is_library(frame.f_code.co_filename)
        frame = frame.f_back
    return False
