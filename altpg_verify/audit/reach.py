"""Spaces out of reach: refused before any work, with their size, how long they would take and the
ways out.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np

from altpg_verify.audit.draw_counts import log10_count, refuse_too_many, steps_of_draw
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.programs import Points, Program

if TYPE_CHECKING:
    from altpg_verify.audit.spaces import Space

PLACES = 4
"""Policies at which every draw is evaluated at least."""

FEW, SOME = 16, 512
"""Draws that show how an update is run, and those that are timed if it is run on many at once."""

MOST_STEPS = 200_000
"""Steps in the draws that are timed at most; longer draws aren't tried."""

ASSUMED = 1e-6
"""Seconds of a draw that can't be timed: what simple updates take on many draws at once."""

_UNITS = (("s", 1.0), ("hours", 3600.0), ("days", 86_400.0), ("years", 31_557_600.0))


def refuse_out_of_reach(program: Program, merged: bool = False, why: str = "") -> None:
    """Raises BadInput if there are too many draws, or draws that are too long; arguments as for
    `refuse_too_many`.
    """
    space = program.update.space
    refuse_too_many(space, merged, why, lambda: estimate(program, merged))


def estimate(program: Program, merged: bool = False) -> str:
    """How long all draws of a space would take, by the time of some of them, in words."""
    timed = _timed(program)
    each, how = (
        (ASSUMED, f"if a draw takes {ASSUMED * 1e6:g} µs, which is assumed")
        if timed is None
        else (timed[0], f"by the time of {timed[1]} of them")
    )
    size = log10_count(program.update.space, merged) + math.log10(PLACES * each)
    return f"that would take {in_time(size)} at {PLACES} policies, {how}"


def in_time(size: float) -> str:
    """A time of 10 to this power seconds in words."""
    name, unit = next(
        (each for each in reversed(_UNITS) if size >= math.log10(2 * each[1])), _UNITS[0]
    )
    power = size - math.log10(unit)
    return f"about {10**power:,.0f} {name}" if power < 6 else f"≈10^{power:.0f} {name}"


def _timed(program: Program) -> tuple[float, int] | None:
    """Seconds of a draw, and of how many that is the mean; None where none can be tried."""
    space = program.update.space
    most = MOST_STEPS // steps_of_draw(space)
    if most < 1:
        return None
    guard = program.guard
    generators, mode, why = guard.generators.capture(), program.mode, program.why
    try:
        few = min(FEW, most)
        seconds = _seconds(program, few)
        if program.mode == "batched" and most > few:
            few = min(SOME, most)
            seconds = _seconds(program, few)
        elif program.mode != "batched":
            # without what the first call looked at besides
            seconds = _seconds(program, few)
    except Exception:
        # what is wrong with it is said where it is in reach
        return None
    finally:
        # as if it had not been tried
        program.mode, program.why = mode, why
        guard.memory.restore()
        guard.generators.restore(generators)
    return max(seconds, 1e-9) / few, few


def _seconds(program: Program, count: int) -> float:
    space = program.update.space
    layout = Layout.of(program.update.judged, space.parameters)
    indices = _some(space, count)
    values = {name: outcomes[0][0] for name, outcomes in program.update.choices.items()}
    draws = Draws(Tables.at(space, space.parameters), indices, None, None, (), values)
    begin = time.perf_counter()
    program.vectors(draws, Points([space.parameters]), layout)
    return time.perf_counter() - begin


def _some(space: Space, count: int) -> np.ndarray:
    """(count, episodes) draws at random, all of one shape."""
    generator = np.random.default_rng(0)
    lengths, starts = space.arrays.lengths, space.arrays.starts
    if space.scheme == "one":
        return generator.choice(np.flatnonzero(lengths == lengths.max()), size=(count, 1))
    if space.scheme == "batch":
        return generator.integers(len(space.episodes), size=(count, space.size))
    chosen = space.starts if space.scheme == "groups" else space.starts[:1]
    return np.concatenate(
        [
            generator.choice(np.flatnonzero(starts == start), size=(count, space.size))
            for start in chosen
        ],
        axis=1,
    )
