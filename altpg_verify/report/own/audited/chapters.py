"""The words of the report on an update: what needs action, what was found, the code and the
space.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from altpg_verify.audit.findings import Audit
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.numbers import say_vector
from altpg_verify.audit.training import End
from altpg_verify.audit.updates import Update
from altpg_verify.report.content import shown
from altpg_verify.report.markup import sentence, words
from altpg_verify.report.own.audited.audit_laws import CONFORMS, FOLLOWS, GRADIENT, laws_of
from altpg_verify.report.own.audited.updates_at_policies import comparison
from altpg_verify.report.parts import Part, heading, table
from altpg_verify.report.summary import text
from altpg_verify.wording import counted

LISTED = 12
"""So many ways an episode can go are listed."""

WHAT = {"torch loss": "loss", "jax loss": "loss"}
"""What is said of where an update comes from."""


def what(update: Update) -> str:
    """A loss or an update."""
    return WHAT.get(update.origin, "update")


def lead(origin: str, update: Update, found: Audit) -> list[str]:
    """What was audited, and whether anything needs action."""
    author = f" Its author says: “{update.summary.rstrip('.')}”." if update.summary else ""
    outcome = "Nothing needs action." if found.ok else "It needs action."
    how = "were sampled" if found.sampled else "were enumerated"
    return [
        f"The {what(update)} {update.name} ({origin}) is meant to ascend {found.target}. It was"
        f" audited on {found.space}: {counted(found.draws, 'draw')} {how}.{author} {outcome}"
    ]


def verdict(found: Audit) -> list[dict[str, object]]:
    """The first page in findings: what it is, the counterexample, the factor, the causes, and what
    to do.
    """
    by_name = {law.name: law for law in laws_of(found)}
    findings = []
    if found.conformance is not None:
        findings.append(
            _finding(
                "Algorithm", sentence(found.conformance.sentence), by_name[CONFORMS].mark, CONFORMS
            )
        )
    findings.append(_finding("Verdict", sentence(found.sentence), by_name[FOLLOWS].mark, FOLLOWS))
    rows = {name: said.partition("   ")[0] for name, said in found.rows()}
    if found.expected and found.kind is not Kind.UNBIASED:
        where = (
            f"At {found.point} the expected update is {rows['left']}, where the gradient is"
            f" {rows['right']}"
        )
        findings.append(_finding("Counterexample", f"{where}; the bias is {rows['bias']}."))
    if found.scale is not None:
        findings.append(_finding("Factor", f"It is the gradient times {found.scale}."))
    if found.follows:
        findings.append(_finding("Objective", f"It is exactly the gradient of {found.follows}."))
    findings += [_finding("Cause", sentence(cause)) for cause in found.causes]
    findings += [_finding("What would mend it", sentence(mend.sentence)) for mend in found.mends]
    if found.unrun:
        findings.append(_finding("Never ran", sentence(found.unrun)))
    marked = rows.get("intended") or rows.get("intended?")
    if found.ok and found.intended:
        findings.append(_finding("Intended", sentence(found.intended)))
    elif not found.ok and found.conformance is not None and not found.conformance.ok:
        findings.append(
            _finding(
                "What to do", f"Mend it, or don't declare it to be {found.conformance.wanted}."
            )
        )
    elif not found.ok and marked:
        advice = (
            f"Mend it, or, if this is meant, mark it: `{marked}`."
            if "intended?" in rows
            else sentence(marked)
        )
        findings.append(_finding("What to do", advice))
    return findings


def besides(found: Audit) -> list[Part]:
    """Everything else that the audit says, in its order."""
    titles = {
        "evidence": "Evidence",
        "curl": "Curl",
        "variance": "Variance",
        "run": "How it ran",
        "pull": "The pull",
        "is": "It is",
        "differs": "It differs",
        "blind": "Not told apart",
        "also": "Also",
    }
    last = laws_of(found)[-1]
    parts: list[Part] = []
    for name, said in found.rows():
        if name in titles:
            parts.append(
                _finding(
                    titles[name], sentence(said), *((last.mark, GRADIENT) if name == "curl" else ())
                )
            )
    return parts


def source(update: Update) -> list[Part]:
    """The code that was run."""
    try:
        code = textwrap.dedent(inspect.getsource(inspect.unwrap(update.function))).rstrip()
    except (OSError, TypeError):
        return [text("Its code can't be shown: it is no function in a file.")]
    direction = (
        "A loss is minimised: the update is minus its gradient."
        if what(update) == "loss"
        else "An update is an ascent direction."
    )
    return [text(f"The very code that was run. {direction}"), {"kind": "code", "text": code}]


def where(update: Update, found: Audit) -> list[Part]:
    """The space: what is drawn, the policy, and every episode where they are few."""
    space = update.space
    parts = [
        heading("Where it was tried"),
        text(
            f"{found.space[:1].upper()}{found.space[1:]}; {found.point}. Every draw counts with its"
            " probability."
        ),
    ]
    if len(space.episodes) > LISTED:
        return [*parts, text(f"An episode can go {len(space.episodes)} ways.")]
    header = ["states", "actions", "rewards", "chance besides the policy"]
    rows = [
        [
            " ".join(map(str, each.states)),
            " ".join(map(str, each.actions)),
            " ".join(map(str, each.rewards)),
            str(each.chance),
        ]
        for each in space.episodes
    ]
    return [*parts, text("An episode can go in these ways, one entry a step:"), table(header, rows)]


def elsewhere(rows: list[dict[str, object]]) -> list[Part]:
    """The table of policies."""
    if not rows:
        return [text("No policy was enumerated.")]
    return [
        text(
            "The first policy is that of the audit, the others lie about it, always the same ones."
        ),
        comparison(rows),
    ]


def ending(ends: Sequence[End], why: str) -> list[Part]:
    """Where training by the expected update ends, or why that was not followed."""
    head = heading("Where training ends")
    if not ends:
        return [head, text(sentence(why))]
    header = ["from π", "to π", "V there", "how"]
    rows = [
        [
            end.start,
            "; ".join(say_vector(np.round(row, 4)) for row in end.policy),
            f"{end.value:.6g}",
            _how(end),
        ]
        for end in ends
    ]
    said = (
        "The flow of the expected update, the limit of training with small stepsizes, followed from"
        " the policy of the audit and from near the corners. Runs of single draws may end"
        " elsewhere."
    )
    return [head, text(said), table(header, rows)]


def _how(end: End) -> str:
    if end.empty:
        return "beyond it no draw is kept"
    return (
        "comes to rest"
        if end.stopped and end.stable
        else "still moving"
        if not end.stopped
        else "elsewhere with smaller steps"
    )


def _finding(head: str, said: str, mark: str = "", *claims: str) -> dict[str, object]:
    return {
        "kind": "finding",
        "head": head,
        "text": with_code(said),
        "claims": list(claims),
        "verdict": mark,
    }


def with_code(said: str) -> list[Any]:
    """Words as runs; code stays as it is: between backticks, and in brackets behind a place, as in
    `mine.py:12 (x / 1e-8)`.
    """
    code = re.search(r"`[^`]*`|\.py:\d+ (?=\()", said)
    if code is None:
        return words(shown(said))
    quoted = code[0].startswith("`")
    begin, end = (code.start(), code.end()) if quoted else (code.end(), _closed(said, code.end()))
    line = {"code": said[begin:end].strip("`")}
    return [*words(shown(said[:begin])), line, *(with_code(said[end:]) if end < len(said) else [])]


def _closed(said: str, begin: int) -> int:
    """Where the bracket that opens at `begin` is closed; the end if it isn't."""
    depth = 0
    for place, letter in enumerate(said[begin:], begin):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if depth == 0:
            return place + 1
    return len(said)
