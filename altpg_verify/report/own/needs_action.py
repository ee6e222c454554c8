"""What needs action, the first thing on the page: each law that fails, its smallest counterexample,
and the gap as a short formula.
"""

from __future__ import annotations

from altpg_verify.laws import law_named
from altpg_verify.report.content import shown
from altpg_verify.report.markup import sentence, words
from altpg_verify.report.own.law_sections import title
from altpg_verify.report.own.standing import mark
from altpg_verify.report.own.statements import gap_formula, readable_case
from altpg_verify.results import CheckResult, Counterexample, Report
from altpg_verify.verdicts import Verdict

FOLLOW = {"conservative": "unbiased"}
"""A law that an unbiased estimator has, since ∇J has it, beside those that are stated as
implied.
"""

AT_THE_BORDER = {"vanishes_at_corner": "unbiased"}
"""The same for formulas that are continuous up to the border: where both have the same gap."""

TOLD = 4
"""So many laws are told with their counterexample; the others by name."""


def needs_action(report: Report) -> list[dict[str, object]]:
    """Findings, one for each law that isn't as it should be and follows from no other that fails;
    then those that do follow.
    """
    wrong = {result.law: result for result in report if not result.ok}
    follows = {
        law: one
        for law, result in wrong.items()
        if result.verdict is Verdict.REFUTED and (one := _cause(law, wrong))
    }
    # a reader mends causes: what follows from another failure is listed below it
    roots = [result for law, result in wrong.items() if law not in follows]
    found = [_finding(title(result.law), told(result), result) for result in roots[:TOLD]]
    if roots[TOLD:]:
        found.append(_listed("Also", "Further laws that are not as they should be.", roots[TOLD:]))
    for cause in dict.fromkeys(follows.values()):
        some = [wrong[law] for law, other in follows.items() if other == cause]
        summary = f"These fail, too; each would hold if the law “{title(cause).lower()}” did."
        found.append(_listed("With it", summary, some))
    return found


def _cause(law: str, wrong: dict[str, CheckResult]) -> str:
    """The law farthest up from which this one would follow and which is refuted as well; empty if
    there is none.
    """
    cause, above = "", _implying(law, wrong)
    while above:
        if above in wrong and wrong[above].verdict is Verdict.REFUTED:
            cause = above
        above = _implying(above, wrong)
    return cause


def unseen(report: Report) -> list[dict[str, object]]:
    """What no case reached, as a finding: no fault, but nothing is known of it. Nothing if every
    line ran.
    """
    lines = dict.fromkeys(result.unreached for result in report if result.unreached)
    text = f"Nothing is known of it, whatever the verdicts: {'; '.join(lines)}."
    return (
        [{"kind": "finding", "head": "Never ran", "text": words(text), "claims": [], "verdict": ""}]
        if lines
        else []
    )


def _implying(law: str, wrong: dict[str, CheckResult]) -> str:
    """The law from which this one would follow; empty if there is none."""
    other = AT_THE_BORDER.get(law, "")
    if law in wrong and other in wrong and wrong[law].gap and wrong[law].gap == wrong[other].gap:
        return other
    return law_named(law).implied_by or FOLLOW.get(law, "")


def told(result: CheckResult) -> str:
    """What is wrong with one law, and what it would take: the law in words, the smallest
    counterexample, the gap as a formula, and when the law was found to hold.
    """
    if result.expected_failure:
        return (
            f"Marked as meant to fail (“{result.expected_failure.rstrip('.')}”), but not refuted;"
            " take the mark away or mend the formula."
        )
    if result.verdict is not Verdict.REFUTED:
        return (
            "Not decided:"
            f" {(result.reason or result.evidence).partition(': estimator')[0].rstrip('.')}."
        )
    sentences = [f"{sentence(result.summary).rstrip('.')}: this fails."]
    found = result.counterexample
    if found is not None:
        sentences.append(f"Smallest counterexample: {smallest(found)}.")
    if result.gap:
        sentences.append(f"In general left − right = {gap_formula(result.gap)}.")
    if result.holds_when:
        sentences.append(f"It was found to hold when {', or when '.join(result.holds_when)}.")
    return " ".join(sentences)


def smallest(found: Counterexample) -> str:
    """A counterexample in a line: the case, then the two sides."""
    sides = f"left side {found.left}" + (f", right side {found.right}" if found.right else "")
    return f"{readable_case(found.case)}; {sides}"


def _finding(head: str, text: str, *results: CheckResult) -> dict[str, object]:
    return {
        "kind": "finding",
        "head": head,
        "text": words(shown(sentence(text))),
        "claims": [result.law for result in results],
        "verdict": mark(results[0]),
    }


def _listed(head: str, text: str, results: list[CheckResult]) -> dict[str, object]:
    return _finding(head, text, *results)
