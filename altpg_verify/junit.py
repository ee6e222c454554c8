"""Results of `check` as JUnit XML, which continuous integration reads: a suite for each estimator
or update, a case for each law.

A refuted law that is expected to fail is a passed case, a skipped law a skipped one (a failed one
under --strict), and a failure carries the block that is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from altpg_verify.results import Report
from altpg_verify.verdicts import Verdict

Case = tuple[str, str, str]
"""(name, "passed" or "failed" or "skipped", what is to be said of it)."""


def junit(
    reports: Sequence[tuple[str, Any]],
    *,
    strict: bool = False,
    unusable: Mapping[str, str] | None = None,
) -> str:
    """(origin, report) pairs as an XML document.

    Args:
        reports: origins as in replay commands, with a `Report` or an `audit.Audit`.
        strict: a skipped law, and one that holds only in part, counts as a failure.
        unusable: origin -> why it couldn't be checked at all; an error each.
    """
    root = ElementTree.Element("testsuites")
    for origin, report in reports:
        cases = list(_laws(report, strict)) if isinstance(report, Report) else [_audit(report)]
        suite = ElementTree.SubElement(
            root, "testsuite", name=origin, tests=str(len(cases)), errors="0"
        )
        for status, name in (("failed", "failures"), ("skipped", "skipped")):
            suite.set(name, str(sum(case[1] == status for case in cases)))
        if isinstance(report, Report):
            suite.set("time", f"{report.seconds:.3f}")
        for name, status, text in cases:
            element = ElementTree.SubElement(suite, "testcase", classname=origin, name=name)
            if status != "passed":
                mark = ElementTree.SubElement(
                    element,
                    "failure" if status == "failed" else "skipped",
                    message=text.split("\n")[0].strip(),
                )
                mark.text = text
            elif text:
                ElementTree.SubElement(element, "system-out").text = text
    for origin, text in (unusable or {}).items():
        suite = ElementTree.SubElement(
            root, "testsuite", name=origin, tests="1", errors="1", failures="0", skipped="0"
        )
        element = ElementTree.SubElement(suite, "testcase", classname=origin, name="usable")
        ElementTree.SubElement(element, "error", message=text)
    ElementTree.indent(root)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        + ElementTree.tostring(root, encoding="unicode")
        + "\n"
    )


def _laws(report: Report, strict: bool) -> Iterable[Case]:
    for result in report:
        skipped = result.verdict is Verdict.SKIPPED
        partial = skipped or not result.whole
        status = (
            "failed"
            if not result.ok or (partial and strict)
            else "skipped"
            if skipped
            else "passed"
        )
        yield result.law, status, result.block() if status == "failed" else result.headline


def _audit(found: Any) -> Case:
    return "follows_target", "passed" if found.ok else "failed", str(found)
