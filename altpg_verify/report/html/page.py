"""From the report's mapping, the same that the PDF is made from, to one HTML file that loads
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from altpg_verify.report.html.chapters import finding, part, table
from altpg_verify.report.html.claims import claim
from altpg_verify.report.html.explorer import explorer
from altpg_verify.report.html.folds import fold
from altpg_verify.report.html.inline import words
from altpg_verify.report.html.marks import chip, mark, sprite
from altpg_verify.report.html.playground import Playground, asset

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:;"
    " base-uri 'none'; form-action 'none'"
)
"""The browser is told to load nothing, so a forgotten address is an error and not a request."""


def html(content: Mapping[str, Any], *, simplex: Playground | None) -> bytes:
    """The report as HTML; the same content gives the same bytes.

    Args:
        content: the mapping that the PDF is made of, too.
        simplex: the interactive one, or None for a page without.

    Raises:
        UntranslatableError: a formula has no rule in MathML.
        UnreadableMarkupError: a statement uses markup that has no rule.
        UnfoldableError: a chapter has a `noscript` element.
    """
    titles, names, opened = (
        content["titles"],
        content["names"],
        content["names"].get("opened", False),
    )
    chapters = [
        (f"chapter-{number}", escape(it["title"]), it)
        for number, it in enumerate(content["chapters"], 1)
    ]
    sections = [
        (f"section-{number}", words(it["title"]), it)
        for number, it in enumerate(content["sections"], 1)
    ]
    title = escape(content["title"])
    places = [("summary", "Summary", _summary(content, names))]
    if simplex:
        # what needs action comes first
        places.insert(
            1 if "action" in content["summary"] else 0,
            ("try", "The policy simplex", simplex.section()),
        )
    opening_contents, opening = [place[:2] for place in places], [place[2] for place in places]
    body = [
        '<a class="skip" href="#summary">to the summary</a>',
        sprite(),
        _bar(
            title,
            [
                *opening_contents,
                ("ledger", escape(names["ledger"])),
                ("reading", escape(content["reading"]["title"])),
                *((name, heading) for name, heading, _ in chapters),
                ("reproducing", "Reproducing this report"),
            ],
            escape(names["items"]),
            [(name, heading) for name, heading, _ in sections],
        ),
        '<div class="page">',
        f'<header><h1>{title}</h1><p class="subtitle">{escape(content["subtitle"])}</p></header>',
        "<main>",
        *opening,
        explorer(content, opened=opened),
        fold(
            "reading",
            escape(content["reading"]["title"]),
            _reading(content["reading"]),
            opened=opened,
        ),
        *(
            fold(name, heading, "".join(part(one, titles) for one in it["parts"]), opened=opened)
            for name, heading, it in chapters
        ),
        (
            '<section id="claims"'
            f' class="chapter"><h2>{escape(names["items"])}</h2>{_paragraphs(content["claims-lead"])}'
        ),
        *(
            fold(
                name,
                heading,
                "".join(claim(one, titles) for one in it["claims"]),
                level=3,
                opened=opened,
                kind="section",
            )
            for name, heading, it in sections
        ),
        "</section>",
        fold(
            "reproducing",
            "Reproducing this report",
            _reproducing(content["reproducing"], titles),
            opened=opened,
        ),
        "</main>",
        (
            f'<footer class="small">{escape(content["running"])}. <a href="#top">To the'
            " top</a></footer></div>"
        ),
    ]
    page = f"""<!doctype html>
<html lang="en" id="top"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title><link rel="icon" href="data:,">
<style>{asset("page.css")}</style></head>
<body>
{chr(10).join(body)}
<script>{asset("page.js")}</script>
{f"<script>{simplex.script()}</script>" if simplex else ""}
</body></html>
"""
    return page.encode()


def _paragraphs(items: list[str]) -> str:
    return "".join(f"<p>{escape(item)}</p>" for item in items)


def _summary(content: Mapping[str, Any], names: Mapping[str, Any]) -> str:
    it, titles = content["summary"], content["titles"]
    counts = it["counts"]
    head = [
        escape(names["kind"]),
        *(f"{mark(name, labelled=False)}<br>{name.lower()}" for name in counts["columns"]),
        "all",
    ]
    rows = [
        [escape(row["kind"]), *(str(cell or "·") for cell in row["cells"]), str(row["total"])]
        for row in counts["rows"]
    ]
    total = [f"<strong>{cell}</strong>" for cell in ("all", *counts["totals"], counts["total"])]
    parts = [_paragraphs(it["lead"])]
    if it.get("action"):
        parts += ["<h3>What needs action</h3>", *(finding(one, titles) for one in it["action"])]
    if it["picture"]:
        parts.append(part(it["picture"], titles))
    if it["numbers"]:
        numbers = [
            [
                *(escape(row[name]) for name in ("what", "claimed", "simulated", "apart")),
                f'<a href="#claim-{escape(row["claim"])}">{chip(row["verdict"])}</a>',
            ]
            for row in it["numbers"]
        ]
        parts.append(table([escape(cell) for cell in it["numbers-head"]], numbers))
    parts += [finding(one, titles) for one in it["findings"]]
    parts.append(table(head, [*rows, total]))
    return f'<section id="summary" class="chapter"><h2>Summary</h2>{"".join(parts)}</section>'


def _bar(
    title: str, chapters: list[tuple[str, str]], claims: str, sections: list[tuple[str, str]]
) -> str:
    """The contents, always at hand: beside the page, or on a narrow one under a button. Args: all
    of it HTML.
    """

    def links(entries: list[tuple[str, str]]) -> str:
        return "".join(f'<li><a href="#{name}">{heading}</a></li>' for name, heading in entries)

    return (
        '<nav class="bar" aria-label="Contents"><div class="top"><a href="#top">' + title + "</a>"
        '<button type="button" id="contents" aria-expanded="false"'
        ' aria-controls="places">Contents</button></div>'
        f'<div id="places"><ol>{links(chapters)}<li><a'
        f' href="#claims">{claims}</a><ol>{links(sections)}</ol></li></ol></div></nav>'
    )


def _reading(it: Mapping[str, Any]) -> str:
    rows = [[chip(row["name"]), escape(row["meaning"])] for row in it["verdicts"]]
    verdicts = table(["Verdict", "Meaning"], rows, numeric=False, kind="ruled")
    return f"{_paragraphs(it['before'])}{verdicts}{_paragraphs(it['after'])}"


def _reproducing(it: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    commands = "".join(
        f'<p class="small">{escape(one["says"])}</p><pre'
        f' tabindex="0"><code>{escape(one["command"])}</code></pre>'
        for one in it["commands"]
    )
    facts = table(
        ["What", "Value"],
        [[escape(name), f"<code>{escape(value)}</code>"] for name, value in it["facts"]],
        numeric=False,
    )
    more = "".join(part(one, titles) for one in it.get("parts", ()))
    return f"{_paragraphs(it['lead'])}{commands}{facts}{more}"
