"""A line of LaTeX source, cut into sentences; a footnote begins one of its own. Markup without
words is none.
"""

from __future__ import annotations

import re

END = re.compile(r"\\footnote\{|[.?!](?=['\"\u201d})]*(?:\$\.)?(?:\s|\\footnote|$))")
ABBREVIATION = re.compile(
    r"(?:\b(?:i\.e|e\.g|et al|etc|vs|cf|Eqs?|Ineqs?|Figs?|No|resp|St|[ARMSWKY])\.|\bal\.,)$"
)
NEXT = re.compile(r"\\[a-zA-Z]|[A-Z$(`\\]")
MARKUP = re.compile(
    r"(?:[\s}.\]$]|\\end\{[a-z*]+\}|\\(?:label|text)\{[^}]*\}|\\\\|\\noindent|\\\}|\\hfill)*"
)
NAMES = re.compile(r"\\label\{[^}]*\}|\\end\{[^}]*\}|\\[a-zA-Z]+")


def sentences(line: str) -> list[str]:
    """The sentences of a line, in its order."""
    text, start, found = line.strip(), 0, []
    for end in END.finditer(text):
        if end.group().startswith("\\"):
            found.append(text[start : end.start()])
            start = end.start()
        elif not ABBREVIATION.search(text[start : end.end()]):
            follows = text[end.end() :].lstrip("'\"\u201d}) ")
            if not follows or NEXT.match(follows):
                found.append(text[start : end.end()])
                start = end.end()
    found.append(text[start:])
    whole = [part for part in found if not MARKUP.fullmatch(part.strip())]
    return [
        part
        for i, part in enumerate(whole)
        if not i or "=" in part or re.search("[A-Za-z]{3,}", NAMES.sub("", part))
    ]
