"""The one place where a verdict on an update becomes an `Audit`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objective_functions import Objective
from altpg_verify.audit.updates import Update
from altpg_verify.sealing import seal
from altpg_verify.verdicts import Verdict, of_an_update


def sealed_audit(
    update: Update,
    target: Objective,
    kind: Kind,
    strength: Verdict,
    *,
    expected: Sequence[float],
    gradient: Sequence[float],
    **others: Any,
) -> Audit:
    """An `Audit` with what follows from the update and its target, sealed.

    Args:
        update, target: what was judged, and what it is meant to follow.
        kind: what was established.
        strength: of the sentence that says so; the verdict follows from both.
        expected: the expected update, flattened; empty if it isn't known.
        gradient: the target's gradient, flattened alike.
        others: the fields of `Audit` that are left, or that differ.
    """
    mark = update.intended.get(str(kind), "")
    fields: dict[str, Any] = {
        "update": update.name,
        "space": str(update.space),
        "target": target.name,
        "formula": target.formula,
        "kind": kind,
        "verdict": of_an_update(kind.follows, strength),
        "strength": strength,
        "expected": tuple(expected),
        "gradient": tuple(gradient),
        "bias": tuple(one - other for one, other in zip(expected, gradient, strict=bool(expected))),
        "intended": mark,
        "unexpected": bool(update.intended) and not mark,
    }
    return seal(Audit(**{**fields, **others}))
