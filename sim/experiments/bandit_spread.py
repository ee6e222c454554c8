"""The stationary law of sampled agents on a bandit that no formula was derived on: its mean, its
spread and what the baseline costs.

Four actions, r = [0, 0.5, 1.2, 2], noise 0.5, three optimistic baselines, stepsizes from 1/64 to 1
in units of 1/|κ|. Policies are looked at once for each of many runs, at the end, and J over the
last steps as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import Measured, measured, policies
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.expected_steps import fixed_point
from altpg_verify.sim.figures import FigureData, Line, Panel, Series
from altpg_verify.sim.results import Record, Results

NAME = "bandit_spread"
REWARDS = [0.0, 0.5, 1.2, 2.0]
SIGMA = 0.5
BASELINES = [2.25, 3.0, 5.0]
RATIOS = [2.0**n for n in range(-6, 1)]
"""α|κ|."""

_RUNS = {"quick": 1200, "paper": 10000}
_RELAXATIONS = 12
LAST = 400


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {
            "b": b,
            "ratio": ratio,
            "rewards": REWARDS,
            "sigma": SIGMA,
            "runs": _RUNS[profile],
            "last": LAST,
        }
        for b in BASELINES
        for ratio in RATIOS
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """Over independent runs, started at π*: mean of J and square of J², policy (runs, k) over the
    last steps; theta (runs, k); failed.
    """
    from altpg_verify.sim.bandit import Bandit, simulate

    rewards = np.array(setting["rewards"])
    star, kappa = fixed_point(rewards, setting["b"])
    start = tuple(np.log(star).tolist())
    agent = Bandit(
        tuple(setting["rewards"]),
        setting["sigma"],
        start,
        setting["ratio"] / float(kappa),
        0.0,
        "fixed",
        setting["b"],
    )
    # twelve relaxation times, in steps
    steps = 2 * math.ceil(_RELAXATIONS / setting["ratio"] / 2) + setting["last"]
    sizes = {
        "root": root,
        "experiment": experiment,
        "runs": setting["runs"],
        "steps": steps,
        "last": setting["last"],
    }
    (outcome,) = simulate(estimator_named("alternate"), [agent], **sizes)
    return {
        name: getattr(outcome, name) for name in ("mean", "square", "policy", "theta", "failed")
    }


def _law(record: Record) -> dict[str, Any]:
    """The closed forms for a cell: π*, J at π*, α, the bound on Σ (b - r)(π - π*)² and the variance
    of J in the linear law.
    """
    rewards, b, sigma = (
        np.array(record.setting["rewards"]),
        record.setting["b"],
        record.setting["sigma"],
    )
    star, kappa = fixed_point(rewards, b)
    alpha, value = record.setting["ratio"] / kappa, float(star @ rewards)
    # E[(R - b)² | a]
    noise = sigma**2 + (b - rewards) ** 2
    # variance of an autoregression with coefficient 1 - α|κ|, projected on the gradient of J
    linear = (
        alpha / (kappa * (2.0 - alpha * kappa)) * float(star**3 @ ((rewards - value) ** 2 * noise))
    )
    return {
        "star": star,
        "value": value,
        "alpha": float(alpha),
        "bound": float(alpha / 8.0 * (star @ noise)),
        "linear": float(linear),
    }


def _distances(record: Record) -> np.ndarray:
    """Σ (b - r)(π - π*)² of each run's last policy."""
    gaps = policies(record["theta"]) - _law(record)["star"]
    return gaps**2 @ (record.setting["b"] - np.array(record.setting["rewards"]))


def _variances(record: Record) -> np.ndarray:
    """The mean of (J - J(π*))² over the last steps of each run."""
    value = _law(record)["value"]
    # E[(J - c)²] from the kept E[J²] and E[J]
    return record["square"] - 2.0 * value * record["mean"] + value**2


def _figures(results: Results) -> list[FigureData]:
    values, predicted, spreads, bounds = [], [], [], []
    for b in BASELINES:
        records = results.select(NAME, b=b)
        x = tuple(record.setting["ratio"] for record in records)
        laws = [_law(record) for record in records]
        pairs = [analysis.mean_and_error(record["mean"]) for record in records]
        values.append(
            Series(
                f"b = {b:g}",
                x,
                tuple(float(m) for m, _ in pairs),
                tuple(float(e) for _, e in pairs),
            )
        )
        predicted.append(Line("b − HM(b − r)", laws[0]["value"]))
        deviations = [analysis.mean_and_error(_variances(record)) for record in records]
        spreads.append(
            Series(
                f"b = {b:g}",
                x,
                tuple(
                    float(m / law["linear"]) for (m, _), law in zip(deviations, laws, strict=True)
                ),
            )
        )
        means = [analysis.mean_and_error(_distances(record)) for record in records]
        bounds.append(
            Series(
                f"b = {b:g}",
                x,
                tuple(float(m / law["bound"]) for (m, _), law in zip(means, laws, strict=True)),
            )
        )
    caption = (
        "Alternate estimator on r = (0, 0.5, 1.2, 2), noise 0.5, fixed optimistic baselines,"
        f" {results.select(NAME)[0].setting['runs']} runs: the mean of J against b − HM(b − r),"
        " which falls as b rises (left); its variance over that of the linear law, for small"
        " stepsizes (middle); the spread of π over the proved bound, for all stepsizes (right)."
    )
    alt = (
        "Left: three flat lines. Middle: ratios that start at one and fall. Right: ratios below"
        " one."
    )
    return [
        FigureData(
            NAME,
            "The stationary law",
            caption,
            alt,
            (
                Panel("mean", "α|κ|", "mean of J", "log2", tuple(values), tuple(predicted)),
                Panel("variance of J", "α|κ|", "measured / linear law", "log2", tuple(spreads)),
                Panel("spread of π", "α|κ|", "measured / bound", "log2", tuple(bounds)),
            ),
        )
    ]


BANDIT_SPREAD = Experiment(
    NAME,
    "bandit with four actions: the stationary law for three baselines and seven stepsizes",
    "theorem fixed_pt_biased_pg, with sampled updates",
    {
        profile: f"{runs} runs from π*, {LAST} steps after 12 relaxation times; not in the paper"
        for profile, runs in _RUNS.items()
    },
    _cells,
    _run,
    _figures,
)


def _label(record: Record) -> str:
    return f"b = {record.setting['b']:g}, α|κ| = {captions.fraction(record.setting['ratio'])}"


def _domain(results: Results) -> str:
    runs = results.select(NAME)[0].setting["runs"]
    return (
        f"r = (0, 0.5, 1.2, 2), noise 0.5, b = 2.25, 3, 5, α|κ| = 1/64 ... 1, {runs} runs: other"
        " numbers than those it was derived on"
    )


@evidence("stationary-mean-is-pi-star", kind="simulation")
def mean_policy(results: Results) -> Finding:
    items = [
        (measured(f"π(a{a}), {_label(record)}", [record["policy"][:, a]]), float(target))
        for record in results.select(NAME)
        for a, target in enumerate(_law(record)["star"])
    ]
    return analysis.all_equal(
        "the mean of π is π* at every baseline and stepsize", items, 0.02, _domain(results)
    )


@evidence("stationary-spread-bound", kind="simulation")
def below_bound(results: Results) -> Finding:
    items = []
    for record in results.select(NAME):
        item, bound = measured(_label(record), [_distances(record)]), _law(record)["bound"]
        error = item.standard_error / bound
        items.append(Measured(item.label, 1.0 - item.mean / bound, error, item.runs, error, error))
    summary = (
        "E Σ (b - r) (π - π*)² is below its bound, in units of the bound: a stepsize half as large"
        " halves the spread that can be left"
    )
    return analysis.all_above(summary, items, 0.0, _domain(results))


@evidence("linear-noise-variance-fits-agents", kind="simulation")
def linear_law_fits(results: Results) -> Finding:
    items = []
    for record in results.select(NAME):
        if record.setting["ratio"] <= 1 / 32:
            item, linear = measured(_label(record), [_variances(record)]), _law(record)["linear"]
            error = item.standard_error / linear
            items.append(Measured(item.label, item.mean / linear, error, item.runs, error, error))
    summary = (
        "for α|κ| = 1/64 and 1/32 the variance of J over that of the linear law is within 0.1"
        " of one"
    )
    return analysis.all_within(summary, items, 1.0, 0.1, _domain(results))


@evidence("value-at-pi-star-falls-with-baseline", kind="simulation")
def value_falls(results: Results) -> Finding:
    items = []
    for ratio in RATIOS:
        means = [
            measured(
                f"b = {b:g}, α|κ| = {captions.fraction(ratio)}",
                [results.one(NAME, b=b, ratio=ratio)["mean"]],
            )
            for b in BASELINES
        ]
        items += [
            analysis.difference(f"{one.label} against {more.label}", one, more)
            for one, more in pairwise(means)
        ]
    return analysis.all_above(
        "the mean of J is smaller with the larger baseline, at every stepsize",
        items,
        0.0,
        _domain(results),
    )


@evidence("value-at-pi-star-harmonic", kind="simulation")
def value_harmonic(results: Results) -> Finding:
    items = [
        (measured(_label(record), [record["mean"]]), _law(record)["value"])
        for record in results.select(NAME)
    ]
    return analysis.all_equal(
        "the mean of J is b less the harmonic mean of b - r", items, 0.02, _domain(results)
    )
