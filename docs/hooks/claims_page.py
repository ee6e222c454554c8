"""The ledger's claims as a page that filters itself: statements typeset, verdicts, and the
counterexamples of what is refuted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

LEDGER = Path(__file__).parents[2] / "reports" / "ledger.json"


def page() -> str:
    """The claims by section; with verdicts if the last report in this folder was made by this very
    code.
    """
    from altpg_verify.theory.claims import CLAIMS

    found = verdicts()
    ours = sum(bool(claim.corrects) or claim.extension for claim in CLAIMS)
    parts = [
        (
            f"# Claims\n\nThe ledger has {len(CLAIMS)} statements: {len(CLAIMS) - ours} of the"
            f" paper, as printed, and {ours} corrections and extensions of ours. Nobody types a"
            " verdict: `python -m altpg_verify claims` computes them, and the report shows each"
            " with its derivation, counterexample or figure. Lines are those of the paper's"
            " source. "
        ),
        origin(found),
        "\n" + filters(CLAIMS, found) + "\n",
    ]
    for section, claims in groupby(CLAIMS, key=lambda claim: claim.section):
        shown = "\n".join(block(claim, found.get(claim.id)) for claim in claims)
        parts.append(f'\n## {section}\n\n<div class="claims">\n{shown}\n</div>\n')
    return "".join(parts)


def verdicts() -> dict[str, dict[str, Any]]:
    """Claims of the last report by id, if this code made it: verdicts of other code are none of
    these claims.
    """
    from altpg_verify.report.provenance import fits

    if not LEDGER.is_file():
        return {}
    ledger = json.loads(LEDGER.read_text(encoding="utf-8"))
    made = ledger.get("made", {})
    if not fits(ledger, max_examples=made.get("max_examples"), seed=made.get("seed")):
        return {}
    return {claim["id"]: claim for claim in ledger["claims"]}


def origin(found: Mapping[str, dict[str, Any]]) -> str:
    """One sentence on where the verdicts come from."""
    if not found:
        return (
            "This site was built where this code had made no report (`python -m"
            " altpg_verify.report`), so verdicts are left out here.\n"
        )
    counts = Counter(claim["verdict"] for claim in found.values())
    return (
        "The last report here found:"
        f" {', '.join(f'{number} {verdict}' for verdict, number in counts.most_common())}.\n"
    )


def filters(claims: Iterable[Any], found: Mapping[str, dict[str, Any]]) -> str:
    """The form above the claims; docs/claims.js does what it asks, and shows it."""
    kinds = dict.fromkeys(claim.kind for claim in claims)
    words = dict.fromkeys(claim["verdict"] for claim in found.values())
    choices = [("kind", "Kind", kinds), *([("verdict", "Verdict", words)] if words else [])]
    lists = "".join(
        f'<label>{label} <select name="{name}"><option value="">all</option>'
        + "".join(f"<option>{escape(each)}</option>" for each in sorted(options))
        + "</select></label>"
        for name, label, options in choices
    )
    return (
        '<form id="claims-filter" class="filters" role="search" aria-label="Claims" hidden>'
        f'<label>Text <input type="search" name="text" autocomplete="off"></label>{lists}'
        '<output name="count" aria-live="polite"></output></form>\n'
    )


def block(claim: Any, found: dict[str, Any] | None) -> str:
    """One claim as HTML: its name, its statement, what speaks against it."""
    from altpg_verify.report.html import inline
    from altpg_verify.report.markup import take_apart

    verdict = found["verdict"] if found else ""
    chip = (
        f'<span class="verdict {verdict.lower().replace(" ", "-")}">{verdict}</span> '
        if verdict
        else ""
    )
    origin = (
        f", corrects {link(claim.corrects)}"
        if claim.corrects
        else ", not in the paper"
        if claim.extension
        else ""
    )
    lines = [
        f'<div class="claim" id="{claim.id}" data-kind="{claim.kind}" data-verdict="{verdict}">',
        (
            f'<p class="name">{chip}<code>{claim.id}</code> <span class="place">{claim.kind}, line'
            f" {claim.line}{origin}</span></p>"
        ),
        f'<div class="statement">{inline.statement(take_apart(claim.statement))}</div>',
        *(f'<p class="against">{each}</p>' for each in against(found)),
    ]
    if claim.required_evidence and not found:
        lines.append(
            f'<p class="place">evidence required: {", ".join(claim.required_evidence)}</p>'
        )
    return "\n".join([*lines, "</div>"])


def against(found: dict[str, Any] | None) -> Iterable[str]:
    """The counterexample, and what is true instead."""
    from altpg_verify.report.html.inline import words
    from altpg_verify.report.markup import words as runs

    if found is None or found["verdict"] != "REFUTED":
        return
    item = next(item for item in found["evidence"] if item["verdict"] == "REFUTED")
    instance = "; ".join(
        f"{name} {value}" if value[:1] in "<>≤≥" else f"{name} = {value}"
        for name, value in item["instance"].items()
    )
    yield f"Counterexample: {words(runs(instance))}"
    yield f"By {item['kind']}: {words(runs(item['says']))}"
    if found["corrections"]:
        yield f"Instead: {', '.join(map(link, found['corrections']))}"


def link(claim: str) -> str:
    """A link to another claim of the page."""
    return f'<a href="#{claim}"><code>{claim}</code></a>'
