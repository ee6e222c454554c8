"""A pytest plugin that stands alone: tests in another order, and the locale of the environment
switched on, as an application may do.

The seed is read from the variable ALTPG_VERIFY_ORDER; without it the order is the usual one.
"""

from __future__ import annotations

import locale
import os
import random
from itertools import groupby
from typing import Any


def pytest_configure(config: Any) -> None:
    """Numbers, dates and letters as in the locale, in every process."""
    locale.setlocale(locale.LC_ALL, "")


def pytest_collection_modifyitems(items: list[Any]) -> None:
    """Files in random order, and the tests of a file; a file's tests stay together, as they share
    what they set up.
    """
    seed = os.environ.get("ALTPG_VERIFY_ORDER")
    if seed is None:
        return
    chance = random.Random(int(seed))
    files = [list(group) for _, group in groupby(items, key=lambda item: item.path)]
    chance.shuffle(files)
    for group in files:
        chance.shuffle(group)
    items[:] = [item for group in files for item in group]
