"""What doesn't hold as printed: counts and the statements of the theory on the first page, later all of them in a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from altpg_verify.ledger import KINDS, Entry, Ledger
from altpg_verify.verdicts import Verdict

THEORY = ("fixed point", "dynamics", "inequality")
"""Kinds of claims that are named on the first page: where training goes, and what holds near the corners; the rest are counted there."""

LEAD = (
    "The paper's claims that are refuted as they are literally printed, in its order: by what, and what is true instead, where that is "
    "known. Many are slips of the pen. A name leads to the claim with its counterexample."
)


def refuted(entries: Sequence[Entry]) -> list[Entry]:
    """Those that are refuted."""
    return [entry for entry in entries if entry.verdict is Verdict.REFUTED]


def failing(ledger: Ledger, entries: Sequence[Entry]) -> dict[str, Any]:
    """What the pages tell of them. Args: entries: refuted ones."""
    kinds = Counter(entry.claim.kind for entry in entries)
    counted = ", ".join(f"{kind} {kinds[kind]}" for kind in KINDS if kinds[kind])
    chief = [entry.claim.id for kind in THEORY for entry in entries if entry.claim.kind == kind]
    return {
        "said": f"By kind: {counted}." + (" Of these the statements on fixed points, dynamics and inequalities are:" if chief else ""),
        "chief": chief,
        "lead": LEAD,
        "rows": [row(ledger, entry) for entry in entries],
    }


def row(ledger: Ledger, entry: Entry) -> dict[str, Any]:
    """A line of the table: the claim, its line in the paper, its kind, what refutes it, the corrections that hold."""
    best = entry.best
    return {
        "id": entry.claim.id,
        "line": entry.claim.line,
        "kind": entry.claim.kind,
        "verdict": str(entry.verdict),
        "by": best.kind if best else "",
        "instead": [other for other in entry.corrections if ledger[other].verdict.is_for],
    }
