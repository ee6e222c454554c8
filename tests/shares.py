"""A share of many parameters runs by default; all of them run behind the slow marker, so that
nothing is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest


def share(parameters: Iterable[Any], every: int) -> list[Any]:
    """The parameters of a test; all but each ``every``-th one, from the first on, are marked
    slow.
    """
    return [given if not index % every else _slow(given) for index, given in enumerate(parameters)]


def share_of_each(
    parameters: Iterable[Any], kind: Callable[[Any], Hashable], most: int = 1
) -> list[Any]:
    """The parameters of a test; but for the first ``most`` of each kind, they are marked slow."""
    seen: Counter[Hashable] = Counter()
    marked = []
    for given in parameters:
        seen[kind(given)] += 1
        marked.append(given if seen[kind(given)] <= most else _slow(given))
    return marked


def _slow(given: Any) -> Any:
    """One value of a single parameter, or a tuple with one for each of several, marked slow."""
    return (
        pytest.param(*given, marks=pytest.mark.slow)
        if isinstance(given, tuple)
        else pytest.param(given, marks=pytest.mark.slow)
    )
