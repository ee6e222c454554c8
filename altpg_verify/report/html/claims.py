"""A section a claim: statement, what it assumes, and the evidence on it, folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from altpg_verify.report.html.inline import display, statement, words
from altpg_verify.report.html.marks import chip


def claim(it: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """One claim of the report's mapping, as `content.claim` made it.

    Args:
        it: the claim.
        titles: what links to claims show.
    """
    parts = [
        f"<h4>{escape(it['title'])}</h4>",
        (
            f'<p class="standing">{chip(it["verdict"])} <span'
            f' class="small">{escape(" · ".join(it["facts"]))}</span></p>'
        ),
        f'<div class="statement">{statement(it["statement"])}</div>',
    ]
    if it["given"]:
        given = "".join(f"<li>{statement(one)}</li>" for one in it["given"])
        parts.append(f'<p class="small">Given</p><ul class="given">{given}</ul>')
    if it["corrects"]:
        parts.append(
            f'<div><span class="small">Corrects</span> {link(it["corrects"]["id"], titles)} '
            f'<span class="small">by:</span> {statement(it["corrects"]["adds"])}</div>'
        )
    for one in it["corrections"]:
        parts.append(
            f'<div><span class="small">What is true instead:</span> {link(one["id"], titles)}'
            f" {chip(one['verdict'])} "
            f"{statement(one['adds'])}</div>"
        )
    parts += [f"<p><em>{escape(note)}</em></p>" for note in it["notes"]]
    parts += map(evidence, it["evidence"])
    if it["uses"]:
        parts.append(
            f'<p class="small">Rests on {", ".join(link(one, titles) for one in it["uses"])}.</p>'
        )
    return f'<article class="claim" id="claim-{escape(it["id"])}">{"".join(parts)}</article>'


def link(identity: str, titles: Mapping[str, str]) -> str:
    """A link to a claim under its title."""
    return f'<a href="#claim-{escape(identity)}">{escape(titles[identity])}</a>'


def evidence(item: Mapping[str, Any]) -> str:
    """One piece of evidence: verdict and words seen at once, the rest when unfolded."""
    inside = [f'<p class="domain">Domain: {words(item["domain"])}.</p>'] if item["domain"] else []
    if item["steps"]:
        inside.append(f'<ol class="steps">{"".join(map(step, item["steps"]))}</ol>')
    if item["instance"]:
        against = item["verdict"] == "REFUTED" or item["kind"] == "Counterexample"
        inside.append(pairs("Counterexample" if against else "Instance", item["instance"]))
    if item["numbers"]:
        inside.append(pairs("Numbers", item["numbers"]))
    if item["source"]:
        inside.append(
            f'<p class="small"><code>{escape(item["source"])}</code> ·'
            f" <code>{escape(item['hash'])}</code></p>"
        )
    if item.get("command"):
        inside.append(f'<pre tabindex="0"><code>{escape(item["command"])}</code></pre>')
    head = f"{chip(item['verdict'])} <strong>{escape(item['kind'])}.</strong> {words(item['says'])}"
    return (
        f"<details><summary>{head}</summary>{''.join(inside)}</details>"
        if inside
        else f"<p>{head}</p>"
    )


def step(one: Mapping[str, Any]) -> str:
    """A line of a derivation: a numbered step with its formula, or the numbers of steps that stand
    elsewhere.
    """
    if "from" in one:
        ends = dict.fromkeys((one["from"], one["to"]))
        links = [f'<a href="#step-{number}">({number})</a>' for number in ends]
        return f"<li>By {'–'.join(links)}.</li>"
    shown = (
        "" if one["formula"] is None else display(one["formula"]["forms"], one["formula"]["alt"])
    )
    if "number" not in one:
        return f"<li>{words(one['text'])}{shown}</li>"
    return (
        f'<li id="step-{one["number"]}"><span class="small">({one["number"]})</span>'
        f" {words(one['text'])}{shown}</li>"
    )


def brief(it: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """A claim in a few lines: statement, counterexample, what is true instead."""
    parts = [
        f"<p>{chip(it['verdict'])} <strong>{link(it['id'], titles)}</strong> "
        f'<span class="small">{escape(" · ".join([str(it["number"]), *it["facts"]]))}</span></p>',
        f'<div class="statement">{statement(it["statement"])}</div>',
    ]
    if it["instance"]:
        instance = "; ".join(
            f'<span class="small">{words(name)}</span> = {words(value)}'
            for name, value in it["instance"]
        )
        parts.append(
            f'<p><span class="small">Counterexample:</span> {instance}. <span'
            f' class="small">{words(it["says"])}</span></p>'
        )
    elif it["says"]:
        parts.append(f"<p>{words(it['says'])}</p>")
    parts += [
        f'<div><span class="small">True instead:</span> {link(one["id"], titles)}'
        f" {chip(one['verdict'])} {statement(one['adds'])}</div>"
        for one in it["instead"]
    ]
    return f'<div class="brief">{"".join(parts)}</div>'


def pairs(caption: str, items: Sequence[Sequence[Any]]) -> str:
    """A table of names and values."""
    rows = "".join(
        f'<tr><th scope="row">{words(name)}</th><td>{words(value)}</td></tr>'
        for name, value in items
    )
    return (
        '<div class="scroll"><table class="ruled"><caption'
        f' class="small">{caption}</caption><tbody>{rows}</tbody></table></div>'
    )
