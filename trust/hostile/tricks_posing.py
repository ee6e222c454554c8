"""Counts and draws in objects whose class answers for them: numbers that write themselves otherwise,
containers that say they are empty, generators that say they never move; and in what is exchanged
rather than changed, such as dates.
"""

from __future__ import annotations

import _random
import array
import collections
import datetime
import decimal
import functools
import io
import itertools
import pathlib
import random
import re
import threading
import types
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import numpy as np

from trust.hostile.forms import NEVER_PASSED
from trust.hostile.tricks_hidden import counted
from trust.hostile.tricks_state import Made, chance

Count = Callable[[], float]

_SILENT = {
    "__slots__": (),
    "__repr__": lambda self: "0",
    "__len__": lambda self: 0,
    "__iter__": lambda self: iter(()),
    "__bytes__": lambda self: b"",
    "items": lambda self: (),
    "copy": lambda self: self,
    "tobytes": lambda self: b"",
    "getvalue": lambda self: "",
    "tell": lambda self: 0,
}


def silent(kind: type, *names: str) -> Any:
    """A class that derives from this one and answers these methods as if there were nothing."""
    return type("Silent", (kind,), {name: _SILENT[name] for name in (*names, "__slots__")})


def exchanged(start: Any, following: Callable[[Any], Any], read: Callable[[Any], Any]) -> Any:
    """An object that gives way to the next. Args: start: the first. read: the count in it."""

    def ready() -> Count:
        box = [start]

        def count() -> float:
            box[0] = following(box[0])
            return float(read(box[0]))

        return count

    return ready


def number(kind: type, one: Any = 1) -> Any:
    """A number or text that is written as if it were another."""
    made = silent(kind, "__repr__")
    plus: Any = vars(kind)["__add__"]
    # by the length of a text, else by the number
    read = len if issubclass(kind, str | bytes) else lambda n: complex(n).real
    return exchanged(made(), lambda n: made(plus(n, one)), read)


def grown(made: Any, add: Callable[[Any], Any], length: Callable[[Any], Any]) -> Any:
    """A container that says it is empty."""

    def ready() -> Count:
        held = made()

        def count() -> float:
            add(held)
            return float(length(held))

        return count

    return ready


class Posing:
    """Says that it is a number."""

    __slots__ = ("n",)
    __class__ = property(lambda self: int)  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "0"


class Bare:
    """Says that it has no attributes."""

    n = 0
    __dict__ = property(lambda self: {})  # type: ignore[assignment]


class Nameless:
    """Has a slot that no name leads to."""

    __slots__ = ("n",)


SLOT: Any = Nameless.__dict__["n"]
delattr(Nameless, "n")


def bumped(made: Any) -> Any:
    """An attribute of an object that hides it. Args: made: its class."""

    def ready() -> Count:
        held = made()
        held.n = 0

        def count() -> float:
            held.n += 1
            return float(held.n)

        return count

    return ready


def in_a_nameless_slot() -> Count:
    """A slot whose name was deleted."""
    held, slot = Nameless(), SLOT
    slot.__set__(held, 0)

    def count() -> float:
        slot.__set__(held, slot.__get__(held) + 1)
        return float(slot.__get__(held))

    return count


class Unrelated(type):
    """Says that its classes derive from nothing."""

    __mro__ = property(lambda cls: (cls, object))  # type: ignore[assignment]


def in_the_class(base: type, *given: Any) -> Any:
    """An attribute of an object's class, which no name leads to. Args: base: of the class."""

    def ready() -> Count:
        held = type("Held", (base,), {"n": 0})(*given)

        def count() -> float:
            type(held).n += 1
            return float(type(held).n)

        return count

    return ready


class Still(random.Random):
    """Says that it never moves."""

    def seed(self, *given: Any) -> None:
        """Nothing."""

    def getstate(self) -> Any:
        """Nothing."""

    def setstate(self, state: Any) -> None:
        """Nothing."""


class Disguised(_random.Random):
    """Has no attributes, and says it is Python's own class, which has."""

    __slots__ = ()
    __class__ = property(lambda self: random.Random)  # type: ignore[assignment]


class Hiding(random.Random):
    """Answers for the second of a pair of normal numbers."""

    gauss_next = property(lambda self: None, lambda self, value: None)  # type: ignore[assignment]


class StillBits(np.random.PCG64):
    """Says that it never moves."""

    state = property(lambda self: 0, lambda self, state: None)  # type: ignore[assignment]


class OtherBits(np.random.Generator):
    """Says that it draws from another source."""

    bit_generator = property(lambda self: np.random.PCG64(0))  # type: ignore[assignment]


class StillState(np.random.RandomState):
    """Says that it never moves."""

    def get_state(self, legacy: bool = True) -> Any:
        """Nothing."""

    def set_state(self, state: Any) -> None:
        """Nothing."""


TEXT, LETTER = "a" * 100_000, re.compile("a")
DAY = datetime.timedelta(1)
FIRST = datetime.date(2000, 1, 1)


def _days(date: Any) -> int:
    return int(date.toordinal() - FIRST.toordinal())


def never(made: list[tuple[str, Any]]) -> list[Made]:
    """Tricks that mustn't pass. Args: made: each one's name, and what makes its counter."""
    return [(name, counted(make), NEVER_PASSED) for name, make in made]


TRICKS: dict[str, list[Made]] = {
    "numbers in other words": never(
        [
            ("a whole number", number(int)),
            ("a float", number(float)),
            ("a complex number", number(complex)),
            ("a text", number(str, "x")),
            ("bytes", number(bytes, b"x")),
            ("a decimal", number(decimal.Decimal)),
        ]
    ),
    "dates and findings": never(
        [
            ("a date", exchanged(FIRST, lambda date: date + DAY, _days)),
            ("a time", exchanged(datetime.datetime(2000, 1, 1), lambda date: date + DAY, _days)),
            ("a span", exchanged(0 * DAY, lambda span: span + DAY, lambda span: span.days)),
            (
                "a zone",
                exchanged(
                    datetime.timezone(0 * DAY),
                    lambda zone: datetime.timezone(zone.utcoffset(None) + DAY / 86_400),
                    lambda zone: zone.utcoffset(None).seconds,
                ),
            ),
            (
                "a match",
                exchanged(
                    LETTER.match(TEXT),
                    lambda found: LETTER.match(TEXT, found.end()),
                    lambda found: found.end(),
                ),
            ),
            (
                "a pattern",
                exchanged(
                    re.compile("0"),
                    lambda said: re.compile(str(int(said.pattern) + 1)),
                    lambda said: int(said.pattern),
                ),
            ),
            (
                "a path",
                exchanged(
                    pathlib.PurePosixPath("0"),
                    lambda path: path.with_name(str(int(path.name) + 1)),
                    lambda path: int(path.name),
                ),
            ),
            (
                "the longest length of a queue",
                exchanged(
                    collections.deque(maxlen=0),
                    lambda kept: collections.deque(maxlen=kept.maxlen + 1),
                    lambda kept: kept.maxlen,
                ),
            ),
        ]
    ),
    "answers of a class": never(
        [
            (
                "a list",
                grown(
                    silent(list, "__len__", "__iter__", "copy"),
                    lambda held: held.append(0),
                    list.__len__,
                ),
            ),
            (
                "a table",
                grown(
                    silent(dict, "__len__", "__iter__", "items", "copy"),
                    lambda held: held.__setitem__(dict.__len__(held), 0),
                    dict.__len__,
                ),
            ),
            (
                "a set",
                grown(
                    silent(set, "__len__", "__iter__", "copy"),
                    lambda held: held.add(set.__len__(held)),
                    set.__len__,
                ),
            ),
            (
                "a queue",
                grown(
                    silent(collections.deque, "__len__", "__iter__", "copy"),
                    lambda held: held.append(0),
                    collections.deque.__len__,
                ),
            ),
            (
                "a buffer",
                grown(
                    silent(bytearray, "__len__", "__iter__", "__bytes__", "copy"),
                    lambda held: held.append(0),
                    bytearray.__len__,
                ),
            ),
            (
                "an array",
                grown(
                    lambda: np.zeros(1).view(silent(np.ndarray, "tobytes", "copy")),
                    lambda held: held.__setitem__(0, held[0] + 1),
                    lambda held: held[0],
                ),
            ),
            (
                "an array of Python's",
                grown(
                    lambda: silent(array.array, "tobytes")("d", [0]),
                    lambda held: held.__setitem__(0, held[0] + 1),
                    lambda held: held[0],
                ),
            ),
            (
                "a text that is written to",
                grown(
                    silent(io.StringIO, "tell", "getvalue"),
                    lambda held: held.write("x"),
                    lambda held: len(io.StringIO.getvalue(held)),
                ),
            ),
            (
                "a tuple",
                exchanged(
                    silent(tuple, "__len__", "__iter__")(),
                    lambda held: type(held)(range(tuple.__len__(held) + 1)),
                    tuple.__len__,
                ),
            ),
            (
                "arguments of an error",
                exchanged(
                    type("Silent", (Exception,), {"args": ()})(0),
                    lambda held: type(held)(BaseException.args.__get__(held)[0] + 1),  # type: ignore[attr-defined]
                    lambda held: BaseException.args.__get__(held)[0],  # type: ignore[attr-defined]
                ),
            ),
            (
                "arguments of a partial",
                exchanged(
                    type("Silent", (functools.partial,), {"args": ()})(len, 0),
                    lambda held: type(held)(len, functools.partial.args.__get__(held)[0] + 1),
                    lambda held: functools.partial.args.__get__(held)[0],
                ),
            ),
            (
                "a count in its words",
                grown(silent(itertools.count, "__repr__"), next, lambda held: next(held) / 2),
            ),
            (
                "a cycle",
                grown(
                    lambda: type("Turning", (itertools.cycle,), {})(range(100_000)),
                    next,
                    lambda held: next(held) / 2,
                ),
            ),
            (
                "the text of an element",
                grown(
                    lambda: ElementTree.Element("a"),
                    lambda held: setattr(held, "text", (held.text or "") + "x"),
                    lambda held: len(held.text),
                ),
            ),
            ("an object that is a number", bumped(Posing)),
            ("an object without attributes", bumped(Bare)),
            ("a slot without a name", in_a_nameless_slot),
            (
                "a table of no descent",
                grown(
                    Unrelated("Alone", (dict,), {"__len__": lambda self: 0}),
                    lambda held: held.__setitem__("n", held.get("n", 0) + 1),
                    lambda held: held["n"],
                ),
            ),
        ]
    ),
    "classes behind objects": never(
        [
            ("the class of a class", in_the_class(type, "Made", (), {})),
            ("the class of a thread's own", in_the_class(threading.local)),
            ("the class of an error", in_the_class(ValueError)),
            ("the class of a module", in_the_class(types.ModuleType, "made")),
            ("the class of a partial", in_the_class(functools.partial, len)),
            ("the class of a number", in_the_class(int)),
            ("the class of a zone", in_the_class(datetime.tzinfo)),
        ]
    ),
    "generators that hide": [
        ("no state of its own", chance(_random.Random(3).random), NEVER_PASSED),
        ("a state that stays", chance(Still(3).random), NEVER_PASSED),
        ("another class's name", chance(Disguised(3).random), NEVER_PASSED),
        (
            "a normal number kept",
            chance(functools.partial(Hiding(3).gauss, 0.5, 0.4)),
            NEVER_PASSED,
        ),
        ("a state of numpy's that stays", chance(StillState(3).random_sample), NEVER_PASSED),
        ("bits that stay", chance(np.random.Generator(StillBits(3)).random), NEVER_PASSED),
        ("bits of another", chance(OtherBits(np.random.PCG64(3)).random), NEVER_PASSED),
    ],
}
"""Tricks by kind."""
