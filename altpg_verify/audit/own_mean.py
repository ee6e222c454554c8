"""A loss under a fixed policy that is sampled: what moves with the parameters is the loss alone, so
that its update follows its own mean.

E_μ[-∇L] = ∇E_μ[-L], unless something in the loss is detached. That is tried: the mean loss is
differentiated numerically, and compared.
"""

from __future__ import annotations

import numpy as np

from altpg_verify.audit.agreement import NOTHING
from altpg_verify.audit.expected_update import expected, points
from altpg_verify.audit.kept_draws import drawn
from altpg_verify.audit.layout import Layout
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.policy_quantities import Tables
from altpg_verify.audit.update_arguments import chosen
from altpg_verify.audit.updates import Update
from altpg_verify.differences import jacobian
from altpg_verify.errors import BadEstimator, BadInput

MOST_CALLS = 4_000
"""So many single losses are computed."""

DIRECTIONS = 2
"""Directions along which the mean loss is differentiated."""

CLOSE = 1e-7
"""Relative error of a numerical derivative that is none."""

FORMULA = "E_μ[-L]"


def follows_own_mean(update: Update) -> bool:
    """Whether the expected update is the gradient of minus the loss's own mean, at two policies in
    two directions each.

    Only where the policy that is sampled doesn't move and every draw is kept.
    """
    space = update.space
    if (
        update.value is None
        or not isinstance(space.behaviour, np.ndarray)
        or space.keep is not None
        or update.frozen
    ):
        return False
    if space.draws_count * DIRECTIONS * 2 * 9 > MOST_CALLS:
        return False
    random = np.random.default_rng(3)
    try:
        return all(_along(update, place, random) for place in points(space, 2))
    except (BadInput, BadEstimator):
        return False


def _along(update: Update, place: Parameters, random: np.random.Generator) -> bool:
    layout = Layout.of(update.judged, place)
    at, field = layout.flat(place), expected(update, place)
    for _ in range(DIRECTIONS):
        way = random.standard_normal(layout.size)

        def mean(step: np.ndarray, way: np.ndarray = way) -> np.ndarray:
            return np.array(_mean_loss(update, {**place, **layout.split(at + step[0] * way)}))

        slope, error = jacobian(mean, np.zeros(1))
        size = float(np.abs(field).sum() * np.abs(way).max())
        # a derivative that isn't known as well decides nothing
        if error > CLOSE * size or abs(float(slope[0]) + float(field @ way)) > max(
            CLOSE * size, NOTHING
        ):
            return False
    return True


def _mean_loss(update: Update, place: Parameters) -> float:
    assert update.value is not None
    total = 0.0
    for probability, draw in drawn(Tables.at(update.space, place)):
        for share, filled in chosen(draw, update.choices):
            total += float(probability) * float(share) * update.value(place, filled)
    return total
