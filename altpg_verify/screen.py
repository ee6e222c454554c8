"""Text on a terminal: wrapped to its width, verdicts in colour. What goes into a pipe or a file
stays one fact a line, without colour.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from typing import TextIO

NARROWEST = 40
"""Columns below which nothing is wrapped any more: words would stand one below the other."""

_GREEN, _RED, _YELLOW, _BLUE, _BOLD, _DIM = "32", "31", "33", "34", "1", "2"

_VERDICTS = {
    **dict.fromkeys(("PROVED", "CERTIFIED", "HOLDS", "SUPPORTED"), _GREEN),
    **dict.fromkeys(("REFUTED", "UNEXPECTEDLY HOLDS"), f"{_BOLD};{_RED}"),
    **dict.fromkeys(("INCONCLUSIVE", "NOT RUN", "SKIPPED"), _YELLOW),
}
_SIGNS = {"✓": _GREEN, "✗": f"{_BOLD};{_RED}", "~": _YELLOW, "·": _DIM}

_WORD = re.compile(rf"(?<![\w_])(?:{'|'.join(sorted(_VERDICTS, key=len, reverse=True))})(?![\w_])")
_SIGN = re.compile(r"^( {0,2})([✓✗~·])(?= )")
_FOUND = re.compile(r"^( {2}[✓✗~·] \S+ +)(proved|certified|holds|refuted, as expected)(?![\w-])")
_LABEL = re.compile(r"^( {2,6})(?! )(\S+(?: \S+)*?)(?= {2,}\S)")
_COLUMN = re.compile(r"^ *(?:[✓✗~·] )?\S+(?: \S+)*? {2,}(?=\S)")
_COMMAND = re.compile(r"^( *(?:replay +)?)(python -m .*)$")
_WORDS = re.compile(r"\S+ *")
_UNBROKEN = re.compile(r"""(?:"[^"]*"|'[^']*'|[^\s"'])+ *""")
_CONTROLS = {n: f"\\x{n:02x}" for n in (*range(32), *range(127, 160)) if chr(n) not in "\n\t"}
"""Signs that move or colour a terminal, which somebody's words may hold to write over a verdict ->
how a source writes them.
"""
_COLOUR = re.compile(r"\r?\x1b\[[0-9;]*[mK]")


def say(text: object = "", stream: TextIO | None = None) -> None:
    """Print, fitted to where it goes, and don't keep it back.

    Args:
        text: anything that prints; lines are wrapped one by one.
        stream: standard output by default.
    """
    stream = stream or sys.stdout
    print(fitted(str(text), stream), file=stream, flush=True)


def fitted(text: str, stream: TextIO) -> str:
    """The text as it suits the stream: wrapped on a terminal, or where `COLUMNS` says how wide it
    is; in colour where that is wanted. Control characters in it are shown, not obeyed.
    """
    width = width_of(stream)
    lines = text.translate(_CONTROLS).split("\n")
    if width:
        lines = [line for long in lines for line in wrapped(long, width)]
    return "\n".join(map(painted, lines) if colours(stream) else lines)


def colours(stream: TextIO) -> bool:
    """Whether it should be coloured: on a terminal, unless NO_COLOR is set; elsewhere if
    FORCE_COLOR is. NO_COLOR wins over FORCE_COLOR, and a terminal that calls itself dumb gets none.
    """
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    return forced not in ("", "0") or (_is_terminal(stream) and os.environ.get("TERM") != "dumb")


def width_of(stream: TextIO) -> int:
    """The columns that a line may have; 0 where lines aren't wrapped: in pipes and files, and on
    terminals of fewer than 40 columns.
    """
    if not _is_terminal(stream) and not os.environ.get("COLUMNS", "").isdigit():
        return 0
    columns = shutil.get_terminal_size((80, 24)).columns
    return columns if columns >= NARROWEST else 0


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def wrapped(line: str, width: int) -> list[str]:
    """The line as several of at most `width` columns, the later ones below the text of the first; a
    word is never broken.

    A command is continued as a shell reads it, so that it can be copied.
    """
    if _columns(line) <= width:
        return [line]
    command = _COMMAND.match(line)
    if command:
        return _filled(
            _UNBROKEN.findall(command[2]),
            command[1],
            " " * (_columns(command[1]) + 4),
            width - 2,
            " \\",
        )
    column = _COLUMN.match(line)
    begin = column[0] if column else re.match(r"^ *(?:[✓✗~·] )?", line)[0]  # type: ignore[index]
    indent = _columns(begin)
    # below a text that begins far to the right only a narrow strip would be left
    if indent > width // 2:
        indent = len(line) - len(line.lstrip()) + 4
    return _filled(_WORDS.findall(line[len(begin) :]), begin, " " * indent, width, "")


def _filled(words: list[str], first: str, later: str, width: int, end: str) -> list[str]:
    lines, now = [], first
    for word in words:
        if _columns(now + word.rstrip()) > width and now not in (first, later):
            lines.append(now.rstrip() + end)
            now = later
        now += word
    return [*lines, now.rstrip()]


def _columns(text: str) -> int:
    """How many columns it takes; an accent takes none, and a wide letter two."""
    shown = _COLOUR.sub("", text)
    return sum(
        0 if unicodedata.combining(one) else 2 if unicodedata.east_asian_width(one) in "WF" else 1
        for one in shown
    )


def painted(line: str) -> str:
    """The line with its verdicts and signs in colour (green, yellow or red), and the names of rows
    dim.
    """
    return "".join(_painted(line))


def _painted(line: str) -> Iterator[str]:
    rest = line
    for pattern, paint in ((_FOUND, _found), (_SIGN, _sign), (_LABEL, _label)):
        begin = pattern.match(rest)
        if begin:
            yield paint(begin)
            rest = rest[begin.end() :]
            break
    yield _WORD.sub(lambda word: _in(_VERDICTS[word[0]], word[0]), rest)


def _found(begin: re.Match[str]) -> str:
    sign, colour = begin[1].strip()[0], _YELLOW if begin[2].startswith("refuted") else _GREEN
    return begin[1].replace(sign, _in(_SIGNS[sign], sign), 1) + _in(colour, begin[2])


def _sign(begin: re.Match[str]) -> str:
    return begin[1] + _in(_SIGNS[begin[2]], begin[2])


def _label(begin: re.Match[str]) -> str:
    return begin[1] + _in(_DIM, begin[2])


def _in(colour: str, text: str) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m"
