"""Line breaks for formulas that are written by hand in Typst's notation: before a relation, then
before a plus or a minus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from altpg_verify.report.typst_lines import glyphs

_PIECE = re.compile(
    r'(?P<string>"(?:\\.|[^"\\])*")|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<relation>(?<!\S)(?:<=>|==>|=>|:=|!=|<=|>=|=|<|>|approx|prop)(?!\S))'
    r"|(?P<sum>(?<=[^\s=<>(\[{,+-] )[+-](?= ))|(?P<other>.)",
    re.DOTALL,
)


def broken(source: str, width: float) -> str:
    """The formula on lines of about `width` glyphs, as far as it has places to break; one that has
    its own lines stays as it is.
    """
    if "\\" in source or "&" in source or glyphs(source) <= width:
        return source
    lines: list[str] = []
    for relation in _cut(source, "relation"):
        if lines and glyphs(lines[-1]) + glyphs(relation) <= width:
            lines[-1] = f"{lines[-1]} {relation}"
        else:
            lines += _filled(list(_cut(relation, "sum")), width, bool(lines))
    return (
        " \\ ".join(f"& {'quad ' if number else ''}{line}" for number, line in enumerate(lines))
        if len(lines) > 1
        else source
    )


def _filled(terms: Sequence[str], width: float, follows: bool) -> list[str]:
    lines: list[str] = []
    for term in terms:
        if lines and glyphs(lines[-1]) + glyphs(term) <= width:
            lines[-1] = f"{lines[-1]} {term}"
        else:
            lines.append(f"quad {term}" if lines and follows else term)
    return lines


def _cut(source: str, at: str) -> Iterator[str]:
    """The pieces of the source, each but the first with the sign before which it was cut; nothing
    is cut inside brackets.
    """
    depth, began = 0, 0
    for piece in _PIECE.finditer(source):
        depth += bool(piece["open"]) - bool(piece["close"])
        if depth == 0 and piece[at] and source[began : piece.start()].strip():
            yield source[began : piece.start()].strip()
            began = piece.start()
    yield source[began:].strip()
