"""Counts in what an object has beside its entries and attributes: fields of objects of C, names
with two underscores, slots of a base class, words about code.
"""

from __future__ import annotations

import io
import mmap
import pickle
import re
import typing
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED
from trust.hostile.tricks_hidden import Box, counted
from trust.hostile.tricks_state import Made

Count = Callable[[], float]
DIGITS = 14
"""Places that are full or empty, as the binary digits of a number."""


def in_field(make: Callable[[], Any], name: str, kind: Callable[[Any], Any] = int) -> Any:
    """A field. Args: make: its owner. kind: what the field may hold; whole numbers otherwise."""

    def ready() -> Count:
        names: dict[str, Any] = {"owner": make(), "kind": kind}
        exec(
            f"owner.{name} = kind(0)\ndef count():\n    owner.{name} = kind(int(owner.{name}) + 1)\n"
            f"    return int(owner.{name})",
            names,
        )
        made: Count = names["count"]
        return made

    return ready


def in_digits(make: Callable[[], Any], read: Callable[[Any], bool], turn: Any) -> Any:
    """Places that are full or empty. Args: read: whether one is full. turn: fills or empties it."""

    def ready() -> Count:
        places = [make() for _ in range(DIGITS)]

        def count() -> float:
            n = 1 + sum(bool(read(each)) << i for i, each in enumerate(places))
            for i, each in enumerate(places):
                if bool(read(each)) != bool(n >> i & 1):
                    turn(each, bool(n >> i & 1))
            return n

        return count

    return ready


def in_a_scanner() -> Count:
    """How far a pattern has scanned a text."""
    scanner: Any = re.compile("a").scanner("a" * 100_000)  # type: ignore[attr-defined]
    return lambda: scanner.match().end()


def in_a_memo() -> Count:
    """What a pickler remembers to have written."""

    class Nowhere:
        def write(self, data: bytes) -> int:
            return len(data)

    pickler = pickle.Pickler(Nowhere())  # type: ignore[arg-type]

    def count() -> float:
        pickler.dump([])
        return len(pickler.memo.copy())  # type: ignore[attr-defined]

    return count


def in_a_map() -> Count:
    """The place in mapped memory."""
    mapped = mmap.mmap(-1, 100_000)

    def count() -> float:
        mapped.seek(1, 1)
        return mapped.tell()

    return count


def a_raised() -> Any:
    """An exception."""
    return ValueError()


def in_a_cause() -> Count:
    """The cause of an exception."""
    kept = ValueError()
    kept.__cause__ = ValueError(0)

    def count() -> float:
        kept.__cause__ = ValueError(kept.__cause__.args[0] + 1)  # type: ignore[union-attr]
        return float(kept.__cause__.args[0])

    return count


def in_a_first_line() -> Count:
    """The line at which a function says that it begins."""

    def nothing() -> None: ...

    def count() -> float:
        line = nothing.__code__.co_firstlineno + 1
        nothing.__code__ = nothing.__code__.replace(co_firstlineno=line)
        return line

    return count


def in_a_frame() -> Count:
    """What would trace the frame of a generator."""
    waiting: Any = (each for each in "")

    def traced(n: int) -> Any:
        return lambda *event: n

    frame: Any = waiting.gi_frame
    frame.f_trace = traced(0)

    def count() -> float:
        n = frame.f_trace() + 1
        frame.f_trace = traced(n)
        return float(n)

    return count


class Slots:
    """Has one slot."""

    __slots__ = ("n",)


class Below(Slots):
    """Has its base's."""

    __slots__ = ()


class Word:
    """Has one slot, given by its name alone."""

    __slots__ = "counted"


class Private:
    """Has a slot that is its own."""

    __slots__ = ("__n",)

    def __init__(self) -> None:
        self.__n = 0

    def bump(self) -> float:
        """One more."""
        self.__n += 1
        return self.__n


class Base:
    """Has an attribute."""

    n = 0


class Derived(Base):
    """Has its base's."""


def in_a_base() -> Count:
    """An attribute of a base class."""

    class Above:
        n = 0

    class Under(Above):
        pass

    def count() -> float:
        Under.__mro__[1].n += 1  # type: ignore[attr-defined]
        return float(Under.n)

    return count


def in_a_setter() -> Count:
    """What only the setter of a property sees."""
    numbers = [0]

    def put(self: Any, value: Any) -> None:
        numbers[0] += 1
        raise ValueError(numbers[0])

    class Has:
        n = property(lambda self: 0, put)

    has = Has()

    def count() -> float:
        try:
            has.n = 1
        except ValueError as error:
            return float(error.args[0])
        return 0

    return count


def beside_a_static() -> Count:
    """An attribute of a static method itself."""

    class Has:
        @staticmethod
        def nothing() -> None: ...

    Has.__dict__["nothing"].n = 0

    def count() -> float:
        Has.__dict__["nothing"].n += 1
        return float(Has.__dict__["nothing"].n)

    return count


def of_the_module(name: str) -> Callable[[], Count]:
    """A variable of a module. Args: name: of the variable."""

    def ready() -> Count:
        space: dict[str, Any] = {name: [0], "__name__": "hostile_fields"}
        exec(f"def count():\n    {name}[0] += 1\n    return {name}[0]", space)
        made: Count = space["count"]
        return made

    return ready


def in_strides() -> Count:
    """The strides of an array of one number."""
    held = np.zeros(100_000)[:1]

    def count() -> float:
        with warnings.catch_warnings():
            # numpy advises against it
            warnings.simplefilter("ignore")
            held.strides = (held.strides[0] + 8,)
        return held.strides[0] // 8

    return count


def in_the_names_of_a_dtype() -> Count:
    """The name of a field of an array's type."""
    kind = np.dtype([("0", "f8")])

    def count() -> float:
        kind.names = (str(int(kind.names[0]) + 1),)  # type: ignore[index]
        return int(kind.names[0])

    return count


def newline_decoder() -> Any:
    """Remembers whether the last character was the first half of a new line."""
    return io.IncrementalNewlineDecoder(None, True)


TRICKS: dict[str, list[Made]] = {
    "fields": [
        ("a scanner", counted(in_a_scanner), NEVER_PASSED),
        ("a pickler's memo", counted(in_a_memo), NEVER_PASSED),
        ("a place in mapped memory", counted(in_a_map), NEVER_PASSED),
        ("the code of an exit", counted(in_field(SystemExit, "code")), NEVER_PASSED),
        ("the value of a stop", counted(in_field(StopIteration, "value")), NEVER_PASSED),
        (
            "where a text is wrong",
            counted(in_field(lambda: UnicodeEncodeError("a", "b", 0, 1, "c"), "start")),
            NEVER_PASSED,
        ),
        ("the cause of an exception", counted(in_a_cause), NEVER_PASSED),
        ("the first line of a function", counted(in_a_first_line), NEVER_PASSED),
        ("a frame's trace", counted(in_a_frame), NEVER_PASSED),
        (
            "the name of a generator",
            counted(in_field(lambda: (each for each in ""), "__name__", str)),
            NEVER_PASSED,
        ),
        (
            "the module of a function",
            counted(in_field(lambda: lambda: None, "__module__", str)),
            NEVER_PASSED,
        ),
        (
            "the chunks of a reader",
            counted(
                in_field(lambda: io.TextIOWrapper(io.BytesIO()), "_CHUNK_SIZE", lambda n: n + 1)
            ),
            NEVER_PASSED,
        ),
        (
            "new lines, as digits",
            counted(
                in_digits(
                    newline_decoder,
                    lambda one: one.getstate()[1],
                    lambda one, on: one.setstate((b"", int(on))),
                )
            ),
            NEVER_PASSED,
        ),
        (
            "whether a pickler is fast, as digits",
            counted(
                in_digits(
                    lambda: pickle.Pickler(io.BytesIO()),
                    lambda one: one.fast,
                    lambda one, on: setattr(one, "fast", on),
                )
            ),
            NEVER_PASSED,
        ),
        ("strides", counted(in_strides), NEVER_PASSED),
        ("names of a dtype", counted(in_the_names_of_a_dtype), NEVER_PASSED),
    ],
    "slots and names": [
        ("a slot of a base", counted(in_field(Below, "n")), NEVER_PASSED),
        ("a slot by its name alone", counted(in_field(Word, "counted")), NEVER_PASSED),
        ("a private slot", counted(lambda: Private().bump), NEVER_PASSED),
        ("an attribute of a base", counted(in_a_base), NEVER_PASSED),
        ("a setter", counted(in_a_setter), NEVER_PASSED),
        ("beside a static method", counted(beside_a_static), NEVER_PASSED),
        ("a variable with underscores", counted(of_the_module("__kept__")), NEVER_PASSED),
        (
            "an attribute with underscores",
            counted(in_field(lambda: type("Kept", (), {}), "__kept__")),
            NEVER_PASSED,
        ),
        (
            "an object's attribute with underscores",
            counted(in_field(Box, "__kept__")),
            NEVER_PASSED,
        ),
        (
            "an attribute of a type variable",
            counted(in_field(lambda: typing.TypeVar("T"), "n")),
            NEVER_PASSED,
        ),
        ("an attribute of a flag", counted(in_field(lambda: re.A, "hostile")), NEVER_PASSED),
    ],
}
"""Tricks by kind."""
