"""Tricks with chance and memory: an answer that depends on more than the arguments."""

from __future__ import annotations

import functools
import os
import random
import secrets
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trust.hostile.forms import ANYTHING, NEVER_PASSED, Acceptable, Trick

Made = tuple[str, Callable[[], Trick], Acceptable]


def chance(draw: Callable[[], float]) -> Callable[[], Trick]:
    """1, or now and then 3."""
    return lambda: lambda r, x: 3 if draw() < 0.2 else 1


def counted(limit: int) -> Callable[[], Trick]:
    """Changes after so many calls, counted in a closure."""

    def make() -> Trick:
        calls = 0

        def trick(r: Any, x: Any) -> Any:
            nonlocal calls
            calls += 1
            return 1 if calls <= limit else 3

        return trick

    return make


def in_default() -> Trick:
    """Kept in a default argument."""

    def trick(r: Any, x: Any, kept: list[int] = []) -> Any:  # noqa: B006 - the trick
        kept.append(1)
        return 1 if len(kept) % 2 else 3

    return trick


def in_attribute() -> Trick:
    """Kept in an attribute of the function."""

    def trick(r: Any, x: Any) -> Any:
        trick.calls = getattr(trick, "calls", 0) + 1  # type: ignore[attr-defined]
        return 1 if trick.calls % 3 else 3  # type: ignore[attr-defined]

    return trick


def in_generator() -> Trick:
    """Kept in the position of a generator."""

    def ones() -> Iterator[int]:
        while True:
            yield 1
            yield 3

    numbers = ones()
    return lambda r, x: next(numbers)


def in_file() -> Trick:
    """Kept in the position of a file."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the trick is collected

    def trick(r: Any, x: Any) -> Any:
        file.write(b".")
        return 1 if file.tell() % 2 else 3

    return trick


def in_environment() -> Trick:
    """Kept in an environment variable."""

    def trick(r: Any, x: Any) -> Any:
        count = int(os.environ.get("ALTPG_HOSTILE", "0")) + 1
        os.environ["ALTPG_HOSTILE"] = str(count)
        return 1 if count % 2 else 3

    return trick


def in_cache() -> Trick:
    """A cache that forgets, of a function that counts."""
    calls = [0]

    @functools.lru_cache(maxsize=1)
    def cached(key: str) -> int:
        calls[0] += 1
        return 1 if calls[0] % 2 else 3

    return lambda r, x: cached(repr(r))


def in_thread() -> Trick:
    """Counted by threads."""
    box = [0]

    def trick(r: Any, x: Any) -> Any:
        worker = threading.Thread(target=lambda: box.append(1))
        worker.start()
        worker.join()
        return 1 if len(box) % 2 else 3

    return trick


def pure_cache() -> Trick:
    """A cache that changes nothing."""
    cached = functools.lru_cache(lambda key: 1)
    return lambda r, x: cached(repr(r))


GENERATOR = np.random.default_rng(5)

TRICKS: dict[str, list[Made]] = {
    "randomness": [
        ("random.random", chance(lambda: random.random()), NEVER_PASSED),
        ("numpy's global generator", chance(lambda: np.random.random()), NEVER_PASSED),
        ("a generator of its own", chance(lambda: GENERATOR.random()), NEVER_PASSED),
        ("the system's entropy", chance(lambda: secrets.randbelow(1000) / 1000), NEVER_PASSED),
        ("os.urandom", chance(lambda: os.urandom(1)[0] / 256), NEVER_PASSED),
        ("uuid4", chance(lambda: uuid.uuid4().int % 97 / 97), NEVER_PASSED),
        ("the clock", chance(lambda: time.perf_counter_ns() // 100 % 10 / 10), NEVER_PASSED),
        ("the address of a new object", chance(lambda: hash(object()) % 7 / 7), NEVER_PASSED),
    ],
    "state": [
        ("a counter, at once", counted(3), NEVER_PASSED),
        ("a counter, later", counted(40), NEVER_PASSED),
        ("a default argument", in_default, NEVER_PASSED),
        ("a function attribute", in_attribute, NEVER_PASSED),
        ("a generator's position", in_generator, NEVER_PASSED),
        ("a file", in_file, NEVER_PASSED),
        ("the environment", in_environment, NEVER_PASSED),
        ("a cache that forgets", in_cache, NEVER_PASSED),
        ("a thread", in_thread, NEVER_PASSED),
        ("a cache of a constant", pure_cache, ANYTHING),
    ],
}
