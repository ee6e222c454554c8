"""The ledger's claims as a page: what the paper states, where, and what evidence each owes. Verdicts are in the report."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from pathlib import Path

LEDGER = Path(__file__).parents[2] / "reports" / "ledger.json"


def page() -> str:
    """The claims by section; with their verdicts if a report was made in this folder before."""
    from altpg_verify.theory.claims import CLAIMS

    verdicts = {}
    if LEDGER.is_file():
        verdicts = {claim["id"]: claim["verdict"] for claim in json.loads(LEDGER.read_text(encoding="utf-8"))["claims"]}
    ours = sum(bool(claim.corrects) or claim.extension for claim in CLAIMS)
    parts = [
        f"# Claims\n\nThe ledger has {len(CLAIMS)} statements: {len(CLAIMS) - ours} of the paper, as printed, and {ours} corrections and "
        "extensions of ours. Nobody types a verdict: `python -m altpg_verify claims` computes them, and the report shows each with its "
        "derivation, counterexample or figure. ",
        _told(verdicts),
    ]
    columns = ["claim", "kind", "line", "owes", *(["verdict"] if verdicts else [])]
    head = f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n"
    for section, claims in groupby(CLAIMS, key=lambda claim: claim.section):
        parts.append(f"\n## {section}\n\n{head}")
        for claim in claims:
            name = f"`{claim.id}`" + (f", corrects `{claim.corrects}`" if claim.corrects else ", ours" if claim.extension else "")
            row = [name, claim.kind, str(claim.line), ", ".join(claim.owes)]
            parts.append(f"| {' | '.join([*row, verdicts[claim.id]] if claim.id in verdicts else row)} |\n")
    return "".join(parts)


def _told(verdicts: dict[str, str]) -> str:
    if not verdicts:
        return "This site was built where no report had been made, so they are left out here.\n"
    counts = Counter(verdicts.values())
    return f"The last report here found: {', '.join(f'{number} {verdict}' for verdict, number in counts.most_common())}.\n"
