"""What the sweep of an agent says: its performance over the stepsizes, the best of them, and how it
does there.

The runs on which stepsizes are chosen flatter them: what is reported comes from fresh runs, or from
the other half.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.sim.analysis import Measured, all_above, difference, mean_and_error, measured
from altpg_verify.sim.captions import fraction
from altpg_verify.sim.figures import Series
from altpg_verify.sim.results import Record


def sensitivity(label: str, record: Record, beta: int = 0) -> Series:
    """Mean performance over alpha, for the beta of that index, with its standard error over runs.

    This is a curve of the paper's parameter sensitivity plots.
    """
    mean, error = mean_and_error(record["mean"][:, beta])
    return Series(
        label, tuple(record.setting["alphas"]), tuple(mean.tolist()), tuple(error.tolist())
    )


def best_beta(label: str, record: Record) -> Series:
    """Mean performance over alpha, at the best beta for each alpha.

    The maximum over beta is chosen on the runs it is drawn from, so the curve is optimistic: for
    figures, not for findings.
    """
    mean, error = mean_and_error(record["mean"])
    rows, best = np.arange(mean.shape[0]), mean.argmax(axis=1)
    return Series(
        label,
        tuple(record.setting["alphas"]),
        tuple(mean[rows, best].tolist()),
        tuple(error[rows, best].tolist()),
    )


def best(record: Record) -> tuple[int, int]:
    """The indices of the (alpha, beta) with the largest mean performance over runs.

    Performance is `record["mean"]` (alphas, betas, runs), to be maximised; of equal means the
    first.
    """
    mean = record["mean"].mean(axis=-1)
    alpha, beta = np.unravel_index(mean.argmax(), mean.shape)
    return int(alpha), int(beta)


def at_best(label: str, record: Record, bounds: tuple[float, float], of: str = "mean") -> Measured:
    """Performance at the best stepsizes of the sweep, run again on fresh streams.

    An agent without chance has one run, which is exact.

    Args:
        label: the agent, in words; stepsizes are added to it.
        bounds: the smallest and largest value of a run; see `analysis.measured`.
        of: which array: `fresh_mean` by default, any other `fresh_<of>`.

    Raises:
        ValueError: several runs, and none of them fresh: those the stepsizes were chosen on flatter
            them.
    """
    alpha, beta = best(record)
    stepsizes = f"α = {fraction(record.setting['alphas'][alpha])}"
    if record.setting["baseline"] == "learned":
        stepsizes += f", β = {fraction(record.setting['betas'][beta])}"
    if not record.setting["fresh"]:
        if record.setting["runs"] > 1:
            raise ValueError(
                f"{label}: its best stepsizes were not run again, and the runs they were chosen on"
                " flatter them"
            )
        return measured(f"{label}, {stepsizes}", [record["mean"][alpha, beta]])
    if of == "mean":
        stepsizes += (
            f"; {float(record['mean'][alpha, beta].mean()):.4g} on the {record['mean'].shape[-1]}"
            " runs it was chosen on"
        )
    return measured(f"{label}, {stepsizes}", [record[f"fresh_{of}"]], bounds)


def halves(record: Record) -> tuple[np.ndarray, np.ndarray]:
    """The sweep's runs in two parts (alphas, betas, runs): stepsizes are chosen on the first and
    reported on the second.

    A single run, exact, is both parts.
    """
    mean = record["mean"]
    middle = mean.shape[-1] // 2
    return (mean[..., :middle], mean[..., middle:]) if middle else (mean, mean)


def at_alpha(label: str, record: Record, alpha: int, bounds: tuple[float, float]) -> Measured:
    """At one stepsize of the policy: beta is chosen on one half of the runs, and the other half is
    reported.

    Args:
        alpha: the index of the stepsize in the setting's grid.
        bounds: the smallest and largest value of a run.
    """
    first, second = halves(record)
    beta = int(first[alpha].mean(axis=-1).argmax())
    limits = bounds if record["mean"].shape[-1] > 1 else None
    label = f"{label}, α = {fraction(record.setting['alphas'][alpha])}"
    return measured(label, [second[alpha, beta]], limits)


def prefers_smaller(
    summary: str,
    pairs: Sequence[tuple[str, Record, Record]],
    bounds: tuple[float, float],
    domain: str,
) -> Finding:
    """In every pair of records the best beta of the first is smaller than that of the second.

    It is if some beta parts them: the first record's best lies up to it, the second's beyond. Where
    to part, and the best stepsizes on either side, are chosen on one half of the runs; the
    differences are those of the other half.

    Args:
        summary: the statement, as it reads if it is supported.
        pairs: label, the record that should prefer smaller betas, and the other.
        bounds: the smallest and largest value of a run.
        domain: what was run, in words.
    """
    items = []
    for label, one, other in pairs:
        tops = [halves(record)[0].mean(axis=-1).max(axis=0) for record in (one, other)]

        def gain(part: int, tops: list[np.ndarray] = tops) -> float:
            (low, high), (low_other, high_other) = (
                (float(top[:part].max()), float(top[part:].max())) for top in tops
            )
            return min(low - high, high_other - low_other)

        part = max(range(1, len(tops[0])), key=gain)
        beta = fraction(one.setting["betas"][part])
        low, high = _sides(one, part, bounds)
        low_other, high_other = _sides(other, part, bounds)
        items.append(difference(f"{label}: first, β < {beta} less β ≥ {beta}", low, high))
        items.append(
            difference(f"{label}: second, β ≥ {beta} less β < {beta}", high_other, low_other)
        )
    return all_above(summary, items, 0.0, domain)


def _sides(record: Record, part: int, bounds: tuple[float, float]) -> tuple[Measured, Measured]:
    """The best stepsizes with beta below the part, and with beta from it on."""
    first, second = halves(record)
    found = []
    for side in (slice(None, part), slice(part, None)):
        means = first[:, side].mean(axis=-1)
        found.append(
            measured("", [second[:, side][np.unravel_index(means.argmax(), means.shape)]], bounds)
        )
    return found[0], found[1]


def learning_curve(label: str, record: Record) -> Series:
    """The curve at the best stepsizes, over the middle of each bin, in steps or episodes.

    `record["curve"]` and `["curve_error"]` are (alphas, betas, bins): mean and standard error over
    runs.
    """
    alpha, beta = best(record)
    length = record.setting.get("steps") or record.setting["episodes"]
    curve, error = record["curve"][alpha, beta], record["curve_error"][alpha, beta]
    width = length / len(curve)
    learned = record.setting["baseline"] == "learned"
    text = f"{label}, α = {fraction(record.setting['alphas'][alpha])}" + (
        f", β = {fraction(record.setting['betas'][beta])}" if learned else ""
    )
    return Series(
        text,
        tuple((i + 0.5) * width for i in range(len(curve))),
        tuple(curve.tolist()),
        tuple(error.tolist()),
    )
