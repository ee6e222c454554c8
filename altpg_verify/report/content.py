"""What the report says, as plain data for the template: a computed ledger, chapters and facts in, one mapping out.

Verdicts are read from the ledger; this module decides none and lists none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from altpg_verify.judging import Step
from altpg_verify.ledger import KINDS, Entry, Evidence, Ledger
from altpg_verify.report.markup import greek, sentence, spoken, take_apart, words
from altpg_verify.verdicts import Verdict

_PROPER = {
    **{word: word.upper() for word in ("kl", "ppo", "trpo", "mdp", "mdps", "mgf", "reinforce")},
    **{word: word.title() for word in ("jacobian", "hessian", "jensen", "hoeffding", "lagrange", "voses", "vose")},
}
_SIDES = {"left": "left side", "right": "right side"}


def claims_part(ledger: Ledger) -> dict[str, Any]:
    """The claims by section, the ledger table, the titles that links show, and the counts."""
    sections: dict[str, list[dict[str, Any]]] = {}
    shown_under = _first_shown(ledger)
    for entry in ledger.entries:
        sections.setdefault(entry.claim.section, []).append(claim(entry, ledger, shown_under))
    return {
        "titles": {entry.claim.id: title(entry.claim.id) for entry in ledger.entries},
        "sections": [{"title": name, "claims": claims} for name, claims in sections.items()],
        "ledger": [row(entry) for entry in ledger.entries],
    }


def _first_shown(ledger: Ledger) -> dict[tuple[Any, ...], str]:
    """For each derivation the first claim it serves: there it is printed, elsewhere referred to."""
    first: dict[tuple[Any, ...], str] = {}
    for entry in ledger.entries:
        for item in entry.evidence:
            first.setdefault(_derivation(item), entry.claim.id)
    return first


def _derivation(item: Evidence) -> tuple[Any, ...]:
    return item.source, tuple((one.text, str(one.formula)) for one in item.finding.steps)


def title(identity: str) -> str:
    """The id of a claim as a heading: Value at π* is value-at-pi-star."""
    text = identity.replace("-", " ").replace("pi star", "π*").replace("cauchy schwarz", "Cauchy–Schwarz")
    text = " ".join(_PROPER.get(word, word) for word in greek(text).split(" "))
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def printed(ledger: Ledger) -> list[Entry]:
    """The entries of the paper's own claims: no corrections, nothing beyond the paper."""
    return [entry for entry in ledger.entries if not entry.claim.corrects and not entry.claim.extension]


def counts(entries: Sequence[Entry]) -> dict[str, Any]:
    """How many claims of each kind have each verdict; only kinds and verdicts that occur."""
    verdicts = [verdict for verdict in Verdict if any(entry.verdict is verdict for entry in entries)]
    kinds = [kind for kind in KINDS if any(entry.claim.kind == kind for entry in entries)]

    def number(kind: str | None, verdict: Verdict | None) -> int:
        return sum((kind is None or entry.claim.kind == kind) and (verdict is None or entry.verdict is verdict) for entry in entries)

    return {
        "columns": [str(verdict) for verdict in verdicts],
        "rows": [{"kind": kind, "cells": [number(kind, verdict) for verdict in verdicts], "total": number(kind, None)} for kind in kinds],
        "totals": [number(None, verdict) for verdict in verdicts],
        "total": len(entries),
    }


def row(entry: Entry) -> dict[str, Any]:
    """A line of the ledger table."""
    return {
        "id": entry.claim.id,
        "line": entry.claim.line,
        "kind": entry.claim.kind,
        "verdict": str(entry.verdict),
        "ours": bool(entry.claim.corrects or entry.claim.extension),
        "evidence": ", ".join(dict.fromkeys(item.kind for item in entry.evidence)) or "none",
    }


def claim(entry: Entry, ledger: Ledger, shown_under: Mapping[tuple[Any, ...], str]) -> dict[str, Any]:
    """All that is shown of one claim. Args: shown_under: the claim under which a derivation is printed."""
    source = entry.claim
    standing = "correction, ours" if source.corrects else "beyond the paper" if source.extension else f"line {source.line}"
    facts = [standing, source.label and f"label {source.label}", source.kind, "established" if entry.established else ""]
    notes = []
    if entry.inconsistent:
        notes.append("Inconsistent: there is evidence for this claim and against it. Until that is resolved it counts for nothing.")
    if entry.missing:
        notes.append(f"Still owed: {', '.join(entry.missing)}.")
    return {
        "id": source.id,
        "title": title(source.id),
        "verdict": str(entry.verdict),
        "facts": [fact for fact in facts if fact],
        "statement": take_apart(source.statement),
        "given": [take_apart(given) for given in source.given],
        "uses": list(source.uses),
        "corrects": {"id": source.corrects, "adds": take_apart(source.adds)} if source.corrects else None,
        "corrections": [correction(ledger[other]) for other in entry.corrections],
        "notes": notes,
        "evidence": [evidence(item, entry.claim.id, shown_under[_derivation(item)]) for item in entry.evidence],
    }


def correction(entry: Entry) -> dict[str, Any]:
    """The line under a claim that says what is true instead."""
    return {"id": entry.claim.id, "verdict": str(entry.verdict), "adds": take_apart(entry.claim.adds)}


def evidence(item: Evidence, here: str, shown_under: str) -> dict[str, Any]:
    """One piece of evidence: its verdict, words, numbers, derivation (or the claim where it is printed) and counterexample."""
    finding = item.finding
    elsewhere = bool(finding.steps) and here != shown_under
    return {
        "kind": item.kind[:1].upper() + item.kind[1:],
        "verdict": str(finding.verdict),
        "says": words(sentence(finding.reported)),
        "domain": words(finding.domain.rstrip(".")),
        "numbers": [[name.replace("_", " "), shown(value)] for name, value in finding.numbers.items()],
        "steps": [] if elsewhere else [step(one) for one in finding.steps],
        "elsewhere": shown_under if elsewhere else "",
        "instance": [[_SIDES.get(name) or greek(name), shown(value)] for name, value in finding.instance.items()],
        "source": item.source,
        "hash": item.source_hash,
    }


def step(one: Step) -> dict[str, Any]:
    """A step of a derivation as the templates read it: words, and the formula typeset or None."""
    return {"text": words(one.text), "formula": None if one.formula is None else formula(one.formula)}


def formula(expression: Any) -> dict[str, Any]:
    """A displayed formula in its forms of different width, with the text a screen reader says: sympy's own."""
    from altpg_verify.report.typst_lines import forms

    return {"forms": list(forms(expression)), "alt": spoken(expression) if isinstance(expression, str) else str(expression)}


def shown(value: Any) -> str:
    """A number, a vector or a word as a reader writes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}".replace("inf", "∞").replace("-", "−")
    if isinstance(value, int | Fraction | str):
        return re.sub(r"(?<![\w.)])-(?=\d)", "−", str(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {shown(entry)}" for name, entry in value.items())
    if isinstance(value, Sequence):
        return f"({', '.join(map(shown, value))})"
    return shown(value.item()) if hasattr(value, "item") else str(value)
