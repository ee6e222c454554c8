"""What the report says, as plain data for the template: a computed ledger, chapters and facts in,
one mapping out.

Verdicts are read from the ledger; this module decides none and lists none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from altpg_verify.judging import Step
from altpg_verify.ledger import KINDS, Entry, Evidence, Ledger
from altpg_verify.report.markup import greek, sentence, spoken, take_apart, words
from altpg_verify.report.numbering import NUMBERS
from altpg_verify.verdicts import Verdict

_PROPER = {
    **{word: word.upper() for word in ("kl", "ppo", "trpo", "mdp", "mdps", "mgf", "reinforce")},
    **{
        word: word.title()
        for word in ("jacobian", "hessian", "jensen", "hoeffding", "lagrange", "voses", "vose")
    },
}
_SIDES = {"left": "left side", "right": "right side"}


STANDING = 6
"""A sentence on what evidence compares, or a domain, that stands at more pieces of evidence than
this is said once, in a table.
"""


def claims_part(ledger: Ledger) -> dict[str, object]:
    """The claims by section, the ledger table, titles and numbers that references show, and the
    sentences that are said once.

    Sections come in the order of their first claim, claims in the order of the ledger. All verdicts
    are read from the entries.

    Args:
        ledger: computed by `ledger.build`.
    """
    sections: dict[str, list[dict[str, object]]] = {}
    numbers = numbered_claims(ledger)
    printed_steps = Steps()
    once = Once(ledger)
    for entry in ledger.entries:
        sections.setdefault(entry.claim.section, []).append(
            claim(entry, ledger, numbers, printed_steps, once)
        )
    return {
        "titles": {entry.claim.id: title(entry.claim.id) for entry in ledger.entries},
        "numbers": numbers,
        "conventions": once.rows(),
        "sections": [{"title": name, "claims": claims} for name, claims in sections.items()],
        "ledger": [row(entry) for entry in ledger.entries],
    }


def numbered_claims(ledger: Ledger) -> dict[str, int]:
    """The claims' numbers, from 1, in the order of the paper; corrections and extensions are
    counted, too.
    """
    return {entry.claim.id: number for number, entry in enumerate(ledger.entries, 1)}


class Steps:
    """Numbers for the steps of all derivations: a step is printed where it occurs first, and cited
    by its number afterwards.

    Attributes:
        places: number -> the claim under which the step is printed.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self.places: dict[int, str] = {}

    def lines(self, steps: Sequence[Step], claim: str) -> list[dict[str, object]]:
        """The lines of a derivation: steps that are new, with their numbers, and citations of runs
        of those that were printed before.

        Args:
            steps: of one finding, in order.
            claim: the id of the claim under which they are about to be printed.
        """
        lines: list[dict[str, object]] = []
        for one in steps:
            key = (one.text, str(one.formula))
            known = self._numbers.get(key)
            if known is None:
                number = self._numbers[key] = len(self._numbers) + 1
                self.places[number] = claim
                lines.append({"number": number, **step(one)})
            # a run of known steps in their old order is one citation: "steps 3 to 7"
            elif lines and "from" in lines[-1] and lines[-1]["to"] == known - 1:
                lines[-1]["to"] = known
            else:
                lines.append({"from": known, "to": known})
        return lines


class Once:
    """Sentences that many pieces of evidence share: what is compared, and on which domain. Each
    gets a letter, the most frequent first: E1, E2, ... for sentences, D1, D2, ... for domains.

    Args:
        ledger: whose evidence is counted.
    """

    def __init__(self, ledger: Ledger) -> None:
        items = {
            (item.source, item.finding.reported, item.finding.domain)
            for entry in ledger.entries
            for item in entry.evidence
        }
        sentences = Counter(text for _, text, _ in items)
        # counted by source: evidence that serves ten claims says its sentence once
        domains = Counter(domain.rstrip(".") for _, _, domain in items)
        self._sentences = {text: f"E{number}" for number, text in enumerate(_often(sentences), 1)}
        self._domains = {text: f"D{number}" for number, text in enumerate(_often(domains), 1)}

    def rows(self) -> list[dict[str, object]]:
        """Letter and sentence, in the order of the letters."""
        both = [
            *((name, sentence(text)) for text, name in self._sentences.items()),
            *((name, text) for text, name in self._domains.items()),
        ]
        return [{"name": name, "says": words(text)} for name, text in both]

    def sentence_name(self, text: str) -> str:
        """The letter of a sentence (E1, E2, ...), or nothing if it stands at too few pieces of
        evidence.
        """
        return self._sentences.get(text, "")

    def domain(self, text: str) -> str:
        """The letter of a domain (D1, D2, ...), or nothing if it stands at too few pieces of
        evidence.
        """
        return self._domains.get(text, "")


def _often(counted: Counter[str]) -> list[str]:
    return [
        text
        for text, number in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        if text and number > STANDING
    ]


def title(identity: str) -> str:
    """The id of a claim as a heading: Value at π* is value-at-pi-star. Names and abbreviations get
    their capitals, a heading that begins with a Greek letter none.
    """
    text = (
        identity.replace("-", " ")
        .replace("pi star", "π*")
        .replace("cauchy schwarz", "Cauchy–Schwarz")
    )
    text = " ".join(_PROPER.get(word, word) for word in greek(text).split(" "))
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def printed(ledger: Ledger) -> list[Entry]:
    """The entries of the paper's own claims: no corrections, nothing beyond the paper."""
    return [
        entry for entry in ledger.entries if not entry.claim.corrects and not entry.claim.extension
    ]


def counts(entries: Sequence[Entry]) -> dict[str, object]:
    """How many claims of each kind have each verdict; only kinds and verdicts that occur.

    Returns:
        Columns (verdicts, strongest first), rows (a kind, its cells and their sum) and the sums of
        the columns.
    """
    verdicts = [
        verdict for verdict in Verdict if any(entry.verdict is verdict for entry in entries)
    ]
    kinds = [kind for kind in KINDS if any(entry.claim.kind == kind for entry in entries)]

    def number(kind: str | None, verdict: Verdict | None) -> int:
        return sum(
            (kind is None or entry.claim.kind == kind)
            and (verdict is None or entry.verdict is verdict)
            for entry in entries
        )

    return {
        "columns": [str(verdict) for verdict in verdicts],
        "rows": [
            {
                "kind": kind,
                "cells": [number(kind, verdict) for verdict in verdicts],
                "total": number(kind, None),
            }
            for kind in kinds
        ],
        "totals": [number(None, verdict) for verdict in verdicts],
        "total": len(entries),
    }


def row(entry: Entry) -> dict[str, object]:
    """A line of the ledger table: id, line of the paper, kind, verdict, whether it is ours, and the
    kinds of its evidence.
    """
    return {
        "id": entry.claim.id,
        "line": entry.claim.line,
        "kind": entry.claim.kind,
        "verdict": str(entry.verdict),
        "ours": bool(entry.claim.corrects or entry.claim.extension),
        "evidence": ", ".join(dict.fromkeys(item.kind for item in entry.evidence)) or "none",
    }


def claim(
    entry: Entry, ledger: Ledger, numbers: Mapping[str, int], steps: Steps, once: Once
) -> dict[str, object]:
    """All that is shown of one claim: statement, premises, verdict, corrections and evidence.

    Args:
        entry: the claim.
        ledger: holds the corrections.
        numbers: as `numbered_claims` has them.
        steps: what is printed already.
        once: the sentences that stand in a table.
    """
    source = entry.claim
    notes = []
    if entry.inconsistent:
        notes.append(
            "Inconsistent: there is evidence for this claim and against it. Until that is resolved"
            " it counts for nothing."
        )
    if entry.missing:
        notes.append(f"Without evidence by {' and '.join(entry.missing)}, which this claim needs.")
    return {
        "id": source.id,
        "number": numbers[source.id],
        "title": title(source.id),
        "verdict": str(entry.verdict),
        "facts": [
            fact
            for fact in (*standing(entry), source.kind, "established" if entry.established else "")
            if fact
        ],
        "statement": take_apart(source.statement),
        "given": [take_apart(given) for given in source.given],
        "uses": list(source.depends_on),
        "corrects": (
            {"id": source.corrects, "adds": take_apart(source.adds)} if source.corrects else None
        ),
        "corrections": [correction(ledger[other]) for other in entry.corrections],
        "notes": notes,
        "evidence": [evidence(item, entry.claim.id, steps, once) for item in entry.evidence],
    }


def standing(entry: Entry) -> list[str]:
    """Whose statement it is, and where it stands in the paper: the number of the display, result or
    figure, and the source's line.
    """
    source = entry.claim
    if source.corrects or source.extension:
        return ["correction, ours" if source.corrects else "beyond the paper"]
    return [NUMBERS.get(source.label, ""), f"line {source.line}"]


def brief(entry: Entry, ledger: Ledger, numbers: Mapping[str, int]) -> dict[str, object]:
    """A claim in a few lines: statement, verdict, the counterexample that decides against it, and
    what is true instead.

    Args:
        entry: the claim.
        ledger: holds its corrections, of which those with a verdict for them are shown.
        numbers: as `numbered_claims` has them.
    """
    best = entry.best
    against = best if best and best.finding.verdict is Verdict.REFUTED else None
    instead = [ledger[other] for other in entry.corrections if ledger[other].verdict.is_for]
    return {
        "id": entry.claim.id,
        "number": numbers[entry.claim.id],
        "title": title(entry.claim.id),
        "verdict": str(entry.verdict),
        "facts": [*filter(None, standing(entry)), *([f"by {best.kind}"] if best else [])],
        "statement": take_apart(entry.claim.statement),
        "says": (
            words(
                sentence(
                    against.finding.reported
                    if against.kind == "simulation"
                    else against.finding.summary
                )
            )
            if against
            else []
        ),
        "instance": instance(against) if against and against.kind != "simulation" else [],
        "instead": [correction(other) for other in instead],
    }


def correction(entry: Entry) -> dict[str, object]:
    """The line under a claim that says what is true instead."""
    return {
        "id": entry.claim.id,
        "verdict": str(entry.verdict),
        "adds": take_apart(entry.claim.adds),
    }


def evidence(item: Evidence, here: str, steps: Steps, once: Once) -> dict[str, object]:
    """One piece of evidence: its verdict, words, numbers, derivation and counterexample.

    Args:
        item: the piece.
        here: the id of the claim under which it is printed.
        steps: what is printed already, and cited from now on.
        once: the sentences that stand in a table.
    """
    finding = item.finding
    domain = finding.domain.rstrip(".")
    # an exact counterexample stands below its words; what Coq prints stands in its transcript
    refuted = finding.verdict is Verdict.REFUTED and item.kind != "simulation"
    compared = finding.summary if refuted else finding.reported
    return {
        "kind": item.kind[:1].upper() + item.kind[1:],
        "verdict": str(finding.verdict),
        "says": words(sentence(compared)),
        "as": "" if refuted else once.sentence_name(compared),
        "domain": words(domain),
        "on": once.domain(domain),
        "numbers": [
            [words(_apart(name)), words(shown(value))] for name, value in finding.numbers.items()
        ],
        "cases": str(finding.numbers.get("cases", "")),
        "steps": [] if item.kind == "coq" else steps.lines(finding.steps, here),
        "instance": instance(item) if finding.verdict is not Verdict.REFUTED or refuted else [],
        "source": item.source,
        "hash": item.source_hash,
    }


def instance(item: Evidence) -> list[list[object]]:
    """The counterexample: name and value, as runs of words."""
    return [
        [words(_SIDES.get(name) or greek(name)), words(shown(value))]
        for name, value in item.finding.instance.items()
    ]


def step(one: Step) -> dict[str, object]:
    """A step of a derivation as the templates read it: words, and the formula typeset or None.

    Args:
        one: its formula may be a sympy object or Typst mathematics.
    """
    return {
        "text": words(one.text),
        "formula": None if one.formula is None else formula(one.formula),
    }


def formula(expression: object) -> dict[str, object]:
    """A displayed formula in its forms of different width, with the text a screen reader says: the
    formula on one line.

    Args:
        expression: Typst mathematics as text, or a sympy expression.
    """
    from altpg_verify.report.plain import formula as on_one_line
    from altpg_verify.report.typst_lines import forms

    shapes = list(forms(expression))
    return {
        "forms": shapes,
        "alt": spoken(expression) if isinstance(expression, str) else on_one_line(shapes[0]),
    }


def _apart(name: str) -> str:
    """The words of a name of code; a letter keeps its subscript."""
    return re.sub(r"(?<=\w\w)_|_(?=\w\w)", " ", name)


def shown(value: object) -> str:
    """A number, a vector or a word as a reader writes it: six significant digits, a real minus
    sign, ∞, yes or no, (1/2, 1/2).
    """
    # before int, of which bool is one
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}".replace("inf", "∞").replace("-", "−")
    if isinstance(value, int | Fraction | str):
        return re.sub(r"(?<![\w.)])-(?=\d)", "−", str(value))
    if isinstance(value, Mapping):
        return ", ".join(f"{_apart(name)} {shown(entry)}" for name, entry in value.items())
    if isinstance(value, Sequence):
        return f"({', '.join(map(shown, value))})"
    return shown(value.item()) if hasattr(value, "item") else str(value)
