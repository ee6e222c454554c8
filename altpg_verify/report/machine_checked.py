"""The chapter on Coq: what was checked in this very build, and where the sources and the transcript
lie.
"""

from __future__ import annotations

from altpg_verify.ledger import Ledger
from altpg_verify.report.summary import many, text
from altpg_verify.verdicts import Verdict


def machine_checked(ledger: Ledger) -> list[dict[str, object]]:
    """The parts of the chapter; which words it opens with follows from the evidence of kind "coq"
    in the ledger.
    """
    verdicts = [
        item.finding.verdict
        for entry in ledger.entries
        for item in entry.evidence
        if item.kind == "coq"
    ]
    accepted = sum(verdict is Verdict.PROVED for verdict in verdicts)
    if accepted:
        here = (
            f"In this build coqc accepted the sources, and with them {many(accepted, 'claim')} of"
            " the ledger; the axioms are those of Coq's real numbers. coqchk, which checks the"
            " compiled files again, runs in the project's own tests."
        )
    else:
        here = (
            "NOT RUN in this build, where Coq is not installed: it would be evidence for"
            f" {many(len(verdicts), 'claim')} and counts for none of them here."
        )
    where = (
        "The sources, theory/coq/*.v, state every theorem with its assumptions; a transcript of"
        " coqc and coqchk with the axioms lies beside them, and a test compares its hashes with the"
        " sources."
    )
    return [text(here), text(where)]
