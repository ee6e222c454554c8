"""From runs to numbers with errors, and from those to findings: every statement says its error
rate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from altpg_verify.judging import Finding, compared, inconclusive, normal_quantile, ordered
from altpg_verify.verdicts import Verdict

ERROR_RATE = 0.01
"""How often a finding may be wrong by chance, over all comparisons in it."""


@dataclass(frozen=True)
class Measured:
    """A mean over independent runs, what it is the mean of, and its standard error.

    `low` and `high` are the errors towards smaller and larger means. They differ from the standard
    error where runs are bounded: runs that all agree don't exclude that one in so many lies at a
    bound.

    The low and high fields are in the units of the mean, like `standard_error`; `measured` says how
    they come about.

    Args:
        label: what it is the mean of, in words.
        mean: in the units of the runs' numbers.
        standard_error: of the mean; 0 for one that isn't sampled.
        runs: how many independent runs.
    """

    label: str
    mean: float
    standard_error: float
    runs: int
    low: float
    high: float

    @property
    def words(self) -> str:
        """Mean ± standard error, label and number of runs, as findings print them; no error where
        there is no chance.
        """
        if self.standard_error == 0:
            return f"{self.mean:.5g} ({self.label}, the same in every run)"
        return f"{self.mean:.5g} ± {self.standard_error:.2g} ({self.label}, {self.runs} runs)"


def mean_and_error(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over the last axis (independent runs) and its standard error s/√n, with s² = Σ (x -
    x̄)²/(n - 1).

    A single run, of an agent without chance, has error 0.

    Args:
        values: (..., runs); both results have the shape (...).

    Examples:
        >>> mean_and_error(np.array([1.0, 2.0, 3.0, 4.0]))
        (np.float64(2.5), np.float64(0.6454972243679028))
    """
    runs = values.shape[-1]
    mean = values.mean(axis=-1)
    return mean, values.std(axis=-1, ddof=1) / math.sqrt(runs) if runs > 1 else np.zeros_like(mean)


def measured(
    label: str, groups: Iterable[np.ndarray], bounds: tuple[float, float] | None = None
) -> Measured:
    """The mean over equally weighted groups of independent runs: m = Σ_g m_g / G, with error √(Σ_g
    s_g²)/G.

    Args:
        label: what it is the mean of, in words.
        groups: an array of runs each, such as one for each setting.
        bounds: the smallest and the largest value that a run can have. If given, the error towards
            each is widened by what one more run at that bound would change.

    Examples:
        All of 50 runs agree, and one in 50 might still lie at the bound 0:

        >>> item = measured("value", [np.ones(50)], bounds=(0.0, 1.0))
        >>> item.standard_error, item.low, item.high
        (0.0, 0.02, 0.0)
    """
    means, variances, runs = [], [], 0
    for group in groups:
        mean, error = (float(value) for value in mean_and_error(group))
        means.append(mean)
        # independent groups: squared errors of means add up
        variances.append(error**2)
        runs += group.size
    mean, error = sum(means) / len(means), math.sqrt(sum(variances)) / len(means)
    # one run of all at the bound: what n runs without it can't exclude
    low, high = ((mean - bounds[0]) / runs, (bounds[1] - mean) / runs) if bounds else (0.0, 0.0)
    return Measured(label, mean, error, runs, math.hypot(error, low), math.hypot(error, high))


def difference(label: str, one: Measured, other: Measured) -> Measured:
    """The difference of two independent means.

    Errors add in quadrature, and asymmetric ones crosswise: a difference is too small where the
    first mean is or the second is too large.
    """
    error = math.hypot(one.standard_error, other.standard_error)
    # towards smaller: the first may be smaller, or the second larger
    low, high = math.hypot(one.low, other.high), math.hypot(one.high, other.low)
    return Measured(label, one.mean - other.mean, error, one.runs + other.runs, low, high)


def less(one: Measured, other: Measured, *, about: str = "") -> Measured:
    """One mean less another, both in words; `about`, if given, says what they have in common."""
    return difference(
        f"{about}: {one.words} less {other.words}" if about else f"{one.words} less {other.words}",
        one,
        other,
    )


def times(factor: float, item: Measured) -> Measured:
    """A positive multiple of a mean; its errors, in both directions, are multiplied alike."""
    mean, error, low, high = (
        factor * number for number in (item.mean, item.standard_error, item.low, item.high)
    )
    return Measured(f"{factor:g} times {item.words}", mean, error, item.runs, low, high)


@dataclass(frozen=True)
class _Margin:
    """How far an item lies on the claimed side of a bound, and the error of that."""

    item: Measured
    margin: float
    error: float

    @property
    def sureness(self) -> float:
        if self.error > 0:
            return self.margin / self.error
        # exactly on the bound is on neither side of it
        # without error a margin is certain
        # the sign decides alone
        return math.copysign(math.inf, self.margin) if self.margin else 0.0


def all_within(
    summary: str,
    items: Sequence[Measured],
    target: float,
    distance: float,
    domain: str,
    numbers: Mapping[str, Any] | None = None,
) -> Finding:
    """Every item lies within `distance` of `target`.

    Two comparisons an item, one with either end of the interval; all of them share the error rate.

    Args:
        summary: the statement, as it reads if it is supported.
        target, distance: in the units of the means.
        domain: what was run, in words.
        numbers: further numbers for the record.
    """
    margins = [*_above(items, target - distance), *_below(items, target + distance)]
    return _least_sure(
        summary, margins, domain, {"target": target, "distance": distance, **(numbers or {})}
    )


def all_above(summary: str, items: Sequence[Measured], bound: float, domain: str) -> Finding:
    """Every item is larger than `bound`, at `ERROR_RATE` over all of them together.

    The least sure item decides: supported if its mean lies above by more than its error allows,
    refuted if it lies below by as much, and inconclusive between.
    """
    return _least_sure(summary, _above(items, bound), domain, {"bound": bound})


def all_below(summary: str, items: Sequence[Measured], bound: float, domain: str) -> Finding:
    """Every item is smaller than `bound`; decided as in `all_above`."""
    return _least_sure(summary, _below(items, bound), domain, {"bound": bound})


def explained(judge: Callable[[str], Finding], summary: str, why: str) -> Finding:
    """The finding of `judge` on a summary; where it is refuted, with the reason most likely behind
    it.

    Args:
        judge: makes the finding, given the words that say what was tested.
        why: the reason, printed only with a refutation.
    """
    finding = judge(summary)
    return judge(summary + _BECAUSE + why) if finding.verdict is Verdict.REFUTED else finding


_BECAUSE = "\n"
"""Between what was tested and the reason for what was found instead, on the way to
`_least_sure`.
"""


def all_separated(
    summary: str, upper: Sequence[Measured], lower: Sequence[Measured], bound: float, domain: str
) -> Finding:
    """Every item of `upper` is larger than `bound`, and every one of `lower` is smaller.

    All comparisons, of both groups, share the error rate; the least sure one decides.
    """
    return _least_sure(
        summary, [*_above(upper, bound), *_below(lower, bound)], domain, {"bound": bound}
    )


def _above(items: Sequence[Measured], bound: float) -> list[_Margin]:
    return [_Margin(item, item.mean - bound, _towards(item, bound)) for item in items]


def _below(items: Sequence[Measured], bound: float) -> list[_Margin]:
    return [_Margin(item, bound - item.mean, _towards(item, bound)) for item in items]


def _towards(item: Measured, bound: float) -> float:
    """The error in the direction in which the bound lies: for a claim on its right side as for one
    that fails.
    """
    return item.low if item.mean >= bound else item.high


def above(item: Measured, bound: float) -> _Margin:
    """The condition that a mean is larger than a bound, for `all_hold`."""
    return _above([item], bound)[0]


def below(item: Measured, bound: float) -> _Margin:
    """The condition that a mean is smaller than a bound."""
    return _below([item], bound)[0]


def all_hold(
    summary: str,
    conditions: Sequence[_Margin],
    domain: str,
    numbers: Mapping[str, Any] | None = None,
) -> Finding:
    """All conditions hold, each an `above` or a `below`.

    They may be about different means and bounds, and share the error rate; the least sure one
    decides.
    """
    return _least_sure(summary, conditions, domain, dict(numbers or {}))


def agreed(readings: Mapping[str, Finding]) -> Finding:
    """What natural readings of one sentence find, if they agree; if they don't, nothing is decided,
    and all stand there.

    Args:
        readings: in words -> what it found; the first is the one that is told where all agree.
    """
    findings = list(readings.values())
    if len({finding.verdict for finding in findings}) == 1:
        return findings[0]
    listed = "; ".join(
        f"by {words} {finding.verdict}: {finding.summary}" for words, finding in readings.items()
    )
    numbers = {words: dict(finding.numbers) for words, finding in readings.items()}
    return inconclusive(
        f"natural readings differ: {listed}", numbers={"false_alarm_rate": ERROR_RATE, **numbers}
    )


def _least_sure(
    summary: str, margins: Sequence[_Margin], domain: str, given: Mapping[str, Any]
) -> Finding:
    """All margins are positive: decided by the one for which that is least sure, at an error rate
    split over all of them.

    What isn't supported says what was tested and what was found, so that no hypothesis reads like a
    result, and how many of the comparisons lie on the claimed side.
    """
    # all hold if the least sure does; which one that is was seen, so the rate is split over all
    weakest = min(margins, key=lambda margin: margin.sureness)
    # for the range that the finding shows; the weakest item decides
    means = [margin.item.mean for margin in margins]

    def judge(words: str) -> Finding:
        return ordered(
            words,
            difference=weakest.margin,
            standard_error=weakest.error,
            false_alarm_rate=ERROR_RATE,
            comparisons=len(margins),
            domain=domain,
            numbers={
                **given,
                "least_sure": weakest.item.words,
                "smallest_mean": min(means),
                "largest_mean": max(means),
            },
        )

    tested, _, why = summary.partition(_BECAUSE)
    finding = judge(tested)
    if finding.verdict is Verdict.SUPPORTED:
        return finding
    held = sum(margin.margin > 0 for margin in margins)
    others = (
        f"; {held} of {len(margins)} comparisons lie on the claimed side"
        if len(margins) > 1
        else ""
    )
    found = f"tested: {tested}; found: {weakest.item.words}{others}"
    return judge(f"{found}; {why}" if why else found)


def all_equal(
    summary: str,
    items: Sequence[tuple[Measured, float]],
    worth_finding: float,
    domain: str,
    numbers: Mapping[str, Any] | None = None,
) -> Finding:
    """Every mean equals its prediction as far as its error lets one see.

    Decided by the largest deviation in units of its error if that is too large, else by the item
    with the largest error.

    A mean fits if |mean - prediction| <= z · error, with z the normal quantile for `ERROR_RATE`
    split over all items and both sides.

    Args:
        items: means and their predictions.
        worth_finding: the deviation that would matter, in the units of the means: equality is
            supported only if the errors are small enough to have shown it.
    """
    # two-sided, at the error rate split over all comparisons (Bonferroni)
    critical = normal_quantile(1 - ERROR_RATE / len(items) / 2)
    coarsest = max(items, key=lambda pair: pair[0].standard_error)
    # 1e-300: an exact mean that is off counts as infinitely far, and one that fits as 0
    farthest, target = max(
        items, key=lambda pair: abs(pair[0].mean - pair[1]) / max(pair[0].standard_error, 1e-300)
    )
    shown = {
        "largest_deviation": farthest.words,
        "largest_standard_error": coarsest[0].standard_error,
        **(numbers or {}),
    }
    # a fit is only as good as the coarsest of the means
    fits = abs(farthest.mean - target) <= critical * farthest.standard_error
    decides = coarsest if fits else (farthest, target)
    return compared(
        summary,
        predicted=decides[1],
        mean=decides[0].mean,
        standard_error=decides[0].standard_error,
        false_alarm_rate=ERROR_RATE,
        comparisons=len(items),
        worth_finding=worth_finding,
        domain=domain,
        numbers=shown,
    )


def share_above(
    summary: str, items: Sequence[tuple[str, np.ndarray]], bound: float, domain: str
) -> Finding:
    """The share of runs that are true is above `bound` in every group, by a score test: decided
    with the error of a share at the bound.

    What is printed is the share's own standard error, as with every mean.

    The error at the bound, √(bound (1 - bound)/n), doesn't vanish where all runs agree, as the
    share's own error does.

    Args:
        items: labels and arrays of truth values, one entry a run.
        bound: a share between 0 and 1.
    """
    shares = []
    for label, true in items:
        # the error of a share if the bound were the truth (score test)
        share, error = float(np.mean(true)), math.sqrt(bound * (1 - bound) / true.size)
        # for print only: the test uses the error at the bound, which a share of 0 or 1 doesn't
        # lose
        own = math.sqrt(share * (1 - share) / true.size)
        shares.append(Measured(label, share, own, int(true.size), error, error))
    return all_above(summary, shares, bound, domain)


def policies(theta: np.ndarray) -> np.ndarray:
    """softmax over the last axis, π_a = e^{θ_a} / Σ_c e^{θ_c}, shifted by the largest preference.

    theta is (..., k), and so is the result. For analyses: agents use `portable_math`, whose bits
    are the same everywhere.
    """
    # a common shift changes no policy and keeps the exponentials from overflowing
    weight = np.exp(theta - theta.max(axis=-1, keepdims=True))
    return weight / weight.sum(axis=-1, keepdims=True)


def alike_and_above(
    summary: str, items: Sequence[Measured], distance: float, bound: float, domain: str
) -> Finding:
    """Any two of independent means differ by less than `distance`, and all are above `bound`:
    alike, and not because none moved.

    Two comparisons for each of the n(n - 1)/2 pairs, and one for each item.
    """
    # two-sided for each pair
    gaps = [
        difference(f"{one.label} less {other.label}", one, other)
        for one, other in combinations(items, 2)
    ]
    conditions = [*_above(gaps, -distance), *_below(gaps, distance), *_above(items, bound)]
    return all_hold(
        summary, conditions, domain, {"means": {item.label: round(item.mean, 4) for item in items}}
    )
