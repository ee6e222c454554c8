"""Counts in the order and the room of containers, large ones and those far within others."""

from __future__ import annotations

import sys
import types

import numpy as np

from trust.hostile.forms import NEVER_PASSED
from trust.hostile.tricks_fields import Count, in_digits
from trust.hostile.tricks_hidden import Box, counted
from trust.hostile.tricks_state import Made


def in_an_array_of_objects() -> Count:
    """An object in an array."""
    held = np.array([Box()], dtype=object)
    return lambda: held[0].bump()


def in_a_long_list() -> Count:
    """A list that stands at the end of a long list."""
    held = [[0] for _ in range(2000)]

    def count() -> float:
        held[1500][0] += 1
        return held[1500][0]

    return count


def in_a_wide_nest() -> Count:
    """Behind many lists."""
    held = [[[0] for _ in range(40)] for _ in range(900)]

    def count() -> float:
        held[899][39][0] += 1
        return held[899][39][0]

    return count


def in_a_chain() -> Count:
    """At the end of a chain of objects."""
    last = first = types.SimpleNamespace(n=0, then=None)
    for _ in range(20):
        first = types.SimpleNamespace(then=first)
    del last

    def count() -> float:
        each = first
        while each.then is not None:
            each = each.then
        each.n += 1
        return float(each.n)

    return count


def in_a_large_set() -> Count:
    """The largest number of a large set."""
    held = set(range(5_001))

    def count() -> float:
        n = max(held)
        held.discard(n)
        held.add(n + 1)
        return n + 1 - 5_000

    return count


def turn_order(one: set[int], on: bool) -> None:
    """Put one or the other of two numbers with one place first."""
    one.clear()
    one.update((8, 0) if on else (0, 8))
    if (next(iter(one)) == 8) != on:
        one.clear()
        for each in (8, 0) if on else (0, 8):
            one.add(each)


def turn_room(one: list[int], on: bool) -> None:
    """Leave room behind the entries, or none."""
    if on:
        one.extend([0] * 10)
        del one[100:]
    else:
        one[:] = ()
        one.extend([0] * 100)


TRICKS: dict[str, list[Made]] = {
    "large and far": [
        ("an object in an array", counted(in_an_array_of_objects), NEVER_PASSED),
        ("a list in a long list", counted(in_a_long_list), NEVER_PASSED),
        ("behind many lists", counted(in_a_wide_nest), NEVER_PASSED),
        ("the end of a chain", counted(in_a_chain), NEVER_PASSED),
        ("a large set", counted(in_a_large_set), NEVER_PASSED),
    ],
    "order and room": [
        (
            "the order of numbers in sets",
            counted(in_digits(lambda: {0, 8}, lambda one: next(iter(one)) == 8, turn_order)),
            NEVER_PASSED,
        ),
        (
            "the room in lists",
            counted(
                in_digits(
                    lambda: [0] * 100, lambda one: sys.getsizeof(one) > 56 + 8 * 105, turn_room
                )
            ),
            NEVER_PASSED,
        ),
        (
            "the room in buffers",
            counted(
                in_digits(
                    lambda: bytearray(100),
                    lambda one: one.__alloc__() > 110,
                    lambda one, on: (
                        one.extend(bytes(20 if on else 400)),
                        one.__delitem__(slice(100, None)),
                    ),
                )
            ),
            NEVER_PASSED,
        ),
    ],
}
