"""Calls to the clock, to entropy, to addresses and to the call stack are seen where the user's own
code makes them.
"""

from __future__ import annotations

import atexit
import contextlib
import copy
import copyreg
import cProfile
import datetime
import gc
import hashlib
import importlib
import inspect
import io
import json
import logging
import numbers
import os
import queue
import random
import re
import secrets
import sqlite3
import sys
import threading
import time
import traceback
import types
import uuid
from collections.abc import Sequence
from colorsys import rgb_to_yiq
from dataclasses import dataclass
from decimal import Decimal, getcontext
from email.utils import formatdate
from fractions import Fraction
from pathlib import Path
from timeit import timeit

import numpy as np
import pytest

from altpg_verify.untrusted.entropy import outside_calls, outside_names

CALLS = [
    (lambda: time.time(), "time.time", "clock"),
    (lambda: time.perf_counter_ns(), "time.perf_counter_ns", "clock"),
    (lambda: datetime.datetime.now(), "datetime.now", "clock"),
    (lambda: datetime.date.today(), "date.today", "clock"),
    (lambda: os.urandom(1), "os.urandom", "entropy"),
    (lambda: secrets.token_bytes(1), "os.urandom", "entropy"),
    (lambda: uuid.uuid4(), "os.urandom", "entropy"),
    (lambda: random.Random(), "random.seed() without a number", "entropy"),
    (lambda: id(3), "id", "outside"),
    (lambda: hash("text"), "hash", "outside"),
    (lambda: os.getpid(), "os.getpid", "outside"),
    (lambda: threading.get_ident(), "threading.get_ident", "outside"),
    (lambda: sys._getframe(), "sys._getframe", "outside"),
    (lambda: inspect.currentframe(), "sys._getframe", "outside"),
    (lambda: inspect.stack(0), "sys._getframe", "outside"),
    (lambda: traceback.extract_stack(), "sys._getframe", "outside"),
    (lambda: sys.gettrace(), "sys.gettrace", "outside"),
    (lambda: gc.get_objects(), "gc.get_objects", "outside"),
]


@pytest.mark.parametrize(
    ("call", "name", "kind"), CALLS, ids=[f"{name} {i}" for i, (_, name, _) in enumerate(CALLS)]
)
def test_a_call_is_seen_by_name_and_kind(call, name, kind):
    assert outside_calls(call)[1].get(name) == kind


@pytest.mark.parametrize(
    "call",
    [
        lambda: random.Random(3).random(),
        lambda: np.random.default_rng(3).random(),
        lambda: {Fraction(1, 3): 1, "text": 2}["text"],
        lambda: sorted([3, 1, 2], key=abs),
        lambda: datetime.date(2020, 1, 1).isoformat(),
    ],
)
def test_what_asks_nothing_outside_is_seen_to(call):
    assert outside_calls(call)[1] == {}


class Day(datetime.date):
    """A class of somebody's own."""


class Timeless:
    """Has a method like the clock's."""

    def time(self):
        return 0


def _with_other_names(function):
    names = {"__name__": "math", "_levelToName": {}, "_nameToLevel": {}}
    for lock in ("_acquireLock", "_releaseLock"):
        names[lock] = lambda: None
    with contextlib.suppress(NameError):
        types.FunctionType(function.__code__, names)(7, "seven")


AFTER = {
    "time.time": lambda: (Timeless().time(), datetime.time(1).isoformat(), time.time()),
    "datetime.now": lambda: (datetime.datetime(2000, 1, 1).isoformat(), datetime.datetime.now()),
    "date.today": lambda: (Day(2000, 1, 1).isoformat(), datetime.date.today()),
    "Day.today": lambda: (datetime.date(2000, 1, 1).isoformat(), Day.today()),
    "random.seed() without a number": lambda: (random.Random(3), random.Random()),
    "os.urandom": lambda: (os.fspath("a"), b"".hex(), os.urandom(1)),
    "logging.addLevelName": lambda: (
        _with_other_names(logging.addLevelName),
        logging.addLevelName(logging.INFO, "INFO"),
    ),
}


@pytest.mark.parametrize("named", AFTER)
def test_a_harmless_call_before_hides_none(named):
    assert named in outside_calls(AFTER[named])[1]


def test_the_result_is_handed_on_and_the_profiler_put_back():
    before = sys.getprofile()
    assert outside_calls(lambda: 7)[0] == 7
    assert sys.getprofile() is before


def test_another_profiler_is_put_back_whatever_was_raised():
    def mine(frame, event, argument):
        return None

    sys.setprofile(mine)
    try:
        with pytest.raises(ZeroDivisionError):
            outside_calls(lambda: 1 // 0)
        assert sys.getprofile() is mine
    finally:
        sys.setprofile(None)


def spoken(r, b):
    gc.collect()
    logging.getLogger("mine").debug("asked for %s", r)
    print(os.path.join("a", "b"), Path("a") / "b", file=io.StringIO())
    return copy.deepcopy([r])[0] - b


def classes(r, b):
    return r - b if isinstance(r, numbers.Number) and isinstance([r], Sequence) else 0


def texts(r, b):
    return (
        r
        - b
        + len(re.sub("x", "", json.dumps({"a": [1]})))
        + Decimal(2).sqrt().is_nan()
        + len(hashlib.sha256(b"x").hexdigest())
    )


@pytest.mark.parametrize("function", [spoken, classes, texts])
def test_what_computes_or_speaks_is_not_outside(function):
    assert outside_calls(lambda: function(1, 2))[1] == {}


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: os.stat("."), "posix.stat"),
        (lambda: os.path.getmtime("."), "posix.stat"),
        (lambda: Path().exists(), "posix.stat"),
        (lambda: open(os.devnull).close(), "io.open"),
        (lambda: sqlite3.connect(":memory:").total_changes, "_sqlite3.connect"),
        (lambda: queue.SimpleQueue().qsize(), "_queue.qsize"),
        (lambda: sys.getswitchinterval(), "sys.getswitchinterval"),
        (lambda: gc.get_threshold(), "gc.get_threshold"),
        (lambda: np.getbufsize(), "getbufsize"),
        (lambda: getcontext().prec, "getcontext"),
        (lambda: time.clock_gettime(0), "time.clock_gettime"),
    ],
)
def test_the_system_and_settings_of_the_process_are_outside(call, named):
    found = outside_calls(call)[1]
    assert [name for name in found if named in name], found
    assert set(found.values()) == {"outside"}


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (lambda: [time.time], ("time.time", "clock")),
        (lambda: [os.urandom], ("os.urandom", "entropy")),
        (lambda: [secrets], ("the module secrets", "clock")),
    ],
)
def test_what_is_handed_on_is_of_its_kind(function, found):
    assert outside_names([function]) == found


def test_a_seed_of_torchs_is_from_outside():
    torch = pytest.importorskip("torch")
    source = torch.Generator()
    assert outside_calls(lambda: source.seed())[1] == {"torch.seed": "entropy"}
    assert outside_calls(lambda: source.initial_seed())[1] == {"torch.initial_seed": "outside"}
    assert outside_calls(lambda: source.manual_seed(3))[1] == {}


def test_the_clock_of_numpy_is_seen_by_its_name():
    assert outside_names([lambda: np.datetime64("now")]) == ("datetime64", "clock")
    assert outside_names([lambda: np.zeros(1)]) == ("", "")


def test_a_library_that_keeps_a_variable_is_outside(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    (folder / "keeps_a_count.py").write_text(
        "kept = 0\ndef count():\n    global kept\n    kept += 1\n    return kept\n"
        "def twice(x):\n    return 2 * x + 0 * kept\n"
        "def collected(phase, info):\n    global kept\n    kept += 1\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(folder)
    module = importlib.import_module("keeps_a_count")
    assert outside_calls(lambda: module.count()) == (1, {"keeps_a_count.count": "outside"})
    assert outside_calls(lambda: module.twice(3)) == (6, {})
    # what it does whenever memory is freed isn't asked for by whoever frees it
    assert outside_calls(lambda: module.collected(0, 0))[1] == {
        "keeps_a_count.collected": "outside"
    }
    others = [lambda phase, info: None, module.collected]
    gc.callbacks.extend(others)
    try:
        assert outside_calls(lambda: gc.collect() * 0) == (0, {})
    finally:
        for each in others:
            gc.callbacks.remove(each)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: logging.addLevelName(7, "seven"), "logging.addLevelName"),
        (lambda: logging.makeLogRecord({}), "logging.makeLogRecord"),
        (lambda: logging.LogRecord("a", 1, "b", 1, "c", (), None), "logging.__init__"),
        (lambda: copyreg.pickle(Decimal, str), "copyreg.pickle"),
        (lambda: formatdate(), "email.utils.formatdate"),
        (lambda: timeit("0", number=1), "timeit.timeit"),
        (lambda: sys.audit("mine"), "sys.audit"),
        (lambda: atexit._ncallbacks(), "atexit._ncallbacks"),
    ],
)
def test_registries_of_pythons_own_modules_are_outside(call, named):
    dispatch = dict(copyreg.dispatch_table)
    try:
        assert outside_calls(call)[1].get(named) == "outside"
    finally:
        copyreg.dispatch_table.clear()
        copyreg.dispatch_table.update(dispatch)


aa_library = rgb_to_yiq


def zz_clock():
    return np.datetime64("now")


def test_a_helper_behind_a_library_is_looked_through_too():
    assert outside_names([lambda: (aa_library, zz_clock)]) == ("datetime64", "clock")


class Lying:
    """A type whose module is no text."""

    __module__ = property(lambda self: "numba")


LIAR = Lying()


def test_a_type_that_lies_about_its_module_ends_no_check():
    assert outside_names([lambda r, b: r if LIAR else b])[:1] == ("",)


def test_a_profiler_of_c_goes_on_afterwards():
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        assert outside_calls(lambda: 7) == (7, {})
        assert sys.getprofile() is profiler
    finally:
        profiler.disable()


def test_numbers_drawn_in_compiled_code_are_seen_by_their_name():
    numba = pytest.importorskip("numba")

    @numba.njit
    def drawn():
        return np.random.random()

    @numba.njit
    def doubled(x):
        return 2 * x

    assert outside_names([lambda: doubled(1)]) == ("", "")
    name, kind = outside_names([lambda: doubled(drawn())])
    assert (name.partition(",")[0], kind) == ("drawn", "entropy")


@dataclass(frozen=True)
class Key:
    text: str


def test_the_hash_of_a_generated_class_is_asked_by_whoever_stands_behind_it():
    assert outside_calls(lambda: {Key("a"): 1})[1] == {"hash": "outside"}


def test_a_file_is_outside_however_it_is_read(tmp_path):
    file, text = tmp_path / "numbers.npy", tmp_path / "numbers.txt"
    np.save(file, np.arange(3.0))
    np.savetxt(text, np.arange(3.0))
    for call, named in (
        (lambda: open(file, "rb").close(), "open"),
        (lambda: np.load(file, allow_pickle=False), "open"),
        (lambda: np.save(file, 1.0), "open"),
        (lambda: np.memmap(file), "open"),
        (lambda: np.fromfile(file), "fromfile"),
        (lambda: np.arange(3.0).tofile(file), "tofile"),
        (lambda: np.loadtxt(text), "open"),
        (lambda: np.genfromtxt(text), "open"),
        (lambda: np.savez(file.with_suffix(".npz"), 1.0), "open"),
        (lambda: np.arange(3.0).dump(file.with_suffix(".old")), "open"),
    ):
        asked = {name.rpartition(".")[2]: kind for name, kind in outside_calls(call)[1].items()}
        assert asked[named] == "outside", asked


class Calendar:
    """Answers `now` without a clock."""

    def now(self):
        return self.today()

    def today(self):
        return 3


def test_a_name_like_that_of_the_clock_is_no_clock():
    assert outside_calls(Calendar().now) == (3, {})
    assert outside_calls(lambda: random.Random(0).seed(1))[1] == {}
