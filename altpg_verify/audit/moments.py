"""Mean and spread of an update over every draw, at many policies in one pass; nothing bigger than a
block is held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.kept_draws import NothingKept, nothing_kept
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.passes import Pass
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.programs import Program
from altpg_verify.audit.progress import ahead, step
from altpg_verify.audit.workers import spread

if TYPE_CHECKING:
    from altpg_verify.audit.replaying import Replayed
    from altpg_verify.audit.updates import Update


@dataclass(frozen=True, eq=False)
class Moments:
    """What is known of the update on one draw at one point, from all draws.

    Args:
        mean: (n,) E[g], an ascent direction.
        size: (n,) E|g|, the size of what the mean is a sum of.
        trace: total variance, the trace of the covariance.
        draws: how many were evaluated.
    """

    mean: np.ndarray
    size: np.ndarray
    trace: float
    draws: int


class Sums:
    """Sums over the blocks of one policy; variances are merged about the means of the blocks, so
    that nothing cancels.

    Attributes:
        weight: the probability of the draws so far.
        draws: how many they are.
        total: (n,) Σ p g of them.
        absolute: (n,) Σ p |g|, what rounding of the mean is measured against.
        spread: (n,) Σ p (g - mean)².
    """

    def __init__(self, size: int) -> None:
        self.weight, self.draws = 0.0, 0
        self.total, self.absolute, self.spread = np.zeros(size), np.zeros(size), np.zeros(size)

    def add(self, weights: np.ndarray, vectors: np.ndarray) -> None:
        """A block more."""
        weight = float(weights.sum())
        total = weights @ vectors
        if weight > 0:
            mean = total / weight
            spread = weights @ (vectors - mean) ** 2
            if self.weight > 0:
                # Chan's update: the difference of large sums of squares would lose the variance of
                # a tiny spread
                spread += self.spread + (mean - self.total / self.weight) ** 2 * (
                    self.weight * weight / (self.weight + weight)
                )
            self.spread = spread
        self.weight += weight
        self.total = self.total + total
        self.absolute = self.absolute + weights @ np.abs(vectors)
        self.draws += len(weights)

    def moments(self, kept: bool) -> Moments | None:
        """What they add up to; None if no draw is kept."""
        if self.weight == 0.0:
            return None
        # probabilities add up to 1 already, unless some draws are thrown away
        share = self.weight if kept else 1.0
        return Moments(
            self.total / share, self.absolute / share, float(self.spread.sum()) / share, self.draws
        )


def sweep(
    program: Program,
    points: Sequence[Parameters],
    enumeration: Enumeration,
    *,
    held: Parameters | None = None,
    groups: Sequence[str] | None = None,
) -> list[Moments | None]:
    """E[g] and the rest at each of the points; None where no draw is kept.

    Args:
        program: the update.
        enumeration: the draws.
        held: where frozen quantities stand; the point itself by default.
        groups: which groups of parameters; those the verdict is about by default.
    """
    update = program.update
    layout = Layout.of(groups if groups is not None else update.judged, points[0])
    if update.replay is not None:
        with update.replay.opened():
            return [_replayed(update.replay, point, layout) for point in points]
    sums = [Sums(layout.size) for _ in points]
    passes = Pass(program, points, enumeration, layout, held)
    specs, known = passes.specs(), _known(program, passes)
    if known is not None:
        specs = [spec for spec in specs if spec.policy != known]
    ahead(enumeration.count * (len(points) - (known is not None)))
    for spec, found in spread(passes, specs):
        if found is None:
            continue
        weights, policy, vectors = found
        program.remember(passes, spec, vectors)
        if spec.policy is not None:
            sums[spec.policy].add(weights, vectors)
        else:
            for number in sorted(set(policy.tolist())):
                own = policy == number
                sums[number].add(weights[own], vectors[own])
        step(len(vectors))
    found_all = [each.moments(update.space.keep is not None) for each in sums]
    if known is not None:
        assert program.seen is not None
        found_all[known] = program.seen.moments
    return found_all


@dataclass(frozen=True, eq=False)
class Seen:
    """What was found while the order of the draws was established.

    Args:
        enumeration: the draws, each evaluated in its own order.
        point: the policy.
        mode: how all of them were run.
        moments: what they add up to.
    """

    enumeration: Enumeration
    point: Parameters
    mode: str
    moments: Moments | None


def _known(program: Program, passes: Pass) -> int | None:
    """The number of the policy at which everything was evaluated when the order was established, in
    the same blocks; never the first, whose blocks purity asks again.
    """
    seen = program.seen
    if (
        seen is None
        or seen.enumeration is not passes.enumeration
        or seen.mode != program.mode
        or passes.layout.groups != Layout.of(program.update.judged, seen.point).groups
        or (passes.held is not None and program.update.frozen)
        or any(spec.policy is None for spec in passes.specs())
    ):
        return None
    return next(
        (
            number
            for number, point in enumerate(passes.points)
            if number and _equal(point, seen.point)
        ),
        None,
    )


def _equal(one: Parameters, other: Parameters) -> bool:
    return one.keys() == other.keys() and all(
        np.array_equal(values, other[name]) for name, values in one.items()
    )


def _replayed(replay: Replayed, point: Parameters, layout: Layout) -> Moments | None:
    """The same of a trainer's step, from its own branches."""
    weights, vectors = replay.vectors(point, layout)
    sums = Sums(layout.size)
    sums.add(weights, vectors)
    return sums.moments(False)


def at_one(
    program: Program, point: Parameters, enumeration: Enumeration, **options: Any
) -> Moments:
    """The same at one point.

    Raises:
        NothingKept: the space keeps none of its draws there.
    """
    return of_some(sweep(program, [point], enumeration, **options)[0], program.update)


def of_some(found: Moments | None, update: Update) -> Moments:
    """What a sweep found at a point.

    Raises:
        NothingKept: the space keeps none of its draws there.
    """
    if found is None:
        raise NothingKept(nothing_kept(update.space))
    return found
