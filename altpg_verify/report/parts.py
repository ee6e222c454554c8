"""The small parts that chapters are made of: headings, paragraphs, notes, formulas, tables,
figures, answers chosen by verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from altpg_verify.ledger import Ledger
from altpg_verify.report.content import formula
from altpg_verify.report.markup import words
from altpg_verify.report.reading import paragraphs
from altpg_verify.report.summary import finding, text
from altpg_verify.verdicts import Verdict

Part = dict[str, Any]


def heading(title: str) -> Part:
    """A heading within a chapter, as the templates read it."""
    return {"kind": "heading", "text": title}


def prose(block: str) -> list[Part]:
    """A paragraph for each block that blank lines set apart; line breaks within one count for
    nothing.
    """
    return [text(paragraph) for paragraph in paragraphs(block)]


def note(said: str) -> Part:
    """A small remark."""
    return {"kind": "note", "text": words(said)}


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Part:
    """A table of words and numbers.

    Args:
        header: one text a column.
        rows: as many cells each.
    """
    return {"kind": "table", "header": list(header), "rows": rows}


def figure_part(name: str, caption: str, alt: str, svg: str, width: float = 1.0) -> Part:
    """A figure, as the templates read it.

    Args:
        name: of its file, without ending.
        caption: words, with mathematics between dollar signs.
        alt: what is read aloud instead.
        svg: the drawing.
        width: share of the text's width.
    """
    return {
        "kind": "figure",
        "name": name,
        "caption": words(caption),
        "alt": alt,
        "svg": svg,
        "width": width,
    }


def display(source: Any) -> Part:
    """A formula on a line of its own, from Typst mathematics or a sympy expression.

    Raises:
        UnprintableError: no rule writes a class of the expression.
    """
    return {"kind": "formula", **formula(source)}


def by_verdict(ledger: Ledger, claim: str, holds: str, fails: str, question: str = "This") -> str:
    """The sentence that the verdict calls for; an undecided claim says so.

    Texts that depend on results are written with both outcomes, so that none can contradict the
    ledger.

    Args:
        ledger, claim: whose verdict.
        holds: said if it is for the claim.
        fails: said if it is REFUTED.
        question: what was not decided, where other sentences stand beside it.
    """
    verdict = ledger[claim].verdict
    if verdict.is_for:
        return holds
    return (
        fails
        if verdict is Verdict.REFUTED
        else f"{question} was not decided here ({str(verdict).lower()})."
    )


def answer(ledger: Ledger, head: str, *sentences: tuple[str, ...]) -> Part:
    """A finding of several sentences, each chosen by the verdict of its claim.

    Args:
        ledger: has the verdicts.
        head: what the finding is about.
        sentences: claim, what to say if it holds, what if it is refuted, and the question if it
            isn't "This".
    """
    said = " ".join(by_verdict(ledger, *sentence) for sentence in sentences)
    return finding(ledger, head, said, *(claim for claim, *_ in sentences))
