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
from itertools import combinations

import numpy as np

from altpg_verify.audit.agreement import fitted
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
    for beside in ((), ((1.0, target),)):
        left = observed - aimed if beside else observed
        for chosen in [*((i,) for i in range(len(kept))), *combinations(range(len(kept)), 2)]:
            found = fitted(left, [columns[i] for i in chosen])
            if found is not None and not (beside and any(kept[i] is target for i in chosen)):
                yield Fit(
                    (
                        *beside,
                        *((float(c), kept[i]) for c, i in zip(found[0], chosen, strict=True)),
                    ),
                    found[1],
                )
