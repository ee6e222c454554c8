"""The chapters before the claims: headings, text, formulas, tables, figures, findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from altpg_verify.report.html.claims import brief, link
from altpg_verify.report.html.inline import display, words
from altpg_verify.report.html.marks import mark
from altpg_verify.report.html.pictures import inlined

Titles = Mapping[str, str]


def part(it: Mapping[str, Any], titles: Titles) -> str:
    """One part of a chapter.

    Raises:
        KeyError: a kind of part that the page doesn't know.
    """
    return _PARTS[it["kind"]](it, titles)


def finding(it: Mapping[str, Any], titles: Titles) -> str:
    """A finding in plain words with its mark and the claims it refers to."""
    sign = mark(it["verdict"]) if it["verdict"] else "•"
    claims = (
        f' <span class="small">({", ".join(link(one, titles) for one in it["claims"])})</span>'
        if it["claims"]
        else ""
    )
    return (
        f'<div class="finding"><span>{sign}</span><div><strong>{escape(it["head"])}.</strong>'
        f" {words(it['text'])}{claims}</div></div>"
    )


def table(
    header: Sequence[Any], rows: Sequence[Sequence[Any]], *, numeric: bool = True, kind: str = ""
) -> str:
    """A table that scrolls when it is wide; cells are HTML already.

    Args:
        header: of the columns.
        rows: as many cells each.
        numeric: all columns but the first are set to the right.
        kind: a class for the style sheet.
    """
    right = [numeric and number > 0 for number in range(len(header))]

    def cells(tag: str, row: Sequence[Any]) -> str:
        scope = ' scope="col"' if tag == "th" else ""
        classes = [' class="n"' if end else "" for end in right]
        return "".join(
            f"<{tag}{scope}{style}>{cell}</{tag}>" for cell, style in zip(row, classes, strict=True)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    style = f' class="{kind}"' if kind else ""
    return (
        '<div class="scroll" tabindex="0" role="group"'
        f' aria-label="table"><table{style}><thead><tr>{cells("th", header)}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _figure(it: Mapping[str, Any], _: Titles) -> str:
    svg = inlined(it["svg"], f"figure-{it['name']}", it["alt"]).replace(
        "<svg", f'<svg style="width:{it["width"] * 100:g}%"', 1
    )
    name = escape(it["name"])
    return (
        f'<figure id="figure-{name}"><div class="canvas" tabindex="0" role="group"'
        f' aria-label="figure">{svg}</div>'
        f"<figcaption>{words(it['caption'])}</figcaption></figure>"
    )


def _prose(it: Mapping[str, Any], _: Titles) -> str:
    return table(
        [escape(cell) for cell in it["header"]],
        [[words(cell) for cell in row] for row in it["rows"]],
        numeric=False,
        kind="ruled",
    )


def _table(it: Mapping[str, Any], _: Titles) -> str:
    return table(
        [escape(cell) for cell in it["header"]],
        [[escape(cell) for cell in row] for row in it["rows"]],
    )


def _judged(it: Mapping[str, Any], titles: Titles) -> str:
    return f"{mark(it['verdict'])} {link(it['id'], titles)}"


_PARTS: Mapping[str, Callable[[Mapping[str, Any], Titles], str]] = {
    "heading": lambda it, _: f"<h3>{escape(it['text'])}</h3>",
    "text": lambda it, _: f"<p>{words(it['text'])}</p>",
    "note": lambda it, _: f'<p class="note">{words(it["text"])}</p>',
    "formula": lambda it, _: display(it["forms"], it["alt"]),
    "figure": _figure,
    "finding": finding,
    "claims": lambda it, titles: "".join(brief(one, titles) for one in it["items"]),
    "verdicts": lambda it, titles: (
        '<p class="note">Claims on it:'
        f" {', '.join(_judged(one, titles) for one in it['items'])}</p>"
    ),
    "transcript": lambda it, _: f'<pre tabindex="0">{escape(it["text"])}</pre>',
    "code": lambda it, _: f'<pre tabindex="0"><code>{escape(it["text"])}</code></pre>',
    "prose": _prose,
    "table": _table,
}
