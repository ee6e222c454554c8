"""Calling somebody's code: whatever it raises becomes one sentence about that code."""

from __future__ import annotations

import contextlib
import dis
import os
import signal
import sys
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, NoReturn

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.code_origin import of_library

LONGEST = 300
"""Characters of somebody else's message that are shown."""

_RAISES = frozenset({"RAISE_VARARGS", "RERAISE"})


class calling(contextlib.ContextDecorator):
    """While somebody's code runs: each exception leaves as a `BadEstimator` that says whose it is.

        with calling("update 'own_mean'", lambda: "for actions [0, 1]"):
            found = function(...)

    As a decorator, `@calling("update 'own_mean'")`, it covers every call.

    Args:
        who: the code, as the sentence's subject.
        where: what the call was given, said at the end; a function is only called when something
            was raised.
        passing: exceptions that pass as they are, besides `BadInput`.

    Raises:
        BadEstimator: on leaving; `sys.exit`, `raise KeyboardInterrupt`, endless recursion and want
            of memory included.
        KeyboardInterrupt: somebody pressed Ctrl-C, which is nobody's fault.
    """

    def __init__(
        self,
        who: str,
        where: str | Callable[[], str] = "",
        passing: tuple[type[BaseException], ...] = (),
    ) -> None:
        self.who, self.where, self.passing = who, where, passing

    def __enter__(self) -> calling:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or isinstance(error, (BadInput, *self.passing)) or interrupted(error):
            return
        refuse(error, self.who, self.where)


def refuse(error: BaseException, who: str, where: str | Callable[[], str] = "") -> NoReturn:
    """Raise the `BadEstimator` for what somebody's code raised; arguments as for `calling`."""
    try:
        place = where() if callable(where) else where
    except Exception:
        place = ""
    raise BadEstimator(line(f"{who} {did(error)}", place)) from error


def did(error: BaseException) -> str:
    """What somebody's code did, as the rest of a sentence about it."""
    match error:
        case SystemExit():
            return "calls sys.exit; let it return its result, or raise an error"
        case KeyboardInterrupt():
            return "raised KeyboardInterrupt by itself"
        case RecursionError():
            return "recurses without end"
        case MemoryError():
            return "needs more memory than there is"
        case GeneratorExit():
            return "raised GeneratorExit"
    text = said(error)
    return f"raised {name_of(error)}: {text}" if text else f"raised {name_of(error)}"


def line(*parts: str) -> str:
    """The parts on one line, without what would move or colour it on a terminal."""
    return " ".join(_shown(" ".join(parts)).split())


def _shown(text: str) -> str:
    """Control characters, which can rub out and write over a verdict, as they are written in a
    source.
    """
    return "".join(one if one.isprintable() or one.isspace() else repr(one)[1:-1] for one in text)


def name_of(error: BaseException) -> str:
    """The name of an exception's class, on one line."""
    return " ".join(str(getattr(type(error), "__name__", "an exception")).split())


def said(error: BaseException) -> str:
    """Somebody's message, on one line and not too long; empty if it can't even be put into
    words.
    """
    try:
        text = line(str(error))
    except BaseException as second:
        if interrupted(second):
            raise
        return ""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def interrupted(error: BaseException | None) -> bool:
    """Whether an exception is a Ctrl-C, or came of one; `raise KeyboardInterrupt` in somebody's
    code is none.
    """
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, KeyboardInterrupt) and _from_outside(error):
            return True
        error = error.__cause__ or error.__context__
    return False


def _from_outside(error: KeyboardInterrupt) -> bool:
    # a signal arrives between two instructions; what code raises leaves from a raise
    handler = getattr(signal.getsignal(signal.SIGINT), "__code__", None)
    trace = error.__traceback__
    if trace is None:
        return False
    last = trace
    while trace is not None:
        if handler is not None and trace.tb_frame.f_code is handler:
            return True
        last, trace = trace, trace.tb_next  # type: ignore[assignment]
    return not _by_a_raise(last)


def by_a_raise(error: BaseException) -> bool:
    """Whether an exception left from a `raise` in Python code, and not from an operation or a
    function in C.
    """
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and _by_a_raise(last)


def _by_a_raise(last: TracebackType) -> bool:
    code = last.tb_frame.f_code.co_code
    return not (0 <= last.tb_lasti < len(code) and dis.opname[code[last.tb_lasti]] not in _RAISES)


_ENDS = ("_exit", "execv", "execve", "abort")
"""What ends a process at once, or puts another program in its place, which may end with 0."""
_COPIES = ("fork", "forkpty")
"""What makes a copy of the process, which would go on with the check for itself."""


@contextlib.contextmanager
def no_silent_end() -> Iterator[None]:
    """While somebody's code may run in a command: `os._exit` and `os.exec...` raise SystemExit, so
    that none ends it with exit code 0; `os.fork` is for libraries only.

    Code that ends the process by way of C can't be kept from it; see `supervised`.

    Raises:
        BadEstimator: in the code, where it copies the process.
    """
    own = os.getpid()
    modules = [module for module in (os, sys.modules.get(os.name)) if module is not None]
    before = [
        (module, name, getattr(module, name))
        for module in modules
        for name in (*_ENDS, *_COPIES)
        if hasattr(module, name)
    ]

    def ending(real: Callable[..., Any]) -> Callable[..., Any]:
        def end(*arguments: Any) -> Any:
            # a child made by fork has to end in this very way
            if os.getpid() != own:
                return real(*arguments)
            raise SystemExit(arguments[0] if arguments and isinstance(arguments[0], int) else 0)

        return end

    def copying(real: Callable[..., Any], name: str) -> Callable[..., Any]:
        def copy() -> Any:
            caller = sys._getframe(1)
            if os.getpid() == own and not of_library(caller.f_code, caller.f_globals):
                raise BadEstimator(
                    f"the code that is checked makes a copy of the process (os.{name});"
                    " let it return its result"
                )
            return real()

        return copy

    replaced = {
        name: copying(real, name) if name in _COPIES else ending(real) for _, name, real in before
    }
    for module, name, _ in before:
        setattr(module, name, replaced[name])
    try:
        yield
    finally:
        for module, name, real in before:
            setattr(module, name, real)
