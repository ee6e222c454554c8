"""The field an update follows: its exact expectation, covariance, Jacobian and curl, by enumerating
every draw.

In float64 always; in exact numbers where the update and the policy allow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.draw_counts import count_of
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.episode_arrays import total
from altpg_verify.audit.kept_draws import NothingKept, drawn, nothing_kept
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.moments import Moments, at_one, sweep
from altpg_verify.audit.policies import FIXED, Parameters, TablePolicy
from altpg_verify.audit.policy_quantities import NotExact, Tables
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.update_arguments import chosen, lookup
from altpg_verify.cases import vector
from altpg_verify.differences import LEVELS, jacobian_together
from altpg_verify.divisions import dividing
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.opaque_numbers import NotRational, opaque

if TYPE_CHECKING:
    from altpg_verify.audit.updates import Update

MANY = 20_000
"""Above so many draws a curl is first looked for with fewer steps of the derivative."""

CLEAR = 100
"""How many times its estimated error such a curl must be to count; the estimate is that of the step
before the last extrapolation.
"""

SHORT = 0.01
"""Step of the two derivatives that are asked first."""

CONTINUOUS = 0.3
"""How far about the point policies over numbers are compared at most: farther, the rule that was
chosen at the point would not do.
"""

FLAT = 1e-9
"""Singular values below this belong to directions in which the policy doesn't change."""


def moments(
    update: Update,
    parameters: Parameters | None = None,
    *,
    held: Parameters | None = None,
    groups: Sequence[str] | None = None,
) -> Moments:
    """E[g] and its spread over every draw, float64.

    Args:
        parameters: the point; that of the space by default.
        held: where frozen quantities stand; the point itself by default.
        groups: which groups of parameters; those the verdict is about by default.

    Raises:
        NothingKept: the space keeps none of its draws there.
    """
    refuse_random(update)
    point = parameters if parameters is not None else update.space.parameters
    return at_one(update.program, point, update.program.order.enumeration, held=held, groups=groups)


def moments_at(
    update: Update,
    places: Sequence[Parameters],
    *,
    held: Parameters | None = None,
    groups: Sequence[str] | None = None,
) -> list[Moments | None]:
    """The same at several points in one pass; None where no draw is kept."""
    refuse_random(update)
    return sweep(update.program, places, update.program.order.enumeration, held=held, groups=groups)


def expected(
    update: Update,
    parameters: Parameters | None = None,
    *,
    held: Parameters | None = None,
    groups: Sequence[str] | None = None,
) -> np.ndarray:
    """(n,) E[g], flattened over the groups; ascent direction."""
    return moments(update, parameters, held=held, groups=groups).mean


def refuse_random(update: Update) -> None:
    """Raises BadInput if the update draws from its own `rng`."""
    if update.random:
        raise BadInput(
            f"update {update.name!r} draws its own randomness from rng, which can't be enumerated;"
            " declare it as choices={name: [(value, probability), ...]}, or sample:"
            " audit(update, samples=N), or check --samples N"
        )


MOST_EXACT = 10_000
"""Draws times parameters above which numbers are shown in float64."""


def exact_expected(
    update: Update, weights: Sequence[Any], *, enumeration: Enumeration | None = None
) -> np.ndarray:
    """(n,) E[g] in exact numbers, from the policy's weights e^θ (Fractions, or rational functions).

    Args:
        update: what is run on exact numbers.
        weights: the policy.
        enumeration: the draws that stand for all, as was established in float64; all of them by
            default.

    Raises:
        NotExact: the update or the policy can't be run on such numbers, or there are too many
            draws.
    """
    if not update.exact or update.random:
        raise NotExact(f"update {update.name!r} runs on floats only")
    if update.program.telling:
        raise NotExact(f"update {update.name!r} {update.program.telling}")
    count = count_of(update.space) if enumeration is None else enumeration.count
    if count * Layout.of(update.judged, update.space.parameters).size > MOST_EXACT:
        raise NotExact(f"update {update.name!r} has too many draws to be run on exact numbers")
    space = update.space
    layout = Layout.of(update.judged, space.parameters)
    terms: list[Any] = []
    try:
        for probability, draw in drawn(Tables.exact(space, weights), enumeration=enumeration):
            for share, filled in chosen(draw, update.choices):
                for name in update.needs:
                    # what follows from the policy is computed before the formula runs and its
                    # numbers refuse to be looked at
                    lookup(name, {}, filled)
                with opaque() as refusals, dividing() as conditions:
                    found = layout.flat(update.at({}, filled))
                if refusals:
                    raise NotExact(
                        f"update {update.name!r} can't be run on exact numbers: {refusals[0]}"
                    )
                if conditions:
                    raise NotExact(
                        f"update {update.name!r} divides by what may be 0: it holds {conditions}"
                        " only"
                    )
                if any(isinstance(entry, float | np.floating) for entry in found):
                    raise NotExact(f"update {update.name!r} makes floats of exact numbers")
                terms.append([probability * share * entry for entry in found])
    except (BadEstimator, NotRational, TypeError) as error:
        raise NotExact(f"update {update.name!r} can't be run on exact numbers: {error}") from error
    table = np.empty((layout.size, len(terms)), dtype=object)
    for number, entries in enumerate(terms):
        table[:, number] = entries
    return vector([entry + 0 * probability for entry in total(table)])


def field_jacobian(
    update: Update,
    *,
    parameters: Parameters | None = None,
    moving: bool = False,
    levels: int = LEVELS,
) -> tuple[np.ndarray, float]:
    """(n, n) ∂E[g]_i / ∂θ_j over the judged groups, and its estimated error; `moving` lets frozen
    quantities move, too.
    """
    point = parameters if parameters is not None else update.space.parameters
    layout = Layout.of(update.judged, point)

    def fields(flats: list[np.ndarray]) -> list[np.ndarray]:
        found = moments_at(
            update,
            [{**point, **layout.split(flat)} for flat in flats],
            held=None if moving else point,
        )
        if any(each is None for each in found):
            raise NothingKept(nothing_kept(update.space))
        return [each.mean for each in found if each is not None]

    return jacobian_together(fields, layout.flat(point), levels=levels)


@dataclass(frozen=True)
class Curl:
    """The largest |∂F_i/∂θ_j - ∂F_j/∂θ_i|: as it is, and without the directions that leave the
    policy unchanged; with the error of both.

    Args:
        raw: the largest |∂Fᵢ/∂θⱼ - ∂Fⱼ/∂θᵢ|.
        gauge: the same without the directions that leave the policy unchanged (see
            `identifiable_projection`); this one decides.
        error: bound of the error of the numerical derivatives.
        jacobian: (n, n) ∂Fᵢ/∂θⱼ.
    """

    raw: float
    gauge: float
    error: float
    jacobian: np.ndarray

    @property
    def shown(self) -> tuple[float, float]:
        """Raw and gauge curl; 0 where it is no more than `noise`, so that a curl is shown exactly
        where it decides.
        """
        return (self.raw if self.raw > self.noise else 0.0), (
            self.gauge if self.gauge > self.noise else 0.0
        )

    @property
    def noise(self) -> float:
        """What is taken for the error of the derivative."""
        return max(1e-8 * min(1.0, float(np.abs(self.jacobian).max(initial=0.0))), 100 * self.error)

    @property
    def conservative(self) -> bool:
        """A gradient, up to shifts that leave the policy unchanged and to the error of the
        derivative.
        """
        return self.gauge <= self.noise


MOST_NUMBERS = 20_000_000
"""So many numbers are computed for a curl that nothing hangs on."""


MANY_REPLAYS = 10
"""Above so many branches of a trainer's step the same as above `MANY` draws."""

MOST_REPLAYS = 200
"""The same in steps of a trainer, that take milliseconds each."""


def affordable(update: Update) -> bool:
    """Whether the curl costs little: eight expectations for each parameter, of so many draws and
    parameters.
    """
    size = Layout.of(update.judged, update.space.parameters).size
    if update.replay is not None:
        return (
            not update.replay.building
            and (8 * size + 1) * update.program.order.enumeration.count <= MOST_REPLAYS
        )
    return (8 * size + 1) * update.program.order.enumeration.count * size <= MOST_NUMBERS


def curl(
    update: Update,
    *,
    parameters: Parameters | None = None,
    moving: bool = False,
    decided: bool = False,
) -> Curl:
    """How far the field is from being a gradient at a point; `decided` if nothing hangs on it, so
    that half the work will do.
    """
    if update.program.order.enumeration.count > (MANY if update.replay is None else MANY_REPLAYS):
        # less work shows a curl that is there; three levels see a kink, at which two would agree
        rough = _curl(
            update,
            *field_jacobian(
                update, parameters=parameters, moving=moving, levels=2 if decided else 3
            ),
        )
        if decided or rough.gauge > CLEAR * rough.error:
            return rough
    return _curl(update, *field_jacobian(update, parameters=parameters, moving=moving))


def clear_turn(update: Update, place: Parameters) -> float:
    """A bound of the curl at a policy from below, by two derivatives only; 0 if it isn't clearly
    more than their error.

    It decides only that there is a curl, and is asked only where draws are many.
    """
    layout = Layout.of(update.judged, place)
    if layout.size < 2 or update.program.order.enumeration.count <= MANY:
        return 0.0
    # the entry in rows 0 and 1 of the projected curl
    first, second = identifiable_projection(update.space, update.judged)[:2]
    point = layout.flat(place)

    def fields(steps: list[np.ndarray]) -> list[np.ndarray]:
        found = moments_at(
            update,
            [{**place, **layout.split(point + x * first + y * second)} for x, y in steps],
            held=place,
        )
        if any(each is None for each in found):
            raise NothingKept(nothing_kept(update.space))
        return [each.mean for each in found if each is not None]

    slopes, error = jacobian_together(fields, np.zeros(2), SHORT, levels=2)
    turn = abs(float(first @ slopes[:, 1] - second @ slopes[:, 0]))
    return turn if turn > CLEAR * error else 0.0


def _curl(update: Update, slopes: np.ndarray, error: float) -> Curl:
    turning = slopes - slopes.T
    identifiable = identifiable_projection(update.space, update.judged)
    projected = identifiable @ turning @ identifiable
    return Curl(
        float(np.abs(turning).max(initial=0.0)),
        float(np.abs(projected).max(initial=0.0)),
        error,
        slopes,
    )


def identifiable_projection(space: Space, groups: Sequence[str]) -> np.ndarray:
    """(n, n) projection that removes the directions along which the policy never changes (a
    constant added to a state's logits).

    Directions in groups the policy doesn't read are kept: they mean something else (a critic).
    """
    layout = Layout.of(groups, space.parameters)
    size = layout.size
    policy = space.policy
    if isinstance(policy, TablePolicy) and layout.groups == (policy.group,) and policy.separate:
        return _without_shifts(policy, size)
    read = [name for name in layout.groups if name in space.policy.shapes]
    rows = []
    for point in points(space, 3):
        scores = space.policy.scores(point)
        if space.continuous is not None:
            # nodes are many: what they span is that of as many rows as there are parameters
            each = [
                scores[name].reshape(space.states * space.actions, -1) if name in read else None
                for name in layout.groups
            ]
            width = [int(np.prod(shape)) for shape in layout.shapes]
            filled = [
                np.zeros((space.states * space.actions, w)) if one is None else one
                for one, w in zip(each, width, strict=True)
            ]
            rows += list(np.linalg.qr(np.concatenate(filled, axis=1), mode="r"))
            continue
        for s in range(space.states):
            for a in range(space.actions):
                rows.append(layout.flat({name: scores[name][s, a] for name in read}))
    unread = np.concatenate(
        [
            np.full(int(np.prod(shape)), name not in read)
            for name, shape in zip(layout.groups, layout.shapes, strict=True)
        ]
    )
    stacked = np.vstack([np.array(rows, dtype=float), np.diag(unread.astype(float))])
    _, singular, directions = np.linalg.svd(stacked, full_matrices=True)
    rank = int((singular > FLAT).sum())
    silent = directions[rank:]
    return np.eye(size) - silent.T @ silent


def _without_shifts(policy: TablePolicy, size: int) -> np.ndarray:
    """The same for logits that no two states share: the mean of each state's logits is taken off,
    unless one of them is fixed.
    """
    out = np.eye(size)
    for row in policy.index:
        free = [i for i in row if i >= 0]
        if FIXED not in row and free:
            out[np.ix_(free, free)] -= 1 / len(free)
    return out


def points(space: Space, count: int, *, spread: float = 0.7) -> list[Parameters]:
    """The point of the audit and others about it, always the same ones; groups the policy doesn't
    read move, too.
    """
    generator = np.random.default_rng(1)
    if space.continuous is not None:
        spread = min(spread, CONTINUOUS)
    out: list[Parameters] = [space.parameters]
    while len(out) < count:
        out.append(
            {
                name: values + spread * generator.standard_normal(np.shape(values))
                for name, values in space.parameters.items()
            }
        )
    return out
