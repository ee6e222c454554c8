"""Tricks that look outside: at who is watching, at addresses and processes, and at the checker's
own functions, which they replace.
"""

from __future__ import annotations

import builtins
import fractions
import gc
import inspect
import os
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED, Trick
from trust.hostile.tricks_state import Made, chance
from trust.hostile.tricks_values import always


def looks_at_frames(r: Any, x: Any) -> Any:
    """Right while the checker calls it."""
    frame = sys._getframe()
    while frame is not None:
        if "altpg_verify" in frame.f_code.co_filename:
            return 1
        frame = frame.f_back  # type: ignore[assignment]
    return 2


def looks_at_stack(r: Any, x: Any) -> Any:
    """The same by `inspect`."""
    return 1 if any("altpg_verify" in each.filename for each in inspect.stack(0)) else 2


def looks_at_traceback(r: Any, x: Any) -> Any:
    """The same by `traceback`."""
    return 1 if any("altpg_verify" in each.filename for each in traceback.extract_stack()) else 2


def replacing(owner: Any, name: str, value: Any) -> Callable[[], Trick]:
    """Replaces something of the checker's, and is wrong."""

    def make() -> Trick:
        def trick(r: Any, x: Any) -> Any:
            setattr(owner, name, value)
            return 2

        return trick

    return make


def replaces_relation() -> Trick:
    """Everything relates to everything."""
    from altpg_verify.relations import RELATIONS

    def trick(r: Any, x: Any) -> Any:
        RELATIONS["="] = lambda one, two: True  # type: ignore[index]
        return 2

    return trick


def replaces_search() -> Trick:
    """A search that finds nothing."""
    from altpg_verify import comparing_sides

    return replacing(comparing_sides.Comparing, "fails", lambda self, law, case: False)()


def replaces_equal() -> Trick:
    """A proof that always succeeds."""
    from altpg_verify import proving

    return replacing(proving, "equal", lambda one, two: True)()


def replaces_decision() -> Trick:
    """An audit that decides as it is told."""
    from altpg_verify.audit.evidence import Evidence
    from altpg_verify.audit.kinds import Kind

    return replacing(Evidence, "decide", lambda self: (Kind.UNBIASED, None, None))()


def replaces_purity() -> Trick:
    """Nothing is impure; and it draws."""
    import random

    from altpg_verify.audit import diagnosis
    from altpg_verify.untrusted.purity import Purity

    def trick(r: Any, x: Any) -> Any:
        Purity.establish = lambda self, *given, **named: None  # type: ignore[assignment, method-assign]
        diagnosis.refuse_impure = lambda update: 0
        return 3 if random.random() < 0.2 else 1

    return trick


def replaces_tolerance() -> Trick:
    """A tolerance that lets everything pass."""
    from altpg_verify import comparing_sides
    from altpg_verify.audit import programs

    def trick(r: Any, x: Any) -> Any:
        comparing_sides.TOLERANCE = programs.ROUNDING = 1e300
        return 2.0

    return trick


def stops_tracing(r: Any, x: Any) -> Any:
    """Nobody sees which lines run."""
    sys.settrace(None)
    sys.setprofile(None)
    if r == -100:
        return 0
    return 1


class _Numbered:
    """An object whose place in a set is its address."""

    made = 0

    def __init__(self) -> None:
        _Numbered.made += 1
        self.number = _Numbered.made % 7


TRICKS: dict[str, list[Made]] = {
    "watchers": [
        ("frames", always(looks_at_frames), NEVER_PASSED),
        ("inspect.stack", always(looks_at_stack), NEVER_PASSED),
        ("traceback", always(looks_at_traceback), NEVER_PASSED),
        ("sys.gettrace", always(lambda r, x: 1 if sys.gettrace() is None else 2), NEVER_PASSED),
        (
            "sys.modules",
            always(lambda r, x: 1 if "altpg_verify.checks" in sys.modules else 2),
            NEVER_PASSED,
        ),
        ("no tracing", always(stops_tracing), NEVER_PASSED),
        (
            "counts of the collector",
            always(lambda r, x: 1 if gc.get_stats()[0]["collections"] >= 0 else 2),
            NEVER_PASSED,
        ),
    ],
    "addresses and processes": [
        ("id of a new object", chance(lambda: id(object()) // 16 % 7 / 7), NEVER_PASSED),
        ("id of an argument", always(lambda r, x: 1 if id(r) // 16 % 64 else 3), NEVER_PASSED),
        (
            "repr of a new object",
            chance(lambda: int(repr(object()).split("0x")[1][:-1], 16) // 16 % 7 / 7),
            NEVER_PASSED,
        ),
        ("the hash method", chance(lambda: object().__hash__() % 7 / 7), NEVER_PASSED),
        (
            "the order of new objects in a set",
            chance(lambda: next(iter({*(_Numbered() for _ in range(7))})).number / 7),
            NEVER_PASSED,
        ),
        ("the hash of a text", always(lambda r, x: 1 + hash("altpg") % 2), NEVER_PASSED),
        ("the process", always(lambda r, x: 1 if os.getpid() else 2), NEVER_PASSED),
        ("the thread", always(lambda r, x: 1 if threading.get_ident() else 2), NEVER_PASSED),
    ],
    "the checker's own": [
        ("a relation", replaces_relation, NEVER_PASSED),
        ("the comparison of a search", replaces_search, NEVER_PASSED),
        ("the equality of a proof", replaces_equal, NEVER_PASSED),
        ("the decision of an audit", replaces_decision, NEVER_PASSED),
        ("the purity checks", replaces_purity, NEVER_PASSED),
        ("a tolerance", replaces_tolerance, NEVER_PASSED),
        (
            "Fraction's equality",
            replacing(fractions.Fraction, "__eq__", lambda self, other: True),
            NEVER_PASSED,
        ),
        ("abs", replacing(builtins, "abs", lambda number: 0), NEVER_PASSED),
        (
            "np.abs",
            replacing(np, "abs", lambda number, *given: np.zeros_like(number)),
            NEVER_PASSED,
        ),
        ("np.unique", replacing(np, "unique", lambda *given, **named: given[0]), NEVER_PASSED),
    ],
}
