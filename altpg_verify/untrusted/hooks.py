"""What was registered for the whole process: functions that Python and numpy call at certain
events. Judged code can count there without naming it.
"""

from __future__ import annotations

import builtins
import gc
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from altpg_verify.untrusted.code_origin import of_library

_OF_SYS = ("displayhook", "breakpointhook", "excepthook", "unraisablehook")
_SIGNALS = ("SIGINT", "SIGTERM", "SIGALRM", "SIGUSR1", "SIGUSR2")


def hooks() -> Iterator[Any]:
    """What is registered by anybody but a library."""
    return (each for each in _registered() if _is_theirs(each))


def _registered() -> Iterator[Any]:
    for name in _OF_SYS:
        yield getattr(sys, name, None)
    yield from (threading.excepthook, warnings.showwarning)
    yield from (builtins.__import__, builtins.__build_class__)
    for listed in (gc.callbacks, sys.meta_path, sys.path_hooks):
        yield from list(listed)
    for name in _SIGNALS:
        if hasattr(signal, name):
            yield signal.getsignal(getattr(signal, name))
    if numpy := sys.modules.get("numpy"):
        yield numpy.geterrcall()
        yield from (numpy.get_printoptions().get("formatter") or {}).values()


def _is_theirs(value: Any) -> bool:
    if isinstance(value, MethodType):
        value = value.__func__
    if isinstance(value, FunctionType):
        return not of_library(value.__code__, value.__globals__)
    kind = value if isinstance(value, type) else type(value)
    return any(
        isinstance(each, FunctionType) and not of_library(each.__code__, each.__globals__)
        for each in vars(kind).values()
    )
