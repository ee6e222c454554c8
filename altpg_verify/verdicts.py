"""The words a verdict can be, strongest first, what each one means, and the rules by which evidence
becomes one.

    combined       several pieces of evidence for one claim
    of_a_law       a proof and a search for counterexamples
    of_a_sentence  what an audit says an update is: how well that is established
    of_an_update   whether it follows its target, given that sentence
    two_sided, one_sided  a sampled mean against a prediction; a sampled difference against a margin
    as_intended    whether a law's verdict is what its author meant it to be

Whoever has evidence asks here and types no verdict; `judging` alone makes findings, after it has
looked at the evidence itself.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum


class Verdict(Enum):
    """What the evidence says. The value is printed; `meaning` explains it to a reader.

    From the strongest for a statement to what says nothing: PROVED, CERTIFIED, HOLDS and SUPPORTED
    speak for it, REFUTED against it, and INCONCLUSIVE, SKIPPED and NOT RUN leave it open.

    Examples:
        >>> from altpg_verify import Verdict
        >>> Verdict.PROVED.is_for, Verdict.REFUTED.is_for
        (True, False)
        >>> Verdict.HOLDS.meaning
        'so many cases tried, no counterexample'
    """

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
        """The evidence speaks for the statement: PROVED, CERTIFIED, HOLDS or SUPPORTED."""
        return self in (Verdict.PROVED, Verdict.CERTIFIED, Verdict.HOLDS, Verdict.SUPPORTED)

    @property
    def strength(self) -> int:
        """Larger is stronger; only comparable among verdicts that speak for a statement."""
        return -list(Verdict).index(self)

    def __str__(self) -> str:
        return self.value


_MEANING = {
    Verdict.PROVED: (
        "for every number of actions, or for the named ones, by a certificate that was checked"
        " again"
    ),
    Verdict.CERTIFIED: "rigorous, by intervals or exact rationals, on a named domain",
    Verdict.HOLDS: "so many cases tried, no counterexample",
    Verdict.SUPPORTED: "simulation agrees within stated error rates",
    Verdict.REFUTED: (
        "a counterexample is shown; exact for mathematics, with its error rate for simulations"
    ),
    Verdict.INCONCLUSIVE: "not decided, and why",
    Verdict.SKIPPED: "does not apply, and why; never counted as passed",
    Verdict.NOT_RUN: "nothing was run, and why; never counted as passed",
}


def combined(verdicts: Sequence[Verdict]) -> tuple[Verdict, bool]:
    """The verdict of a claim whose evidence has these verdicts, and whether they contradict each
    other.

    One refutation refutes; beside evidence for the claim it leaves it INCONCLUSIVE; else the
    strongest counts.
    """
    against = Verdict.REFUTED in verdicts
    supporting = [verdict for verdict in verdicts if verdict.is_for]
    # before all else: one of the two is wrong, and neither may win by its strength
    if against and supporting:
        return Verdict.INCONCLUSIVE, True
    if against:
        return Verdict.REFUTED, False
    if supporting:
        return max(supporting, key=lambda verdict: verdict.strength), False
    return (Verdict.INCONCLUSIVE if Verdict.INCONCLUSIVE in verdicts else Verdict.NOT_RUN), False


def of_a_law(
    *, proved: bool, conditions: bool, counterexample: bool, contradicted: bool, tried: int
) -> Verdict:
    """What a proof and a search say of a law.

    A counterexample outweighs a proof that doesn't speak of it; where both speak of the same case,
    one is wrong and nothing is decided. A proof alone, without a case tried, isn't enough either.

    Args:
        proved: for some numbers of actions.
        conditions: the proof holds only where something differs from zero; a law that is proved in
            part isn't PROVED.
        counterexample: one was found.
        contradicted: it is a case that the proof speaks of, and both sides exist there: one of the
            two is wrong.
        tried: how many cases were.
    """
    if counterexample:
        return Verdict.INCONCLUSIVE if contradicted else Verdict.REFUTED
    # a proof that no number has confirmed isn't believed
    if not tried:
        return Verdict.INCONCLUSIVE
    return Verdict.PROVED if proved and not conditions else Verdict.HOLDS


def of_a_sentence(*, undecided: bool, proved: bool) -> Verdict:
    """How well it is established what an update is: for every policy, or at those that were looked
    at.

    Args:
        undecided: the evidence doesn't tell.
        proved: it covers every policy.
    """
    return Verdict.INCONCLUSIVE if undecided else Verdict.PROVED if proved else Verdict.HOLDS


def of_an_update(follows: bool | None, strength: Verdict) -> Verdict:
    """Whether an update follows its target.

    Args:
        follows: None if that isn't decided.
        strength: of the sentence that says so.
    """
    return Verdict.REFUTED if follows is False else strength


def two_sided(distance: float, critical: float, worth_finding: float = math.inf) -> Verdict:
    """A sampled mean at a distance from its prediction.

    REFUTED beyond the critical distance, SUPPORTED within it, and INCONCLUSIVE where the test could
    not have seen a difference that is worth finding: no finding of a small sample is a pass.

    Args:
        distance: between mean and prediction, not negative, in the units of the mean.
        critical: the distance from which on it is called different, at the stated error rate.
        worth_finding: the smallest difference that a pass must exclude.
    """
    if math.isnan(distance) or math.isnan(critical):
        return Verdict.INCONCLUSIVE
    if distance > critical:
        return Verdict.REFUTED
    return Verdict.INCONCLUSIVE if critical > worth_finding else Verdict.SUPPORTED


def one_sided(excess: float, critical: float) -> Verdict:
    """A claim that something is larger than a margin.

    Args:
        excess: by how much it is, as sampled.
        critical: from where on that decides, in either direction.
    """
    if excess > critical:
        return Verdict.SUPPORTED
    return Verdict.REFUTED if -excess > critical else Verdict.INCONCLUSIVE


def as_intended(verdict: Verdict, *, required: bool, expected_failure: bool) -> bool:
    """A required law that holds, a marked law that fails, a property of either kind; what doesn't
    apply is no failure.

    Args:
        verdict: what was found of the law.
        required: every estimator should satisfy it, or this one promises to.
        expected_failure: its author marked it as meant to fail; then only REFUTED will do.
    """
    if verdict is Verdict.SKIPPED:
        return True
    if expected_failure:
        return verdict is Verdict.REFUTED
    if verdict is Verdict.REFUTED:
        return not required
    return verdict.is_for
