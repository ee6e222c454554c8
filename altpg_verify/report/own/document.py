"""The report on one estimator as one mapping, in the order of its pages, for the template of the
main report.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Mapping

from altpg_verify.report.own import law_sections, standing
from altpg_verify.report.own.needs_action import needs_action, unseen
from altpg_verify.report.own.target import Subject
from altpg_verify.report.reading import PACKAGES, paragraphs, version
from altpg_verify.results import Report
from altpg_verify.verdicts import Verdict

NAMES = {
    "kind": "Kind of law",
    "item": "Law",
    "items": "The laws, one by one",
    "ledger": "The laws at a glance",
    "evidence": "which is",
    "lines": False,
}

_BEFORE = """
A verdict is computed from evidence; none was typed by hand. The estimator is one formula; the same function object is run on symbols for
proofs, on exact fractions for counterexamples, on floating-point numbers for saturated policies, and compiled for the agents.
"""

_AFTER = """
Here PROVED means that both sides of a law are the same rational function for the numbers of actions that are named; where a certificate for
every number of actions could be made, it stands below the law. HOLDS means that a search found no counterexample; it proves nothing. A
counterexample is exact unless the formula leaves the rational numbers.
"""

_AGAIN = """
The same versions, seed and source of the estimator give this file again byte for byte: it holds no duration, and its date is fixed,
or that of SOURCE_DATE_EPOCH.
"""


def document(
    subject: Subject,
    report: Report,
    *,
    lead: list[str],
    chapters: list[dict[str, object]],
    laws: dict[str, object],
    seed: int,
    max_examples: int,
    data_hash: str,
    certified: bool,
    picture: dict[str, object] | None = None,
) -> dict[str, object]:
    """What the template needs."""
    name = subject.estimator.name
    return assembled(
        title=f"The estimator {name}",
        subtitle=f"Verification report of {subject.origin}, {report.policy} policy",
        summary={
            "lead": lead,
            "action": needs_action(report),
            "picture": picture,
            "numbers": [],
            "findings": unseen(report),
            "counts": law_sections.counts(report),
        },
        reading=(_BEFORE, _AFTER),
        chapters=chapters,
        lead=(
            "Each law with its statement, its verdict and what that rests on: a proof, with what"
            " both sides are, or the smallest counterexample that was found and the difference of"
            " the sides as a formula. The last line of each is the command that checks it again."
        ),
        reproducing=_reproducing(subject, seed, max_examples, data_hash, certified),
        laws=laws,
    )


def assembled(
    *,
    title: str,
    subtitle: str,
    summary: dict[str, object],
    reading: tuple[str, str],
    chapters: list[dict[str, object]],
    lead: str,
    reproducing: dict[str, object],
    laws: dict[str, object],
) -> dict[str, object]:
    """The whole mapping. Args: reading: what is said before and after the meanings of the verdicts;
    lead: of the laws one by one.
    """
    before, after = map(paragraphs, reading)
    meanings = {**{str(verdict): verdict.meaning for verdict in Verdict}, **standing.MEANINGS}
    verdicts = [{"name": verdict, "meaning": meaning} for verdict, meaning in meanings.items()]
    return {
        "title": title,
        "subtitle": subtitle,
        "running": title,
        "names": NAMES,
        "contents": True,
        "summary": summary,
        "numbers": {},
        "reading": {
            "title": "How to read a verdict",
            "before": before,
            "verdicts": verdicts,
            "after": after,
        },
        "chapters": chapters,
        "claims-lead": [lead],
        "ledger-lead": ["Every law with its verdict. The name of a law leads to its page."],
        "reproducing": reproducing,
        **laws,
    }


def _reproducing(
    subject: Subject, seed: int, max_examples: int, data_hash: str, certified: bool
) -> dict[str, object]:
    from altpg_verify.report.own.law_sections import replay

    policy = "" if subject.policy.normalised else f" --policy {subject.policy.name}"
    command = (
        f"python -m altpg_verify.report --estimator {subject.origin}{policy} --seed {seed}"
        f" --max-examples {max_examples}"
    )
    commands = [{"says": "This report", "command": command}]
    commands.append({"says": "One law, on its own", "command": replay(subject, "unbiased")})
    if certified:
        kept = f"python -m altpg_verify.theory recheck reports/{subject.file}.certificates"
        commands.append(
            {"says": "Every certificate of it, checked again without what made it", "command": kept}
        )
    return reproduced(
        commands,
        {"seed of the searches": str(seed), "cases a search": str(max_examples)},
        data_hash,
    )


def reproduced(
    commands: list[dict[str, str]], settings: Mapping[str, str], data_hash: str
) -> dict[str, object]:
    """The commands, settings and versions that give the report again; no clock."""
    facts = {
        **settings,
        "SHA-256 of the JSON file": data_hash,
        "Python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "platform": f"{sys.platform} {platform.machine()}",
    }
    return {
        "lead": paragraphs(_AGAIN),
        "commands": commands,
        "facts": [[name, value] for name, value in facts.items()],
    }
