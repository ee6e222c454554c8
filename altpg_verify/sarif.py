"""Results of `check` as SARIF 2.1.0, by which code hosts annotate a pull request: a result for each
failure, at the function's line.

What is as it should be gives no result; a law that is skipped, or holds only in part, gives one
under --strict alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from altpg_verify import __version__
from altpg_verify.results import Report
from altpg_verify.verdicts import Verdict

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_UNUSABLE = ("usable", "what is checked can be run, and keeps its contract")
_UPDATE = ("follows_target", "the expected update is the gradient of its target")


def sarif(
    reports: Sequence[tuple[str, Any]],
    places: Mapping[str, tuple[str, int] | None],
    *,
    strict: bool = False,
    unusable: Mapping[str, str] | None = None,
) -> str:
    """(origin, report) pairs as a SARIF log with one run.

    Args:
        reports: origins as in replay commands, with a `Report` or an `audit.Audit`.
        places: origin -> its file and line, the first being 1; None where there is no file.
        strict: a skipped law, and one that holds only in part, counts as a failure.
        unusable: origin -> why it couldn't be checked at all.
    """
    found = [
        (origin, *failure) for origin, report in reports for failure in _failures(report, strict)
    ]
    found += [(origin, _UNUSABLE, text) for origin, text in (unusable or {}).items()]
    # each rule once, under its name, however many results it has
    rules = dict(rule for _, rule, _ in found)
    driver = {
        "name": "altpg-verify",
        "version": __version__,
        "rules": [
            {"id": name, "shortDescription": {"text": summary}} for name, summary in rules.items()
        ],
    }
    results = [
        {
            "ruleId": rule,
            "level": "error",
            "message": {"text": f"{origin}: {text}"},
            **_location(places.get(origin)),
        }
        for origin, (rule, _), text in found
    ]
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _failures(report: Any, strict: bool) -> Iterator[tuple[tuple[str, str], str]]:
    """((rule, what it says), message) for each."""
    if not isinstance(report, Report):
        if not report.ok:
            yield _UPDATE, str(report)
        return
    for result in report:
        partial = result.verdict is Verdict.SKIPPED or not result.whole
        if not result.ok or (strict and partial):
            yield (result.law, f"{result.formula}: {result.summary}"), result.block().strip()


def _location(place: tuple[str, int] | None) -> dict[str, object]:
    if place is None or not Path(place[0]).is_relative_to(os.getcwd()):
        # a path of this machine says nothing to a code host
        return {}
    uri = Path(place[0]).relative_to(os.getcwd()).as_posix()
    return {
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": uri},
                    "region": {"startLine": place[1]},
                }
            }
        ]
    }
