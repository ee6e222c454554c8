"""Which objective a field follows: candidates are fitted to it at several policies at once, one
alone, two together, or beside the target.

A fit counts only if it reproduces every component at every policy within rounding; it is then an
identity *at those policies*, and `proofs` decides whether it is one at all, `confirmation` whether
it is one on other spaces too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

import numpy as np

from altpg_verify.audit.agreement import fitted
from altpg_verify.audit.clip_objectives import written_clips
from altpg_verify.audit.numbers import fraction_near
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.objectives import OBJECTIVES
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.updates import Update


@dataclass(frozen=True)
class Fit:
    """A sum of objectives with coefficients, and the largest deviation of the field from its
    gradient.

    Args:
        parts: (coefficient, objective) pairs.
        deviation: largest entry of field less gradient over all places, modulo shifts that leave
            the policy unchanged.
    """

    parts: tuple[tuple[float, Objective], ...]
    deviation: float

    @property
    def objective(self) -> Objective:
        """The sum as one objective, with coefficients as fractions where they are within rounding
        of one.
        """
        total: Objective | None = None
        for coefficient, part in self.parts:
            exact = fraction_near(coefficient)
            scaled = (
                part
                if exact == 1
                else part * (exact if exact is not None else Fraction(coefficient))
            )
            total = scaled if total is None else total + scaled
        assert total is not None
        return total


def recognise(
    update: Update,
    places: Sequence[Parameters],
    fields: np.ndarray,
    identifiable: np.ndarray,
    target: Objective,
    gradient: Callable[[Objective, Parameters], np.ndarray],
) -> Iterator[Fit]:
    """Objectives whose gradient the field is at every place, the simplest first.

    A multiple of the target; one candidate, or two; the target and one candidate for what it is off
    by, or two.

    Args:
        fields: (places, n) expected updates.
        identifiable: (n, n) projection onto the directions that change the policy.
        gradient: (objective, policy) -> (n,) its gradient there.
    """
    space = update.space
    observed = (fields @ identifiable).reshape(-1)
    aimed = np.concatenate([identifiable @ gradient(target, place) for place in places])
    unit = fitted(observed, [aimed])
    if unit is not None:
        yield Fit(((float(unit[0][0]), target),), unit[1])
    columns, kept = [], []
    for candidate in (
        *OBJECTIVES.values(),
        *(space.continuous.objectives() if space.continuous is not None else ()),
    ):
        if not candidate.makes_sense(space) or not set(candidate.holds) <= set(update.frozen):
            continue
        column = np.concatenate([identifiable @ gradient(candidate, place) for place in places])
        if np.isfinite(column).all() and np.abs(column).max(initial=0.0) > 1e-12:
            columns.append(column)
            kept.append(candidate)
    for i, column in enumerate(columns):
        found = fitted(observed, [column])
        if found is not None:
            yield Fit(((float(found[0][0]), kept[i]),), found[1])
    yield from _clipped(update, places, observed, identifiable, gradient, columns, kept)
    for beside in ((), ((1.0, target),)):
        left = observed - aimed if beside else observed
        alone = [(i,) for i in range(len(kept))] if beside else []
        for chosen in [*alone, *combinations(range(len(kept)), 2)]:
            found = fitted(left, [columns[i] for i in chosen])
            if found is not None and not (beside and any(kept[i] is target for i in chosen)):
                yield Fit(
                    (
                        *beside,
                        *((float(c), kept[i]) for c, i in zip(found[0], chosen, strict=True)),
                    ),
                    found[1],
                )


def _clipped(
    update: Update,
    places: Sequence[Parameters],
    observed: np.ndarray,
    identifiable: np.ndarray,
    gradient: Callable[[Objective, Parameters], np.ndarray],
    columns: Sequence[np.ndarray],
    kept: Sequence[Objective],
) -> Iterator[Fit]:
    """Clips with bounds that are in the code, alone and beside one candidate."""
    clips: list[tuple[Objective, np.ndarray]] = []
    for clip in written_clips(update):
        column = np.concatenate([identifiable @ gradient(clip, place) for place in places])
        if np.isfinite(column).all() and np.abs(column).max(initial=0.0) > 1e-12:
            clips.append((clip, column))
            found = fitted(observed, [column])
            if found is not None:
                yield Fit(((float(found[0][0]), clip),), found[1])
    for (clip, column), i in product(clips, range(len(kept))):
        found = fitted(observed, [column, columns[i]])
        if found is not None:
            first, second = (float(each) for each in found[0])
            yield Fit(((first, clip), (second, kept[i])), found[1])
