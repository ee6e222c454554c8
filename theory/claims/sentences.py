"""Where each line of the paper's source is judged: the claims that stand there, or a word for why
there is none.

`sentences.tsv` has a row for each statement or group of lines: first and last line of the LaTeX
source, which sentences of the line, what stands there in our words, and ids of claims or one of
`REASONS`. A line with several statements has several rows. `source_lines.tsv` has the lines that
hold more than markup, with the number of their sentences, footnotes among them, and a digest of
each. The paper's text is in neither; with a copy of the source at hand, the digests show that the
rows speak of these very lines.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

REASONS: Mapping[str, str] = {
    "heading": "titles, names, headings of sections and tables",
    "definition": "fixes the meaning of a word or a letter, or an assumption for what follows",
    "notation": "explains a sign",
    "protocol": (
        "says what was run or plotted, and how; the experiments' settings are held against it"
    ),
    "caption": "describes a figure that is not in the source, or names an algorithm",
    "figure reference": "says which figure shows what",
    "transition": "announces or joins; says nothing of its own",
    "history": "says who did what, or where a result is from",
    "related work": "speaks of other articles' results",
    "attribution": (
        "gives a cause for an outcome that is a claim; the outcome is judged, and no experiment"
        " isolates the cause"
    ),
    "opinion": "has no sense in which it could be shown to be false",
    "aside": "a remark on something that the article doesn't use",
    "outlook": "what could be done, or was left out",
    "references": "the list of references",
}
"""Why nothing is claimed."""


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Exactly one of claims and reason is given.

    Args:
        first, last: lines of the source, from one.
        sentences: of the line, from one; empty for all of them.
        label: what stands there.
        claims: ids.
        reason: one of `REASONS`; empty if there are claims.
    """

    first: int
    last: int
    sentences: tuple[int, ...]
    label: str
    claims: tuple[str, ...]
    reason: str


def digest(line: str) -> str:
    """Twelve hexadecimal digits (48 bits of sha256) that stand for a line of the source; blanks
    around it don't count, those within do.
    """
    return hashlib.sha256(line.strip().encode()).hexdigest()[:12]


def table() -> list[Row]:
    """All rows of `sentences.tsv`, in the order of the source. A line may have several rows, and a
    row may span several lines; together they are to speak of every sentence.
    """
    return [_row(*fields) for fields in _read("sentences.tsv")]


def source_lines() -> dict[int, str]:
    """The lines of the source that hold more than markup, from one, each with the `digest` of its
    text, by which a reader's own copy is compared with the one that was judged.
    """
    return {int(line): stamp for line, _, stamp in _read("source_lines.tsv")}


def sentence_counts() -> dict[int, int]:
    """The same lines, each with the number of its sentences, those of its footnotes included."""
    return {int(line): int(number) for line, number, _ in _read("source_lines.tsv")}


def unmapped(rows: Sequence[Row], counts: Mapping[int, int]) -> list[tuple[int, int]]:
    """The sentences, by line and number (both from one), that no row speaks of; empty if the table
    is complete. A row without numbers speaks of its whole lines.
    """
    spoken: dict[int, set[int]] = {}
    for row in rows:
        for line in range(row.first, row.last + 1):
            spoken.setdefault(line, set()).update(
                row.sentences or range(1, counts.get(line, 0) + 1)
            )
    return [
        (line, number)
        for line, count in counts.items()
        for number in range(1, count + 1)
        if number not in spoken.get(line, ())
    ]


def _read(name: str) -> list[list[str]]:
    with (files(__package__) / name).open(encoding="utf-8") as stream:
        return list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


def _row(first: str, last: str, sentences: str, label: str, judged: str) -> Row:
    claims = () if judged in REASONS else tuple(judged.split(", "))
    return Row(
        int(first), int(last), tuple(_numbers(sentences)), label, claims, "" if claims else judged
    )


def _numbers(text: str) -> list[int]:
    """1-3,5 as 1, 2, 3, 5."""
    spans = [part.partition("-") for part in text.split(",") if part]
    return [number for low, _, high in spans for number in range(int(low), int(high or low) + 1)]
