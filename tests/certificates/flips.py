"""Every number in a certificate's data, and the same data with one of them changed."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from typing import Any

Spot = tuple[tuple[Any, ...], int | None]
"""Where a number stands: the path to its value, and which number it is if the value is text such as
"-3/4".
"""

NUMBERS = re.compile(r"\d+")


def spots(value: Any, path: tuple[Any, ...] = ()) -> Iterator[Spot]:
    """Where the numbers stand, words left out."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from spots(part, (*path, key))
    elif isinstance(value, int) and not isinstance(value, bool):
        yield path, None
    elif isinstance(value, str) and re.fullmatch(r"-?\d+(/\d+)?", value):
        yield from ((path, place) for place, _ in enumerate(NUMBERS.finditer(value)))


def flipped(data: Any, spot: Spot, change: Callable[[int], int]) -> Any:
    """A copy of the data with one number changed."""
    path, place = spot
    changed = copy.deepcopy(data)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    value = holder[path[-1]]
    if place is None:
        holder[path[-1]] = change(value)
    else:
        found = list(NUMBERS.finditer(value))[place]
        holder[path[-1]] = (
            value[: found.start()] + str(change(int(found[0]))) + value[found.end() :]
        )
    return changed
