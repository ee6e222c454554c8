"""What the cells of online actor-critics show: means of fresh runs at the chosen stepsizes, means
over stepsizes, and curves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import Measured, less, measured
from altpg_verify.sim.bootstrap import bootstrapped, bootstrapped_median
from altpg_verify.sim.experiments.online_panel import MOMENTS, best
from altpg_verify.sim.figures import Series
from altpg_verify.sim.results import Record

AXIS = {
    "returns": "return",
    "entropy": "policy entropy in nats",
    "start_value": "critic's value of the start",
}
"""What the axis of each of `CURVES` says."""

CHOICE = {"half": "best at half-time", "final": "best at the end"}


def domain(what: str, records: Sequence[Record]) -> str:
    """What a finding about fresh runs is about: tasks, lengths, how the stepsizes were chosen, and
    how many runs were measured.
    """
    fresh_runs = sorted({record.setting["fresh"] for record in records})
    return (
        f"{what}; {_grid(records)}; the best stepsizes run again"
        f" {' or '.join(map(str, fresh_runs))} times, and those runs reported"
    )


def sweep_domain(what: str, records: Sequence[Record]) -> str:
    """What a finding about whole sweeps is about, in which no stepsizes are chosen."""
    return f"{what}; {_grid(records)}"


def _grid(records: Sequence[Record]) -> str:
    lengths = dict.fromkeys(
        f"{record.setting.get('task', 'DotReacher')} for {record.setting['steps']} steps"
        for record in records
    )
    first = records[0].setting
    sizes = f"{first['runs']} runs at each of {len(first['alphas'])} α × {len(first['betas'])} β"
    return f"{' and '.join(lengths)}, performance over the last {first['last']}; {sizes}"


def best_of(records: Sequence[Record], choice: str) -> Record:
    """The record whose best stepsizes have the largest mean in the sweep: how the best τ or p is
    chosen.

    Args:
        choice: "half" or "final": by which performance stepsizes, τ or p are chosen.
    """
    return max(records, key=lambda record: record[choice][best(record[choice])].mean())


def chosen(record: Record, choice: str) -> tuple[int, str]:
    """The place of a choice among those of the record, and its stepsizes in words."""
    place = list(record.setting["choices"]).index(choice)
    alpha, beta = record["chosen"][place]
    return (
        place,
        (
            f"α = {captions.fraction(record.setting['alphas'][alpha])}, β ="
            f" {captions.small(record.setting['betas'][beta])}"
        ),
    )


def fresh(
    label: str, record: Record, choice: str, bounds: tuple[float, float], of: str = "final"
) -> Measured:
    """Final, half or whole performance of fresh runs at the stepsizes that were best by `choice`,
    and what they seemed in the sweep.

    Args:
        choice: which of the record's choices of stepsizes.
        bounds: the smallest and largest performance of a run.
        of: "final", "half" or "whole".
    """
    place, stepsizes = chosen(record, choice)
    alpha, beta = record["chosen"][place]
    # shown beside the fresh mean, as a choice flatters the runs it was made on
    seemed = float(record[of][alpha, beta].mean(dtype=np.float64))
    words = (
        f"{label}, {CHOICE[choice]}: {stepsizes}; {seemed:.4g} on the {record.setting['runs']} runs"
        " it was chosen on"
    )
    return measured(words, [_double(record[f"fresh_{of}"][place])], bounds)


def gain(label: str, record: Record, choice: str, bounds: tuple[float, float]) -> Measured:
    """The same fresh runs at the end less at half-time.

    Differences within a run: what both have in common drops out of the error.
    """
    place, stepsizes = chosen(record, choice)
    words = f"{label}, {CHOICE[choice]}: {stepsizes}, at the end less at half-time"
    return measured(
        words,
        [_double(record["fresh_final"][place]) - _double(record["fresh_half"][place])],
        _apart(bounds),
    )


def at(
    label: str,
    record: Record,
    choice: str,
    what: str,
    when: str,
    bounds: tuple[float, float] | None = None,
) -> Measured:
    """What a fresh run did at a moment: what one of "returns", "entropy" and "start_value", when
    one of `MOMENTS`.

    Units are those of a return, nats, or a value.
    """
    place, stepsizes = chosen(record, choice)
    words = f"{label}, {CHOICE[choice]}: {stepsizes}"
    return measured(words, [_double(record[f"at_{what}"][place, MOMENTS.index(when)])], bounds)


def change(
    label: str, record: Record, choice: str, what: str, bounds: tuple[float, float]
) -> Measured:
    """From the last steps before half-time to the first after it, within each fresh run."""
    place, stepsizes = chosen(record, choice)
    # within each run, so that the spread between runs drops out
    values = _double(record[f"at_{what}"][place])
    moved = values[MOMENTS.index("after")] - values[MOMENTS.index("before")]
    return measured(f"{label}, {CHOICE[choice]}: {stepsizes}", [moved], _apart(bounds))


def over_stepsizes(
    label: str,
    record: Record,
    bounds: tuple[float, float],
    beta: Sequence[int] | slice = slice(None),
    of: str = "final",
) -> Measured:
    """Performance in the sweep, averaged over all stepsizes or over alpha at some betas: nothing
    was chosen, so nothing flatters.
    """
    values = _double(record[of][:, beta])
    return measured(label, list(values.reshape(-1, values.shape[-1])), bounds)


def typical(label: str, record: Record, choice: str, what: str, when: str) -> Measured:
    """The median over fresh runs of what `at` has the mean of.

    Its error is the bootstrap's.
    """
    place, stepsizes = chosen(record, choice)
    return bootstrapped_median(
        f"{label}, {CHOICE[choice]}: {stepsizes}", record[f"at_{what}"][place, MOMENTS.index(when)]
    )


def fall(label: str, record: Record, choice: str, bounds: tuple[float, float]) -> Measured:
    """How far the return of fresh runs falls from just before half-time to just after it."""
    before, after = (
        at(label, record, choice, "returns", when, bounds) for when in ("before", "after")
    )
    return less(before, after, about="before half-time less after it")


def recovery(label: str, record: Record, choice: str) -> Measured:
    """What part of that fall fresh runs have made up for at the end: 0 for none, 1 for all of it.

    Of the means (end - after)/(before - after), with at least 1 in the denominator; whether there
    was a fall is another question.
    """
    place, stepsizes = chosen(record, choice)
    returns = record["at_returns"][place]
    samples = [
        record["fresh_final"][place],
        *(returns[MOMENTS.index(when)] for when in ("before", "after")),
    ]
    return bootstrapped(
        f"{label}, {CHOICE[choice]}: {stepsizes}, part of the fall that is made up for",
        _made_up,
        samples,
    )


def _made_up(means: Sequence[np.ndarray]) -> float:
    end, before, after = (float(mean) for mean in means)
    # a return moves by whole steps: below 1 there is no fall to make up for
    return (end - after) / max(before - after, 1.0)


def at_best_betas(values: np.ndarray) -> np.ndarray:
    """(alphas, runs): at each alpha the beta that is best on one half of the runs, and what the
    other half did there, and conversely.

    values is (alphas, betas, runs). Each run is reported at a beta that was chosen without it.
    """
    middle = values.shape[-1] // 2
    halves = (values[..., :middle], values[..., middle:])
    rows = np.arange(len(values))
    found = [
        other[rows, _double(one).mean(axis=-1).argmax(axis=1)]
        # each half reports with the betas that the other one chose
        for one, other in (halves[::-1], halves)
    ]
    return _double(np.concatenate(found, axis=-1))


def joined(label: str, items: Sequence[Measured]) -> Measured:
    """The mean of independent means, with their errors, in both directions, added in quadrature."""
    runs, number = sum(item.runs for item in items), len(items)
    errors = [
        float(np.sqrt(sum(getattr(item, name) ** 2 for item in items))) / number
        for name in ("standard_error", "low", "high")
    ]
    return Measured(
        label, sum(item.mean for item in items) / number, errors[0], runs, errors[1], errors[2]
    )


def over_starts(
    estimator: str,
    policies: str,
    record: Callable[[float, float], Record],
    preferences: Sequence[float],
    critics: Sequence[float],
    bounds: tuple[float, float],
) -> Measured:
    """The mean over all stepsizes and over some starts.

    Args:
        estimator, policies: for the label: whose, and what the preferences are of.
        record: (preference, critic) -> the sweep from there.
        preferences, critics: the starts are all pairs of them.
        bounds: as for `over_stepsizes`.
    """
    items = [over_stepsizes("", record(*start), bounds) for start in product(preferences, critics)]
    starts = ", ".join(f"{preference:g}" for preference in preferences)
    values = ", ".join(captions.signed(critic) for critic in critics)
    label = f"{estimator}, {policies} {starts}, critic {values}, mean over all α and β"
    return joined(label, items)


def sensitivity(label: str, record: Record, beta: int, of: str = "final") -> Series:
    """Performance in the sweep over alpha, at one beta, with its standard error over runs.

    Args:
        beta: its index; of: "final", "half" or "whole".
    """
    mean, error = analysis.mean_and_error(_double(record[of][:, beta]))
    return Series(
        label, tuple(record.setting["alphas"]), tuple(mean.tolist()), tuple(error.tolist())
    )


def sensitivities(record: Record, of: str = "final") -> tuple[Series, ...]:
    """A curve of performance over alpha for each beta of the sweep."""
    return tuple(
        sensitivity(f"β = {captions.small(beta)}", record, place, of)
        for place, beta in enumerate(record.setting["betas"])
    )


def few_sensitivities(label: str, record: Record) -> tuple[Series, ...]:
    """Curves over alpha for the smallest, a middle and the largest beta: all of two estimators
    would hide each other.
    """
    betas = record.setting["betas"]
    return tuple(
        sensitivity(f"{label}, β = {captions.small(betas[i])}", record, i)
        for i in sorted({0, len(betas) // 2, len(betas) - 1})
    )


def curve(label: str, record: Record, choice: str, what: str) -> Series:
    """A curve of the fresh runs over the middles of its bins of steps, with standard errors.

    Args:
        what: one of `altpg_verify.sim.experiments.online_panel.CURVES`.
    """
    place = list(record.setting["choices"]).index(choice)
    values, errors = _double(record[what][place]), _double(record[f"{what}_error"][place])
    width = record.setting["steps"] / len(values)
    return Series(
        label,
        tuple((i + 0.5) * width for i in range(len(values))),
        tuple(values.tolist()),
        tuple(errors.tolist()),
    )


def _double(values: np.ndarray) -> np.ndarray:
    return np.asarray(values, dtype=np.float64)


def _apart(bounds: tuple[float, float]) -> tuple[float, float]:
    """The bounds of a difference of two numbers that have these bounds."""
    width = bounds[1] - bounds[0]
    return -width, width
