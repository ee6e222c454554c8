"""Clocks, entropy and threads that no profiler sees: a function of C that is handed on to another
function of C, and a thread of the user's that runs beside the update.
"""

from __future__ import annotations

import dis
import secrets
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import starmap
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

from altpg_verify.untrusted.reaching import nested

COUNTING = frozenset(
    (
        *("threading.Thread.__init__", "threading.Thread.start", "threading.current_thread"),
        *("threading.settrace", "threading.setprofile", "threading.gettrace"),
        *("threading.settrace_all_threads", "threading.setprofile_all_threads"),
        *("threading.getprofile", "threading.enumerate", "threading.active_count"),
        *("concurrent.ThreadPoolExecutor.__init__", "concurrent.ThreadPoolExecutor.submit"),
        *("concurrent.ProcessPoolExecutor.__init__", "concurrent.ProcessPoolExecutor.submit"),
        *("concurrent.Executor.map", "zoneinfo.reset_tzpath", "weakref.finalize.__init__"),
        *("typing.overload", "typing.get_overloads", "typing.clear_overloads"),
        *("uuid.uuid1", "uuid.getnode", "sympy.Dummy.__new__"),
        # settings that hold a number, which what is printed or compiled may show
        *("torch.set_printoptions", "torch.set_fusion_strategy", "torch.ConfigModule.__setattr__"),
        *("torch.ConfigModule.__getattr__", "jax.Config.update", "jax.Config._read"),
    )
)
"""Python functions, by package and qualified name, that number what they make, or keep what they are
given for the whole process.
"""


def handed_on(function: FunctionType, refused: dict[Any, str]) -> str:
    """The name of a function of `refused`, or of the module that has it, that this one mentions
    without calling it; empty if there is none.

    `partial(time.time)()` calls the clock from C, where no profiler looks.
    """
    codes = list(nested(function.__code__))
    imported = [_imported(code) for code in codes]
    # a name of a function within may be bound by an import around it
    closed = {**_in_cells(function), **{k: each[k] for each in imported for k in each}}
    for code, own in zip(codes, imported, strict=True):
        of_module = {**function.__globals__, **own}
        # a local variable may have the name of what the module has
        spaces = {"LOAD_GLOBAL": function.__globals__, "LOAD_NAME": of_module, "LOAD_DEREF": closed}
        for value in _mentioned(code, spaces, own):
            if value in _OF_CLOCKS:
                return f"the module {value.__name__}"
            if name := refused.get(value):
                return name
    return ""


_OF_CLOCKS = frozenset({time, secrets})


def _in_cells(function: FunctionType) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            # not bound yet
            continue
    return found


def _imported(code: CodeType) -> dict[str, Any]:
    """What a function's own import statements bind."""
    found: dict[str, Any] = {}
    module: Any = None
    value: Any = None
    for step in dis.get_instructions(code):
        if step.opname == "IMPORT_NAME":
            value = module = sys.modules.get(step.argval)
        elif step.opname == "IMPORT_FROM":
            value = getattr(module, step.argval, None)
        elif step.opname in ("STORE_FAST", "STORE_DEREF", "STORE_NAME") and value is not None:
            found[step.argval] = value
            value = None
        elif step.opname != "CACHE":
            value = None
    return found


_HOLDERS = (partial, defaultdict, map, filter, starmap, type(iter(int, 1)))


def held_by_c(value: Any, refused: dict[Any, str]) -> str:
    """The name of a function of `refused` that an object of C calls for whoever uses it: a partial,
    a map, a dictionary's default; empty if there is none.
    """
    # by its type and its base's methods: a class of the user's may have others
    kind = next((each for each in _HOLDERS if issubclass(type(value), each)), None)
    if kind is None:
        return ""
    parts: Any
    if kind is partial:
        parts = (vars(partial)["func"].__get__(value),)
    elif kind is defaultdict:
        parts = (vars(defaultdict)["default_factory"].__get__(value),)
    else:
        parts = kind.__reduce__(value)[1]
    return next((refused[part] for part in parts if _is_of_c(part) and part in refused), "")


def _is_of_c(value: Any) -> bool:
    """A compiled function: what else there is may raise when it is hashed or asked for its class."""
    return type(value) is BuiltinFunctionType


_NAMED = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF")


def _mentioned(
    code: CodeType, spaces: dict[str, dict[str, Any]], own: dict[str, Any]
) -> Iterator[Any]:
    """Modules and compiled functions that are loaded as values, by name or as attributes of
    modules, rather than called.

    Args:
        code: where.
        spaces: what names stand for, by the instruction that loads them.
        own: what local variables stand for, where that is known.
    """
    held: Any = None
    called = before_null = False
    for step in dis.get_instructions(code):
        if step.opname == "CACHE":
            continue
        attribute = step.opname in ("LOAD_ATTR", "LOAD_METHOD")
        if attribute and type(held) is ModuleType:
            held = vars(held).get(step.argval)
            called = called or step.opname == "LOAD_METHOD" or "NULL" in step.argrepr
            continue
        if not called and not attribute and (_is_of_c(held) or type(held) is ModuleType):
            yield held
        held, called = None, False
        if step.opname in _NAMED:
            # "NULL" stands before what is about to be called
            space = spaces.get(step.opname, own)
            held, called = space.get(step.argval), before_null or "NULL" in step.argrepr
        before_null = step.opname == "PUSH_NULL"


def running_beside(files: Iterable[str]) -> str:
    """The name of a thread in which code of these files runs; empty if there is none.

    The main thread may wait for the one that audits.
    """
    wanted = set(files)
    apart = {threading.get_ident(), threading.main_thread().ident}
    named = {each.ident: each.name for each in threading.enumerate()}
    for ident, frame in sys._current_frames().items():
        here: Any = frame
        while here is not None and ident not in apart:
            if here.f_code.co_filename in wanted:
                return named.get(ident, "a thread")
            here = here.f_back
    return ""
