"""What doesn't hold as printed: each refuted claim of the paper with its counterexample, and what
is true instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from altpg_verify.ledger import KINDS, Entry, Ledger
from altpg_verify.report.content import brief, numbered_claims, printed
from altpg_verify.report.parts import heading
from altpg_verify.report.summary import text
from altpg_verify.verdicts import Verdict

_TITLES = {
    "Fixed points, dynamics and inequalities": ("fixed point", "dynamics", "inequality"),
    "Identities, numbers and examples": ("identity", "number", "example"),
    "Algorithms and their complexity": ("algorithm", "complexity"),
    "Outcomes of experiments": ("empirical",),
}
"""Where a kind of claim stands in the chapter."""

_LEAD = (
    "The paper's claims that are refuted as they are literally printed. A counterexample is exact:"
    " the two sides of the statement, in fractions, at the smallest case that was found; of what is"
    " simulated the words say what was tested and what was found. Many are slips of notation, with"
    " a correction beside them."
)


def refuted(entries: Sequence[Entry]) -> list[Entry]:
    """Those that are refuted."""
    return [entry for entry in entries if entry.verdict is Verdict.REFUTED]


def chapter(ledger: Ledger) -> list[dict[str, object]]:
    """The parts of the chapter, by kinds of claims: for each refuted claim its statement, its
    counterexample, and the correction if there is one.
    """
    entries = refuted(printed(ledger))
    if not entries:
        return [text("None of the paper's claims is refuted.")]
    numbers = numbered_claims(ledger)
    parts = [text(f"{_LEAD} By kind: {by_kind(entries)}.")]
    for title, kinds in _TITLES.items():
        items = [brief(entry, ledger, numbers) for entry in entries if entry.claim.kind in kinds]
        if items:
            parts += [heading(title), {"kind": "claims", "items": items}]
    return parts


def by_kind(entries: Sequence[Entry]) -> str:
    """How many there are of each kind."""
    kinds = Counter(entry.claim.kind for entry in entries)
    return ", ".join(f"{kind} {kinds[kind]}" for kind in KINDS if kinds[kind])
