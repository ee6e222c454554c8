"""Searching cases with Hypothesis: deterministic, shrinking, and leaving no trace in the user's folder."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from altpg_verify.cases import Case


def search(strategy: Any, fails: Callable[[Case], bool], budget: int, seed: int) -> tuple[Case | None, int]:
    """The smallest case that fails, or None, and the number of cases tried before the first failure."""
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis.errors import NoSuchExample

    tried, failed = 0, False

    def condition(case: Case) -> bool:
        nonlocal tried, failed
        bad = fails(case)
        tried += not failed
        failed = failed or bad
        return bad

    # a library leaves no database in the user's folder and no health check in the user's way
    quiet = settings(
        max_examples=budget,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    try:
        with _no_folder_left_behind():
            return find(strategy, condition, settings=quiet, random=Random(seed)), tried
    except NoSuchExample:
        return None, tried


@contextmanager
def _no_folder_left_behind() -> Iterator[None]:
    """Hypothesis caches constants of the user's modules in its home folder: give it one that goes away."""
    from hypothesis import configuration

    home = vars(configuration).get("__hypothesis_home_directory")
    with tempfile.TemporaryDirectory(prefix="altpg-verify-") as folder:
        configuration.set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            configuration.set_hypothesis_home_dir(home)


def sample(strategy: Any, count: int, seed: int) -> list[Case]:
    """Deterministic draws from a strategy, without shrinking."""
    drawn: list[Case] = []

    def collect(case: Case) -> bool:
        drawn.append(case)
        return False

    search(strategy, collect, count, seed)
    return drawn
