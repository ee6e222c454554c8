"""What a reader sees of an HTML page, as prose and as mathematics, and what of it is written as
code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

PROSE = {
    "a power of Python": r"\*\*",
    "a comparison of code": r"[<>!=]=|(?<![<-])->",
    "a power written out": r"[\d)\]|]\^|\w\^\(|[)\]|]_\w",
    "an exponent of a float": r"(?<!\w)\d[\d.]*[eE][-−+]?\d\d(?!\w)",
    "a letter with a subscript written out": r"(?<!\w)d?[^\W\d_][′']?_\w|∇_",
    "a name with an index written out": r"(?<![\w.])[A-Za-z]{2,}_[A-Za-z\d](?!\w)",
    "a product of code": r"[A-Za-z\d)] \* [A-Za-z\d(]|[A-Za-z\d]\*[A-Za-z\d]",
    "a function of Python": r"\b(?:sum|prod|range|sqrt|abs|np\.\w+|math\.\w+)\(",
}
"""Kinds of code by regular expressions over text that isn't mathematics."""

MATHEMATICS = {
    "a name of code": r"_|.\^|\^.|\*\*|[A-Za-z]+'",
    "a comparison of code": r"[<>!=]=",
    "a word as an indexed quantity": r"^(?:above|below|dist|far|gain|loss|near|room|size)$",
}
"""The same over the letters and words inside of formulas."""

PRIVATE = {
    "a private word": (
        r"decided by balls|gradient of nothing|can't feel|still owed|decides neither way|\be to"
        r" (?:a|the) gap|tested itself|"
        r"\bof the house\b|\banyone's\b|\bfeels?\b"
    )
}
"""Words for which the field has a term."""

_BLOCKS = re.compile(
    "p|li|td|th|tr|h[1-6]|div|d[dtl]|summary|details|section|figcaption|caption|text|option|button"
)
_HIDDEN = frozenset(("script", "style", "pre", "code", "kbd"))


class Reader(HTMLParser):
    """The text of a page: `prose`, block by block with formulas as ⟨⟩, and the tokens of its
    formulas, `mathematics`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.prose: list[str] = [""]
        self.mathematics: set[str] = set()
        self._hidden = self._formulas = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._hidden += tag in _HIDDEN
        self._formulas += tag == "math"
        if _BLOCKS.fullmatch(tag):
            self.prose.append("")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in _HIDDEN
        if tag == "math":
            self._formulas -= 1
            self.prose[-1] += "⟨⟩"
        if _BLOCKS.fullmatch(tag):
            self.prose.append("")

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        if self._formulas:
            self.mathematics.add(data.strip())
        else:
            self.prose[-1] += data


def code(html: str) -> Iterator[str]:
    """What of the page's mathematics and prose is code: its kind, and where."""
    reader = Reader()
    reader.feed(html)
    for kinds, texts in (
        ({**PROSE, **PRIVATE}, reader.prose),
        (MATHEMATICS, sorted(reader.mathematics)),
    ):
        for text in texts:
            for kind, pattern in kinds.items():
                if found := re.search(pattern, text):
                    yield f"{kind}: {text[max(0, found.start() - 60) : found.end() + 60]!r}"
