"""Draws of a space at random, many at once, and an update on each of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from altpg_verify.audit.declarations import checked_choices
from altpg_verify.audit.draw_counts import count_of
from altpg_verify.audit.draws import Draw, Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.kept_draws import kept_draws, kept_rows
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.programs import Points
from altpg_verify.audit.progress import step
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update, where
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.conditions import Conditions
from altpg_verify.untrusted.lines import LineCoverage, Unrun

MOST_EPISODES = 50_000_000
"""The most episodes in all sampled draws together."""

ASKED_AGAIN = 48
"""Draws on which it is established that the update is pure."""

COUNTABLE = 20_000
"""Up to so many draws all of them are looked at for whether they keep the declared bounds."""

WATCHED = 500
"""Draws in which lines of the update are watched."""

BLOCK = 4_096
"""Draws that are evaluated together."""

FEWEST_KEPT = 1000
"""Of so many draws one at least must be kept."""


def sampled_updates(
    update: Update, samples: int, seed: int, bounds: tuple[float, float] | None = None
) -> np.ndarray:
    """(samples, n) updates on independent draws, flattened over the judged groups; draws that
    aren't kept are drawn again.

    Args:
        bounds: the smallest and the largest number that an update may have as an entry.

    Raises:
        BadInput: so many draws don't fit into memory, or fewer than one in `FEWEST_KEPT` is kept.
        BadEstimator: the update raised, returned what it shouldn't, or left its bounds.
    """
    space = update.space
    generator = np.random.default_rng(seed)
    tables = Tables.at(space, space.parameters)
    each = space.size * (len(space.starts) if space.scheme == "groups" else 1)
    if samples * each > MOST_EPISODES:
        raise BadInput(
            f"samples: {samples:,} draws of {each:,} episodes are more than the {MOST_EPISODES:,}"
            " episodes that are sampled; take fewer draws, or smaller ones"
        )
    found: list[np.ndarray] = []
    kept, tried = 0, 0
    while kept < samples:
        # a few more than are missing, so that rare ones are found before long
        indices = sampled_indices(
            space,
            tables,
            generator,
            max(samples - kept, 256) if space.keep is not None else samples,
        )
        tried += len(indices)
        if space.keep is not None:
            indices = indices[_kept(tables, indices)]
        indices = indices[: samples - kept]
        kept += len(indices)
        if len(indices):
            found.append(updates_of(update, indices, generator))
            if bounds is not None:
                _refuse_outside(update, found[-1], tables, indices, bounds)
        if tried > FEWEST_KEPT * samples:
            raise BadInput(
                f"space {space.name!r} keeps fewer than one draw in {FEWEST_KEPT}; loosen `keep`"
            )
    return np.concatenate(found)


def refuse_outside_anywhere(update: Update, bounds: tuple[float, float]) -> None:
    """Raise BadEstimator if an update leaves its bounds on any draw there is, where they can be
    counted off: the sample may miss it.
    """
    space = update.space
    if update.random or count_of(space) * math.prod(map(len, update.choices.values())) > COUNTABLE:
        return
    layout = Layout.of(update.judged, space.parameters)
    for block in Pass(update.program, [space.parameters], Enumeration(space), layout).blocks():
        vectors = update.program.vectors(block.draws, block.points, layout)
        _refuse_outside(update, vectors, block.draws.tables, block.draws.indices, bounds)


def _refuse_outside(
    update: Update,
    vectors: np.ndarray,
    tables: Any,
    indices: np.ndarray,
    bounds: tuple[float, float],
) -> None:
    """Raise BadEstimator if an update left its bounds, with the draw.

    Args:
        vectors: (draws, n) what it gave.
        indices: (draws, episodes) on these.
    """
    outside = ~((vectors >= bounds[0]) & (vectors <= bounds[1]))
    if outside.any():
        row = int(outside.any(axis=1).argmax())
        draw = Draws(tables, indices[row : row + 1]).row(0)
        number = vectors[row, int(outside[row].argmax())]
        raise BadEstimator(
            f"update {update.name!r} returned {number:g} {where(draw)}, outside of"
            f" bounds=({bounds[0]:g}, {bounds[1]:g}); declare bounds that hold on every draw"
        )


def updates_of(update: Update, indices: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """(draws, n) the update on each draw at the point of the audit, its declared choices drawn, its
    own randomness from the generator.

    Args:
        indices: (draws, episodes) which of the space's episodes each draw consists of.
    """
    space = update.space
    layout = Layout.of(update.judged, space.parameters)
    tables = Tables.at(space, space.parameters)
    choices = checked_choices(update.choices)
    names = list(choices)
    drawn = np.array(
        [
            generator.choice(
                len(each), size=len(indices), p=_shares([float(chance) for _, chance in each])
            )
            for each in choices.values()
        ],
        dtype=int,
    ).reshape(len(names), len(indices))
    found = np.empty((len(indices), layout.size))
    # draws of one shape and one outcome of the choices are evaluated together
    lengths = (
        space.arrays.lengths[indices[:, 0]]
        if space.scheme == "one"
        else np.zeros(len(indices), dtype=int)
    )
    kinds, inverse = np.unique(np.concatenate([drawn, lengths[None]]), axis=1, return_inverse=True)
    which = inverse.reshape(-1)
    outcomes = [
        {name: choices[name][kind[i]][0] for i, name in enumerate(names)} for kind in kinds.T
    ]
    if update.random:
        for start in range(0, len(indices), BLOCK):
            rows: dict[int, Draw] = {}
            for number, filled in enumerate(outcomes):
                chosen = start + np.flatnonzero(which[start : start + BLOCK] == number)
                draws = Draws(tables, indices[chosen], None, None, (), {**filled, "rng": generator})
                rows |= {int(row): draws.row(position) for position, row in enumerate(chosen)}
            # one after the other in the order drawn, since all take from one generator
            for row in sorted(rows):
                found[row] = layout.flat(update.at(space.parameters, rows[row]))
        return found
    for number, filled in enumerate(outcomes):
        own = np.flatnonzero(which == number)
        for start in range(0, len(own), BLOCK):
            chosen = own[start : start + BLOCK]
            draws = Draws(tables, indices[chosen], None, None, (), filled)
            found[chosen] = update.program.vectors(draws, Points([space.parameters]), layout)
            step(len(chosen))
    return found


def unrun_in_samples(update: Update, samples: int, seed: int) -> Unrun:
    """What of the update never ran on so many sampled draws, and whether it is a function of what
    it is given.

    Raises:
        BadInput: as for `sampled_updates`.
        BadEstimator: it remembers earlier calls, or draws random numbers that aren't its `rng`'s.
    """
    space = update.space
    guard = update.program.guard
    layout = Layout.of(update.judged, space.parameters)
    tables = Tables.at(space, space.parameters)
    indices = sampled_indices(space, tables, np.random.default_rng(seed), ASKED_AGAIN)

    def run(i: int) -> np.ndarray:
        values = {name: outcomes[i % len(outcomes)][0] for name, outcomes in update.choices.items()}
        if update.random:
            values["rng"] = np.random.default_rng(i)
        return layout.flat(
            update.at(
                space.parameters, Draws(tables, indices[i : i + 1], None, None, (), values).row(0)
            )
        )

    coverage = LineCoverage(update.function)
    with update.watched():
        guard.establish(run, [run(i) for i in range(len(indices))], seeded=update.seeded)
        with coverage:
            for i in range(len(indices)):
                run(i)
            sampled_updates(update, min(samples, WATCHED), seed)
        conditions = Conditions(coverage.roots)
        if conditions.sites:
            with conditions:
                for i in range(len(indices)):
                    run(i)
                sampled_updates(update, min(samples, WATCHED), seed)
    return coverage.unrun().also(conditions.one_way(), "in the draws looked at")


def sampled_indices(
    space: Space, tables: Tables, generator: np.random.Generator, count: int
) -> np.ndarray:
    """(count, episodes) the episodes of so many independent draws, in the order in which a draw has
    them.
    """
    chances = np.array([float(p) for p in tables.sampled])
    if space.scheme in ("one", "batch"):
        return generator.choice(len(chances), size=(count, space.size), p=_shares(chances))
    members = {
        start: np.array([i for i, episode in enumerate(space.episodes) if episode.start == start])
        for start in space.starts
    }

    def group(start: int, groups: int) -> np.ndarray:
        return generator.choice(
            members[start], size=(groups, space.size), p=_shares(chances[members[start]])
        )

    if space.scheme == "groups":
        return np.concatenate([group(start, count) for start in space.starts], axis=1)
    drawn = generator.choice(
        len(space.starts),
        size=count,
        p=_shares([float(space.start_weight(start)) for start in space.starts]),
    )
    found = np.empty((count, space.size), dtype=int)
    for position, start in enumerate(space.starts):
        found[drawn == position] = group(start, int((drawn == position).sum()))
    return found


def _kept(tables: Tables, indices: np.ndarray) -> np.ndarray:
    """Which of the draws the space keeps; those of different lengths are asked by themselves."""
    if tables.space.scheme != "one":
        return kept_rows(Draws(tables, indices))
    return kept_draws(tables.space, lambda i: Draws(tables, indices[i][None]).row(0), len(indices))


def _shares(chances: np.ndarray | list[float]) -> np.ndarray:
    array = np.asarray(chances, dtype=float)
    return array / array.sum()
