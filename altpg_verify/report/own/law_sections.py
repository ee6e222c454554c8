"""Each law with its verdict and what it rests on, in the shape the page has for claims."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from altpg_verify.errors import BadEstimator
from altpg_verify.laws import Law, law_named
from altpg_verify.report.content import formula
from altpg_verify.report.markup import sentence, words
from altpg_verify.report.own.certificates import Certified
from altpg_verify.report.own.standing import MEANINGS, counted, kind, mark, standing
from altpg_verify.report.own.statements import gap_formula, readable_case, statement
from altpg_verify.report.own.symbolic_moments import UNDECIDED, readable
from altpg_verify.report.own.target import Subject
from altpg_verify.results import CheckResult, Report
from altpg_verify.verdicts import Verdict

GROUPS = {
    "requirement": "Requirements: what every estimator of the policy gradient should satisfy",
    "promised property": "Properties that it promises",
    "property": "Properties: what describes an estimator",
}
"""The heading of each kind of law, see `standing.kind`."""
CERTIFIES = {"unbiased": "unbiased", "conservative": "conservative"}
"""The law, and the certificate that speaks of it for every number of actions."""

WIDEST = 160
"""Characters of a formula that is still printed; what is longer is left out, and the counterexample
shows its size.
"""


def title(law: str) -> str:
    """The name of a law as a heading."""
    text = law.replace("_", " ")
    return text[:1].upper() + text[1:]


def part(subject: Subject, report: Report, certified: Mapping[str, Certified]) -> dict[str, object]:
    """The laws by group, their table, and the titles that links show."""
    groups = [
        (name, [result for result in report if kind(result) == group])
        for group, name in GROUPS.items()
    ]
    return {
        "titles": {result.law: title(result.law) for result in report},
        "sections": [
            {"title": name, "claims": [entry(subject, result, certified) for result in results]}
            for name, results in groups
            if results
        ],
        "ledger": [
            {
                "id": result.law,
                "line": 0,
                "kind": kind(result),
                "verdict": mark(result),
                "ours": False,
                "evidence": standing(result),
            }
            for result in report
        ],
    }


def counts(report: Report) -> dict[str, object]:
    """How many laws of each kind are shown with each verdict."""
    return counted(tuple(GROUPS), [(kind(result), mark(result)) for result in report])


def entry(
    subject: Subject, result: CheckResult, certified: Mapping[str, Certified]
) -> dict[str, object]:
    """One law as the page shows it."""
    law = law_named(result.law)
    notes = []
    if result.expected_failure:
        notes.append(
            f"The estimator marks this law as one that is meant to fail: {result.expected_failure}."
        )
    if result.holds_when:
        notes.append(f"It was found to hold after all when {', or when '.join(result.holds_when)}.")
    if result.unreached:
        notes.append(f"Nothing is known of what no case reached: {result.unreached}.")
    pieces = [_checked(subject, law, result)]
    certificate = certified.get(CERTIFIES.get(law.name, ""))
    if certificate is not None:
        pieces.append(_certificate(certificate, mark(result)))
    return {
        "id": law.name,
        "title": title(law.name),
        "verdict": mark(result),
        "facts": [
            one for one in (kind(result), f"cases: {law.domain.name}", standing(result)) if one
        ],
        "statement": statement(law.formula, law.summary),
        "given": [],
        "uses": [law.implied_by] if law.implied_by and "follows from" in result.evidence else [],
        "corrects": None,
        "corrections": [],
        "notes": notes,
        "evidence": pieces,
    }


def _checked(subject: Subject, law: Law, result: CheckResult) -> dict[str, object]:
    found = result.counterexample
    steps: list[dict[str, object]] = []
    instance: list[list[str]] = []
    if found is not None:
        basis = "The smallest case that was found in which the law fails"
        instance = [
            ["case", readable_case(found.case)],
            ["left side", found.left],
            ["right side", found.right],
        ]
        if result.gap:
            instance.append(["left − right", gap_formula(result.gap)])
        else:
            steps = _difference(subject, law)
    elif result.verdict is Verdict.PROVED:
        basis = f"Proved for {result.evidence} agree"
        steps = _both_sides(subject, law)
    else:
        basis = (
            result.evidence or result.reason.partition(": estimator")[0] or "nothing was decided"
        )
        basis = f"No counterexample among {basis}" if result.verdict is Verdict.HOLDS else basis
    return {
        **_blank(),
        "kind": (
            {
                Verdict.PROVED: "Proof",
                Verdict.REFUTED: "Counterexample",
                Verdict.SKIPPED: "Not checked",
            }.get(result.verdict, "Search")
        ),
        "verdict": mark(result),
        "says": words(sentence(basis)),
        "numbers": [["cases tried", str(result.examples)]] if result.examples else [],
        "steps": steps,
        "instance": instance,
        "command": found.replay if found else replay(subject, law.name),
    }


def _certificate(found: Certified, shown_as: str) -> dict[str, object]:
    return {
        **_blank(),
        "kind": "Certificate for every number of actions" if found.holds else "Certificate",
        # a refutation that needs no action isn't shown as a fault here either
        "verdict": (
            shown_as
            if found.verdict == str(Verdict.REFUTED) and shown_as in MEANINGS
            else found.verdict
        ),
        "says": words(sentence(found.plainly)),
        "numbers": [["kept as", f"{found.law}.json"]] if found.text else [],
    }


def replay(subject: Subject, law: str) -> str:
    """The command that checks one law again."""
    policy = "" if subject.policy.normalised else f" --policy {subject.policy.name}"
    return f"python -m altpg_verify check {shlex.quote(subject.origin)} --only {law}{policy}"


def _blank() -> dict[str, object]:
    return {
        "domain": [],
        "numbers": [],
        "steps": [],
        "instance": [],
        "source": "",
        "hash": "",
        "command": "",
    }


def _both_sides(subject: Subject, law: Law) -> list[dict[str, object]]:
    """What both sides are with two actions, as formulas, where they are rational functions."""
    sides = _sides(subject, law)
    if sides is None or all(entry == 0 for entry in sides[0]):
        return []
    place = next(number for number, entry in enumerate(sides[0]) if entry != 0)
    shown = readable(sides[0][place], 2, subject.policy)
    return _shown(f"With two actions, entry {place + 1} of either side is", shown)


def _difference(subject: Subject, law: Law) -> list[dict[str, object]]:
    """Left minus right with two actions, as a formula."""
    sides = _sides(subject, law)
    if sides is None:
        return []
    differences = [one - two for one, two in zip(*sides, strict=True)]
    place = next((number for number, entry in enumerate(differences) if entry != 0), None)
    if place is None:
        return [
            {
                "text": words("With two actions both sides are the same; with three they differ."),
                "formula": None,
            }
        ]
    shown = readable(differences[place], 2, subject.policy)
    return _shown(
        f"With two actions, entry {place + 1} of the left side less that of the right is", shown
    )


def _sides(subject: Subject, law: Law) -> tuple[list[Any], list[Any]] | None:
    if law.relation != "=" or law.domain.symbolic is None:
        return None
    try:
        case = next(iter(law.domain.symbolic(2, subject.policy)))
        return law.sides(subject.estimator, case)
    except (BadEstimator, *UNDECIDED):
        return None


def _shown(text: str, expression: Any) -> list[dict[str, object]]:
    return (
        [{"text": words(text), "formula": formula(expression)}]
        if len(str(expression)) <= WIDEST
        else []
    )
