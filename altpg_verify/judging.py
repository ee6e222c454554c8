"""The judges: the only makers of a `Finding`, each of which looks at the evidence before it says a
verdict.

`proved` and `certified` re-check the certificates they are handed, of the project's own kinds only
(`certificate_kind`); `refuted` compares the two sides itself; `searched` runs the search;
`compared` does the statistics. Nobody passes a verdict in.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import InitVar, dataclass, field
from typing import Any, TypeVar

from altpg_verify.certificate_kinds import Checkable, accepted, refused
from altpg_verify.finding_figures import as_it_is, hashed, rounded
from altpg_verify.relations import relates, show
from altpg_verify.sealing import sealed
from altpg_verify.verdicts import Verdict, one_sided, two_sided

C = TypeVar("C")


@dataclass(frozen=True)
class Step:
    """One line of a derivation: words, and the formula they speak of (a sympy object or Typst
    math).

    Args:
        text: the words, plain text.
        formula: what the text speaks of; None if words suffice.
    """

    text: str
    formula: object = None


@sealed(genuine=lambda finding: genuine(finding), content=lambda finding: _content(finding))
@dataclass(frozen=True)
class Finding:
    """What one piece of evidence found. Made by the judges of this module, not by hand.

    Args:
        verdict: what the judge decided.
        summary: the statement that was judged, in words.
        domain: what it was judged for: policies, numbers of actions, settings, runs.
        instance: the counterexample, name -> value in print; empty unless REFUTED.
        steps: the lines of the derivation.
        numbers: the figures the verdict rests on (cases, certificates, differences), to `DIGITS`
            significant digits.
        found: if nothing was decided, why; the end of `summary` then, behind what was tested.

    Examples:
        >>> from altpg_verify.judging import searched
        >>> finding = searched(
        ...     "a square is positive", [-1, 2], lambda x: (x * x, 0), ">", domain="two numbers"
        ... )
        >>> str(finding.verdict), finding.summary
        ('HOLDS', 'a square is positive')
    """

    verdict: Verdict
    summary: str
    domain: str = ""
    found: str = ""
    instance: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    numbers: Mapping[str, Any] = field(default_factory=dict)
    _token: InitVar[object] = None

    def __post_init__(self, _token: object) -> None:
        # kept nowhere: `dataclasses.replace` has none to hand on
        if _token is not _JUDGE:
            raise TypeError(
                "a Finding is made by a judge (proved, refuted, searched, compared, ...), never by"
                " hand"
            )

    @property
    def reported(self) -> str:
        """The sentence for a reader. What wasn't found to hold never stands alone: it is what was
        tested, beside what was found.

        The statement alone if it holds; "tested: ...; found: ..." if it was refuted or stayed
        undecided; "not run: ..." if nothing was done.
        """
        if self.verdict.is_for:
            return self.summary
        if self.verdict is not Verdict.REFUTED and not self.found:
            return (
                f"{'not run' if self.verdict is Verdict.NOT_RUN else 'not decided'}: {self.summary}"
            )
        tested = self.summary.removesuffix(self.found).rstrip(": ") if self.found else self.summary
        outcome = (
            ", ".join(f"{name} {value}" for name, value in self.instance.items())
            if self.verdict is Verdict.REFUTED
            else self.found
        )
        if tested.startswith("tested: "):
            return (
                f"{tested}; so: {'refuted' if self.verdict is Verdict.REFUTED else 'undecided'},"
                f" {outcome}"
            )
        return (
            f"tested: {tested}; found:"
            f" {outcome if self.verdict is Verdict.REFUTED else f'undecided, {outcome}'}"
        )


_JUDGE = object()
_MADE: set[int] = set()


def _finding(
    verdict: Verdict, summary: str, *, numbers: Mapping[str, object] | None = None, **rest: Any
) -> Finding:
    made = Finding(verdict, summary, numbers=rounded(numbers or {}), _token=_JUDGE, **rest)
    with suppress(TypeError):
        _MADE.add(_content(made))
    return made


def genuine(finding: object) -> bool:
    """Whether a judge of this process made exactly this: an edited copy, a subclass or a look-alike
    is none; a true copy is.
    """
    if type(finding) is not Finding:
        return False
    try:
        return _content(finding) in _MADE
    except Exception:
        # whatever was put into it, no judge did
        return False


def _content(finding: Finding) -> int:
    """Everything in a finding as one hash, salted in each process, so that no file can be written
    to have it.
    """
    # as they stand there: a field that is asked for asks in turn whether the finding is genuine
    own = vars(finding)
    if type(own["verdict"]) is not Verdict:
        raise TypeError
    shown = [
        *(own[name] for name in ("summary", "domain", "found", "instance", "numbers")),
        [step.text for step in own["steps"]],
    ]
    formulas = tuple(hashed(step.formula) for step in own["steps"])
    return hash((own["verdict"].name, json.dumps(as_it_is(shown), default=repr), formulas))


def proved(
    certificates: Sequence[Checkable],
    summary: str,
    *,
    domain: str,
    steps: Iterable[Step] = (),
    numbers: Mapping[str, object] | None = None,
) -> Finding:
    """PROVED if there is a certificate and every one is of a registered kind and passes its
    re-check; else INCONCLUSIVE.

    Args:
        certificates: the proofs; all of them are checked again, here.
        summary: the statement that they prove, in words.
        domain: what it is proved for, such as "every k".
        steps: the lines of the derivation, for a reader.
        numbers: figures to be kept beside the count of certificates.
    """
    return _certificates(Verdict.PROVED, certificates, summary, domain, steps, numbers)


def certified(
    certificates: Sequence[Checkable],
    summary: str,
    *,
    domain: str,
    steps: Iterable[Step] = (),
    numbers: Mapping[str, object] | None = None,
) -> Finding:
    """CERTIFIED on `domain` if there is a certificate and every one passes its own re-check; else
    INCONCLUSIVE. For interval computations and exact rationals, which cover a named domain but not
    every number of actions.

    Args:
        certificates: all of them are checked again, here.
        summary: the statement, in words.
        domain: the policies, rewards and numbers of actions that are covered.
        steps: the lines of the derivation, for a reader.
        numbers: figures to be kept beside the count of certificates.
    """
    return _certificates(Verdict.CERTIFIED, certificates, summary, domain, steps, numbers)


def _certificates(
    verdict: Verdict,
    certificates: Sequence[Checkable],
    summary: str,
    domain: str,
    steps: Iterable[Step],
    numbers: Mapping[str, object] | None,
) -> Finding:
    if not certificates:
        return inconclusive("no certificate was produced", tested=summary)
    failed = [refused(certificate) for certificate in certificates if not accepted(certificate)]
    if failed:
        return inconclusive(
            f"{len(failed)} of {len(certificates)} certificates were refused: {failed[0]}",
            tested=summary,
        )
    figures = {"certificates": len(certificates), **(numbers or {})}
    return _finding(verdict, summary, domain=domain, steps=tuple(steps), numbers=figures)


def refuted(
    summary: str,
    instance: Mapping[str, object],
    left: object,
    right: object,
    relation: str = "=",
    *,
    numbers: Mapping[str, object] | None = None,
) -> Finding:
    """REFUTED if `left relation right` is false on this instance, compared here, exactly.

    Args:
        summary: the statement that is refuted, in words.
        instance: the counterexample: name -> value.
        left, right: int or Fraction, or equally long sequences of them. For a vector inequality one
            entry that fails refutes.
        relation: what should hold between them, a key of `RELATIONS`.
        numbers: further figures.

    Returns:
        INCONCLUSIVE, if the relation holds after all.

    Raises:
        TypeError: a side has a float: a refutation of mathematics is exact.
        ValueError: the sides aren't equally long.
    """
    true = relates(left, right, relation)
    shown = {
        **{name: show(value) for name, value in instance.items()},
        "left": show(left),
        "right": show(right),
    }
    if true:
        return inconclusive(f"the instance {shown} does not refute it", tested=summary)
    return _finding(Verdict.REFUTED, summary, instance=shown, numbers=dict(numbers or {}))


def searched(
    summary: str,
    cases: Iterable[C],
    sides: Callable[[C], tuple[object, object]],
    relation: str = "=",
    *,
    domain: str,
    describe: Callable[[C], Mapping[str, object]] = lambda case: {"case": case},
) -> Finding:
    """Try every case exactly: HOLDS with the count, or REFUTED by the first case that fails.

    Args:
        summary: the statement, in words.
        cases: what is tried, in order; the search ends at the first that fails.
        sides: case -> the two sides, as for `refuted`.
        relation: what should hold between them.
        domain: what the cases cover, in words.
        describe: case -> the instance that is printed if it refutes.
    """
    tried = 0
    for case in cases:
        left, right = sides(case)
        # a case is put into words only when it refutes
        if not relates(left, right, relation):
            return refuted(summary, describe(case), left, right, relation)
        tried += 1
    if not tried:
        return inconclusive("there was no case to try", tested=summary)
    return _finding(Verdict.HOLDS, summary, domain=domain, numbers={"cases": tried})


def compared(
    summary: str,
    *,
    predicted: float,
    mean: float,
    standard_error: float,
    false_alarm_rate: float,
    domain: str,
    worth_finding: float = math.inf,
    comparisons: int = 1,
    numbers: Mapping[str, object] | None = None,
) -> Finding:
    """A sampled mean against a prediction, two-sided normal test with a Bonferroni-split error
    rate.

    With z = (mean - predicted)/standard_error and the critical value Φ⁻¹(1 - rate/(2·comparisons)):
    SUPPORTED if the mean lies within the critical distance; REFUTED (statistically, at the stated
    rate) if not; INCONCLUSIVE if the sample is too small to see a deviation of `worth_finding`.

    Args:
        summary: the statement, in words.
        predicted: what the mean should be.
        mean: of the sample.
        standard_error: of that mean, in the same units.
        false_alarm_rate: the chance that a true statement is refuted, over all comparisons.
        domain: settings and runs.
        worth_finding: the smallest deviation that SUPPORTED excludes; anything, if it isn't given.
        comparisons: how many such tests share the rate.
        numbers: further figures.
    """
    # two-sided, half of the rate in each tail; Bonferroni's split needs no independence
    critical = normal_quantile(1 - false_alarm_rate / comparisons / 2)
    figures = {
        "predicted": predicted,
        "mean": mean,
        "standard_error": standard_error,
        "z": (
            (mean - predicted) / standard_error
            if standard_error > 0
            else math.copysign(math.inf, mean - predicted)
        ),
        "critical_z": critical,
        "false_alarm_rate": false_alarm_rate,
        "comparisons": comparisons,
        **(numbers or {}),
    }
    # runs without any spread would make every deviation an infinite one
    if not (math.isfinite(mean) and math.isfinite(standard_error) and standard_error > 0):
        return inconclusive(
            f"the standard error of the mean is {standard_error}, so nothing can be compared",
            tested=summary,
            numbers=figures,
        )
    if math.isnan(predicted):
        return inconclusive(
            "the prediction is no number, so nothing can be compared",
            tested=summary,
            numbers=figures,
        )
    verdict = two_sided(abs(mean - predicted), critical * standard_error, worth_finding)
    if verdict is Verdict.REFUTED:
        shown = {
            "predicted": f"{predicted:.6g}",
            "mean ± standard error": f"{mean:.6g} ± {standard_error:.2g}",
            "z": f"{figures['z']:.1f}",
        }
        return _finding(verdict, summary, domain=domain, instance=shown, numbers=figures)
    if verdict is Verdict.INCONCLUSIVE:
        return inconclusive(
            f"the sample sees deviations from {critical * standard_error:.3g} on, and"
            f" {worth_finding:.3g} is worth finding",
            tested=summary,
            numbers=figures,
        )
    return _finding(verdict, summary, domain=domain, numbers=figures)


def ordered(
    summary: str,
    *,
    difference: float,
    standard_error: float,
    false_alarm_rate: float,
    domain: str,
    margin: float = 0.0,
    comparisons: int = 1,
    numbers: Mapping[str, object] | None = None,
) -> Finding:
    """A claim that `difference > margin`: SUPPORTED or REFUTED when the one-sided test decides,
    else INCONCLUSIVE.

    The critical value is Φ⁻¹(1 - rate/comparisons), in standard errors of the difference; a
    standard error of 0 is a difference without chance, which is decided unless it lies on the
    bound.

    Args:
        summary: the statement, in words.
        difference: as sampled.
        standard_error: of the difference, in the same units.
        false_alarm_rate: the chance of deciding wrongly on the bound, over all comparisons.
        domain: settings and runs.
        margin: what the difference should exceed.
        comparisons: how many such tests share the rate.
        numbers: further figures.
    """
    # one-sided: whatever the truth is, only one of the two decisions would be wrong
    critical = normal_quantile(1 - false_alarm_rate / comparisons)
    figures = {
        "difference": difference,
        "margin": margin,
        "standard_error": standard_error,
        "critical_z": critical,
        "false_alarm_rate": false_alarm_rate,
        "comparisons": comparisons,
        **(numbers or {}),
    }
    if not (math.isfinite(difference) and math.isfinite(standard_error)):
        return inconclusive(
            f"the difference is {difference}, its standard error {standard_error}",
            tested=summary,
            numbers=figures,
        )
    verdict = one_sided(difference - margin, critical * standard_error)
    if verdict is Verdict.SUPPORTED:
        return _finding(verdict, summary, domain=domain, numbers=figures)
    if verdict is Verdict.REFUTED:
        far = (
            f"{(margin - difference) / standard_error:.1f}"
            if standard_error > 0
            else "without chance"
        )
        shown = {
            "distance on the wrong side of the bound": f"{margin - difference:.6g}",
            "in standard errors": far,
        }
        return _finding(verdict, summary, domain=domain, instance=shown, numbers=figures)
    return inconclusive(
        _not_significant(difference - margin, standard_error, critical, false_alarm_rate),
        tested=summary,
        numbers=figures,
    )


def _not_significant(distance: float, standard_error: float, critical: float, rate: float) -> str:
    """Why nothing is decided.

    Args:
        distance: from the bound, positive on the claimed side.
    """
    if standard_error == 0:
        return "exactly on the bound, on neither side of it"
    side = "on the claimed" if distance >= 0 else "on the wrong"
    return (
        f"not significant at {100 * rate:g} %: {abs(distance):.3g} {side} side of the bound,"
        f" {abs(distance) / standard_error:.1f} standard errors, where {critical:.1f} are needed"
    )


def inconclusive(
    why: str, *, tested: str = "", numbers: Mapping[str, object] | None = None
) -> Finding:
    """Not decided, and why; `tested` is the statement that was to be judged.

    Args:
        why: the reason, printed after the statement.
        tested: the statement, in words; empty if there was none.
        numbers: the figures that didn't suffice.
    """
    summary = f"{tested}: {why}" if tested else why
    return _finding(
        Verdict.INCONCLUSIVE, summary, numbers=dict(numbers or {}), found=why if tested else ""
    )


def not_run(why: str) -> Finding:
    """Nothing was run, and why: what is missing. It never counts as passed."""
    return _finding(Verdict.NOT_RUN, why)


def normal_quantile(probability: float) -> float:
    """The standard normal quantile Φ⁻¹ (from the standard library, so that judging needs no scipy).

    Args:
        probability: strictly between 0 and 1.
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf(probability)
