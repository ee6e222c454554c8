"""The whole report as one mapping, in the order of its pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altpg_verify.ledger import Ledger
from altpg_verify.report.content import claims_part
from altpg_verify.report.headline import HEAD
from altpg_verify.report.reading import paragraphs, reading
from altpg_verify.report.summary import summary

TITLE = "The alternate policy-gradient estimator, verified"
RUNNING = TITLE

NAMES = {
    "kind": "Kind of claim", "item": "Claim", "items": "Claims and derivations", "ledger": "Ledger", "evidence": "evidence", "lines": True,
}  # fmt: skip
"""What the report calls its parts; lines: whether the ledger shows the lines of the paper."""

PROOFS = {
    "title": "The alternate policy-gradient estimator: claims and proofs",
    "subtitle": "Every claim with the evidence on it. The report that goes with it is report.pdf.",
    "running": "The alternate policy-gradient estimator: claims and proofs",
}
"""What the second volume is called."""

_ORDER = """
The claims stand in the order of the paper, each as printed, with what it assumes and the evidence on it. A verdict rests on its strongest
evidence; a claim that is established rests on claims that hold as well.
"""

LEAD = f"""
{_ORDER}

A formula in a derivation is printed from the very object whose certificate was checked. An enumeration evaluates both sides of a statement,
written out by themselves, in exact fractions. Sources of the evidence, their hashes and all figures that a verdict rests on are in
ledger.json, too.
"""
"""Before the claims of the HTML."""

LEAD_OF_PROOFS = f"""
{_ORDER}

A formula in a derivation is printed from the very object whose certificate was checked. The steps of all derivations are numbered; one that
occurs in several is printed once and cited by its number. An enumeration evaluates both sides of a statement, written out by themselves, in
exact fractions. What many pieces of evidence compare (E) and the cases they cover (D) stand in the table below and are cited from it.

Sources of the evidence, their hashes and all figures that a verdict rests on are in ledger.json; report.html has them, too.
"""

PROFILES = {
    "quick": (
        "Quick profile: where a simulation is smaller than its full scale, its figure says so."
    ),
    "paper": "Simulations at full scale.",
}


def document(
    ledger: Ledger,
    *,
    profile: str,
    reproducing: Mapping[str, Any],
    numbers: Sequence[dict[str, object]] = (),
    findings: Sequence[dict[str, object]] = (),
    picture: dict[str, object] | None = None,
    chapters: Sequence[dict[str, object]] = (),
) -> dict[str, object]:
    """What the template needs: the whole report, chapters first and claims after them.

    Args:
        ledger: every claim with its verdict.
        profile: a key of `PROFILES`, said in the subtitle.
        reproducing: commands, versions and hashes, see `provenance`.
        numbers: rows of the first page's table, see `headline.rows`.
        findings: of the first page, as `summary.finding` makes them.
        picture: of the first page.
        chapters: titles and parts (headings, text, formulas, tables, figures), put before the
            claims.
    """
    return {
        "title": TITLE,
        "subtitle": f"Verification report. {PROFILES[profile]}",
        "running": RUNNING,
        "names": NAMES,
        "contents": True,
        "proofs": {**PROOFS, "claims-lead": paragraphs(LEAD_OF_PROOFS)},
        "summary": summary(ledger, numbers, findings, picture, HEAD),
        "reading": reading(),
        "chapters": list(chapters),
        "claims-lead": paragraphs(LEAD),
        "ledger-lead": ["Every claim with its verdict, as in ledger.json."],
        "reproducing": reproducing,
        **claims_part(ledger),
    }
