"""Which calls a function makes to the clock, to the system's entropy, to addresses in memory, to
the system, or to see who is watching.

They are seen by the profiler, without touching any of these. An address (`id`, and `hash` of
objects and texts) is the same for all calls of one process now and then, so that asking again
wouldn't tell it from a constant. The system, and what Python keeps for the whole process (files,
sockets, queues, databases, settings), can hold a place that nobody reads: of Python's own compiled
modules, those that compute are let through, and every other one is outside.
"""

from __future__ import annotations

import datetime
import dis
import gc
import re
import sys
from collections.abc import Callable, Iterable
from functools import cache
from types import CodeType, FrameType, ModuleType
from typing import Any

from altpg_verify.untrusted.code_origin import is_library, of_library
from altpg_verify.untrusted.handed_on import COUNTING, handed_on, held_by_c, running_beside
from altpg_verify.untrusted.process_names import (
    BETWEEN,
    CLOCK,
    COMPUTES,
    DATES,
    ENTROPY,
    FOREIGN,
    HARMLESS,
    HIDDEN,
    IN_LIBRARIES,
    KEEPS_NOTHING,
    OF_LOGS,
    OUTSIDE,
    SETTINGS,
    TO_THE_SYSTEM,
)
from altpg_verify.untrusted.reaching import functions, names_in, reachable

_SETTING = re.compile(r"(?:^|_)(?:set|get)(?:_|[A-Z])")


def outside_calls(run: Callable[[], Any]) -> tuple[Any, dict[str, str]]:
    """What `run` returns, and which of these it asked: name -> "entropy", "clock" or "outside".

    Only calls that come from the user's own code count, directly or through `random`, `secrets`,
    `uuid` or `numpy.random`; what a library does for itself, such as timing a compilation, doesn't.
    """
    found: dict[str, str] = {}
    # thousands of calls are watched, of few functions; what is told apart by its address is kept
    quiet: dict[tuple[Any, ...], Any] = {}

    def watch(frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call":
            name, owner = getattr(called, "__name__", ""), _owner(called)
            if (name, id(owner)) in quiet:
                return
            asked = _asked(frame, called)
            if asked is not None:
                kind, between = asked[1:]
                if _of_user(frame, between):
                    found.setdefault(asked[0], kind)
            elif name != "seed":
                # whether that one asks for entropy depends on what it was given
                quiet[name, id(owner)] = owner
        elif event == "call":
            code, space = frame.f_code, frame.f_globals
            if (id(code), id(space)) in quiet:
                return
            setting = code.co_name in SETTINGS and is_library(code.co_filename)
            place = code.co_name if setting else _keeps(code, space)
            if not place:
                quiet[id(code), id(space)] = code, space
            elif _of_user(frame.f_back) and (setting or not _on_collecting(code)):
                found.setdefault(place, "outside")

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


def _owner(called: Any) -> Any:
    """The module or class that a compiled function is of."""
    held = getattr(called, "__self__", None)
    if held is None:
        return getattr(called, "__objclass__", None) or called
    kind = type(held)
    return held if kind is ModuleType or issubclass(kind, type) else kind


def _asked(frame: FrameType, called: Any) -> tuple[str, str, tuple[str, ...]] | None:
    """What a compiled function asks for: a name, a kind, and between which files it may be called;
    None if nothing.
    """
    try:
        name = ENTROPY.get(called)
        kind = "entropy" if name else "clock"
        name = name or CLOCK.get(called)
        if name is None and (name := OUTSIDE.get(called)):
            kind = "outside"
    except TypeError:
        return None
    own = getattr(called, "__name__", "")
    if name is None and own in DATES:
        owner = getattr(called, "__self__", None)
        if isinstance(owner, type) and issubclass(owner, datetime.date):
            name = f"{owner.__name__}.{own}"
    if name is None and own == "seed" and _fresh(frame):
        name, kind = "random.seed() without a number", "entropy"
    if name is None and (of_torch := _of_torch(called)):
        name, kind = of_torch
    if name is not None:
        return name, kind, BETWEEN
    if name := _system_call(called):
        return name, "outside", BETWEEN + TO_THE_SYSTEM
    return None


def outside_names(roots: Iterable[Any]) -> tuple[str, str]:
    """(name, "clock", "entropy" or "outside") of what the user's code names or holds that is no
    function of Python, so that a profiler doesn't see it called; ("", "") if there is nothing.
    """
    refused = {**ENTROPY, **CLOCK}
    for root in roots:
        own = [each for each in functions(root) if not of_library(each.__code__, each.__globals__)]
        if thread := running_beside(each.__code__.co_filename for each in own):
            return f"a thread that runs beside it ({thread})", "outside"
        for each in own:
            if name := handed_on(each, refused):
                return name, "entropy" if name in ENTROPY.values() else "clock"
            names = names_in(each.__code__)
            if "datetime64" in names:
                return "datetime64", "clock"
            if foreign := names & FOREIGN:
                return f"ctypes.{min(foreign)}", "outside"
        for seen in reachable(root):
            if found := _unseen(seen.value):
                return found
    return "", ""


def _unseen(value: Any) -> tuple[str, str] | None:
    """What a compiled function does that Python doesn't see."""
    if held := held_by_c(value, {**ENTROPY, **CLOCK}):
        return held, "entropy" if held in ENTROPY.values() else "clock"
    ctypes = sys.modules.get("ctypes")
    if ctypes is not None and isinstance(value, ctypes.CDLL | ctypes._CFuncPtr):
        return getattr(value, "__name__", getattr(value, "_name", None)) or "ctypes.CDLL", "outside"
    if str(type(value).__module__).startswith("numba.") and "random" in names_in(
        getattr(getattr(value, "py_func", None), "__code__", _NOTHING)
    ):
        return f"{value.py_func.__name__}, which numba compiles, and that `random`", "entropy"
    return None


_NOTHING = (lambda: None).__code__


def _on_collecting(code: CodeType) -> bool:
    """Whether a library has it called whenever memory is freed, so that whoever frees it doesn't
    ask for it.
    """
    return any(getattr(each, "__code__", None) is code for each in gc.callbacks)


def _keeps(code: CodeType, space: dict[str, Any]) -> str:
    """The name of a Python function of a library that reads or writes a place of the whole process;
    empty for others.
    """
    if not is_library(code.co_filename):
        return ""
    module = str(space.get("__name__", ""))
    root = module.partition(".")[0]
    name = f"{module}.{code.co_name}"
    if f"{root}.{code.co_qualname}" in COUNTING:
        return name
    if root == "logging":
        return "" if code.co_name in OF_LOGS and "LogRecord" not in code.co_qualname else name
    if root in sys.stdlib_module_names:
        return "" if root in COMPUTES | KEEPS_NOTHING or code.co_name.startswith("<") else name
    return name if _stores_globals(code) else ""


@cache
def _stores_globals(code: CodeType) -> bool:
    return any(step.opname == "STORE_GLOBAL" for step in dis.get_instructions(code))


def _of_torch(called: Any) -> tuple[str, str] | None:
    """What asks torch for a seed from outside, for the one that was given, or for a setting that has
    no public name.
    """
    name = getattr(called, "__name__", "")
    if getattr(called, "__module__", None) == "torch._C" and _SETTING.search(name):
        return f"torch._C.{name}", "outside"
    if name not in ("seed", "initial_seed"):
        return None
    if type(getattr(called, "__self__", None)).__module__.partition(".")[0] != "torch":
        return None
    return f"torch.{name}", "entropy" if name == "seed" else "outside"


def _fresh(frame: FrameType) -> bool:
    """Whether `random.Random.seed` is about to ask for entropy."""
    return (
        frame.f_code.co_name == "seed"
        and frame.f_code.co_filename.endswith("random.py")
        and frame.f_locals.get("a", 0) is None
    )


def _system_call(called: Any) -> str:
    """The name of a compiled function of Python's own that doesn't only compute; empty for
    others.
    """
    name = str(getattr(called, "__name__", ""))
    owner = getattr(called, "__self__", None)
    if isinstance(owner, ModuleType):
        module = owner.__name__
    else:
        kind = getattr(called, "__objclass__", None) or (
            owner if isinstance(owner, type) else type(owner)
        )
        module = str(kind.__module__)
    root = module.partition(".")[0]
    if name in IN_LIBRARIES or (name in HIDDEN and root in sys.stdlib_module_names):
        return f"{module}.{name}".removeprefix("builtins.")
    if name in HARMLESS or root in COMPUTES or root not in sys.stdlib_module_names:
        return ""
    return f"{module}.{name}"


def _of_user(frame: FrameType | None, between: tuple[str, ...] = BETWEEN) -> bool:
    while frame is not None:
        file = frame.f_code.co_filename.replace("\\", "/")
        # the hash of a dataclass is code without a file; whoever asks for it stands behind it
        generated = file == "<string>" and frame.f_code.co_name == "__hash__"
        if (
            not generated
            and not any(part in file for part in between)
            and not file.endswith(".pyx")
        ):
            return not of_library(frame.f_code, frame.f_globals)
        frame = frame.f_back
    return False
