"""Tricks with code: one special reward, -100, written in every way in which Python branches, and
wrapped in every way in which it calls.

No space of the audits has that reward, so that there a branch can only be named as one that never
ran; the laws speak of all rewards.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import operator
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED, Trick
from trust.hostile.tricks_state import Made
from trust.hostile.tricks_values import always

OF_LAWS = {"formula": NEVER_PASSED}
"""Wrong as a formula for all rewards; right on a space that doesn't have the reward, where nothing
in the code says otherwise.
"""


def plain(r: Any, x: Any) -> Any:
    """A branch like any other: what the wrappers below wrap."""
    if r == -100:
        return 0
    return 1


def innocent(r: Any, x: Any) -> Any:
    """Nothing odd."""
    return 1


def matched(r: Any, x: Any) -> Any:
    """A match statement."""
    match r:
        case -100:
            return 0
        case _:
            return 1


def by_exception(r: Any, x: Any) -> Any:
    """An exception instead of a branch."""
    try:
        return (r + 100) / (r + 100)
    except ZeroDivisionError:
        return 2


def by_assertion(r: Any, x: Any) -> Any:
    """An assertion that is caught."""
    try:
        assert r != -100
    except AssertionError:
        return 2
    return 1


def by_while(r: Any, x: Any) -> Any:
    """A loop that is entered once."""
    factor = 1
    while r == -100 and factor < 5:
        factor += 1
    return factor


def by_generator(r: Any, x: Any) -> Any:
    """A generator expression."""
    return next((2 for _ in range(1) if r == -100), 1)


def by_inner(r: Any, x: Any) -> Any:
    """A function within the function."""

    def inner(value: Any) -> Any:
        return 0 if value == -100 else 1

    return inner(r)


def by_walrus(r: Any, x: Any) -> Any:
    """An assignment in a condition."""
    return 2 if (far := r + 100) == 0 and not far else 1


def by_recursion(r: Any, x: Any, depth: int = 3) -> Any:
    """The branch stands three calls below."""
    return by_recursion(r, x, depth - 1) if depth else plain(r, x)


def shadowing() -> Trick:
    """`functools.wraps` names an innocent function as the one that is wrapped."""

    @functools.wraps(innocent)
    def guilty(r: Any, x: Any) -> Any:
        if r == -100:
            return 0
        return 1

    return guilty


class Methods:
    """The trick as every kind of method."""

    special = -100

    def bound(self, r: Any, x: Any) -> Any:
        """A method of an object. Args: r: rewards. x: right updates."""
        if r == self.special:
            return 0
        return 1

    @classmethod
    def of_class(cls, r: Any, x: Any) -> Any:
        """A method of the class. Args: r: rewards. x: right updates."""
        if r == cls.special:
            return 0
        return 1

    @staticmethod
    def static(r: Any, x: Any) -> Any:
        """A function in the class. Args: r: rewards. x: right updates."""
        if r == -100:
            return 0
        return 1

    def __call__(self, r: Any, x: Any) -> Any:
        """The object itself."""
        return self.bound(r, x)


class Lazy:
    """An attribute that is made when it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return functools.partial(plain)


def managed(r: Any, x: Any) -> Any:
    """A context manager that swallows."""
    with contextlib.suppress(KeyError):
        return {-100: 0}[r]
    return 1


def generated() -> Trick:
    """Through the send of a generator."""

    def answers() -> Generator[Any, Any, None]:
        value = yield 1
        while True:
            value = yield plain(value, None)

    def trick(r: Any, x: Any) -> Any:
        running = answers()
        next(running)
        return running.send(r)

    return trick


def replaced_code() -> Trick:
    """A function that puts other code in its own place."""

    def later(r: Any, x: Any) -> Any:
        return 2

    def trick(r: Any, x: Any) -> Any:
        if r == 8:
            trick.__code__ = later.__code__
        return 1

    return trick


def deleted() -> Trick:
    """A global that is deleted at the first call, and missed at the next."""
    space: dict[str, Any] = {"kept": 1}

    def trick(r: Any, x: Any) -> Any:
        return space.pop("kept", 3)

    return trick


def deleting_its_method() -> Trick:
    """A method that is deleted from the object, so that another of the same name shows."""

    class Two:
        def answer(self) -> int:
            return 3

    two = Two()
    two.__dict__["answer"] = lambda: 1

    def trick(r: Any, x: Any) -> Any:
        found = two.answer()
        two.__dict__.pop("answer", None)
        return found

    return trick


def replaced_default() -> Trick:
    """Default arguments that are replaced by the call."""

    def inner(factor: int = 1) -> int:
        return factor

    def trick(r: Any, x: Any) -> Any:
        found = inner()
        inner.__defaults__ = (3,)
        return found

    return trick


def replaced_class() -> Trick:
    """An object that changes its class."""

    class One:
        factor = 1

    class Three:
        factor = 3

    thing: Any = One()

    def trick(r: Any, x: Any) -> Any:
        found = thing.factor
        thing.__class__ = Three
        return found

    return trick


def class_attribute() -> Trick:
    """Counts in an attribute of a class."""

    class Counter:
        calls = 0

    def trick(r: Any, x: Any) -> Any:
        Counter.calls += 1
        return 1 if Counter.calls % 2 else 3

    return trick


BRANCHES: list[tuple[str, Trick]] = [
    ("a match", matched),
    ("an exception", by_exception),
    ("an assertion", by_assertion),
    ("a while", by_while),
    ("a generator expression", by_generator),
    ("a function within", by_inner),
    ("a walrus", by_walrus),
    ("a recursion", by_recursion),
    ("and, or", lambda r, x: (r == -100 and 2) or 1),
    ("a product with a truth value", lambda r, x: 1 + (r == -100)),
    ("a table", lambda r, x: {-100: 0}.get(r, 1)),
    ("a swallowed KeyError", managed),
    ("an index", lambda r, x: (1, 2)[bool(r == -100)]),
    ("any", lambda r, x: 2 if any(r == each for each in (-100,)) else 1),
    ("a comparison chain", lambda r, x: 2 if -101 < r < -99 else 1),
    ("operator.eq", lambda r, x: 1 + operator.eq(r, -100)),
    ("bisect", lambda r, x: (2, 1)[bisect.bisect([-100], r)]),
    ("text", lambda r, x: 2 if str(r) == "-100" else 1),
    ("np.where", lambda r, x: np.where(r == -100, 2, 1)),
    ("max with a key", lambda r, x: max((1, 2), key=lambda each: (each == 2) == (r == -100))),
]

WRAPPED: list[tuple[str, Callable[[], Trick]]] = [
    ("a partial", lambda: functools.partial(plain)),
    ("wraps of another", shadowing),
    ("a bound method", lambda: Methods().bound),
    ("a class method", lambda: Methods.of_class),
    ("a static method", lambda: Methods.static),
    ("a callable object", Methods),
    ("__getattr__", lambda: Lazy().anything),
    ("a generator's send", generated),
    ("a lambda of a lambda", lambda: lambda r, x: (lambda value: plain(value, x))(r)),
    (
        "a reduce",
        lambda: lambda r, x: functools.reduce(lambda so_far, each: plain(each, x), [r], 1),
    ),
    ("a map", lambda: lambda r, x: next(iter(map(plain, [r], [x])))),
]

TRICKS: dict[str, list[Made]] = {
    "branches": [(name, always(trick), OF_LAWS) for name, trick in BRANCHES],
    "wrappers": [(name, make, NEVER_PASSED) for name, make in WRAPPED],
    "replaced attributes": [
        ("its own code", replaced_code, NEVER_PASSED),
        ("a key that is deleted", deleted, NEVER_PASSED),
        ("a method that is deleted", deleting_its_method, NEVER_PASSED),
        ("a default", replaced_default, NEVER_PASSED),
        ("the class of an object", replaced_class, NEVER_PASSED),
        ("an attribute of a class", class_attribute, NEVER_PASSED),
    ],
}
