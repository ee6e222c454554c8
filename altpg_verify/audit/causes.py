"""Why an update isn't what it is meant to be, as far as that can be established."""

from __future__ import annotations

from altpg_verify.audit.evidence import Evidence
from altpg_verify.audit.findings import Kind
from altpg_verify.audit.updates import Update


def causes(update: Update, found: Evidence, kind: Kind) -> tuple[str, ...]:
    """One sentence for each cause.

    Args:
        update: what was handed over.
        found: what was seen of it.
        kind: what it is.
    """
    told = []
    if kind is Kind.ZERO and update.cut is not None:
        told.append(update.cut())
    return tuple(each for each in told if each)
