"""The list of all claims with the form that searches it: by words, section, kind and verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from altpg_verify.report.html.claims import link
from altpg_verify.report.html.folds import held
from altpg_verify.report.html.inline import statement
from altpg_verify.report.html.marks import chip
from altpg_verify.report.plain import spelled


def explorer(content: Mapping[str, Any], *, opened: bool = False) -> str:
    """The section of the ledger. Args: opened: the list is there at once, not when it comes into
    view.
    """
    names, places = content["names"], _places(content)
    lines = "".join(
        _row(row, names, content["titles"], *places[row["id"]]) for row in content["ledger"]
    )
    rows = f'<ol class="found">{lines}</ol>'
    chapters = [
        (str(number), spelled(it["title"])) for number, it in enumerate(content["sections"])
    ]
    form = (
        '<label>words<input name="text" id="filter" type="search" autocomplete="off"'
        ' placeholder="all of these words"></label>'
        f"{_choice('section', chapters)}{_choice('kind', _values(content['ledger'], 'kind'))}"
        f"{_choice('verdict', _values(content['ledger'], 'verdict'))}"
    )
    lead = "".join(f"<p>{escape(item)}</p>" for item in content["ledger-lead"])
    return (
        f'<section id="ledger" class="chapter"><h2>{escape(names["ledger"])}</h2>{lead}<form'
        ' id="search" class="search" role="search"'
        f' data-items="{escape(names["item"].lower())}s">{form}</form><p id="filtered"'
        ' class="small" role="status"></p><div id="rows" tabindex="0" role="group"'
        f' aria-label="{escape(names["ledger"])}">{rows if opened else held(rows)}</div></section>'
    )


def _places(content: Mapping[str, Any]) -> dict[str, tuple[int, Mapping[str, Any]]]:
    """The number of a claim's section and its statement, by its id."""
    return {
        claim["id"]: (number, claim["statement"])
        for number, it in enumerate(content["sections"])
        for claim in it["claims"]
    }


def _values(rows: Sequence[Mapping[str, Any]], name: str) -> list[tuple[str, str]]:
    return [(value, value) for value in sorted({row[name] for row in rows})]


def _choice(name: str, values: Sequence[tuple[str, str]]) -> str:
    options = "".join(
        f'<option value="{escape(value)}">{escape(shown)}</option>' for value, shown in values
    )
    return (
        f'<label>{name}<select name="{name}"><option value="">every'
        f" {name}</option>{options}</select></label>"
    )


def _row(
    row: Mapping[str, Any],
    names: Mapping[str, Any],
    titles: Mapping[str, str],
    section: int,
    stated: Mapping[str, Any],
) -> str:
    line = [f"line {row['line']}"] if names["lines"] and row["line"] else []
    facts = " · ".join(
        [
            *(["ours"] if row["ours"] else line),
            row["kind"],
            *([row["evidence"]] if row["evidence"] else []),
        ]
    )
    return (
        f'<li data-section="{section}" data-kind="{escape(row["kind"])}"'
        f' data-verdict="{escape(row["verdict"])}"'
        f' data-text="{escape(spelled(stated))}">{chip(row["verdict"])} {link(row["id"], titles)}'
        f' <span class="small">{escape(facts)}</span><span'
        f' class="stated">{statement(stated, inline=True)}</span></li>\n'
    )
