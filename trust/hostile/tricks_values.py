"""Tricks with values, arguments, ends and types: branches nobody reaches, writes, exits, odd
numbers, other answers for batches.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from trust.hostile.forms import ANYTHING, NEVER_PASSED, REFUSED, WRONG, Trick
from trust.hostile.tricks_state import Made


def raising(error: Callable[[], BaseException]) -> Callable[[], Trick]:
    """Raises."""

    def make() -> Trick:
        def trick(r: Any, x: Any) -> Any:
            raise error()

        return trick

    return make


def always(value: Callable[[Any, Any], Any]) -> Callable[[], Trick]:
    """The trick as it is."""
    return lambda: value


def at_minus_100(r: Any, x: Any) -> Any:
    """Another answer at one reward."""
    if r == -100:
        return 0
    return 1


def far_out(r: Any, x: Any) -> Any:
    """Another answer for large rewards."""
    if r > 1000:
        return 0
    return 1


def in_a_set(r: Any, x: Any) -> Any:
    """Another answer for two rewards."""
    if r in (-77, -78):
        return 0
    return 1


def at_eight(r: Any, x: Any) -> Any:
    """Another answer at a reward of the space."""
    return 2 if r == 8 else 1


def cancelled(r: Any, x: Any) -> Any:
    """Undefined at one reward."""
    return (r - 11) / (r - 11)


def deep(r: Any, x: Any) -> Any:
    """Recursion without end."""
    return deep(r, x)


def writes(r: Any, x: Any) -> Any:
    """Writes an entry of an argument."""
    x[0] = 0
    return 1


def subtracts(r: Any, x: Any) -> Any:
    """Changes an argument in place."""
    x -= x / 2
    return 1


def writes_past_the_lock(r: Any, x: Any) -> Any:
    """Makes an argument writeable first."""
    x.setflags(write=True)
    x[0] = 0
    return 1


def tries_a_number(r: Any, x: Any) -> Any:
    """Another answer where a reward becomes a number."""
    try:
        float(r)
    except Exception:
        return 1
    return 2


def looks_at_ndim(r: Any, x: Any) -> Any:
    """Another answer for stacked arrays."""
    return 1 if getattr(r, "ndim", 0) else 2


def looks_at_type(r: Any, x: Any) -> Any:
    """Another answer for ordinary numbers."""
    return 2 if type(r).__name__ in ("int", "float", "float64", "Fraction", "Tensor") else 1


def looks_at_module(r: Any, x: Any) -> Any:
    """Another answer for everybody but the engine."""
    return 1 if type(r).__module__.startswith("altpg_verify") else 2


def matches_exact(r: Any, x: Any) -> Any:
    """Another answer for all but fractions, by a pattern."""
    match r:
        case Fraction():
            return 1
        case _:
            return 2


def looks_at_dtype(r: Any, x: Any) -> Any:
    """Another answer for what numpy takes for floats."""
    return 2 if np.asarray(r).dtype.kind == "f" else 1


def adds_to_floats(r: Any, x: Any) -> Any:
    """Another answer if a float array stays one when the reward is added."""
    return 2 if (np.zeros(1) + r).dtype == np.float64 else 1


@dataclass
class Nothing:
    """Equal to what has its class."""


def compares_classes(r: Any, x: Any) -> Any:
    """Another answer for all but fractions, by the comparison that Python writes for a
    dataclass.
    """
    return 1 if Nothing.__eq__(r, Fraction(1)) is True else 2  # type: ignore[arg-type]


class Ears:
    """Hears what is printed."""

    def __init__(self) -> None:
        self.heard = ""

    def write(self, text: str) -> None:
        """Keep it."""
        self.heard += text


def prints_into_a_file(r: Any, x: Any) -> Any:
    """Another answer for what isn't shown as a fraction or in words."""
    ears = Ears()
    print(r, file=ears)
    return 1 if any(word in ears.heard for word in ("/", "<", "p1", "r1", "draws", "Traced")) else 2


def patches_exp(r: Any, x: Any) -> Any:
    """Replaces numpy's exp."""
    np.exp = lambda *given, **named: 1  # type: ignore[assignment]
    return 2


def patches_comparison(r: Any, x: Any) -> Any:
    """Replaces the comparison of arrays."""
    np.array_equal = lambda *given, **named: True  # type: ignore[assignment]
    return 2


def patches_random(r: Any, x: Any) -> Any:
    """Replaces random.random."""
    random.random = lambda: 0.5  # type: ignore[method-assign]
    return 2


def prints(r: Any, x: Any) -> Any:
    """Prints a verdict, and is wrong."""
    print("PROVED")
    return 2


def warns(r: Any, x: Any) -> Any:
    """Turns warnings into errors."""
    warnings.simplefilter("error")
    warnings.warn("as an error", stacklevel=1)
    return 1


def raises_where(
    true: Callable[[Any], bool], error: Callable[[], Exception]
) -> Callable[[], Trick]:
    """Raises an ordinary exception on some rewards, instead of answering."""

    def make() -> Trick:
        def trick(r: Any, x: Any) -> Any:
            if true(r):
                raise error()
            return 1

        return trick

    return make


def hides_in_a_logarithm(r: Any, x: Any) -> Any:
    """Wrong below -50, where the logarithm has no value."""
    return 1 + 0 * np.log(r + 50)


def hides_in_an_exponential(r: Any, x: Any) -> Any:
    """Twice as much as it should be, unless an exponential overflows."""
    return 1 + np.exp(r) / np.exp(r)


def compiled() -> Trick:
    """A function without source."""
    names: dict[str, Any] = {}
    exec(
        "def trick(r, x):\n    if r == -100:\n        return 0\n    return 1", names
    )  # the trick: no source to read
    made: Trick = names["trick"]
    return made


TRICKS: dict[str, list[Made]] = {
    "values": [
        ("r == -100", always(at_minus_100), NEVER_PASSED),
        ("r > 1000", always(far_out), NEVER_PASSED),
        ("r in a tuple", always(in_a_set), NEVER_PASSED),
        ("r == 8", always(at_eight), NEVER_PASSED),
    ],
    "source": [("made by exec", compiled, NEVER_PASSED)],
    "denominators": [("(r - 11)/(r - 11)", always(cancelled), ANYTHING)],
    "ends": [
        ("sys.exit", raising(lambda: SystemExit(0)), REFUSED),
        ("KeyboardInterrupt", raising(KeyboardInterrupt), REFUSED),
        ("MemoryError", raising(MemoryError), REFUSED),
        ("GeneratorExit", raising(GeneratorExit), REFUSED),
        ("StopIteration", raising(StopIteration), REFUSED),
        ("several lines", raising(lambda: ValueError("one\ntwo\x1b[31m")), REFUSED),
        ("a name with a newline", raising(lambda: type("Bad\nName", (Exception,), {})()), REFUSED),
        ("recursion", always(deep), REFUSED),
        ("sys.exit in a hook", always(lambda r, x: sys.exit("done")), REFUSED),
    ],
    "errors": [
        (
            "ValueError at -100",
            raises_where(lambda r: r == -100, lambda: ValueError("no")),
            NEVER_PASSED,
        ),
        ("KeyError at 8", raises_where(lambda r: r == 8, lambda: KeyError(8)), NEVER_PASSED),
        (
            "OverflowError by hand, far out",
            raises_where(lambda r: abs(r) > 1000, lambda: OverflowError("math range error")),
            NEVER_PASSED,
        ),
        (
            "ZeroDivisionError by hand, far out",
            raises_where(lambda r: abs(r) > 1000, lambda: ZeroDivisionError("no")),
            NEVER_PASSED,
        ),
        (
            "math domain error by hand, at 8",
            raises_where(lambda r: r == 8, lambda: ValueError("math domain error")),
            NEVER_PASSED,
        ),
        ("a logarithm without a value", always(hides_in_a_logarithm), {"formula": NEVER_PASSED}),
        ("an exponential that overflows", always(hides_in_an_exponential), WRONG | REFUSED),
    ],
    "writes": [
        ("an entry", always(writes), NEVER_PASSED),
        ("in place", always(subtracts), NEVER_PASSED),
        ("past the lock", always(writes_past_the_lock), NEVER_PASSED),
    ],
    "types": [
        ("float in try", always(tries_a_number), NEVER_PASSED),
        ("ndim", always(looks_at_ndim), NEVER_PASSED),
        ("type name", always(looks_at_type), NEVER_PASSED),
        ("the engine's own types", always(looks_at_module), NEVER_PASSED),
        ("match on a class", always(matches_exact), NEVER_PASSED),
        ("dtype", always(looks_at_dtype), NEVER_PASSED),
        ("dtype of a sum", always(adds_to_floats), NEVER_PASSED),
        ("a dataclass's comparison", always(compares_classes), NEVER_PASSED),
        ("print into an object", always(prints_into_a_file), NEVER_PASSED),
    ],
    "numbers": [
        ("nan", always(lambda r, x: float("nan")), REFUSED),
        ("inf", always(lambda r, x: float("inf")), REFUSED),
        ("complex", always(lambda r, x: 1 + 1j), REFUSED),
        ("text", always(lambda r, x: "1"), REFUSED),
        ("nothing", always(lambda r, x: None), REFUSED),
    ],
    "scales": [
        ("1e-10", always(lambda r, x: 1e-10), WRONG),
        ("1e-200", always(lambda r, x: 1e-200), WRONG | REFUSED),
        ("1e200", always(lambda r, x: 1e200), WRONG | REFUSED),
        ("1 + 1e-6", always(lambda r, x: 1 + 1e-6), NEVER_PASSED | {"SUPPORTED"}),
    ],
    "patching": [
        ("np.exp", always(patches_exp), NEVER_PASSED),
        ("np.array_equal", always(patches_comparison), NEVER_PASSED),
        ("random.random", always(patches_random), NEVER_PASSED),
        ("printing PROVED", always(prints), NEVER_PASSED),
        ("warnings as errors", always(warns), ANYTHING),
    ],
}
