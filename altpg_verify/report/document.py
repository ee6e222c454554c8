"""The whole report as one mapping, in the order of its pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altpg_verify.ledger import Ledger
from altpg_verify.report.content import claims_part
from altpg_verify.report.reading import reading
from altpg_verify.report.summary import summary

TITLE = "The alternate policy-gradient estimator, claim by claim"
RUNNING = "The alternate policy-gradient estimator, claim by claim"

NAMES = {
    "kind": "Kind of claim", "item": "Claim", "items": "Claims and derivations", "ledger": "Ledger", "evidence": "evidence", "lines": True,
}  # fmt: skip
"""What the report calls its parts; lines: whether the ledger shows the lines of the paper."""

PROFILES = {
    "quick": "Quick profile: where a simulation is smaller than its full scale, its figure says so.",
    "paper": "Simulations at full scale.",
}


def document(
    ledger: Ledger,
    *,
    profile: str,
    reproducing: Mapping[str, Any],
    numbers: Sequence[dict[str, Any]] = (),
    findings: Sequence[dict[str, Any]] = (),
    chapters: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """What the template needs. Args: chapters: titles and parts (headings, text, formulas, tables, figures), put before the claims."""
    return {
        "title": TITLE,
        "subtitle": f"Verification report. {PROFILES[profile]}",
        "running": RUNNING,
        "names": NAMES,
        "summary": summary(ledger, numbers, findings),
        "reading": reading(),
        "chapters": list(chapters),
        "claims-lead": [
            "The claims stand in the order of the paper, each as printed, with what it assumes and the evidence on it. A formula in a "
            "derivation is printed from the very object whose certificate was checked."
        ],
        "ledger-lead": ["Every claim with its verdict, as in ledger.json. The name of a claim leads to its page."],
        "reproducing": reproducing,
        **claims_part(ledger),
    }
