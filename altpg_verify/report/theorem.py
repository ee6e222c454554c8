"""The chapter on the theorem: its lemmas and propositions as printed, then what is proved or found
beyond them.
"""

from __future__ import annotations

from altpg_verify.ledger import Entry, Ledger
from altpg_verify.report.content import brief, numbered_claims
from altpg_verify.report.numbering import NUMBERS
from altpg_verify.report.parts import Part, heading, prose

_LEAD = """
The paper's theory of bandits is two propositions on saturated policies, one on the biased update not being a gradient, a lemma on its fixed
points and a theorem on attraction. Each is printed here part by part with its verdict; the number in brackets is the claim's number in the
proofs, proofs.pdf.
"""

_BEYOND = """
What follows isn't in the paper. It was found while its statements were checked, and is held to the same judges.
"""

_RESULTS = ("Lemma", "Theorem", "Proposition 1", "Proposition 2", "Proposition 8")


def theorem(ledger: Ledger) -> list[Part]:
    """The results of the main text, then the extensions by their section."""
    numbers = numbered_claims(ledger)

    def claims(entries: list[Entry]) -> Part:
        return {"kind": "claims", "items": [brief(entry, ledger, numbers) for entry in entries]}

    results = [
        entry
        for entry in ledger.entries
        if NUMBERS.get(entry.claim.label, "").startswith(_RESULTS) and not entry.claim.corrects
    ]
    ours = [entry for entry in ledger.entries if entry.claim.extension]
    parts = prose(_LEAD)
    if results:
        parts += [heading("As printed"), claims(results)]
    if ours:
        parts += [heading("Beyond it"), *prose(_BEYOND)]
        parts += [claims(ours)]
    return parts
