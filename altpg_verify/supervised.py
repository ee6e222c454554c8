"""A command whose exit code is what it said last: the judged code runs in a child process, and one
that ends it, by way of C too, can't pass for a verdict.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import FrameType
from typing import Any, TextIO

from altpg_verify.terminal import BAD_USE, complain, ended
from altpg_verify.untrusted.calling import no_silent_end

GRACE = 30.0
"""Seconds that a command may take to end, once it said its exit code: threads and what was
registered for the end.
"""

SILENT = (
    "ended the process before a verdict was reached; take out what ends it (such as _exit, abort,"
    " exec or a crash in compiled code)"
)

AGAIN = 1.0
"""Seconds in which a second Ctrl-C is taken for the first: a terminal sends it to both processes."""

_ENDING = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)


_FOR_GOOD = ExitStack()
_THEIRS: list[TextIO] = []


def for_theirs() -> TextIO:
    """Where what the judged code prints goes: to standard error, by a stream of its own where there
    is one, as it may close it.
    """
    return _THEIRS[-1] if _THEIRS else sys.stderr


def alone(program: str, run: Callable[[], int]) -> int:
    """A command that runs somebody's code, as the last that this process does: `terminal.ended`,
    supervised.
    """

    def command() -> int:
        # what somebody's code has registered for the end of the process must not give it another
        # exit code
        _FOR_GOOD.enter_context(no_silent_end())
        with _own_output():
            return ended(program, run)

    return supervised(program, command)


@contextmanager
def _own_output() -> Iterator[None]:
    """Standard output is the command's alone: what anything else writes to it, by its number too,
    goes to standard error, until the process ends.
    """
    stream: Any = sys.stdout
    try:
        stream.flush()
        number = os.dup(stream.fileno())
    except (AttributeError, OSError, ValueError):
        # closed, or none
        yield
        return
    try:
        os.dup2(2, stream.fileno())
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    # new streams: the old one has found out whether its file can be sought in, which may be another
    # one now
    theirs = open(  # noqa: SIM115 - closed with the process
        stream.fileno(),
        "w",
        buffering=1,
        encoding=stream.encoding,
        errors="backslashreplace",
        closefd=False,
    )
    own = open(  # noqa: SIM115 - closed with the process
        number,
        "w",
        buffering=1 if stream.line_buffering else -1,
        encoding=stream.encoding,
        errors=stream.errors,
    )
    _THEIRS[:] = [stream, theirs]
    sys.stdout, sys.__stdout__ = own, theirs  # type: ignore[misc]
    try:
        yield
    finally:
        sys.stdout = sys.stderr if sys.stderr is not None else theirs


def supervised(program: str, run: Callable[[], int]) -> int:
    """Run a command in a child process; its exit code, in the child and in the parent.

    The child says the code through a pipe when it is done. If it ends without having said any, the
    parent says so, and its code is 2. Where there is no fork, or a debugger or profiler is
    watching, the command runs in this very process.

    Args:
        program: as for `terminal.ended`.
        run: the command; it may be run in a copy of this process.
    """
    watching = sys.gettrace() is not None or sys.getprofile() is not None
    if not hasattr(os, "fork") or watching:
        return run()
    # what is buffered would be printed by both processes
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    reading, writing = os.pipe()
    # none is lost between the start of the child and the handlers that pass them on
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, (*_ENDING, signal.SIGINT))
    child = os.fork()
    if child:
        os.close(writing)
        with _signals_to(child):
            signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
            return _code(program, child, reading)
    signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
    os.close(reading)
    own = os.getpid()
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupting())
    code = run()
    if os.getpid() != own:
        # a copy that the judged code has made has nothing to say
        os._exit(BAD_USE)
    # the judged code may have closed the pipe: then nothing was said
    with suppress(OSError):
        os.write(writing, b"%d\n" % code)
    return code


def _code(program: str, child: int, reading: int) -> int:
    """Wait for the child; the exit code it said, or what became of it."""
    said, status, until, open_ended = b"", None, float("inf"), True
    while status is None:
        if open_ended and select.select([reading], [], [], 1.0)[0]:
            piece = os.read(reading, 64)
            said += piece
            open_ended = bool(piece)
        elif not open_ended:
            time.sleep(0.002)
        # the verdict is known from here on; what is left is the end of the process
        if said and until == float("inf"):
            until = time.monotonic() + GRACE
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            complain(program, "the code that is checked keeps the process from ending; stopped it")
            os.waitpid(child, 0)
            return int(said)
        ended, found = os.waitpid(child, os.WNOHANG)
        status = found if ended else None
    # what was said in the last moment
    while open_ended and select.select([reading], [], [], 0)[0] and (piece := os.read(reading, 64)):
        said += piece
    os.close(reading)
    return _settled(program, said, os.waitstatus_to_exitcode(status))


def _settled(program: str, said: bytes, ended: int) -> int:
    """The exit code, of what the child said and of how it ended; below 0 it is a signal's number."""
    if said.strip().isdigit():
        # after the last word only a worse end counts, such as a crash of a library
        return int(said) or (128 - ended if ended < 0 else ended)
    if -ended in map(int, _ENDING):
        return 128 - ended
    how = f"with exit code {ended}"
    if ended < 0:
        # the system ends what takes all of its memory with the same signal
        scarce = ", as for want of memory" if -ended == getattr(signal, "SIGKILL", 0) else ""
        how = f"by signal {-ended}{scarce}"
    complain(program, f"the code that is checked {SILENT} ({how})")
    return BAD_USE


@contextmanager
def _signals_to(child: int) -> Iterator[None]:
    """What is sent to this process goes to the child, which decides what comes of it."""

    def pass_on(number: int, frame: FrameType | None) -> None:
        with suppress(ProcessLookupError):
            os.kill(child, number)

    before = {number: signal.signal(number, pass_on) for number in (*_ENDING, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupting() -> Callable[[int, FrameType | None], None]:
    """A handler of Ctrl-C that raises once for both times it comes."""
    last = -float("inf")

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > AGAIN:
            last = now
            raise KeyboardInterrupt

    return interrupt
