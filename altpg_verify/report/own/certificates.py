"""Certificates for every number of actions, where the formula is symbolic, kept with the report."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from altpg_verify.errors import BadInput
from altpg_verify.report.own.target import Subject
from altpg_verify.sealing import seal, sealed

LAWS = {"unbiased": None, "bias": None, "conservative": None, "attracts": "r=1,2,3; b=4"}
"""What is certified, and on which bandit where one is needed."""

BANDIT = "r = (1, 2, 3), b = 4"
"""That bandit as the page writes it."""


@sealed()
@dataclass(frozen=True)
class Certified:
    """What became of one certificate.

    Args:
        law: its name.
        holds: whether the law holds.
        verdict: in words, as the page prints it.
        summary: its statement.
        text: the file, empty if there is none.
    """

    law: str
    holds: bool
    verdict: str
    summary: str
    text: str = ""

    @property
    def point(self) -> tuple[Fraction, ...]:
        """The policy that a certificate of attraction speaks of, or the middle of the ball that
        holds it.
        """
        weights = [
            Fraction(one) for one in json.loads(self.text)["certificates"][0]["data"]["weights"]
        ]
        return tuple(one / sum(weights) for one in weights)

    @property
    def plainly(self) -> str:
        """Its statement, or for a refutation what its instances state; without the formula, which
        the page shows once.
        """
        stated = (
            [one["statement"] for one in json.loads(self.text)["certificates"]]
            if self.text and not self.holds
            else []
        )
        return re.sub(
            r",? (?:with|for) ĝ_a = .*?(?=,? at π|, every|, for every)",
            "",
            "; ".join(stated) or self.summary,
        )


def certificates(subject: Subject) -> tuple[dict[str, Certified], str]:
    """By law what was certified; or nothing, and why not."""
    if not subject.policy.normalised:
        return (
            {},
            (
                "Certificates for every number of actions are stated for softmax policies, not for"
                f" {subject.policy.name}."
            ),
        )
    found: dict[str, Certified] = {}
    for law, bandit in LAWS.items():
        try:
            found[law] = _certified(subject, law, bandit)
        except BadInput as error:
            return {}, f"No certificate for every number of actions: {error}."
    return found, ""


def _certified(subject: Subject, law: str, bandit: str | None) -> Certified:
    from altpg_verify.theory.certify.user_certificates import certify_target

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.json"
        holds, words = certify_target(subject.origin, law, bandit, file)
        text = file.read_text(encoding="utf-8") if file.exists() else ""
    verdict, _, said = words.partition(": ")
    content: dict[str, Any] = json.loads(text) if text else {}
    return seal(Certified(law, holds, verdict, content.get("statement", said), text))
