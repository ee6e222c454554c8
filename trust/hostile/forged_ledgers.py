"""Ledgers that were edited or made by hand, and what the command and the report print of them."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from altpg_verify.__main__ import main
from altpg_verify.judging import Finding, compared
from altpg_verify.ledger import Ledger
from altpg_verify.verdicts import Verdict
from trust.hostile.forged_findings import doubt, few_cases, ledger_of, true_proof
from trust.hostile.forms import NEVER_PASSED, PASSED


def _doubtful_statistics() -> Finding:
    """Ten standard errors off, so refuted."""
    return compared(
        "the mean is 0",
        predicted=0.0,
        mean=1.0,
        standard_error=0.1,
        false_alarm_rate=0.001,
        domain="100 runs",
        worth_finding=2.0,
    )


def _listed(
    finding: Callable[[], Finding], edit: Callable[[dict[str, Any], dict[str, Any]], object]
) -> Callable[[], str]:
    """What `claims --ledger` prints of a stored ledger of one claim, after an edit of the claim and
    its evidence.
    """

    def ask() -> str:
        ledger = json.loads(ledger_of(finding).as_json())
        (claim,) = ledger["claims"]
        edit(claim, claim["evidence"][0])
        # whoever edits a verdict edits the tally too
        ledger["counts"] = dict.fromkeys(ledger["counts"], 0) | {claim["verdict"]: 1}
        return _printed(json.dumps(ledger))

    return ask


def _printed(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ledger.json"
        path.write_text(text, encoding="utf-8")
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            code = main(["claims", "--ledger", str(path)])
    return "refused" if code == 2 else shown.getvalue().split()[0]


def _as(verdict: str, **figures: Any) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    """The claim's verdict and the evidence's, with figures, no counterexample, and all that
    follows.
    """

    def edit(claim: dict[str, Any], item: dict[str, Any]) -> None:
        claim["verdict"] = item["verdict"] = verdict
        claim["established"] = verdict in PASSED
        item["instance"] = {}
        item["numbers"] |= figures

    return edit


def _twice() -> str:
    """The same key twice: readers differ in which they take."""
    text = ledger_of(doubt).as_json()
    return _printed(
        text.replace(
            '"verdict": "INCONCLUSIVE"', '"verdict": "INCONCLUSIVE", "verdict": "PROVED"', 1
        )
    )


def _by_hand() -> str:
    """An entry that was made by hand, written and read again."""
    ledger = ledger_of(doubt)
    entry = dataclasses.replace(ledger.entries[0], verdict=Verdict.PROVED, established=True)
    return _printed(Ledger((entry,)).as_json())


PROGRAMS = {
    "forged ledgers": [
        ("as it is", _listed(true_proof, lambda claim, item: None), frozenset({"PROVED"})),
        (
            "the claim's verdict",
            _listed(doubt, lambda claim, item: claim.update(verdict="PROVED", established=True)),
            NEVER_PASSED,
        ),
        ("the evidence's verdict too", _listed(doubt, _as("PROVED")), NEVER_PASSED),
        ("of a search, to a proof", _listed(few_cases, _as("PROVED")), NEVER_PASSED),
        ("of a search without cases", _listed(few_cases, _as("HOLDS", cases=0)), NEVER_PASSED),
        ("of a search with true cases", _listed(few_cases, _as("HOLDS", cases=True)), NEVER_PASSED),
        ("of a comparison", _listed(_doubtful_statistics, _as("SUPPORTED")), NEVER_PASSED),
        (
            "of a comparison, and its critical value",
            _listed(_doubtful_statistics, _as("SUPPORTED", critical_z=1e6)),
            NEVER_PASSED,
        ),
        (
            "of a comparison, its critical value and its rate",
            _listed(
                _doubtful_statistics,
                _as("SUPPORTED", critical_z=11.0, false_alarm_rate=0.001, comparisons=1),
            ),
            NEVER_PASSED,
        ),
        (
            "of a comparison, as one of a million",
            _listed(_doubtful_statistics, _as("SUPPORTED", critical_z=11.0, comparisons=10**400)),
            NEVER_PASSED,
        ),
        (
            "of a comparison, and its error",
            _listed(_doubtful_statistics, _as("SUPPORTED", standard_error=1.0)),
            NEVER_PASSED,
        ),
        (
            "of a comparison, and its error is no number",
            _listed(_doubtful_statistics, _as("SUPPORTED", standard_error="inf")),
            NEVER_PASSED,
        ),
        (
            "of a comparison without figures",
            _listed(
                _doubtful_statistics, lambda c, i: (_as("SUPPORTED")(c, i), i["numbers"].clear())
            ),
            NEVER_PASSED,
        ),
        ("a verdict that there isn't", _listed(doubt, _as("CERTAIN")), NEVER_PASSED),
        (
            "no evidence",
            _listed(true_proof, lambda claim, item: claim["evidence"].clear()),
            NEVER_PASSED,
        ),
        ("a key that stands twice", _twice, NEVER_PASSED),
        ("an entry made by hand", _by_hand, NEVER_PASSED),
    ]
}
