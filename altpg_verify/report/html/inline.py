"""Words, statements and formulas of the report's mapping as HTML; text is data and is escaped,
formulas become MathML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from altpg_verify.report.html.breaking import broken
from altpg_verify.report.html.mathml import listing, mathml
from altpg_verify.report.typst_lines import glyphs

DESK, PHONE = 64, 32
"""Glyphs on a line that a desk's and a phone's page hold."""


class UnreadableMarkupError(ValueError):
    """A statement uses markup for which there is no rule."""


def words(runs: str | Sequence[Any]) -> str:
    """Plain text, or runs of text, small formulas and code."""
    if isinstance(runs, str):
        return escape(runs)
    return "".join(map(_run, runs))


def _run(run: str | Mapping[str, Any]) -> str:
    if isinstance(run, str):
        return escape(run)
    return (
        f"<code>{escape(run['code'])}</code>"
        if "code" in run
        else mathml(run["source"], run["alt"])
    )


_MARKUP = re.compile(
    r"#formula\((?P<formula>\d+)\);|\\(?P<escaped>\S)|(?<!\w)_(?P<emphasis>[^_]+)_(?!\w)|\*(?P<strong>[^*]+)\*|(?P<other>.)",
    re.DOTALL,
)


def statement(parts: Mapping[str, Any], *, inline: bool = False) -> str:
    """The markup of a statement, its formulas put back; one that is a single formula is displayed.

    Args:
        parts: as `markup.take_apart` made them.
        inline: none is displayed.

    Raises:
        UnreadableMarkupError: Typst markup other than emphasis, strong emphasis and escapes.
    """
    formulas, markup = parts["formulas"], parts["markup"]
    if inline:
        return _marked(markup, [{**one, "block": False} for one in formulas])
    if markup == "#formula(0);":
        return display([formulas[0]["source"]], formulas[0]["alt"])
    return _marked(markup, formulas)


def _marked(markup: str, formulas: Sequence[Mapping[str, Any]]) -> str:
    shown = []
    for match in _MARKUP.finditer(markup):
        if match["formula"]:
            one = formulas[int(match["formula"])]
            shown.append(
                display([one["source"]], one["alt"])
                if one["block"]
                else mathml(one["source"], one["alt"])
            )
        elif match["escaped"]:
            shown.append(escape(match["escaped"]))
        elif match["emphasis"]:
            shown.append(f"<em>{_marked(match['emphasis'], formulas)}</em>")
        elif match["strong"]:
            shown.append(f"<strong>{_marked(match['strong'], formulas)}</strong>")
        # signs that mean something to Typst: shown as they are they would be shown wrong
        elif match["other"] in "#*_`$@<[]~":
            raise UnreadableMarkupError(f"no rule for {match['other']!r} in {markup!r}")
        else:
            shown.append(_quoted(match, markup))
    return "".join(shown)


def _quoted(match: re.Match[str], markup: str) -> str:
    character = match["other"]
    before = markup[match.start() - 1 : match.start()]
    if character == '"':
        return "“" if not before or before in " (\n" else "”"
    return "’" if character == "'" else escape(character)


def display(forms: Sequence[str], alt: str) -> str:
    """A displayed formula: unbroken where a desk's line holds it, broken shorter on a phone; a
    block of code stays code.
    """
    code = listing(forms[0])
    if code is not None:
        return f'<pre class="code" tabindex="0"><code>{escape(code)}</code></pre>'
    if len(forms) == 1:
        forms = (forms[0], *(broken(forms[0], width) for width in (DESK, PHONE)))
    # both are on the page, and the style sheet shows the one that fits
    desk, phone = fitting(forms, DESK), fitting(forms, PHONE)
    if desk == phone:
        return f'<div class="formula">{mathml(desk, alt, block=True)}</div>'
    return (
        f'<div class="formula desk">{mathml(desk, alt, block=True)}</div><div class="formula'
        f' phone">{mathml(phone, alt, block=True)}</div>'
    )


def fitting(forms: Sequence[str], width: float) -> str:
    """The first of the forms whose lines are about as short as `width`, else the narrowest."""
    wide = [max(map(glyphs, form.split("\\ "))) for form in forms]
    return next(
        (form for form, glyphs_wide in zip(forms, wide, strict=True) if glyphs_wide <= width),
        forms[wide.index(min(wide))],
    )
