"""How a law's verdict is shown: red only where a requirement or a promise fails; a property that is
absent is a grey NO.
"""

from __future__ import annotations

from collections.abc import Sequence

from altpg_verify.laws import law_named
from altpg_verify.results import CheckResult
from altpg_verify.verdicts import Verdict

NO, INTENDED = "NO", "INTENDED"

MEANINGS = {
    NO: "a property that it doesn't have and doesn't promise, with a counterexample; not a fault",
    INTENDED: "a law that is refuted, and that its author marks as meant to fail",
}
"""What the report on one's own adds to the words of the verdicts."""


def mark(result: CheckResult) -> str:
    """The word that is shown: the verdict, but NO or INTENDED for a refutation that needs no
    action. Red is left for what its author has to mend.
    """
    if result.verdict is not Verdict.REFUTED:
        return str(result.verdict)
    if result.expected_failure:
        return INTENDED
    return str(result.verdict) if result.required else NO


def kind(result: CheckResult) -> str:
    """What the law is to this estimator: a requirement, a property that it promises, or a property.
    It says nothing of whether the law holds.
    """
    if law_named(result.law).required:
        return "requirement"
    return "promised property" if result.required else "property"


def standing(result: CheckResult) -> str:
    """How the verdict stands to what is required and what the estimator says of itself, in a few
    words.
    """
    if result.expected_failure:
        return (
            "fails as intended"
            if result.verdict is Verdict.REFUTED
            else "marked to fail, but doesn't"
        )
    if result.verdict is Verdict.REFUTED:
        return "should hold" if result.required else "not so"
    return "as it should be" if result.verdict.is_for and result.required else ""


def counted(kinds: Sequence[str], laws: Sequence[tuple[str, str]]) -> dict[str, object]:
    """How many laws of each kind are shown with which mark; only kinds and marks that occur.

    Args:
        kinds: in the order of the rows.
        laws: (kind, mark) of each.
    """
    order = [
        *(str(verdict) for verdict in Verdict if verdict is not Verdict.REFUTED),
        INTENDED,
        NO,
        str(Verdict.REFUTED),
    ]
    marks = [name for name in order if any(shown == name for _, shown in laws)]

    def number(kind: str | None, mark: str | None) -> int:
        return sum(kind in (None, one) and mark in (None, shown) for one, shown in laws)

    return {
        "columns": marks,
        "rows": [
            {
                "kind": one,
                "cells": [number(one, name) for name in marks],
                "total": number(one, None),
            }
            for one in kinds
            if number(one, None)
        ],
        "totals": [number(None, name) for name in marks],
        "total": number(None, None),
    }
