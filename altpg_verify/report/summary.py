"""The first page: the picture, the two numbers, the findings in plain words, and how many claims of
which kind have which verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from altpg_verify.ledger import Entry, Ledger
from altpg_verify.report.content import counts, printed
from altpg_verify.report.markup import words
from altpg_verify.verdicts import Verdict


def summary(
    ledger: Ledger,
    numbers: Sequence[dict[str, object]] = (),
    findings: Sequence[dict[str, object]] = (),
    picture: dict[str, object] | None = None,
    head: Sequence[str] = (),
) -> dict[str, object]:
    """The summary page as data.

    Args:
        ledger: counts are of the paper's own claims in it.
        numbers: rows of the table of predicted values, under `head`.
        findings: as `finding` makes them.
        picture: beside the numbers.
        head: titles of the table's columns.
    """
    own = printed(ledger)
    return {
        "lead": lead(ledger, own, [entry for entry in own if entry.verdict is Verdict.REFUTED]),
        "counts": counts(own),
        "picture": picture,
        "numbers-head": list(head),
        "numbers": list(numbers),
        "findings": list(findings),
    }


def lead(ledger: Ledger, own: Sequence[Entry], fallen: Sequence[Entry]) -> list[str]:
    """What was judged, in two or three sentences with computed numbers.

    Args:
        ledger: for corrections and extensions.
        own: the paper's claims.
        fallen: those of them that are refuted.
    """
    speaking = sum(entry.verdict.is_for for entry in own)
    corrected = sum(
        any(ledger[other].verdict.is_for for other in entry.corrections) for entry in fallen
    )
    undecided = len(own) - speaking - len(fallen)
    extensions = [entry for entry in ledger.entries if entry.claim.extension]
    sentences = [
        f"The paper's text was taken apart into {many(len(own), 'claim')}, each judged as literally"
        f" printed by evidence that a separate judge re-checked: {speaking} hold, {len(fallen)}"
        f" {'is' if len(fallen) == 1 else 'are'} refuted, by a counterexample or by simulation"
        + (f", {undecided} {'is' if undecided == 1 else 'are'} not decided." if undecided else ".")
    ]
    if fallen:
        sentences.append(
            f"For {corrected} of the refuted ones a corrected statement stands beside it, with its"
            " own evidence."
        )
    if extensions:
        proved = sum(entry.verdict.is_for for entry in extensions)
        sentences.append(
            f"Beyond the paper, {many(len(extensions), 'statement')} of our own stand in the"
            f" ledger, of which {proved} hold."
        )
    return [" ".join(sentences)]


def many(number: int, noun: str) -> str:
    """1 claim, 2 claims."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def finding(
    ledger: Ledger, head: str, text: str, *claims: str, verdict: Verdict | None = None
) -> dict[str, object]:
    """A finding in plain words, marked with the verdict of the first claim it refers to unless
    another is given.

    Args:
        ledger: has the claims' verdicts.
        head: a few words, in bold.
        text: the finding, words with mathematics between dollar signs.
        claims: ids of the claims it refers to.
        verdict: in place of the first claim's.
    """
    mark = verdict or (ledger[claims[0]].verdict if claims else None)
    return {
        "kind": "finding",
        "head": head,
        "text": words(text),
        "claims": list(claims),
        "verdict": str(mark) if mark else "",
    }


def text(plain: str) -> dict[str, object]:
    """A paragraph of a chapter."""
    return {"kind": "text", "text": words(plain)}
