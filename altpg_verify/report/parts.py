"""The small parts that chapters are made of, beside figures and findings: headings, paragraphs, formulas, answers chosen by verdicts."""

from __future__ import annotations

from typing import Any

from altpg_verify.ledger import Ledger
from altpg_verify.report.reading import paragraphs
from altpg_verify.report.summary import finding, text
from altpg_verify.verdicts import Verdict

Part = dict[str, Any]


def heading(words: str) -> Part:
    """A heading, as the templates read it."""
    return {"kind": "heading", "text": words}


def prose(block: str) -> list[Part]:
    """A paragraph for each that blank lines set apart."""
    return [text(paragraph) for paragraph in paragraphs(block)]


def display(source: str) -> Part:
    """A formula on a line of its own, from Typst mathematics."""
    from altpg_verify.report.content import formula

    return {"kind": "formula", **formula(source)}


def by_verdict(ledger: Ledger, claim: str, holds: str, fails: str) -> str:
    """The sentence that the verdict calls for; an undecided claim says so."""
    verdict = ledger[claim].verdict
    if verdict.is_for:
        return holds
    return fails if verdict is Verdict.REFUTED else f"This was not decided here ({str(verdict).lower()})."


def answer(ledger: Ledger, head: str, *sentences: tuple[str, str, str]) -> Part:
    """A finding of several sentences. Args: sentences: claim, what to say if it holds, what if it is refuted."""
    said = " ".join(by_verdict(ledger, *sentence) for sentence in sentences)
    return finding(ledger, head, said, *(claim for claim, _, _ in sentences))
