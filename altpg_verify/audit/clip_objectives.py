"""Clipped surrogates under a fixed behaviour, with bounds that stand in the code of the update: a
clip is seldom a constant of the space.

Which of the numbers in the code are the bounds isn't read off the syntax: every pair that may be is
a candidate, and is told from the others by what the update does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import inf
from types import FunctionType
from typing import Any

import numpy as np

from altpg_verify.audit.behaviour_objectives import bounded, fixed, mean, ratios, steps
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.updates import Update
from altpg_verify.untrusted.constants import constants
from altpg_verify.untrusted.reaching import functions, nested, reachable

MOST_NUMBERS = 8
"""So many numbers of the code are tried as bounds."""

MOST_WORK = 20_000_000
"""Candidates times probabilities times steps of all episodes; of more, only the likeliest are
tried.
"""

LARGEST = 1_000
"""A bound above this is none."""


WORDS = frozenset({"clamp", "clip", "minimum", "maximum", "min", "max", "where", "select"})
"""A function that uses none of these names clips nothing."""


@dataclass(frozen=True, eq=False)
class Clip(Objective):
    """A clipped surrogate with its bounds.

    Args:
        loose: the formula without the bounds, for where others do as well.
        bounds: lower, upper; of a dual clip what a negative return is multiplied by at most.
    """

    loose: str = ""
    bounds: tuple[float, ...] = ()

    @property
    def unbounded(self) -> Objective:
        """The same under the formula that doesn't say the bounds."""
        return Objective(
            self.name, self.loose, self.at, self.fits, stacks=self.stacks, holds=self.holds
        )


def written_clips(update: Update) -> Iterator[Clip]:
    """Every clipped surrogate that numbers in the code of an update may make, the likeliest first:
    both bounds, one, a dual clip; then clips without the minimum.
    """
    space = update.space
    if update.function is None or not fixed(space) or not _cuts(update.function):
        return
    numbers = [float(each) for each in constants(update.function)]
    within = [each for each in numbers if 0 < each < 1][:MOST_NUMBERS]
    above = [each for each in numbers if 1 < each <= LARGEST][:MOST_NUMBERS]
    arrays = space.arrays
    each = space.policy.table(space.parameters).size * len(space.episodes) * arrays.horizon
    left = max(MOST_NUMBERS, MOST_WORK // max(each, 1))
    for number, clip in enumerate(_clips(within, above)):
        if number >= left:
            return
        yield clip


def _cuts(function: Any) -> bool:
    """Whether it, or what it calls, has a name that cuts numbers off."""
    return any(
        WORDS & {word for name in code.co_names for word in name.strip("_").split("_")}
        for each in (*functions(function), *_of_modules(function))
        for code in nested(each.__code__)
    )


def _of_modules(function: Any) -> Iterator[FunctionType]:
    """The methods of every torch module that it can see: a library's loss is often one."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    kinds = {type(each.value) for each in reachable(function)}
    for base in {base for kind in kinds for base in kind.__mro__}:
        if issubclass(base, torch.nn.Module) and base is not torch.nn.Module:
            yield from (each for each in vars(base).values() if isinstance(each, FunctionType))


def _clips(within: list[float], above: list[float]) -> Iterator[Clip]:
    lows = _different((*within, *[1 - each for each in within], -inf))
    highs = _different((*above, *[1 + each for each in within], inf))
    ends = [pair for pair in product(lows, highs) if pair != (-inf, inf)]
    ends.sort(key=_unlikely)
    for low, high in ends:
        yield _clip("min(ρ G, {} G)", "min(ρ G, clip(ρ) G)", _pessimistic, low, high)
    for (low, high), cap in product(ends, above):
        if cap > high and low > -inf:
            yield _clip(
                f"(min(ρ G, {{}} G), at least {_said(cap)} G for G < 0)",
                "(min(ρ G, clip(ρ) G), at least c G for G < 0)",
                partial(_dual, cap=cap),
                low,
                high,
                cap,
            )
    for low, high in ends:
        yield _clip("{} G", "clip(ρ) G", _cut, low, high)


def _unlikely(ends: tuple[float, float]) -> tuple[bool, bool, float]:
    """Both bounds come before one, and what is alike on both sides before what isn't."""
    low, high = ends
    alone = inf in (high, -low)
    return alone, not alone and abs(low + high - 2) > 1e-9, 0.0 if alone else high - low


def _different(numbers: tuple[float, ...]) -> list[float]:
    return list(dict.fromkeys(round(each, 12) for each in numbers))


def _clip(
    formula: str, loose: str, taken: Callable[..., Any], low: float, high: float, *more: float
) -> Clip:
    if high == inf:
        clipped = f"max(ρ, {_said(low)})"
    elif low == -inf:
        clipped = f"min(ρ, {_said(high)})"
    else:
        clipped = f"clip(ρ, {_said(low)}, {_said(high)})"
    return Clip(
        "the clipped surrogate",
        f"E_μ[Σ {formula.format(clipped)}]",
        partial(_at, taken=taken, low=low, high=high),
        fixed,
        stacks=True,
        loose=f"E_μ[Σ {loose}]",
        bounds=(low, high, *more),
    )


def _said(bound: float) -> str:
    """As it is written in code."""
    return f"{bound:.12g}"


def _at(tables: Tables, held: Tables, *, taken: Callable[..., Any], low: float, high: float) -> Any:
    if not tables.floats:
        raise NotExact("a clip is piecewise")
    found = ratios(tables, held)
    gained = held.returns_to_go
    return mean(tables, held, steps(tables, taken(found, bounded(found, low, high), gained)))


def _cut(plain: np.ndarray, clipped: np.ndarray, gained: np.ndarray) -> np.ndarray:
    return clipped * gained


def _pessimistic(plain: np.ndarray, clipped: np.ndarray, gained: np.ndarray) -> np.ndarray:
    one, other = plain * gained, clipped * gained
    # a complex number carries a derivative: which is smaller is told by its real part
    return np.where(np.real(one) <= np.real(other), one, other)


def _dual(plain: np.ndarray, clipped: np.ndarray, gained: np.ndarray, cap: float) -> np.ndarray:
    found, least = _pessimistic(plain, clipped, gained), cap * gained
    return np.where((gained < 0) & (np.real(found) < least), least, found)
