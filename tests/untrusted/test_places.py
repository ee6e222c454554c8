"""Places that no variable names: each is seen by one call, as something that changed or as a call to
the outside; what is only read there is neither.
"""

from __future__ import annotations

import codecs
import contextvars
import ctypes
import functools
import gc
import hashlib
import io
import logging
import sys
import threading
import types
from collections import defaultdict

import numpy as np
import pytest

from altpg_verify.untrusted.entropy import outside_calls, outside_names
from altpg_verify.untrusted.generators import visible_generators
from altpg_verify.untrusted.hooks import hooks
from altpg_verify.untrusted.state import Memory
from altpg_verify.untrusted.tensors import Unreadable
from trust.hostile import tricks_posing
from trust.hostile.running import _restored
from trust.hostile.tricks_unseen import TRICKS, Box

SLOW = ("chance in numba", "threads")
"""Compiled, or in a thousand threads: the hostile programs have them."""

PLACES = {
    name: make
    for every in (*TRICKS.values(), *tricks_posing.TRICKS.values())
    for name, make, _ in every
    if name not in SLOW
}


@pytest.fixture(autouse=True)
def as_before(monkeypatch):
    # it holds what no walk gets past, and a trick that takes modules by their names sees it
    monkeypatch.delitem(sys.modules, "tests.untrusted.test_reaching", raising=False)
    with _restored():
        yield


def noticed(function):
    """What shows that a function isn't pure, after one call."""
    memory = Memory(function)
    generators = visible_generators(function)
    begun, before = generators.capture(), memory.snapshot()
    _, outside = outside_calls(lambda: function(1.0, np.ones(2)))
    return (
        *outside,
        *filter(None, outside_names([function])[:1]),
        *generators.moved(begun),
        *before.changed(memory.snapshot()),
    )


@pytest.mark.parametrize("make", PLACES.values(), ids=PLACES)
def test_a_place_that_changes_is_seen(make):
    assert noticed(make())


SLICE, CELL = slice(Box(), None), types.CellType(2)
LOCK, CONTEXT = threading.RLock(), contextvars.copy_context()
FACTORY = defaultdict(lambda: 3, {1: 2})
DIGEST, SHAKE = hashlib.sha256(b"a"), hashlib.shake_128(b"a")
READER = io.BufferedReader(io.BytesIO(b"abc"))
SEEDS = np.random.SeedSequence(3)
NOTED = np.dtype("f8", metadata={"n": 2})
RAISED = ValueError("said")
CLASS = type("Class", (), {"factor": 2})


@functools.singledispatch
def dispatched(value):
    return 2


STILL = {
    "a slice": lambda r, x: SLICE.start.n,
    "a cell": lambda r, x: CELL.cell_contents,
    "a lock": lambda r, x: LOCK.__enter__() and LOCK.__exit__(None, None, None),
    "a context": lambda r, x: len(CONTEXT),
    "a default factory": lambda r, x: FACTORY[1],
    "a digest": lambda r, x: len(DIGEST.hexdigest()),
    "a digest of any length": lambda r, x: len(SHAKE.hexdigest(4)),
    "a reader": lambda r, x: READER.tell(),
    "a seed sequence": lambda r, x: SEEDS.entropy,
    "notes on a dtype": lambda r, x: NOTED.metadata["n"],
    "an exception": lambda r, x: len(RAISED.args),
    "a class": lambda r, x: CLASS().factor,
    "a dispatch": lambda r, x: dispatched(1),
    "an error of a log": lambda r, x: logging.getLogger("mine").error if r < 0 else 1,
    "standard error": lambda r, x: sys.stderr.isatty() if r < 0 else 1,
    "numbers that are shown": lambda r, x: len(np.array2string(x)),
}


@pytest.mark.parametrize("function", STILL.values(), ids=STILL)
def test_a_place_that_is_only_read_is_not(function):
    assert noticed(function) == ()


def test_the_length_of_a_digest_is_no_matter():
    for kind, size in ((hashlib.sha256, None), (hashlib.shake_128, 4)):
        fed = kind(b"a")

        def feed(r, x, fed=fed, size=size):
            fed.update(b"b")
            return len(fed.hexdigest(*([size] if size else [])))

        assert noticed(feed)


def test_a_closed_reader_is_read():
    reader = io.BufferedReader(io.BytesIO(b"abc"))

    def close(r, x):
        reader.close()
        return 1

    assert noticed(close)
    assert noticed(lambda r, x: reader.closed) == ()


def test_what_libraries_register_is_left_alone():
    assert list(hooks()) == []


def mine(*given, **named):
    """Registered as a hook."""


class Finder:
    """Registered as one."""

    def find_spec(self, name, path=None, target=None):
        """Finds nothing."""


@pytest.mark.parametrize("value", [mine, Finder, Finder(), Finder().find_spec])
def test_whatever_is_registered_is_walked(monkeypatch, value):
    for owner, name in (
        (sys, "displayhook"),
        (sys, "breakpointhook"),
        (sys, "excepthook"),
        (threading, "excepthook"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, value)
            assert list(hooks()) == [value]
    for listed in (gc.callbacks, sys.meta_path, sys.path_hooks):
        listed.append(value)
        try:
            assert list(hooks()) == [value]
        finally:
            listed.remove(value)
    np.seterrcall(mine)
    np.set_printoptions(formatter={"float": mine})
    assert list(hooks()) == [mine, mine]


def test_a_codec_and_functions_of_c_are_outside():
    assert "_codecs.lookup_error" in outside_calls(lambda: codecs.lookup_error("strict"))[1]
    sqrt = ctypes.CDLL(None).labs
    assert outside_names([lambda: sqrt(-3)]) == ("labs", "outside")
    assert outside_names([lambda: ctypes.CDLL(None)]) == ("ctypes.CDLL", "outside")


def test_what_cannot_be_read_is_equal_to_nothing():
    assert Unreadable() != Unreadable()


def test_a_source_of_bits_is_a_generator():
    bits = np.random.PCG64(1)
    assert noticed(lambda r, x: bits.random_raw() * 0 + 1)


def test_every_number_puts_generators_into_another_state():
    generators = visible_generators(lambda: None)
    begun, states = generators.capture(), []
    try:
        for number in range(200):
            generators.reseed(number)
            states.append(repr(generators.capture()))
    finally:
        generators.restore(begun)
    assert len(set(states)) == len(states)


def test_a_normal_number_that_was_kept_back_is_dropped_with_the_state():
    source = np.random.RandomState(1)
    generators = visible_generators(lambda: source.normal())
    drawn = []
    for before in (1, 2):
        source.normal(size=before)
        generators.reseed(3)
        drawn.append(source.normal())
    assert drawn[0] == drawn[1]
