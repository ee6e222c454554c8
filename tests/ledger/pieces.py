"""Findings, claims and entries of which the tests of the ledger are made."""

from __future__ import annotations

from fractions import Fraction

from altpg_verify import judging
from altpg_verify.certificate_kinds import CHECKS
from altpg_verify.ledger import Claim, evidence
from altpg_verify.ledger_building import build
from altpg_verify.verdicts import Verdict


class Accepted:
    def recheck(self):
        return True


CHECKS[Accepted] = Accepted.recheck


def finding(verdict: Verdict):
    """A finding with this verdict, from the judge that gives it."""
    return {
        Verdict.PROVED: lambda: judging.proved([Accepted()], "p", domain="every k"),
        Verdict.CERTIFIED: lambda: judging.certified([Accepted()], "c", domain="a box"),
        Verdict.HOLDS: lambda: judging.searched(
            "h", [1], lambda case: (case, 1), domain="one case"
        ),
        Verdict.SUPPORTED: lambda: judging.compared(
            "s", predicted=0.0, mean=0.0, standard_error=1.0, false_alarm_rate=0.05, domain="runs"
        ),
        Verdict.REFUTED: lambda: judging.refuted("r", {"b": 1}, Fraction(1, 2), 0),
        Verdict.INCONCLUSIVE: lambda: judging.inconclusive("i"),
        Verdict.NOT_RUN: lambda: judging.not_run("n"),
    }[verdict]()


def claim(identity="one", **rest):
    return Claim(identity, 1, "s", "x", "identity", **rest)


def serves(verdict: Verdict, *claims: str, kind: str = "enumeration"):
    return evidence(*(claims or ("one",)), kind=kind)(lambda: finding(verdict))


def entry(*verdicts: Verdict, **rest):
    return build([claim(**rest)], [serves(verdict) for verdict in verdicts])["one"]
