"""The words a verdict can be, strongest first, and what each one means."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """What the evidence says. The value is printed; `meaning` explains it to a reader."""

    PROVED = "PROVED"
    CERTIFIED = "CERTIFIED"
    HOLDS = "HOLDS"
    SUPPORTED = "SUPPORTED"
    REFUTED = "REFUTED"
    INCONCLUSIVE = "INCONCLUSIVE"
    SKIPPED = "SKIPPED"
    NOT_RUN = "NOT RUN"

    @property
    def meaning(self) -> str:
        """What the verdict means to a reader, in half a sentence."""
        return _MEANING[self]

    @property
    def is_for(self) -> bool:
        """The evidence speaks for the statement."""
        return self in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.HOLDS, Verdict.SUPPORTED)

    @property
    def strength(self) -> int:
        """Larger is stronger; only comparable among verdicts that speak for a statement."""
        return -list(Verdict).index(self)

    def __str__(self) -> str:
        return self.value


_MEANING = {
    Verdict.PROVED: "for every number of actions, or for the named ones, by a certificate that was checked again",
    Verdict.CERTIFIED: "rigorous, by intervals or exact rationals, on a named domain",
    Verdict.HOLDS: "so many cases tried, no counterexample",
    Verdict.SUPPORTED: "simulation agrees within stated error rates",
    Verdict.REFUTED: "a counterexample is shown; exact for mathematics, with its error rate for simulations",
    Verdict.INCONCLUSIVE: "not decided, and why",
    Verdict.SKIPPED: "does not apply, and why; never counted as passed",
    Verdict.NOT_RUN: "nothing was run, and why; never counted as passed",
}
