"""Searching cases with Hypothesis: deterministic, shrinking, and leaving no trace in the user's
folder.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, TypeVar

from altpg_verify.errors import BadEstimator

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value")


def search(
    strategy: SearchStrategy[Value], fails: Callable[[Value], bool], budget: int, seed: int
) -> tuple[Value | None, int]:
    """The smallest case that fails, or None, and the number of cases tried up to the first failure;
    0 where the strategy gives none.

    Shrinking goes on after the first failure, so `fails` is called more often than is counted. The
    same arguments give the same case: what the program has imported besides isn't drawn from.

    Args:
        strategy: a Hypothesis strategy of cases.
        fails: whether a case is what is looked for; it must answer the same when asked again.
        budget: cases to generate at most.
        seed: of Hypothesis' random numbers.

    Raises:
        BadEstimator: one case, asked again, gave another answer.
    """
    from hypothesis import Phase, find, settings
    from hypothesis.errors import Flaky, NoSuchExample, Unsatisfiable

    tried, failed = 0, False

    def condition(case: Value) -> bool:
        nonlocal tried, failed
        bad = fails(case)
        # only up to the first failure: what shrinking tries is no part of the search
        tried += not failed
        failed = failed or bad
        return bad

    # a library leaves no database in the user's folder; `find` makes no health checks
    quiet = settings(
        max_examples=budget, database=None, deadline=None, phases=[Phase.generate, Phase.shrink]
    )
    try:
        with _on_its_own():
            return find(strategy, condition, settings=quiet, random=Random(seed)), tried
    except (NoSuchExample, Unsatisfiable):
        return None, tried
    except Flaky as error:
        raise BadEstimator(
            "the same case gave another answer when asked again: it draws random numbers or"
            " remembers earlier calls"
        ) from error


class _NoConstants:
    """Stands for the constants that Hypothesis would read out of the user's modules."""

    def set_for_type(self, choice_type: str) -> tuple[()]:
        return ()


@contextmanager
def _on_its_own() -> Iterator[None]:
    """Keep a search independent of what else is loaded, and the user's folder free of a cache.

    Hypothesis mixes constants found in the user's modules into its draws, so that the same search
    would differ from one program to the next. Where its internals have changed, the search runs all
    the same, only less reproducibly.
    """
    from hypothesis import configuration

    home = vars(configuration).get("__hypothesis_home_directory")
    ours = {"_get_local_constants": _NoConstants, "CONSTANTS_CACHE": {}}
    internals: dict[str, object] = {}
    with suppress(ImportError):
        internals = vars(import_module("hypothesis.internal.conjecture.providers"))
    kept = {name: internals[name] for name in ours if name in internals}
    with tempfile.TemporaryDirectory(prefix="altpg-verify-") as folder:
        configuration.set_hypothesis_home_dir(folder)
        internals.update({name: ours[name] for name in kept})
        try:
            yield
        finally:
            internals.update(kept)
            configuration.set_hypothesis_home_dir(home)


def sample(strategy: SearchStrategy[Value], count: int, seed: int) -> list[Value]:
    """Deterministic draws from a strategy, without shrinking: what a search draws that finds
    nothing.

    Args:
        strategy: a Hypothesis strategy of cases.
        count: draws at most; fewer where the strategy has fewer cases.
        seed: as for `search`.
    """
    drawn: list[Value] = []

    def collect(case: Value) -> bool:
        drawn.append(case)
        return False

    search(strategy, collect, count, seed)
    return drawn
