"""Which objective a field follows: candidates are fitted to it at several policies at once, one alone or two together.

A fit counts only if it reproduces every component at every policy within rounding; it is then an identity *at those policies*, and
`proofs` decides whether it is one at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from altpg_verify.audit.numbers import fraction_near
from altpg_verify.audit.objectives import OBJECTIVES, Objective
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.updates import Update

CLOSE = 1e-9
"""Relative residual below which a fit in float64 is a fit."""


@dataclass(frozen=True)
class Fit:
    """A sum of objectives with coefficients, and the largest deviation of the field from its gradient.

    Args:
        parts: (coefficient, objective) pairs.
        deviation: largest entry of field less gradient over all places, modulo shifts that leave the policy unchanged.
    """

    parts: tuple[tuple[float, Objective], ...]
    deviation: float

    @property
    def objective(self) -> Objective:
        """The sum as one objective, with coefficients as fractions where they are within rounding of one."""
        total: Objective | None = None
        for coefficient, part in self.parts:
            exact = fraction_near(coefficient)
            scaled = part if exact == 1 else part * (exact if exact is not None else Fraction(coefficient))
            total = scaled if total is None else total + scaled
        assert total is not None
        return total


def recognise(
    update: Update,
    places: Sequence[Parameters],
    fields: np.ndarray,
    felt: np.ndarray,
    target: Objective,
    gradient: Callable[[Objective, Parameters], np.ndarray],
) -> Fit | None:
    """The objective whose gradient the field is, at every place; None if there is none among the candidates.

    Args:
        fields: (places, n) expected updates.
        felt: (n, n) projection onto the directions that change the policy.
        gradient: (objective, policy) -> (n,) its gradient there.
    """
    space = update.space
    candidates = [each for each in OBJECTIVES.values() if each.fits(space) and set(each.holds) <= set(update.frozen)]
    observed = (fields @ felt).reshape(-1)
    columns = []
    kept = []
    for candidate in candidates:
        column = np.concatenate([felt @ gradient(candidate, place) for place in places])
        if np.abs(column).max(initial=0.0) > 1e-12:
            columns.append(column)
            kept.append(candidate)
    order = [(i,) for i in range(len(kept))] + [(i, j) for i in range(len(kept)) for j in range(i + 1, len(kept))]
    unit = _fit(observed, [np.concatenate([felt @ gradient(target, place) for place in places])])
    fits = [] if unit is None else [Fit(((unit[0][0], target),), unit[1])]
    for chosen in order:
        found = _fit(observed, [columns[i] for i in chosen])
        if found is not None:
            coefficients, deviation = found
            fits.append(Fit(tuple((float(c), kept[i]) for c, i in zip(coefficients, chosen, strict=True)), deviation))
            break
    return fits[0] if fits else None


def _fit(observed: np.ndarray, columns: Sequence[np.ndarray]) -> tuple[np.ndarray, float] | None:
    """Coefficients, none of them zero, that reproduce every observation; else None."""
    matrix = np.stack(columns, axis=1)
    # columns of very different sizes must not hide one another
    sizes = np.abs(matrix).max(axis=0)
    if np.any(sizes == 0) or np.linalg.matrix_rank(matrix / sizes, tol=1e-7) < matrix.shape[1]:
        return None
    scaled, *_ = np.linalg.lstsq(matrix / sizes, observed, rcond=None)
    size = np.abs(observed).max(initial=0.0)
    deviation = float(np.abs(matrix / sizes @ scaled - observed).max(initial=0.0))
    if deviation > CLOSE * size or np.any(np.abs(scaled) < 1e-7 * max(size, 1e-12)):
        return None
    return scaled / sizes, deviation
