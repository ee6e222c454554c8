"""A share of many parameters runs by default; all of them run behind the slow marker, so that nothing is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def share(parameters: Iterable[Any], every: int) -> list[Any]:
    """The parameters of a test; all but each ``every``-th one, from the first on, are marked slow."""
    return [given if not index % every else pytest.param(given, marks=pytest.mark.slow) for index, given in enumerate(parameters)]
