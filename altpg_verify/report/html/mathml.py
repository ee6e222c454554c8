"""A formula in Typst's notation as MathML, by Typst itself; what it can't write raises: a formula is
shown right or not at all.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape

import typst


class UntranslatableError(ValueError):
    """Typst doesn't know this formula, or can't write all of it as MathML."""


_QUOTED = re.compile(r'\\.|"(?:\\.|[^"\\])*"', re.DOTALL)
_BLANK = '<span style="white-space: pre-wrap">&#x20;</span>'
_CODE = re.compile(r"#(?!(?:true|false)\b)")
_FORMULA = re.compile(r"<math(?: display=\"block\")?>(.*)</math>", re.DOTALL)


def mathml(source: str, alt: str, *, block: bool = False) -> str:
    """The `<math>` element of a formula, as Typst's own export gives it.

    Args:
        source: Typst mathematics, without dollar signs.
        alt: what a screen reader without MathML says.
        block: displayed on a line of its own.

    Raises:
        UntranslatableError: Typst refuses the formula, or warns that part of it isn't shown.
    """
    display = ' display="block"' if block else ""
    return f'<math{display} alttext="{escape(alt)}">{_inside(source, block)}</math>'


def listing(source: str) -> str | None:
    """The text of a formula that is a block of code, `#raw("...", block: true)`; None if it is
    mathematics.
    """
    match = re.fullmatch(r'\s*#raw\(("(?:\\.|[^"\\])*"), block: true\)\s*', source, re.DOTALL)
    return json.loads(match[1]) if match else None


@cache
def _compiler() -> typst.Compiler:
    return typst.Compiler()


@cache
def _inside(source: str, block: bool) -> str:
    # code could read files: a formula is data
    if _CODE.search(_QUOTED.sub("", source)):
        raise UntranslatableError(f"code stands in a formula: {source!r}")
    if not source.strip():
        raise UntranslatableError("a formula is empty")
    # with blanks beside the dollar signs a formula is displayed
    text = f"$ {source} $" if block else f"${source.strip()}$"
    try:
        page, warnings = _compiler().compile_with_warnings(input=text.encode(), format="html")
    except typst.TypstError as error:
        raise UntranslatableError(f"{error.message}: {source!r}") from None
    written = page.decode() if isinstance(page, bytes) else ""
    found = _FORMULA.search(written) if written.count("<math") == 1 else None
    serious = [one.message for one in warnings if "under active development" not in one.message]
    if serious or not found:
        raise UntranslatableError(f"{'; '.join(serious) or 'not one formula'}: {source!r}")
    return found[1].replace(_BLANK, "\u00a0")
