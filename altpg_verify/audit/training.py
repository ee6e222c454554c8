"""Where the flow of the expected update ends, followed from a start until it stops moving the
policy, and the value reached there.

Training by single draws follows this flow in the limit of small steps only: near a saddle, or with
an update that doesn't vanish at a corner, a share of the runs ends elsewhere.

The flow `θ' = E[g](θ)` is followed by linearly implicit steps that grow as it slows down
(pseudo-transient continuation). Towards a corner, where the flow itself needs an exponentially long
time, such steps are Newton's and advance the logits by about one each. Every end is followed a
second time with half the steps' length; ends that differ are reported as such.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from altpg_verify.audit.expected_update import identifiable_projection, moments_at
from altpg_verify.audit.kept_draws import NothingKept
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.moments import of_some
from altpg_verify.audit.numbers import say, say_vector
from altpg_verify.audit.objectives import objective_named
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.updates import Update

STILL = 1e-12
"""Size of the expected update, in directions that change the policy, below which it has stopped."""

SLOW = 1e-3
"""Size below which steps may be longer: near a corner only Newton's advance."""

STEPS = 400
LONGEST_STEP = 0.25
LATER_STEP = 1.0
LARGEST_GROWTH = 0.3
"""Of a repelling direction in one step, times its rate."""

NEAR_CORNER = 0.05
"""Probability left to the other actions at the starts near corners."""

VANISHED = 1e-6
"""Probability below which an action is gone for good at an end."""

MOST_STARTS = 9


@dataclass(frozen=True)
class End:
    """Where the flow of the expected update ends from one start.

    Args:
        start: the policy it started from, in words.
        policy: (states, actions) where it ends.
        parameters: the same as parameters; along directions that never stop, where following
            stopped.
        value: V there, discounted as the space says.
        objective: the target's value there.
        stopped: the update vanished; False if it still moved after the last step.
        words: where it ends, where the policy is no table.
        empty: beyond this policy the space keeps none of its draws (see `Space.keeping`), so that
            nothing could be followed further.
        stable: the same end was reached with half the steps' length; False without trying where
            `empty`.
        corner: some action's probability has gone to zero in a state that is still visited.
    """

    start: str
    policy: np.ndarray
    parameters: dict[str, np.ndarray]
    value: float
    objective: float
    stopped: bool
    stable: bool
    corner: bool
    empty: bool = False
    words: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain data, fit for JSON."""
        return {
            "policy": self.policy.tolist(),
            "value": self.value,
            "objective": None if np.isnan(self.objective) else self.objective,
            "stopped": self.stopped,
            "stable": self.stable,
            "corner": self.corner,
            "empty": self.empty,
        }

    def __str__(self) -> str:
        doubt = (
            ""
            if self.stopped and self.stable
            else " (still moving)"
            if not self.stopped
            else " (another end with smaller steps)"
        )
        if self.words:
            return (
                f"the flow of the expected update from {self.start} ends at {self.words}, V ="
                f" {say(round(self.value, 12))}{doubt}"
            )
        policy = "; ".join(
            say_vector(row) for row in np.where(self.policy < VANISHED**1.5, 0.0, self.policy)
        )
        begins = f"the flow of the expected update from π = {self.start}"
        if self.empty:
            return (
                f"{begins} reaches π = {policy}, V = {say(round(self.value, 12))}, and no further:"
                " next, no draw is kept"
            )
        return (
            f"{begins} ends at π = {policy}, V = {say(round(self.value, 12))}{doubt}; runs of"
            " single draws may end elsewhere"
        )


def endpoints(
    update: Update,
    *,
    starts: Sequence[Parameters] | None = None,
    groups: Sequence[str] | None = None,
    everywhere: bool = False,
) -> tuple[End, ...]:
    """Follow the expected update to its end.

    Args:
        starts: parameters to start from; the point of the audit by default.
        groups: which groups of parameters are trained, the others standing still; all that the
            space has, by default.
        everywhere: also from near every corner of the policy (at most `MOST_STARTS` starts).

    Frozen quantities stay those of the point of the audit.

    Examples:
        >>> from altpg_verify.audit import bandit, endpoints, update
        >>> @update(space=bandit([1, 0]))
        ... def reinforce(r, score):
        ...     return r * score
        >>> [round(end.value, 3) for end in endpoints(reinforce)]
        [1.0]
    """
    space = update.space
    trained = tuple(groups) if groups is not None else tuple(space.parameters)
    beginnings = list(starts) if starts is not None else [space.parameters]
    if everywhere:
        beginnings += near_corners(space)
    return tuple(_end(update, trained, {**space.parameters, **start}) for start in beginnings)


def near_corners(space: Space, left: float = NEAR_CORNER) -> list[Parameters]:
    """Parameters of policies near the corners, where `left` is the probability of all other
    actions; tabular policies only, else none.
    """
    from altpg_verify.audit.policies import TablePolicy

    policy = space.policy
    if not isinstance(policy, TablePolicy):
        return []
    choices = [[a for a, i in enumerate(row) if i != -2] for row in policy.index]
    found: list[Parameters] = []
    for corner in product(*choices):
        if len(found) + 1 >= MOST_STARTS:
            break
        theta = np.zeros(int(np.prod(policy.shape)))
        for row, kept in zip(policy.index, corner, strict=True):
            others = sum(i != -2 for i in row) - 1
            gap = np.log((1 - left) / left * others)
            if row[kept] >= 0:
                theta[row[kept]] = gap
            else:
                theta[[i for i in row if i >= 0]] = -gap
        found.append({policy.group: theta.reshape(policy.shape)})
    return found


def _end(update: Update, groups: tuple[str, ...], start: Parameters) -> End:
    point, stopped, empty = _follow(update, groups, start, LONGEST_STEP)
    space = update.space
    if space.continuous is not None:
        return _continuous_end(
            update, start, point, stopped, _follow(update, groups, start, LONGEST_STEP / 2)[0]
        )
    tables = Tables.at(space, point)
    visited = {
        episode.states[t]
        for p, episode in zip(tables.probabilities, space.episodes, strict=True)
        if p > VANISHED
        for t in range(len(episode))
    }
    legal = space.policy.table(space.parameters) > 0
    corner = any(
        tables.table[s, a] < VANISHED for s in visited for a in range(space.actions) if legal[s, a]
    )
    # there is no end to compare where nothing could be followed further
    stable = not empty and _same_end(tables, _follow(update, groups, start, LONGEST_STEP / 2)[0])
    described = "; ".join(say_vector(row) for row in space.policy.table(start))
    target = objective_named(update.target)
    reached = (
        float(target.at(tables, tables)) if not corner or target.formula == "V" else float("nan")
    )
    return End(
        described,
        tables.table,
        dict(point),
        float(tables.value),
        reached,
        stopped,
        stable,
        corner,
        empty,
    )


def _continuous_end(
    update: Update, start: Parameters, point: Parameters, stopped: bool, other: Parameters
) -> End:
    space = update.space
    assert space.continuous is not None
    reached = objective_named(update.target).value(space, point)
    value = space.continuous.value(point)
    stable = abs(value - space.continuous.value(other)) < 1e-6
    begins, ends = (space.continuous.describe(each) for each in (start, point))
    return End(
        begins,
        np.empty((0, 0)),
        dict(point),
        value,
        reached,
        stopped,
        stable,
        corner=False,
        words=ends,
    )


def _same_end(tables: Tables, other: Parameters) -> bool:
    return abs(float(tables.value) - float(Tables.at(tables.space, other).value)) < 1e-6


def settle(update: Update, groups: tuple[str, ...]) -> tuple[Parameters, bool]:
    """Where some groups of parameters come to rest while all others stand still, and whether they
    do.
    """
    at, stopped, _ = _follow(update, groups, update.space.parameters, LONGEST_STEP)
    return at, stopped


def _follow(
    update: Update, groups: tuple[str, ...], start: Parameters, longest: float
) -> tuple[Parameters, bool, bool]:
    """The last parameters, whether the update vanished there, and whether beyond them no draw is
    kept.
    """
    layout = Layout.of(groups, start)
    held = update.space.parameters
    identifiable = identifiable_projection(update.space, groups)
    # an orthonormal basis of the directions that change the policy: the field lies in it, and so
    # does every step
    lengths, directions = np.linalg.eigh(identifiable)
    basis = directions[:, lengths > 0.5]
    flat = layout.flat(start).astype(float)

    def fields(places: Sequence[np.ndarray]) -> list[np.ndarray]:
        points = [{**start, **layout.split(at)} for at in places]
        return [
            basis.T @ of_some(found, update).mean
            for found in moments_at(update, points, held=held, groups=groups)
        ]

    (here,) = fields([flat])
    stretch = 1.0
    for step in range(STEPS):
        size = float(np.abs(basis @ here).max())
        if size < STILL:
            return {**start, **layout.split(flat)}, True, False
        try:
            slopes = _slopes(fields, flat, basis)
        except NothingKept:
            return {**start, **layout.split(flat)}, False, True
        repelled = float(np.linalg.eigvals(slopes).real.max())
        if repelled > 0:
            # longer implicit steps would jump back over the repelling side, onto a saddle
            stretch = min(stretch, LARGEST_GROWTH / repelled)
        moved = basis @ np.linalg.solve(np.eye(len(slopes)) / stretch - slopes, here)
        bound = (
            longest if size > SLOW and step < STEPS // 4 else longest * LATER_STEP / LONGEST_STEP
        )
        length = float(np.abs(moved).max())
        if length > bound:
            moved, stretch = moved * bound / length, max(stretch / 1.5, bound / size / 4)
        try:
            (following,) = fields([flat + moved])
        except NothingKept:
            return {**start, **layout.split(flat)}, False, True
        flat = flat + moved
        stretch *= 2.0 if np.abs(basis @ following).max() < size else 1.2
        stretch = min(stretch, 1e14)
        here = following
    return {**start, **layout.split(flat)}, False, False


def _slopes(
    fields: Callable[[Sequence[np.ndarray]], list[np.ndarray]],
    at: np.ndarray,
    basis: np.ndarray,
    step: float = 1e-5,
) -> np.ndarray:
    """The derivative of the field along each direction of the basis, as columns; all places are
    evaluated in one pass.
    """
    found = fields([at + side * step * unit for unit in basis.T for side in (1, -1)])
    return np.stack(
        [
            (ahead - behind) / (2 * step)
            for ahead, behind in zip(found[::2], found[1::2], strict=True)
        ],
        axis=1,
    )
