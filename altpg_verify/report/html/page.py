"""From the report's mapping, the same that the PDF is made from, to one HTML file that loads nothing."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from altpg_verify.report.html.chapters import finding, part, table
from altpg_verify.report.html.claims import claim, link
from altpg_verify.report.html.inline import words
from altpg_verify.report.html.marks import chip, mark, sprite
from altpg_verify.report.html.playground import asset, script, section

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""The browser is told to load nothing, so a forgotten address is an error and not a request."""


def html(content: Mapping[str, Any], *, playground: bool = True) -> bytes:
    """The report as HTML; the same content gives the same bytes. Args: playground: with the interactive simplex.

    Raises:
        UntranslatableError: a formula has no rule in MathML.
        UnreadableMarkupError: a statement uses markup that has no rule.
    """
    chapters = [(f"chapter-{number}", it["title"], it) for number, it in enumerate(content["chapters"], 1)]
    sections = [(f"section-{number}", it["title"], it) for number, it in enumerate(content["sections"], 1)]
    title, names = escape(content["title"]), content["names"]
    body = [
        '<a class="skip" href="#summary">to the summary</a>',
        sprite(),
        f'<header><h1>{title}</h1><p class="subtitle">{escape(content["subtitle"])}</p></header>',
        "<main>",
        _summary(content, names),
        _contents(
            [
                *([("try", "Try it: the policy simplex")] if playground else []),
                ("reading", content["reading"]["title"]),
                *((name, heading) for name, heading, _ in chapters),
                ("claims", names["items"]),
                *((name, heading) for name, heading, _ in sections),
                ("ledger", names["ledger"]),
                ("reproducing", "Reproducing this report"),
            ]
        ),
        section() if playground else "",
        _reading(content["reading"]),
        *(_chapter(name, it, content["titles"]) for name, _, it in chapters),
        f'<section id="claims" class="chapter"><h2>{escape(names["items"])}</h2>{_paragraphs(content["claims-lead"])}',
        *(_section(name, it, content["titles"]) for name, _, it in sections),
        "</section>",
        _ledger(content, names),
        _reproducing(content["reproducing"], content["titles"]),
        "</main>",
        f'<footer class="small">{escape(content["running"])}. <a href="#summary">To the top</a></footer>',
    ]
    page = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{title}</title><link rel="icon" href="data:,">
<style>{asset("page.css")}</style></head>
<body>
{chr(10).join(body)}
<script>{asset("page.js")}</script>
{f"<script>{script()}</script>" if playground else ""}
</body></html>
"""
    return page.encode()


def _paragraphs(items: list[str]) -> str:
    return "".join(f"<p>{escape(item)}</p>" for item in items)


def _summary(content: Mapping[str, Any], names: Mapping[str, Any]) -> str:
    it, titles = content["summary"], content["titles"]
    counts = it["counts"]
    head = [escape(names["kind"]), *(f"{mark(name, labelled=False)}<br>{name.lower()}" for name in counts["columns"]), "all"]
    rows = [[escape(row["kind"]), *(str(cell or "·") for cell in row["cells"]), str(row["total"])] for row in counts["rows"]]
    total = [f"<strong>{cell}</strong>" for cell in ("all", *counts["totals"], counts["total"])]
    parts = [_paragraphs(it["lead"])]
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


def _contents(entries: list[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in entries)
    return f'<nav aria-label="Contents"><h2>Contents</h2><ol>{items}</ol></nav>'


def _reading(it: Mapping[str, Any]) -> str:
    rows = [[chip(row["name"]), escape(row["meaning"])] for row in it["verdicts"]]
    verdicts = table(["Verdict", "Meaning"], rows, numeric=False, kind="ruled")
    return (
        f'<section id="reading" class="chapter"><h2>{escape(it["title"])}</h2>{_paragraphs(it["before"])}{verdicts}'
        f"{_paragraphs(it['after'])}</section>"
    )


def _chapter(name: str, it: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    return (
        f'<section id="{name}" class="chapter"><h2>{escape(it["title"])}</h2>{"".join(part(one, titles) for one in it["parts"])}</section>'
    )


def _section(name: str, it: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    claims = "".join(claim(one, titles) for one in it["claims"])
    return f'<section id="{name}"><h3>{words(it["title"])}</h3>{claims}</section>'


def _ledger(content: Mapping[str, Any], names: Mapping[str, Any]) -> str:
    rows = "".join(
        f"<tr><td>{link(row['id'], content['titles'])}{_OURS if row['ours'] else ''}</td>"
        f"{_line(row['line']) if names['lines'] else ''}<td>{escape(row['kind'])}</td><td>{chip(row['verdict'])}</td>"
        f"<td>{escape(row['evidence'])}</td></tr>\n"
        for row in content["ledger"]
    )
    columns = [names["item"], *(["line"] if names["lines"] else []), "kind", "verdict", names["evidence"]]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    return (
        f'<section id="ledger" class="chapter"><h2>{escape(names["ledger"])}</h2>{_paragraphs(content["ledger-lead"])}'
        '<p><label for="filter">Show only the rows with all these words (of a claim, a kind, a verdict, a kind of evidence)</label><br>'
        '<input id="filter" type="search" autocomplete="off" placeholder="refuted empirical"> '
        '<span id="filtered" class="small" role="status"></span></p>'
        f'<div class="scroll" tabindex="0" role="group" aria-label="ledger">'
        f'<table id="ledger-table" class="ruled"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></section>"
    )


_OURS = ' <span class="small">(ours)</span>'


def _line(number: int) -> str:
    return f'<td class="n">{number or "–"}</td>'


def _reproducing(it: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    commands = "".join(
        f'<p class="small">{escape(one["says"])}</p><pre tabindex="0"><code>{escape(one["command"])}</code></pre>' for one in it["commands"]
    )
    facts = table(["What", "Value"], [[escape(name), f"<code>{escape(value)}</code>"] for name, value in it["facts"]], numeric=False)
    more = "".join(part(one, titles) for one in it.get("parts", ()))
    body = f"{_paragraphs(it['lead'])}{commands}{facts}{more}"
    return f'<section id="reproducing" class="chapter"><h2>Reproducing this report</h2>{body}</section>'
