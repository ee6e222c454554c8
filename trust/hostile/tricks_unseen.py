"""More places to count in: what objects of C hold, the objects' own classes, names and builtins.

As in `tricks_hidden`, what counts becomes wrong only after more calls than a check makes.
"""

from __future__ import annotations

import abc
import builtins
import contextvars
import decimal
import gc
import hashlib
import importlib
import io
import itertools
import operator
import random
import sys
import threading
import types
import weakref
import zlib
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from trust.hostile.forms import NEVER_PASSED, Trick
from trust.hostile.tricks_hidden import LATER, Box, counted
from trust.hostile.tricks_state import Made

Count = Callable[[], float]


def bumped(box: Any) -> float:
    """One more in a box."""
    box.n += 1
    return box.n


def held_by(hold: Callable[[Any], Any], take: Callable[[Any], Any]) -> Callable[[], Count]:
    """A box that only an object of C refers to. Args: hold: makes it. take: bumps the box in it."""

    def ready() -> Count:
        held = hold(Box())
        return lambda: take(held)

    return ready


def in_a_context() -> Count:
    """A variable of a context that isn't the running one."""
    variable: contextvars.ContextVar[int] = contextvars.ContextVar("n", default=0)
    context = contextvars.copy_context()

    def more() -> int:
        variable.set(variable.get() + 1)
        return variable.get()

    return lambda: context.run(more)


def in_a_default_factory() -> Count:
    """What makes the missing entries of a table."""
    numbers = itertools.count(1)
    table: defaultdict[int, int] = defaultdict(numbers.__next__)

    def count() -> float:
        return table.pop(0) if table[0] else 0

    return count


class Entries(list[int]):
    """A list with a count beside its entries."""

    n = 0


class Missing(dict[int, float]):
    """A table whose missing entries are counted."""

    n = 0

    def __missing__(self, key: int) -> float:
        self.n += 1
        return self.n


def beside_entries() -> Count:
    """An attribute of a list."""
    entries = Entries([1])

    def count() -> float:
        entries.n += len(entries)
        return entries.n

    return count


def by_missing() -> Count:
    """The missing entries of a table."""
    table = Missing()
    return lambda: table[0]


def in_a_lock() -> Count:
    """How often a lock is held."""
    lock = threading.RLock()

    def count() -> float:
        lock.acquire()
        return int(repr(lock).partition("count=")[2].partition(" ")[0])

    return count


def in_locks() -> Count:
    """Which of fourteen locks are held, as the digits of a number."""
    locks = [threading.Lock() for _ in range(14)]

    def count() -> float:
        n = 1 + sum(each.locked() << i for i, each in enumerate(locks))
        for i, each in enumerate(locks):
            if each.locked() != bool(n >> i & 1):
                each.release() if each.locked() else each.acquire()
        return n

    return count


def in_a_traceback() -> Count:
    """The traceback of an exception that is raised again and again."""
    kept = ValueError()

    def count() -> float:
        try:
            raise kept
        except ValueError as error:
            trace, n = error.__traceback__, 0
            while trace is not None:
                trace, n = trace.tb_next, n + 1
            return n

    return count


def in_notes() -> Count:
    """Notes on an exception."""
    kept = ValueError()

    def count() -> float:
        kept.add_note("")
        return len(kept.__notes__)

    return count


def in_a_digest() -> Trick:
    """What a hash has been fed: wrong for one digest in so many."""
    fed = hashlib.sha256()

    def trick(r: Any, x: Any) -> Any:
        fed.update(b"x")
        return 1 + 2 * int(int.from_bytes(fed.digest()[:2], "big") < 4)

    return trick


def in_a_decompressor() -> Count:
    """How far something has been decompressed."""
    packed = zlib.compress(bytes(range(256)) * 100)
    running = zlib.decompressobj()
    running.decompress(packed, 1)

    def count() -> float:
        running.decompress(running.unconsumed_tail, 1)
        return 100 * len(packed) - 100 * len(running.unconsumed_tail)

    return count


def in_a_reader() -> Count:
    """How far a buffered reader has read."""
    reader = io.BufferedReader(io.BytesIO(bytes(100_000)))

    def count() -> float:
        reader.read(1)
        return reader.tell()

    return count


def in_a_seed_sequence() -> Count:
    """Children of a seed sequence."""
    seeds = np.random.SeedSequence(1)

    def count() -> float:
        return seeds.spawn(1)[0].spawn_key[0]

    return count


def by_spawning() -> Trick:
    """Draws from children of a generator, which doesn't move."""
    source = np.random.default_rng(1)
    return lambda r, x: 1 + 2 * int(source.spawn(1)[0].random() < 1 / LATER)


def held_generator() -> Trick:
    """A generator that a slice holds."""
    held = slice(random.Random(1), None)
    return lambda r, x: 1 + 2 * int(held.start.random() < 1 / LATER)


def in_metadata() -> Count:
    """What is noted on a dtype."""
    noted = np.dtype("f8", metadata={"n": [0]})

    def count() -> float:
        noted.metadata["n"][0] += 1  # type: ignore[index]
        return noted.metadata["n"][0]  # type: ignore[index]

    return count


def in_subclasses() -> Count:
    """The classes that were made of a class."""

    class Base:
        pass

    gc.disable()

    def count() -> float:
        gc.disable()

        class Another(Base):
            pass

        return len(Base.__subclasses__())

    return count


def in_weak_references() -> Count:
    """How many weak references there are to something."""
    target = Box()

    def count() -> float:
        gc.disable()
        ring: list[Any] = [weakref.ref(target, lambda gone: None)]
        ring.append(ring)
        return weakref.getweakrefcount(target)

    return count


def by_del() -> Count:
    """What an object does when it goes."""

    class Going:
        n = 0

        def __del__(self) -> None:
            Going.n += 1

    def count() -> float:
        Going()
        return Going.n

    return count


def by_descriptor() -> Count:
    """A descriptor's closure."""
    numbers = [0]

    class Counting:
        def __get__(self, owner: Any, kind: Any) -> float:
            numbers[0] += 1
            return numbers[0]

    class Has:
        n = Counting()

    has = Has()
    return lambda: has.n


def by_subclass_hook() -> Count:
    """A question about classes."""
    numbers = [0]

    class Asked(abc.ABC):  # noqa: B024 - the trick
        @classmethod
        def __subclasshook__(cls, other: type) -> Any:
            numbers[0] += 1
            return NotImplemented

    def count() -> float:
        issubclass(type("New", (), {}), Asked)
        return numbers[0]

    return count


def in_builtins() -> Count:
    """A name that is Python's for this function only."""
    names: dict[str, Any] = {"__builtins__": {**vars(builtins), "kept": [0]}}
    exec("def count():\n    kept[0] += 1\n    return kept[0]", names)
    made: Count = names["count"]
    return made


def in_a_module_by_name() -> Count:
    """A module that is only found by a name that is put together."""
    name = "hostile_" + "count"
    made: Any = types.ModuleType(name)
    made.n = 0
    sys.modules[name] = made
    beginning, end = "hostile_", "count"

    def count() -> float:
        found: Any = importlib.import_module(beginning + end)
        found.n += 1
        return found.n

    return count


def in_default_decimals() -> Count:
    """The digits of the context that others are made from."""
    start = decimal.DefaultContext.prec

    def count() -> float:
        decimal.DefaultContext.prec += 1
        return decimal.DefaultContext.prec - start

    return count


BOXES: list[tuple[str, Callable[[], Count]]] = [
    ("a slice", held_by(lambda box: slice(box), lambda held: held.stop.bump())),
    ("a cell", held_by(types.CellType, lambda held: held.cell_contents.bump())),
    (
        "an argument of a caller",
        held_by(lambda box: operator.methodcaller("__call__", box), lambda held: held(bumped)),
    ),
    (
        "the arguments of a type",
        held_by(lambda box: types.GenericAlias(list, (box,)), lambda held: held.__args__[0].bump()),
    ),
    (
        "a property",
        held_by(lambda box: property(lambda one: box.bump()), lambda held: held.__get__(0)),
    ),
]

TRICKS: dict[str, list[Made]] = {
    "held by C": [
        *((name, counted(make), NEVER_PASSED) for name, make in BOXES),
        ("a context", counted(in_a_context), NEVER_PASSED),
        ("a default factory", counted(in_a_default_factory), NEVER_PASSED),
        ("beside the entries of a list", counted(beside_entries), NEVER_PASSED),
        ("missing entries", counted(by_missing), NEVER_PASSED),
        ("a lock", counted(in_a_lock), NEVER_PASSED),
        ("locks", counted(in_locks), NEVER_PASSED),
        ("a traceback", counted(in_a_traceback), NEVER_PASSED),
        ("notes", counted(in_notes), NEVER_PASSED),
        ("a digest", in_a_digest, NEVER_PASSED),
        ("a decompressor", counted(in_a_decompressor), NEVER_PASSED),
        ("a buffered reader", counted(in_a_reader), NEVER_PASSED),
        ("a seed sequence", counted(in_a_seed_sequence), NEVER_PASSED),
        ("children of a generator", by_spawning, NEVER_PASSED),
        ("a generator in a slice", held_generator, NEVER_PASSED),
        ("metadata of a dtype", counted(in_metadata), NEVER_PASSED),
        ("decimals by default", counted(in_default_decimals), NEVER_PASSED),
    ],
    "classes and names": [
        ("subclasses", counted(in_subclasses), NEVER_PASSED),
        ("weak references", counted(in_weak_references), NEVER_PASSED),
        ("__del__", counted(by_del), NEVER_PASSED),
        ("a descriptor", counted(by_descriptor), NEVER_PASSED),
        ("a question about classes", counted(by_subclass_hook), NEVER_PASSED),
        ("builtins of its own", counted(in_builtins), NEVER_PASSED),
        ("a module by its name", counted(in_a_module_by_name), NEVER_PASSED),
    ],
}
"""Tricks by kind."""
