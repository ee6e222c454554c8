"""Where a function can keep a count from call to call, by kind: all of it is seen, or refused
because it can't be.
"""

from __future__ import annotations

import array
import contextvars
import ctypes
import functools
import io
import itertools
import logging
import mmap
import os
import queue
import sys
import threading
import types
import weakref
from collections import deque
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, from_function
from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.state import Memory, _of_opaque, _token

SPACE = bandit([1, "1/2", 0])
MANY = 50
"""Calls after which the updates here become other ones; purity is shown with fewer."""

CONTEXT = contextvars.ContextVar("CONTEXT", default=0)
TABLE_IN_CONTEXT = contextvars.ContextVar("TABLE_IN_CONTEXT")
TABLE_IN_CONTEXT.set({"n": 0})
CYCLE, PAIRS = itertools.cycle(range(99)), enumerate(itertools.repeat(0))
QUEUE, TEXT = queue.Queue(), io.StringIO()
ARRAY, NUMBER, MAPPED = array.array("i", [0]), ctypes.c_int(0), mmap.mmap(-1, 8)
LOCAL = threading.local()
LOCAL.n, LOCAL.kept = 0, []
LOGGER, SEMAPHORE = logging.getLogger("tests.untrusted.test_state"), threading.Semaphore(10_000)
SPACE_OF_NAMES = types.SimpleNamespace(n=0)


class Slotted:
    __slots__ = ("__weakref__", "n")


SLOTTED, WEAK = Slotted(), weakref.WeakKeyDictionary()
SLOTTED.n = 0


@functools.lru_cache(None)
def cached(number):
    return number


def in_a_context():
    CONTEXT.set(CONTEXT.get() + 1)
    return CONTEXT.get()


def in_a_table_of_a_context():
    TABLE_IN_CONTEXT.get()["n"] += 1
    return TABLE_IN_CONTEXT.get()["n"]


def in_hits():
    cached(1)
    return cached.cache_info().hits


def in_a_cycle():
    return next(CYCLE)


def in_an_enumeration():
    return next(PAIRS)[0]


def in_a_queue():
    QUEUE.put(1)
    return QUEUE.qsize()


def in_a_text():
    TEXT.write("x")
    return TEXT.tell()


def in_an_array():
    ARRAY[0] += 1
    return ARRAY[0]


def in_a_c_number():
    NUMBER.value += 1
    return NUMBER.value


def in_mapped_memory():
    MAPPED[0] = (MAPPED[0] + 1) % 256
    return MAPPED[0]


def in_a_thread_s_own_number():
    LOCAL.n += 1
    return LOCAL.n


def in_a_thread_s_own_list():
    LOCAL.kept.append(1)
    return len(LOCAL.kept)


def in_the_level_of_a_logger():
    LOGGER.setLevel(LOGGER.level + 1)
    return LOGGER.level


def in_a_semaphore():
    SEMAPHORE.acquire()
    return 10_000 - SEMAPHORE._value


def in_a_slot():
    SLOTTED.n += 1
    return SLOTTED.n


def in_a_weak_table():
    WEAK[SLOTTED] = WEAK.get(SLOTTED, 0) + 1
    return WEAK[SLOTTED]


def in_a_namespace():
    SPACE_OF_NAMES.n += 1
    return SPACE_OF_NAMES.n


def in_an_attribute_of_its_own():
    in_an_attribute_of_its_own.n = getattr(in_an_attribute_of_its_own, "n", 0) + 1
    return in_an_attribute_of_its_own.n


def in_the_recursion_limit():
    sys.setrecursionlimit(sys.getrecursionlimit() + 1)
    return sys.getrecursionlimit() - 1000


COUNTS = [value for name, value in list(globals().items()) if name.startswith("in_")]


@pytest.fixture
def as_before():
    limit = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.usefixtures("as_before")
@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.__name__)
def test_a_count_is_seen_wherever_it_is_kept(count):
    def mine(reward, score):
        return reward * score * (2 if count() > MANY else 1)

    with pytest.raises(BadEstimator, match=r"remembers earlier calls|isn't the same in every run"):
        audit(from_function(mine, space=SPACE))


TABLE, WEIGHTS, FROZEN = (
    {"factor": 1},
    array.array("d", [1.0]),
    types.MappingProxyType({"factor": 1}),
)
STILL = {
    "a table": lambda: TABLE["factor"],
    "an array": lambda: WEIGHTS[0],
    "a view": lambda: FROZEN["factor"],
    "a logger": lambda: 1 + 0 * LOGGER.level,
    "a cache": lambda: cached(1),
    "a fresh iterator": lambda: next(itertools.count(1)),
}


@pytest.mark.parametrize("read", STILL.values(), ids=STILL)
def test_what_is_only_read_is_no_state(read):
    assert audit(from_function(lambda reward, score: reward * score * read(), space=SPACE)).ok


class Refusing:
    """Answers every name it doesn't know with an error."""

    def __getattr__(self, name):
        raise RuntimeError(f"asked for {name}")


def test_no_object_is_asked_for_names_of_its_own_making():
    held = Refusing()
    update = from_function(
        lambda reward, score: reward * score * (held is not None), space=bandit([1, 0])
    )
    assert audit(update).ok


@pytest.mark.parametrize("how", [{"buffering": 0}, {}], ids=["unbuffered", "buffered"])
def test_what_stands_in_an_open_file_is_seen_where_its_place_is_kept(tmp_path, how):
    path = tmp_path / "count"
    path.write_bytes(b"0")
    with open(path, "rb+", **how) as file:
        before = _of_opaque(file)
        assert _of_opaque(file) == before
        file.write(b"1")
        file.flush()
        file.seek(0)
        assert file.tell() == 0
        assert _of_opaque(file) != before


def test_of_a_reader_in_memory_the_place_is_seen():
    reader = io.BufferedReader(io.BytesIO(b"abc"))
    before = _of_opaque(reader)
    reader.read(1)
    assert _of_opaque(reader) not in (None, before)


@pytest.mark.parametrize(
    "edit",
    [
        lambda path: path.write_bytes(b"1"),
        lambda path: os.truncate(path, 0),
        lambda path: path.write_bytes(b"00"),
    ],
    ids=["another handle, as long", "cut", "longer"],
)
def test_what_others_write_into_an_open_file_is_seen(tmp_path, edit):
    path = tmp_path / "count"
    path.write_bytes(b"0")
    with open(path, "rb") as file:
        before = _of_opaque(file)
        edit(path)
        assert _of_opaque(file) != before


def in_a_cell():
    n = 0

    def seen(change=False):
        nonlocal n
        n += change
        return n

    return seen


class Own(dict):
    copy = clear = update = __setitem__ = None


class Plain:
    """Has an attribute."""

    def __init__(self):
        self.n = 0


LATE = "a variable that is made later"


def makes_a_variable(change=False):
    global LATE_ONE
    if change:
        LATE_ONE = 1
    return globals().get("LATE_ONE", LATE)


HELD = {
    "list": ([1, 2], lambda held: held.append(3), list),
    "table": ({"a": 1}, lambda held: held.update(b=2), dict),
    "set": ({1, 2}, lambda held: held.symmetric_difference_update({2, 3}), set),
    "queue": (deque([1, 2]), lambda held: held.appendleft(0), list),
    "buffer": (bytearray(b"ab"), lambda held: held.extend(b"c"), bytes),
    "array": (np.zeros(2), lambda held: held.__setitem__(0, 1), lambda held: held.tolist()),
    "class of its own": (Own(a=1), lambda held: dict.update(held, b=2), dict),
    "object": (Plain(), lambda held: setattr(held, "n", 1), lambda held: held.n),
    "new attribute": (Plain(), lambda held: setattr(held, "m", 1), lambda held: dict(vars(held))),
}


@pytest.mark.parametrize(("held", "change", "read"), HELD.values(), ids=HELD)
def test_what_was_changed_is_seen_and_put_back(held, change, read):
    memory = Memory(lambda: held)
    before, was = memory.snapshot(), read(held)
    change(held)
    assert read(held) != was
    assert before.changed(memory.snapshot())
    memory.restore()
    assert read(held) == was
    assert not before.changed(memory.snapshot())


@pytest.mark.parametrize("function", [in_a_cell(), makes_a_variable])
def test_a_variable_is_put_back(function):
    memory = Memory(function)
    was = function()
    function(True)
    assert function() != was
    memory.restore()
    assert function() == was


def test_an_array_that_cant_be_written_is_left_as_it_is():
    held = np.zeros(2)
    held.flags.writeable = False
    memory = Memory(lambda: held)
    memory.restore()
    assert held.tolist() == [0, 0]


def test_an_equal_entry_of_an_array_of_objects_is_no_change():
    held = np.array([Fraction(10**9, 7), 1], dtype=object)
    memory = Memory(lambda: held)
    before = memory.snapshot()
    held[0] = Fraction(10**9, 7)
    assert not before.changed(memory.snapshot())
    held[0] = Fraction(10**9, 3)
    assert before.changed(memory.snapshot())


def test_where_a_generator_waits_is_seen_by_its_place_alone():
    def three():
        yield
        yield
        yield

    def turning():
        n = 0
        while True:
            n += 1
            yield

    for make in (three, turning):
        waiting = make()
        next(waiting)
        memory = Memory(lambda waiting=waiting: waiting)
        before = memory.snapshot()
        next(waiting)
        assert before.changed(memory.snapshot())


def test_a_class_without_a_name_of_its_own_is_named():
    class Counts:
        """0"""

    held = Counts()
    memory = Memory(lambda: held)
    before = memory.snapshot()
    type(held).__doc__ = "1"
    assert before.changed(memory.snapshot())[0] == "class Counts"


@pytest.mark.parametrize(
    ("owner", "path", "name"),
    [
        (SPACE_OF_NAMES, "module variable 'SPACE_OF_NAMES'.n", "n"),
        ({"n": 3, "words": "n"}, "closure variable 'owner'['n']", "n"),
    ],
)
def test_a_whole_number_is_found_where_it_lies(owner, path, name):
    memory = Memory((lambda: SPACE_OF_NAMES) if owner is SPACE_OF_NAMES else (lambda: owner))
    held, found = memory.count_at(path)
    assert found == name
    assert held is (vars(owner) if owner is SPACE_OF_NAMES else owner)
    for other in (f"{path}.n", path[:-1], "closure variable 'owner'['words']", "n"):
        assert memory.count_at(other) is None


def test_many_draws_at_once_are_told_by_their_place_alone():
    made = type("Stack", (np.ndarray,), {"__module__": "altpg_verify.audit.stacked"})
    one, other = np.zeros(1).view(made), np.zeros(1).view(made)
    assert _token(one, counts_hits=False) == ("stand-in", id(one))
    assert _token(one, counts_hits=False) != _token(other, counts_hits=False)
