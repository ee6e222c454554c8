"""How every command of the project ends: with its exit code, or with one line on standard error
that says why not.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from altpg_verify.errors import BadInput
from altpg_verify.files import why
from altpg_verify.screen import say

BAD_USE = 2
"""The exit code of what can't be done as asked."""
STOPPED = 130
"""The exit code after Ctrl-C."""
_PIPE = 141

_DEPENDENCIES = {
    **{name: name for name in ("hypothesis", "matplotlib", "numba", "numpy", "pytest", "rich")},
    **{"flint": "python-flint", "scipy": "scipy", "sympy": "sympy", "typst": "typst"},
}
"""Module -> the package that it comes with; `requirements-check.txt` installs some of them only."""


def ended(program: str, run: Callable[[], int], *, stopped: str = "stopped") -> int:
    """Run a command; what a user or the machine may do wrong becomes one line, everything else is a
    bug and stays a traceback.

    Returns:
        What the command returns; 2 for input that can't be used, files that can't be read or
        written and memory that isn't there;
        141 if whoever read the output has gone, as with `| head`; 130 after Ctrl-C.

    Args:
        stopped: what is said after Ctrl-C.
    """
    # a stream that was closed before the start is None, and writing to it would be a traceback
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    # a file's name or content may hold what the terminal can't show
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = run()
        sys.stdout.flush()
        return code
    except BadInput as error:
        said = str(error)
    except BrokenPipeError:
        # what is still buffered has nowhere to go, and Python would complain of that at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE
    except OSError as error:
        said = (
            f"can't use {str(error.filename)!r} ({why(error)}); check it"
            if error.filename
            else f"the system refused: {why(error)}"
        )
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _DEPENDENCIES:
            raise
        said = (
            f"this needs {_DEPENDENCIES[package]}, which isn't installed; install altpg-verify with"
            " its dependencies"
        )
    except MemoryError:
        said = "there is not enough memory for this; give it more, or less to do"
    except SystemExit:
        # a command returns its code; so this comes from somebody's code, and must not become the
        # command's own
        said = (
            "the code that is checked calls sys.exit; let it return its result, or raise an error"
        )
    except KeyboardInterrupt:
        complain(program, stopped)
        return STOPPED
    complain(program, said)
    return BAD_USE


SELDOM = 10.0
"""Seconds between two lines of progress where they can't be written over one another."""


PATIENCE = 1.0
"""Seconds after which a terminal is told what is being done."""

OFTEN = 0.25
"""Seconds between two tellings."""


@contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """Say on a terminal's standard error what is being done, from a second on, and take it away at
    the end.

    Gives the function that is told how far the work is. Where standard error is no terminal, only
    what that function is told is printed, and seldom.

    Args:
        what: said until something else is known.
    """
    stream = sys.stderr
    if not stream.isatty():
        yield _seldom(stream)
        return
    now, begin, over, shown = [what], time.monotonic(), threading.Event(), threading.Event()

    def show() -> None:
        over.wait(PATIENCE)
        while not over.is_set():
            width = max(20, shutil.get_terminal_size((80, 24)).columns - 1)
            shown.set()
            print(
                f"\r\x1b[K{f'{time.monotonic() - begin:.0f} s  {now[0]}'[:width]}",
                end="",
                file=stream,
                flush=True,
            )
            over.wait(OFTEN)

    thread = threading.Thread(target=show, name="progress", daemon=True)
    thread.start()
    try:
        yield lambda line: now.__setitem__(0, line)
    finally:
        over.set()
        thread.join()
        if shown.is_set():
            print("\r\x1b[K", end="", file=stream, flush=True)


def _seldom(stream: TextIO) -> Callable[[str], None]:
    said = time.monotonic()

    def report(line: str) -> None:
        nonlocal said
        if time.monotonic() - said > SELDOM:
            said = time.monotonic()
            print(line, file=stream, flush=True)

    return report


def complain(program: str, said: object) -> None:
    """Say on standard error, in one line, what can't be done.

    Args:
        program: the command that says so, first on the line.
        said: a sentence, or the exception that has it.
    """
    # a line of progress gives way
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    say(f"{program}: {one_line(said)}", sys.stderr)


def one_line(said: object) -> str:
    """A message without the line breaks that a path or somebody else's error may bring in."""
    return " ".join(str(said).split())
