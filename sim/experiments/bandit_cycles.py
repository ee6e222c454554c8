"""Past the stability threshold: the expected update with a fixed optimistic baseline, over
stepsizes up to four times 1/|κ|.

Below α|κ| = 2 it comes to rest at π*; above it alternates between two policies with the mean π*,
later among more, later without end. Its time average is π* all along.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding, inconclusive
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import Measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.expected_steps import expected_update, fixed_point, policies_of
from altpg_verify.sim.figures import FigureData, Grid, Line, Panel, Series
from altpg_verify.sim.results import Record, Results

NAME = "bandit_cycles"
BANDITS = (([1.0, 2.0, 3.0], 4.0), ([0.0, 0.5, 1.2, 2.0], 2.5))
RATIOS = [i / 64 for i in range(32, 289)]
"""α|κ|, from 1/2 to 4.5."""

_BINS = 120
_START = 1.0
_STEPS = {"quick": {"burn_in": 1000, "last": 300}, "paper": {"burn_in": 20000, "last": 5000}}


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {"rewards": rewards, "b": b, "ratios": RATIOS, "runs": 1, **_STEPS[profile]}
        for rewards, b in BANDITS
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """Over the ratios: visited (n, bins) by π of the last action and its spread; average π (n, k)
    of all steps.

    Of the last steps, the largest twice |π_t - π_(t-2)| and cycle |π_t + π_(t-1) - 2 π*|.
    """
    rewards, b, n = np.array(setting["rewards"])[:, None], setting["b"], len(setting["ratios"])
    star, kappa = fixed_point(rewards, b)
    alpha = np.array(setting["ratios"]) / kappa
    k = len(rewards)
    theta, policies, estimator = np.zeros((k, n)), policies_of(k, n), estimator_named("alternate")
    theta[0] = _START
    total, visited, cycle, twice = np.zeros((k, n)), np.zeros((n, _BINS)), np.zeros(n), np.zeros(n)
    # no policy before the first step; the burn-in leaves it out
    before = earlier = star + np.zeros((k, n))
    low, high = np.ones(n), np.zeros(n)
    for step in range(setting["burn_in"] + setting["last"]):
        pi = policies(theta)
        # from the first step on, as the theorem on time averages speaks of all of them
        total += pi
        if step >= setting["burn_in"]:
            visited[np.arange(n), np.minimum((pi[-1] * _BINS).astype(int), _BINS - 1)] = 1.0
            # how far two policies in a row are from having the mean π*
            cycle = np.maximum(cycle, np.abs(pi + before - 2.0 * star).max(axis=0))
            twice = np.maximum(twice, np.abs(pi - earlier).max(axis=0))
            low, high = np.minimum(low, pi[-1]), np.maximum(high, pi[-1])
        before, earlier = pi, before
        theta += alpha * expected_update(estimator, pi, rewards, b)
    average = total.T / (setting["burn_in"] + setting["last"])
    return {
        "visited": visited,
        "spread": high - low,
        "cycle": cycle,
        "twice": twice,
        "average": average,
        "failed": np.zeros(1),
    }


def _words(setting: Mapping[str, Any]) -> str:
    return f"r = ({', '.join(f'{r:g}' for r in setting['rewards'])}), b = {setting['b']:g}"


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for record in results.select(NAME):
        x, y = tuple(record.setting["ratios"]), tuple((i + 0.5) / _BINS for i in range(_BINS))
        star, _ = fixed_point(np.array(record.setting["rewards"]), record.setting["b"])
        shown = np.where(record["visited"].T > 0, 1.0, np.nan)
        grid = Grid("visited", x, y, tuple(map(tuple, shown.tolist())), ("", "visited"))
        mean = Series("time average", x, tuple(record["average"][:, -1].tolist()))
        line = Line("π* of the best action", float(star[-1]))
        panels.append(
            Panel(
                _words(record.setting),
                "α|κ|",
                "π of the best action",
                "linear",
                (mean,),
                (line,),
                grid,
            )
        )
    steps = results.select(NAME)[0].setting
    caption = (
        "Expected update with a fixed optimistic baseline: the values of π that are visited in"
        f" {steps['last']} steps after {steps['burn_in']}, against the stepsize. Up to α|κ| = 2 the"
        " policy rests at π*; then it alternates between two policies with the mean π*, then moves"
        " irregularly. The time average is π* throughout: an average near its predicted value"
        " doesn't show that the stepsize is small enough."
    )
    alt = (
        "Two bifurcation diagrams: one branch up to 2, two branches above it, then bands; the time"
        " average is a flat line."
    )
    return [FigureData(NAME, "Past the stability threshold", caption, alt, tuple(panels))]


BANDIT_CYCLES = Experiment(
    NAME,
    "bandit, expected update: cycles past the stability threshold",
    "theorem fixed_pt_biased_pg, beyond small stepsizes",
    {
        profile: (
            "{burn_in} steps and {last} more for each of 257 stepsizes, two bandits; not in the"
            " paper".format(**steps)
        )
        for profile, steps in _STEPS.items()
    },
    _cells,
    _run,
    _figures,
)


def _exact(label: str, value: float) -> Measured:
    return Measured(label, value, 0.0, 1, 0.0, 0.0)


def _between(record: Record, name: str, low: float, high: float) -> list[Measured]:
    """One number for each stepsize with low <= α|κ| <= high."""
    return [
        _exact(f"α|κ| = {ratio:g}, {_words(record.setting)}", float(value))
        for ratio, value in zip(record.setting["ratios"], record[name], strict=True)
        if low <= ratio <= high
    ]


_DOMAIN = "r = (1, 2, 3), b = 4 and r = (0, 0.5, 1.2, 2), b = 2.5, the expected update, {}"


@evidence("local-stability-threshold", kind="simulation")
def rests_below(results: Results) -> Finding:
    records = results.select(NAME)
    above = [item for record in records for item in _between(record, "spread", 2.1, 4.5)]
    below = [item for record in records for item in _between(record, "spread", 0.5, 1.9)]
    summary = (
        "π comes to rest for α|κ| up to 1.9 and keeps moving, by more than 0.001, from 2.1 on: two"
        " over |κ| is the largest stepsize to use"
    )
    return analysis.all_separated(
        summary, above, below, 0.001, _DOMAIN.format("α|κ| from 1/2 to 4.5 in steps of 1/64")
    )


@evidence("cycle-mean-is-pi-star", kind="simulation")
def cycles_of_two(results: Results) -> Finding:
    items, returned = [], 0
    for record in results.select(NAME):
        # back after two steps, and not because nothing moves
        alternating = (record["twice"] < 1e-9) & (record["spread"] > 1e-3)
        returned += int(alternating.sum())
        items += [
            _exact(f"α|κ| = {ratio:g}, {_words(record.setting)}", float(value))
            for ratio, value in zip(
                np.array(record.setting["ratios"])[alternating],
                record["cycle"][alternating],
                strict=True,
            )
        ]
    if not items:
        return inconclusive(
            "no stepsize ended in a cycle of two", numbers={"false_alarm_rate": analysis.ERROR_RATE}
        )
    summary = (
        f"at all {returned} stepsizes that end in a cycle of two, to 1e-9, π + π' is 2 π* to 1e-8"
    )
    return analysis.all_within(
        summary, items, 0.0, 1e-8, _DOMAIN.format("α|κ| from 1/2 to 4.5 in steps of 1/64")
    )


@evidence("time-average-is-pi-star", kind="simulation")
def time_average(results: Results) -> Finding:
    items, largest = [], 0.0
    for record in results.select(NAME):
        rewards, b = np.array(record.setting["rewards"]), record.setting["b"]
        star, kappa = fixed_point(rewards, b)
        steps = record.setting["burn_in"] + record.setting["last"]
        for ratio, average in zip(record.setting["ratios"], record["average"], strict=True):
            alpha = ratio / kappa
            reach = alpha * (b - rewards).max()
            # the proved bound: preferences differ by at most a constant and a logarithm of the time,
            # and so mean pushes π (r - b) differ by at most that over α times the steps
            error = (2.0 * max(reach, _START) + math.log1p(reach * steps)) / (alpha * steps)
            room = 2.0 * error / (b - rewards) - np.abs(average - star)
            largest = max(largest, float(np.abs(average - star).max()))
            items.append(_exact(f"α|κ| = {ratio:g}, {_words(record.setting)}", float(room.min())))
    summary = (
        f"the time average is as close to π* as proved, at every stepsize; at most {largest:.1g}"
        " away, also where the policy wanders"
    )
    return analysis.all_above(summary, items, 0.0, _DOMAIN.format("α|κ| from 1/2 to 4.5"))
