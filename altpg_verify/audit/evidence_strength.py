"""How well an audit's sentence is established, and on what."""

from __future__ import annotations

from typing import Any

import numpy as np

from altpg_verify.audit.compared_gradients import digits_of
from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.kinds import Kind, Scale
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.proofs import proved
from altpg_verify.audit.recognition import Fit
from altpg_verify.verdicts import Verdict, of_a_sentence
from altpg_verify.wording import counted


def strength_of(
    found: Evidence, kind: Kind, scale: Scale | None, fit: Fit | None
) -> tuple[Verdict, str, float]:
    """How well the sentence is established, on what, and the largest deviation seen."""
    fields, gradients = found.identifiable_sides()
    count = f"{_policies(found)}, {counted(found.here.draws, 'draw')} each, float64"
    if found.space.continuous is not None:
        count += f"; {found.space.continuous.rule}, and the same by a finer rule"
        # where the rules differ no line was run
        count += f"; {found.along_lines.said}" if not found.undecided else ""
    objective: Objective | None = found.target
    factor: Any = 1
    deviation = float(np.abs(fields - gradients).max())
    pointwise = of_a_sentence(undecided=False, proved=False)
    if found.undecided:
        return of_a_sentence(undecided=True, proved=False), found.undecided, deviation
    if kind is Kind.ZERO:
        objective, deviation = None, float(np.abs(fields).max())
    elif kind in (Kind.SCALED, Kind.REVERSED) and scale is not None and scale.constant:
        factor = next(iter(scale.factors.values()))
        deviation = float(np.abs(fields - float(factor) * gradients).max())
    elif kind is Kind.OTHER_OBJECTIVE and fit is not None:
        objective, deviation = fit.objective, fit.deviation
    elif kind in (Kind.SCALED, Kind.REVERSED):
        return pointwise, f"at {count}; the direction, with a factor of its own at each", 0.0
    elif kind is not Kind.UNBIASED:
        return (pointwise, f"at {count}; no candidate objective and no sum of two fits", deviation)
    if proved(found.update, objective, factor):
        return (
            of_a_sentence(undecided=False, proved=True),
            "for every policy on this space, as rational functions",
            deviation,
        )
    return pointwise, f"at {count}; largest deviation {deviation:.1g}", deviation


def _policies(found: Evidence) -> str:
    """How many policies were looked at, and how far apart they are."""
    if found.space.continuous is not None:
        return f"{len(found.tried)} policies ({found.space.continuous.spread(found.tried)})"
    tables = [found.space.policy.table(place) for place in found.tried]
    low, high = (
        min(float(table[table > 0].min()) for table in tables),
        max(float(table.max()) for table in tables),
    )
    return f"{len(tables)} policies (probabilities from {low:.1g} to {high:.{digits_of(high)}g})"
