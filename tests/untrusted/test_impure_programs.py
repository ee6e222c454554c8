"""Programs that keep something from call to call, or draw random numbers: each is refused, and what it
keeps is named.
"""

from __future__ import annotations

import functools
import itertools
import os
import random
import secrets
import uuid
from fractions import Fraction

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator
from altpg_verify.untrusted.purity import Purity
from altpg_verify.untrusted.state import Snapshot
from altpg_verify.untrusted.tensors import ESCAPED
from tests.untrusted.establishing import establish

calls = 0

history: list[Fraction] = []

running = {"mean": Fraction(0)}

table: dict = {}

own_random = random.Random(3)

own_generator = np.random.default_rng(3)

own_state = np.random.RandomState(3)

counter = itertools.count()

sums = np.zeros(2)

seen: set = set()


switch = False


class Box:
    total = 0


class Slotted:
    __slots__ = ("n",)


slotted = Slotted()


def after_3000_calls(r, b):
    global calls
    calls += 1
    return r - b if calls <= 3000 else b - r


def appends(r, b):
    history.append(r)
    return (r - b) * (1 if len(history) < 3000 else 2)


def running_mean(r, b):
    running["mean"] += (r - running["mean"]) / 100
    return r - running["mean"]


def seen_before(r, b):
    seen.add(len(seen))
    return (r - b) * (1 if len(seen) < 9999 else 2)


def mutable_default(r, b, kept=[0]):  # noqa: B006 - this is what is tried
    kept[0] += 1
    return (r - b) * (1 if kept[0] < 9999 else 2)


def function_attribute(r, b):
    function_attribute.n = getattr(function_attribute, "n", 0) + 1
    return (r - b) * (1 if function_attribute.n < 9999 else 2)


def turns_a_switch(r, b):
    global switch
    switch = not switch
    return (r - b) * (1 if switch in (True, False) else 2)


def class_attribute(r, b):
    Box.total += 1
    return (r - b) * (1 if Box.total < 9999 else 2)


def slot(r, b):
    slotted.n += 1
    return (r - b) * (1 if slotted.n < 9999 else 2)


def counts(r, b):
    return (r - b) * (1 if next(counter) < 9999 else 2)


def adds_up(r, b):
    sums[0] += 1
    return (r - b) * (1 if sums[0] < 9999 else 2)


def on_a_library(r, b):
    np.hidden_counter = getattr(np, "hidden_counter", 0) + 1
    return (r - b) * (1 if np.hidden_counter < 9999 else 2)


def by_a_helper(r, b):
    return running_mean(r, b)


def some_draws_only(r, b):
    global calls
    if r == Fraction(5, 7):
        calls += 1
    return (r - b) * (1 if calls < 9999 else 2)


@functools.lru_cache
def cached_square(x):
    return x * x


def hits(r, b):
    return (cached_square(r) - b) * (1 if cached_square.cache_info().hits < 99_999 else 2)


def closure():
    n = 0

    def formula(r, b):
        nonlocal n
        n += 1
        return (r - b) * (1 if n < 9999 else 2)

    return formula


class Object:
    def __init__(self):
        self.n = 0

    def formula(self, r, b):
        self.n += 1
        return (r - b) * (1 if self.n < 9999 else 2)


def yielding():
    n = 0
    while True:
        n += 1
        yield n


ticks = yielding()


def from_a_generator(r, b):
    return (r - b) * (1 if next(ticks) < 9999 else 2)


REMEMBERING = {
    "a counter that changes after 3,000 calls": after_3000_calls,
    "a list that grows": appends,
    "a running mean": running_mean,
    "a set that grows": seen_before,
    "a mutable default": mutable_default,
    "an attribute of the function": function_attribute,
    "an attribute of a class": class_attribute,
    "a switch that is turned": turns_a_switch,
    "a slot": slot,
    "itertools.count": counts,
    "an array": adds_up,
    "an attribute of numpy": on_a_library,
    "in a helper": by_a_helper,
    "a counter of rare draws": some_draws_only,
    "hits of a cache": hits,
    "a closure": closure(),
    "a bound method": Object().formula,
    "a partial of one": functools.partial(mutable_default, kept=[0]),
    "a generator object": from_a_generator,
}


@pytest.mark.parametrize("kind", REMEMBERING)
def test_what_keeps_state_is_refused_before_it_matters(kind):
    with pytest.raises(
        BadEstimator,
        match=r"update 'mine' remembers earlier calls: .* take what it keeps as an argument",
    ):
        establish(REMEMBERING[kind])


@pytest.mark.parametrize(
    ("function", "named"),
    [
        (after_3000_calls, "module variable 'calls' changes"),
        (running_mean, r"module variable 'running'\['mean'\] changes"),
    ],
)
def test_the_variable_is_named(function, named):
    with pytest.raises(BadEstimator, match=named):
        establish(function)


def test_state_in_a_file_is_found_where_it_makes_a_difference(tmp_path):
    file = tmp_path / "count"

    def counting(r, b):
        n = len(file.read_bytes()) if file.exists() else 0
        file.write_bytes(b"x" * (n + 1))
        return (r - b) * n

    with pytest.raises(
        BadEstimator, match=r"looks at what isn't the same in every run: it calls posix\.stat"
    ):
        establish(counting)


RANDOM = {
    "random": lambda r, b: (r - b) * (1 if random.random() < 0.99 else 0),
    "numpy.random": lambda r, b: (r - b) * (1 if np.random.random() < 0.99 else 0),
    "random.Random of the module": lambda r, b: (r - b) * (1 if own_random.random() < 0.99 else 0),
    "numpy Generator": lambda r, b: (r - b) * (1 if own_generator.random() < 0.99 else 0),
    "numpy RandomState": lambda r, b: (r - b) * (1 if own_state.random_sample() < 0.99 else 0),
    "os.urandom": lambda r, b: (r - b) * (1 if os.urandom(1) < b"\xff" else 0),
    "secrets": lambda r, b: (r - b) * (1 if secrets.randbelow(1000) else 0),
    "uuid": lambda r, b: (r - b) * (1 if uuid.uuid4().int % 1000 else 0),
    "SystemRandom": lambda r, b: (r - b) * (1 if random.SystemRandom().random() < 0.99 else 0),
    "a fresh default_rng": (
        lambda r, b: (r - b) * (1 if np.random.default_rng().random() < 0.99 else 0)
    ),
    "a fresh Random": lambda r, b: (r - b) * (1 if random.Random().random() < 0.99 else 0),
    "a bound method": functools.partial(
        lambda draw, r, b: (r - b) * (1 if draw() < 0.99 else 0), own_random.random
    ),
    "on rare draws": (
        lambda r, b: (r - b) * (random.random() if r == Fraction(5, 7) and b == 3 else 1)
    ),
    "in a cache": lambda r, b: (r - b) * cached_noise(r),
    "in a table": lambda r, b: (r - b) * table.setdefault(r, np.random.random()),
}


@functools.lru_cache
def cached_noise(r):
    return random.random()


@pytest.mark.parametrize("kind", RANDOM)
def test_what_draws_random_numbers_is_refused(kind):
    with pytest.raises(
        BadEstimator, match=r"update 'mine' draws random numbers: .* declare them as `choices`"
    ):
        establish(RANDOM[kind])


def test_a_state_that_is_read_and_not_moved_is_chance_too():
    with pytest.raises(BadEstimator, match=r"update 'mine' draws random numbers"):
        establish(lambda r, b: (r - b) * random.getstate()[1][5])


def test_what_was_kept_of_many_draws_excuses_nothing_else():
    guard = Purity(lambda r, b: r, "it")
    names = {"a": ESCAPED, "n": 1}, {"a": 2, "n": 2}, {"a": 2, "n": 2}
    taken = iter([Snapshot(tokens) for tokens in names])
    guard.memory.snapshot = lambda: next(taken)
    with pytest.raises(BadEstimator, match=r"remembers earlier calls: (a|n) changes"):
        guard.establish(lambda i: 1, [1])
