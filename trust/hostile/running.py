"""A hostile program is run, and what comes out is judged: fine, a false PROVED, a false pass,
another wrong answer, or a crash.
"""

from __future__ import annotations

import contextlib
import csv
import decimal
import gc
import io
import random
import signal
import socket
import sys
import threading
import warnings
import zoneinfo
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from trust.hostile.forms import PASSED, Hostile

LONGEST = 60
"""Seconds of processor time after which a program counts as hung; a busy machine doesn't change
them.
"""

JUDGEMENTS = ("fine", "false PROVED", "false pass", "unacceptable", "crash")

_PATCHED: tuple[tuple[Any, str], ...] = (
    (np, "exp"),
    (np, "array_equal"),
    (np.linalg, "norm"),
    (random, "random"),
    (sys, "breakpointhook"),
)
"""What a program may replace; put back after each."""


_SETTINGS: tuple[tuple[Callable[[], Any], Callable[[Any], object]], ...] = (
    (lambda: decimal.getcontext().prec, lambda prec: setattr(decimal.getcontext(), "prec", prec)),
    (sys.getswitchinterval, sys.setswitchinterval),
    (np.get_printoptions, lambda options: np.set_printoptions(**options)),
    (np.getbufsize, np.setbufsize),
    (socket.getdefaulttimeout, socket.setdefaulttimeout),
    (gc.get_threshold, lambda threshold: gc.set_threshold(*threshold)),
    (gc.isenabled, lambda enabled: gc.enable() if enabled else gc.disable()),
    (lambda: list(gc.callbacks), lambda kept: gc.callbacks.__setitem__(slice(None), kept)),
    (np.geterrcall, np.seterrcall),
    (threading.gettrace, threading.settrace),
    (threading.getprofile, threading.setprofile),
    (lambda: list(zoneinfo.TZPATH), zoneinfo.reset_tzpath),
    (
        lambda: decimal.DefaultContext.prec,
        lambda prec: setattr(decimal.DefaultContext, "prec", prec),
    ),
    (csv.field_size_limit, csv.field_size_limit),
    (sys.get_int_max_str_digits, sys.set_int_max_str_digits),
)
"""What a program may set for the whole process: how it is read, and set."""


class Hung(BaseException):
    """A program took too long."""


def run(program: Hostile) -> tuple[str, str]:
    """(judgement, outcome): the outcome is a verdict, a kind, "refused", "partial", or what went
    wrong.
    """
    outcome, crashed = _outcome(program)
    return judged(outcome, crashed, program.acceptable), outcome


def judged(outcome: str, crashed: bool, acceptable: frozenset[str]) -> str:
    """One of JUDGEMENTS."""
    if crashed:
        return "crash"
    if outcome in acceptable:
        return "fine"
    return (
        "false PROVED"
        if outcome in ("PROVED", "CERTIFIED")
        else "false pass"
        if outcome in PASSED
        else "unacceptable"
    )


def _outcome(program: Hostile) -> tuple[str, bool]:
    late: list[bool] = []
    with (
        _restored(),
        _alarm(late),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        try:
            outcome, crashed = program.ask(), False
        except BadInput as refusal:
            outcome, crashed = (
                ("refused", False)
                if "\n" not in str(refusal).strip()
                else (f"refused in several lines: {refusal}", True)
            )
        except BaseException as error:
            outcome, crashed = f"{type(error).__name__}: {error}", True
    # the engine takes what is raised inside a program for the program's own
    return (f"ran longer than {LONGEST} s", True) if late else (outcome, crashed)


@contextlib.contextmanager
def _alarm(late: list[bool]) -> Iterator[None]:
    def ring(number: int, frame: Any) -> None:
        late.append(True)
        raise Hung

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextlib.contextmanager
def _restored() -> Iterator[None]:
    kept = [(owner, name, getattr(owner, name)) for owner, name in _PATCHED]
    state, own = np.random.get_state(), random.getstate()
    settings = [(put, get()) for get, put in _SETTINGS]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for owner, name, value in kept:
            setattr(owner, name, value)
        for put, setting in settings:
            put(setting)
        np.random.set_state(state)
        random.setstate(own)
