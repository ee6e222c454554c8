"""Where an update and references are compared, draw by draw: policies, behaviours, rewards, sizes
and constants besides the space's own.

Equality on one space at one policy says little: a clip shows only where a ratio leaves it, a
deviation only where rewards differ, a fixed number only where the constant is another. So the space
is varied in all of these, as far as the update's own arguments allow.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from altpg_verify.audit.constant_policies import BESIDE, USUAL_RATIOS, at_constants, ratios_of
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration, SomeDraws, count_of
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import telling_rows
from altpg_verify.audit.references.loss_numbers import constants_asked
from altpg_verify.audit.references.sequences import Sequences
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.constants import constants
from altpg_verify.untrusted.lines import LineCoverage

MOST = 120_000
"""Evaluations of an update that is run on many draws at once."""

MOST_SINGLY = 6_000
"""The same of one that is run draw by draw."""

SEQUENCES = 20_000
"""So many draws are enumerated in every order, whatever the update does with orders."""

CHECKED = 3
"""So many variations are checked anew for whether many draws at once give the same as one."""

FAR, NEAR, TINY = 1.5, 0.15, 3e-4
"""How far behaviours are from the policy, in logits: outside every clip, about it, and within all
but the narrowest.
"""

LARGE, MOST_SIZES = (8, 32), 3
"""Sizes of which some draws are looked at, and so many more for numbers of the source."""

SHARES = 8
"""Sizes are multiples of it, so that workers can share them."""

LARGEST_SCORE = 16.0
"""Bounds of standardised returns above this one are looked for in vain."""

BY_CHANCE = 6
"""Draws of such a size beside those with one return apart."""

MOST_THRESHOLDS = 48
"""Behaviours that put ratios on both sides of numbers in the update's source."""


@dataclass
class Block:
    """Draws of one trial, with what the update does on them.

    Args:
        draws: as sequences.
        vectors: (B, n) the update.
        scores: (B, P, G, T, n).
        largest: the largest entry of any update of the trial.
        kept: what references have computed of these draws.
    """

    draws: Sequences
    vectors: np.ndarray
    scores: np.ndarray
    largest: float = 0.0
    kept: dict[Any, np.ndarray] = field(default_factory=dict)

    def telling(self, most: int) -> Block:
        """The draws that show most."""
        rows = np.array(sorted(telling_rows(self.vectors, most)), dtype=int)
        whole = self.draws.draws
        part = Draws(
            whole.tables, whole.indices[rows], None, whole.held, whole.frozen, whole.values
        )
        return Block(Sequences(part), self.vectors[rows], self.scores[rows], self.largest)


@dataclass
class Trial:
    """One variation of the space.

    Args:
        update: on it.
        point: the parameters.
        summary: what is varied, in words.
        own: the policy is sampled from itself.
        rows: (C, N) the episodes of the only draws that are looked at; all by default.
    """

    update: Update
    point: Parameters
    summary: str
    own: bool
    rows: np.ndarray | None = None

    @cached_property
    def enumeration(self) -> Enumeration:
        """Its draws, in every order; where those are too many, what was established of orders is
        used.
        """
        if self.rows is not None:
            return SomeDraws(self.update.space, rows=self.rows)
        if count_of(self.update.space) <= SEQUENCES:
            return Enumeration(self.update.space)
        return self.update.program.order.enumeration

    @cached_property
    def layout(self) -> Layout:
        """The groups of the policy that are judged."""
        groups = tuple(
            name for name in self.update.judged if name in self.update.space.policy.shapes
        )
        return Layout.of(groups, self.point)

    @cached_property
    def blocks(self) -> list[Block]:
        """Every draw of it, with what the update does.

        Raises:
            BadInput: the update can't be run there.
        """
        passes = Pass(self.update.program, [self.point], self.enumeration, self.layout)
        found = []
        for block in passes.blocks():
            vectors = self.update.program.vectors(block.draws, block.points, self.layout)
            draws = Sequences(block.draws)
            found.append(Block(draws, vectors, draws.scores(self.layout)))
        largest = max(
            (float(np.abs(block.vectors).max(initial=0.0)) for block in found), default=0.0
        )
        return [replace(block, largest=largest) for block in found]

    @property
    def ratios(self) -> tuple[float, float]:
        """The smallest and the largest ratio of a step."""
        if self.own:
            return 1.0, 1.0
        logs = [
            (block.draws.logprobs - block.draws.old)[block.draws.mask > 0] for block in self.blocks
        ]
        return math.exp(min(float(each.min()) for each in logs)), math.exp(
            max(float(each.max()) for each in logs)
        )


def trials(update: Update) -> Iterator[Trial]:
    """The space itself first, then its variations, as many as the number of draws allows."""
    left = float(MOST)
    for number, trial in enumerate(_all(update)):
        space = trial.update.space
        count = count_of(space) if trial.rows is None else trial.enumeration.count
        if number > CHECKED and update.program.mode == "batched":
            # that many draws at once give the same as one was seen on the space itself and on its
            # first variations
            trial.update.program.mode = "batched"
        if count > SEQUENCES:
            try:
                count = trial.update.program.order.enumeration.count
            except BadInput:
                if number == 0:
                    raise
                continue
        if number and count > left:
            continue
        try:
            if not trial.blocks:
                continue
        except BadInput:
            # an update that can't be run on a variation says nothing there; on its own space it
            # must be
            if number == 0:
                raise
            continue
        # the mode is known once it has been run
        weight = 1 if trial.update.program.mode == "batched" else MOST / MOST_SINGLY
        left -= count * weight
        yield trial
        if left <= 0:
            return


def _all(update: Update) -> Iterator[Trial]:
    space = update.space
    own = space.behaviour is None
    places = [*points(space, 3), *points(space, 2, spread=FAR)[1:]]
    yield Trial(update, places[0], "the space as it is", own)
    # a decoding keeps ratios small; what happens at large ones is seen under other policies
    off = (own or callable(space.behaviour)) and _can_be_off(space)
    if off:
        yield from _sampled_by(update, places[0], places[3], "sampled by a policy far away")
    for number, place in enumerate(places[1:], 1):
        yield Trial(update, place, f"policy {number + 1}", own)
        if off:
            yield from _sampled_by(
                update,
                place,
                places[number - 1],
                f"policy {number + 1}, sampled by policy {number}",
            )
    if not own:
        yield Trial(
            update.on(replace(space, behaviour=None)),
            places[1],
            "sampled from the policy itself",
            True,
        )
    for summary, paying in _other_rewards(space):
        moved = update.on(paying)
        yield Trial(moved, places[1], summary, own)
        if off:
            yield from _sampled_by(
                moved, places[1], places[3], f"{summary}, sampled by a policy far away"
            )
    for size in (space.size + 1, space.size - 1):
        if space.scheme != "one" and size >= 2:
            resized = update.on(replace(space, size=size))
            yield Trial(resized, places[1], f"size {size}", own)
    yield from _outliers(update, places, own, off)
    for name in constants_asked(update):
        yield from _with_constant(update, name, places, own, off)
    if off:
        for spread, summary in ((NEAR, "near by"), (TINY, "very near")):
            yield from _sampled_by(
                update,
                places[0],
                points(space, 2, spread=spread)[1],
                f"sampled by a policy {summary}",
            )
        yield from _at_thresholds(update, places[1])
    for number, place in enumerate(at_constants(update)[:MOST_THRESHOLDS]):
        yield Trial(update, place, f"a policy at a number of the source ({number + 1})", own)


def _with_constant(
    update: Update, name: str, places: list[Parameters], own: bool, off: bool
) -> Iterator[Trial]:
    given = float(update.space.constants[name])
    other = given * 1.5 if given else 0.25
    space = update.space.having(**{name: other})
    try:
        # a trainer's loss has its configuration from the space that it was made on
        moved = update.on(space) if update.remade is None else update.remade(space)
    except (BadInput, BadEstimator):
        return
    summary = f"{name} = {other:g}"
    yield Trial(moved, places[1], summary, own)
    if not off:
        return
    yield from _sampled_by(moved, places[1], places[3], f"{summary}, sampled by a policy far away")
    # a bound that is the constant is met where a fixed number in its place isn't
    for ratio in (1 + 1.25 * given, 1 - 1.25 * given):
        if given and abs(given) < 1:
            yield from _at_ratio(moved, places[1], ratio, f"{summary}, ")


def _outliers(update: Update, places: list[Parameters], own: bool, off: bool) -> Iterator[Trial]:
    """Large batches or groups in which one return differs from all others: what is standardised is
    nowhere larger, (N - 1)/√N deviations, and a bound that acts there only is met.
    """
    space = update.space
    if space.scheme == "one" or len(space.episodes) < 2:
        return
    numbers = (
        [] if update.function is None else [float(each) for each in constants(update.function)]
    )
    # N with (N - 1)/√N beyond a number of the source
    needed = {
        SHARES * math.ceil(((1.1 * each) ** 2 + 3) / SHARES)
        for each in numbers
        if 1 < each < LARGEST_SCORE
    }
    for size in (*LARGE, *sorted(needed - set(LARGE))[:MOST_SIZES]):
        rows = _one_apart(space, size)
        resized = update.on(replace(space, size=size))
        summary = f"some draws of size {size}"
        yield Trial(resized, places[1], summary, own, rows)
        if off:
            other = space.policy.table(places[3])
            elsewhere = resized.on(replace(resized.space, behaviour=other))
            yield Trial(
                elsewhere, places[1], f"{summary}, sampled by a policy far away", False, rows
            )


def _one_apart(space: Space, size: int) -> np.ndarray:
    """(C, N) draws of one episode many times and another once, first or last, and a few by chance;
    with several starts the same of each.
    """
    arrays = space.arrays
    returns = arrays.floats(arrays.returns(space.discount))[:, 0]
    starts = space.starts if space.scheme in ("group", "groups") else (None,)
    random = np.random.default_rng(5)
    of_start = []
    for start in starts:
        members = (
            np.flatnonzero(arrays.starts == start) if start is not None else np.arange(len(returns))
        )
        low, high = members[returns[members].argmin()], members[returns[members].argmax()]
        rows = [np.full(size, low), np.full(size, high), np.full(size, low), np.full(size, high)]
        for row, other, place in zip(rows, (high, low, high, low), (0, 0, -1, -1), strict=True):
            row[place] = other
        of_start.append(np.stack([*rows, *random.choice(members, size=(BY_CHANCE, size))]))
    # one start is drawn for a group, all for groups
    return np.concatenate(of_start, axis=1 if space.scheme == "groups" else 0)


def _can_be_off(space: Space) -> bool:
    return any(len(actions) > 1 for actions in space.taken.values())


def _sampled_by(
    update: Update, point: Parameters, other: Parameters, summary: str
) -> Iterator[Trial]:
    space = update.space
    yield Trial(
        update.on(replace(space, behaviour=space.policy.table(other))), point, summary, False
    )


def _paying(space: Space, change: Any) -> Space:
    """The space with other rewards: change(reward, number of the episode, step)."""
    episodes = tuple(
        replace(
            each, rewards=tuple(change(reward, number, t) for t, reward in enumerate(each.rewards))
        )
        for number, each in enumerate(space.episodes)
    )
    return replace(space, episodes=episodes)


def _other_rewards(space: Space) -> Iterator[tuple[str, Space]]:
    """Rewards with another sign and zero, all different, very large and very small."""

    yield (
        "rewards -3/2 r + 1/4",
        _paying(space, lambda reward, number, t: Fraction(-3, 2) * reward + Fraction(1, 4)),
    )
    yield (
        "rewards all different",
        _paying(space, lambda reward, number, t: reward + Fraction((7 * number + 5 * t) % 23, 13)),
    )
    yield "rewards 1000 r", _paying(space, lambda reward, number, t: 1000 * reward)
    yield "rewards r / 1000", _paying(space, lambda reward, number, t: reward / 1000)


def _at_thresholds(update: Update, place: Parameters) -> Iterator[Trial]:
    """Behaviours under which ratios lie on both sides of numbers in the update's source, and of
    what ratios are compared with.
    """
    if update.function is None:
        return
    wanted: list[float] = []
    close: list[float] = []
    given = [
        each
        for each in update.space.constants.values()
        if isinstance(each, Real) and not isinstance(each, bool)
    ]
    numbers = map(float, (*constants(update.function), *given))
    for each in ratios_of(numbers):
        # a narrow clip is met from both sides, too
        gap = 0.02 * min(abs(each - 1), each)
        wanted += [each - gap, each + gap]
        close += [each * (1 - BESIDE), each * (1 + BESIDE)]
    made = 0
    for ratio in dict.fromkeys(round(each, 12) for each in (*USUAL_RATIOS, *wanted, *close)):
        trials = list(_at_ratio(update, place, ratio))
        made += bool(trials)
        yield from trials
        if made >= MOST_THRESHOLDS:
            return


def _at_ratio(update: Update, place: Parameters, ratio: float, before: str = "") -> Iterator[Trial]:
    """A behaviour under which an action has this ratio in every state; none if there is none."""
    behaviour = _with_ratio(update.space.policy.table(place), ratio) if ratio > 0 else None
    if behaviour is None:
        return
    there, summary = replace(update.space, behaviour=behaviour), f"{before}ratios of {ratio:.6g}"
    yield Trial(update.on(there), place, summary, False)
    if there.horizon > 1:
        # a ratio of a whole sequence is that of few sequences only, and a bound is met by those
        # with the advantage that pushes to it
        turned = _paying(there, lambda reward, number, t: -reward)
        yield Trial(update.on(turned), place, f"{summary}, rewards -r", False)


def _with_ratio(table: np.ndarray, ratio: float) -> np.ndarray | None:
    """A policy under which the first action that has this ratio to the table's is in every state;
    None if there is none in some.
    """
    out = table.copy()
    for row in out:
        choices = np.flatnonzero(row)
        if len(choices) < 2:
            continue
        fitting = [int(a) for a in choices if row[a] / ratio < 1 and row[a] < 1]
        if not fitting:
            return None
        first = fitting[0]
        chance = row[first] / ratio
        rest = 1 - row[first]
        row *= (1 - chance) / rest
        row[first] = chance
    return out


def unrun(update: Update, tried: list[Trial]) -> str:
    """Lines and branches of the update that ran on no trial, in words; empty if all did."""
    coverage = LineCoverage(update.function)
    for trial in tried:
        passes = Pass(trial.update.program, [trial.point], trial.enumeration, trial.layout)
        for block in passes.blocks():
            vectors = trial.update.program.vectors(block.draws, block.points, trial.layout)
            with trial.update.watched(), coverage:
                trial.update.program.singly(
                    block.draws, block.points, trial.layout, telling_rows(vectors, 6)
                )
            if not coverage.unrun():
                return ""
    return str(coverage.unrun())
