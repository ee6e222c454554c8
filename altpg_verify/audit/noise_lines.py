"""What is narrower than the distance of a rule's nodes: each number of the noise is run through
alone, on nodes much nearer to one another, and nearest where the source has its constants.

Two rules of a few nodes each agree on what neither sees. So along each number, with all others
held, the mean by the verdict's rule is compared with that by Gauss-Legendre on many small panels.
Panels end where a quantity of the draw (an action, a reward, a log-probability, ...) meets a
constant of the source, or what is computed of one or two of them, and get smaller towards it. What
can still be unseen is said: how many nodes, from where to where, how far apart.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from altpg_verify.audit.agreement import agree
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.gaussian_actions import Gaussian
from altpg_verify.audit.kept_draws import kept_rows
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.noise_axes import Axis, axes, listed
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.programs import Points
from altpg_verify.audit.quadrature import legendre
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.constants import constants

TOGETHER, SINGLY, TRACED = 20_000, 6_000, 1_600
"""Draws in all, where they can be run at once, where each is a call of its own, and where such a
call is one of torch's or JAX's.
"""

PER_PANEL = 4

HELD = (0.37, -0.81, 1.13)
"""What the other numbers are held at, and at the negative of it."""

MOST_NUMBERS = 12
"""Constants of which pairs are added, subtracted, multiplied and divided."""

NEAREST = 10
"""Panels next to a constant get smaller by tens, down to this power."""

ZOOMS, PARTS = 9, 16
"""Rounds in which the place is found at which a quantity meets a constant, and how many parts an
interval is cut into in each.
"""

BLOCK = 1 << 12


@dataclass(frozen=True)
class Seen:
    """What came out.

    Args:
        differs: where a line gives another mean than the rule, in one sentence; empty if none does.
        said: how many nodes were run, and how far apart they are.
    """

    differs: str
    said: str


@dataclass(frozen=True, eq=False)
class _Line:
    """One number of the noise of one member of a draw, the others held."""

    axis: Axis
    member: int
    sign: float


def along_lines(update: Update, place: Parameters) -> Seen:
    """Compare the rule with a much finer one along each number of the noise, at one policy."""
    space = update.space
    members = 1 if space.scheme == "one" else space.size
    if space.scheme == "groups":
        members *= len(space.starts)
    every = axes(space, place)
    alone = members == 1 and len({axis.number for axis in every}) == 1
    lines = [
        _Line(axis, member, sign)
        for axis in every
        for member in range(members)
        if space.scheme != "groups" or member // space.size == axis.group
        for sign in ((1.0,) if alone else (1.0, -1.0))
    ]
    most = TOGETHER
    if update.program.mode == "single" or update.batch is None:
        most = SINGLY if update.origin in ("function", "formula") else TRACED
    panels = max(8, most // (len(lines) * PER_PANEL))
    direct, derived = _numbers(update)
    widest, count = 0.0, 0
    for line in lines:
        base = np.linspace(-line.axis.reach, line.axis.reach, panels // 2 + 2)
        met = _met(update, place, line, base, (direct, derived))
        ends = _ends(base, line.axis, met, panels)
        nodes, weights = _composite(ends, line.axis)
        both = np.concatenate([line.axis.nodes, nodes])
        try:
            vectors = _vectors(update, place, line, both)
        except (BadEstimator, BadInput) as error:
            return Seen(f"on a finer line of the noise it {_without_name(update, error)}", "")
        coarse, fine = vectors[: len(line.axis.nodes)], vectors[len(line.axis.nodes) :]
        means = line.axis.weights @ coarse, weights @ fine
        size = max(float((weights @ np.abs(fine)).max()), float(np.abs(means[0]).max()))
        if not agree(means[0][None], means[1][None], np.array([size])):
            entry = int(np.abs(means[0] - means[1]).argmax())
            return Seen(
                f"what is narrower than the distance of the nodes is not seen by {_rule(space)}:"
                f" along one number of the noise an entry of the mean is {means[0][entry]:.9g} by"
                f" it, and {means[1][entry]:.9g} by {len(nodes):,} nodes; give more nodes=, or an"
                " update that is smooth in the noise",
                "",
            )
        widest, count = max(widest, float(np.diff(ends).max())), count + len(nodes)
    reach = max(line.axis.reach for line in lines)
    return Seen(
        "",
        f"at the first of them each number of the noise alone agrees with {count:,} nodes from {-reach:.3g} to"
        f" {reach:.3g}, nearest at constants of the source and elsewhere {PER_PANEL} in each"
        f" {widest:.2g}; what is narrower there isn't seen",
    )


def _rule(space: Space) -> str:
    assert space.continuous is not None
    return space.continuous.rule


def _without_name(update: Update, error: Exception) -> str:
    return str(error).removeprefix(f"update {update.name!r}").strip()


def _vectors(update: Update, place: Parameters, line: _Line, nodes: np.ndarray) -> np.ndarray:
    """(F, n) the update along a line; zero where the space keeps no draw."""
    other = update.on(listed(update.space, _points(update.space, line, nodes)))
    layout = Layout.of(other.judged, other.space.parameters)
    other.program.mode, other.program.why = update.program.mode, update.program.why
    tables = Tables.at(other.space, place)
    out = []
    for start in range(0, len(nodes), BLOCK):
        indices = _indices(other.space, line, len(nodes), start)
        draws = Draws(tables, indices, None, None, update.frozen, _first_choice(update))
        found = other.program.vectors(draws, Points([place]), layout)
        out.append(found * kept_rows(draws)[:, None])
    return np.concatenate(out)


def _first_choice(update: Update) -> dict[str, Any]:
    """Declared choices are held, too."""
    return {name: outcomes[0][0] for name, outcomes in update.choices.items()}


def _points(space: Space, line: _Line, nodes: np.ndarray) -> np.ndarray:
    """(groups, F + members, numbers): the line, and behind it what the other members are held
    at.
    """
    continuous = space.continuous
    groups = len(continuous.chances) if isinstance(continuous, Gaussian) else 1
    numbers = 1 + max(axis.number for axis in axes(space, space.parameters))
    members = 1 if space.scheme == "one" else space.size * max(1, len(space.starts))
    held = line.sign * np.resize(HELD, (members + 1) * numbers).reshape(members + 1, numbers)
    out = np.concatenate([np.repeat(held[-1:], len(nodes), axis=0), held[:-1]])
    out[: len(nodes), line.axis.number] = nodes
    return np.repeat(out[None], groups, axis=0)


def _indices(space: Space, line: _Line, count: int, start: int) -> np.ndarray:
    """(B, N) episodes of the draws along a line, B at most `BLOCK`."""
    inner = len(space.episodes) // (
        len(space.continuous.chances)
        if isinstance(space.continuous, Gaussian)
        else space.policy.shapes["theta"][0]
    )
    members = (
        1
        if space.scheme == "one"
        else space.size * (len(space.starts) if space.scheme == "groups" else 1)
    )
    rows = np.arange(start, min(start + BLOCK, count))
    out = np.empty((len(rows), members), dtype=int)
    for member in range(members):
        group = member // space.size if space.scheme == "groups" else line.axis.group
        out[:, member] = group * inner + (rows if member == line.member else count + member)
    return out


# --- where panels end
# --------------------------------------------------------------------------------------------------


def _numbers(update: Update) -> tuple[list[float], list[float]]:
    """Constants of the source, and what is computed of one or two of them."""
    sources = [update.function, update.space.keep]
    if isinstance(update.space.continuous, Gaussian):
        sources += [reward.function for reward in update.space.continuous.rewards]
    found = {float(each) for source in sources if source is not None for each in constants(source)}
    found = {each for each in found if abs(each) < 1e12}
    # whole numbers stand in every formula, and say least
    direct = sorted(found | {0.0}, key=lambda each: (each == round(each), abs(each)))
    few = direct[:MOST_NUMBERS]
    more = [value for pair in itertools.permutations(few, 2) for value in _of_two(*pair)]
    more += [value for each in few for value in _of_one(each)]
    return direct, [each for each in dict.fromkeys(more) if each not in found]


def _of_one(number: float) -> Iterable[float]:
    functions = (math.sin, math.cos, math.tanh, math.atan, math.exp, math.sqrt, math.log)
    for function in functions:
        try:
            yield function(number)
        except (ValueError, OverflowError):
            continue
    yield from (-number, number * number, *([1 / number] if number else []))


def _of_two(one: float, other: float) -> Iterable[float]:
    yield from (one + other, one - other, one * other)
    if other:
        yield one / other


def _met(
    update: Update,
    place: Parameters,
    line: _Line,
    base: np.ndarray,
    wanted: tuple[Sequence[float], Sequence[float]],
) -> tuple[np.ndarray, np.ndarray]:
    """Where along a line a quantity of the draw meets one of the numbers."""
    curves = _curves(update, place, line, base)
    found: list[np.ndarray] = []
    # what doesn't change along the line is met by what does: two actions that are equal
    still = [float(curve[0]) for curve in curves if curve[0] == curve.min() == curve.max()]
    for numbers in ([*wanted[0], *still], wanted[1]):
        values = np.array(numbers, dtype=float)
        brackets = [
            (q, number, base[i], base[i + 1])
            for number in values
            for q, curve in enumerate(curves)
            if curve.min() <= number <= curve.max()
            for i in np.flatnonzero((curve[:-1] - number) * (curve[1:] - number) <= 0)[:4]
            if curve[i] != curve[i + 1]
        ]
        found.append(_zoomed(update, place, line, brackets))
    return found[0], found[1]


def _zoomed(
    update: Update, place: Parameters, line: _Line, brackets: Sequence[tuple[int, float, Any, Any]]
) -> np.ndarray:
    brackets = brackets[: BLOCK // 4]
    if not brackets:
        return np.empty(0)
    which, numbers, low, high = (np.array(each) for each in zip(*brackets, strict=True))
    row = np.arange(len(brackets))
    for _ in range(ZOOMS):
        inner = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, PARTS + 1)
        curves = _curves(update, place, line, inner.reshape(-1)).reshape(-1, *inner.shape)
        over = (curves[which, row] - numbers[:, None]) > 0
        # the first part in which the sign changes
        i = (over[:, 1:] != over[:, :-1]).argmax(axis=1)
        low, high = inner[row, i], inner[row, i + 1]
    # one after the other, each once
    return np.array(list(dict.fromkeys(np.round((low + high) / 2, 13).tolist())))


def _curves(update: Update, place: Parameters, line: _Line, nodes: np.ndarray) -> np.ndarray:
    """(Q, F) the quantities of the draw along a line."""
    space = listed(update.space, _points(update.space, line, nodes))
    tables = Tables.at(space, place)
    names = ("actions", "latents", "noise", "gumbels", "relaxed", "rewards", "logprobs")
    assert space.continuous is not None
    known = [name for name in names if name in space.continuous.names]
    out = []
    for name in known:
        parts = []
        for start in range(0, len(nodes), BLOCK):
            draws = Draws(tables, _indices(space, line, len(nodes), start))
            found = np.asarray(draws.array(name), dtype=float)
            parts.append(found.reshape(len(found), -1))
        out.append(np.concatenate(parts).T)
    return np.concatenate(out)


def _ends(
    base: np.ndarray, axis: Axis, met: tuple[np.ndarray, np.ndarray], panels: int
) -> np.ndarray:
    """The ends of the panels: evenly, and towards what was met."""
    # in steps of ten where there is room, else of a hundred
    room = panels // 2
    powers = 10.0 ** -np.arange(1, NEAREST + 1, 1 if 40 * len(met[0]) < room else 2)
    near = np.concatenate([-powers, [0.0], powers[::-1]])
    # where next to nothing is drawn nothing matters
    direct, derived = (each[np.abs(each) < 0.8 * axis.reach] for each in met)
    direct = direct[: max(1, 2 * room // (3 * len(near)))]
    rest = max(0, room - len(direct) * len(near))
    around = np.array([-1e-6, 0.0, 1e-6])
    derived = derived[: rest // len(around)]
    ends = np.concatenate(
        [
            base,
            axis.kinks,
            (direct[:, None] + near).reshape(-1),
            (derived[:, None] + around).reshape(-1),
        ]
    )
    return np.unique(np.clip(ends, -axis.reach, axis.reach))


def _composite(ends: np.ndarray, axis: Axis) -> tuple[np.ndarray, np.ndarray]:
    inner, shares = legendre(PER_PANEL)
    middles, halves = (ends[1:] + ends[:-1]) / 2, np.diff(ends) / 2
    nodes = (middles[:, None] + halves[:, None] * inner).reshape(-1)
    weights = (halves[:, None] * shares).reshape(-1) * axis.density(nodes)
    return nodes, weights / weights.sum()
