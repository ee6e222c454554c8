"""What the paper says of linear actor-critics on RealisticMountainCar (section 7, experiment 7,
appendices F.5 and H).

Stepsizes are those best at the end, chosen on 50 runs; what is reported are fresh runs at them.
Where a sentence doesn't name the start of the critic it is 0. How words are read as numbers:
`altpg_verify.sim.experiments.readings`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import Measured, above, below, less, measured
from altpg_verify.sim.bootstrap import bootstrapped
from altpg_verify.sim.experiments.linear_more_runs import largest_stepsize, regular_on_realistic
from altpg_verify.sim.experiments.linear_nonstationary_claims import ENTROPY
from altpg_verify.sim.experiments.linear_panel import ESTIMATORS, RETURNS
from altpg_verify.sim.experiments.linear_realistic import record
from altpg_verify.sim.experiments.online_measures import (
    at,
    at_best_betas,
    chosen,
    domain,
    fresh,
    over_stepsizes,
    sweep_domain,
)
from altpg_verify.sim.experiments.online_panel import MOMENTS
from altpg_verify.sim.experiments.readings import GOOD, LEARNED, MOST, MUCH, SMALL, VISIBLE
from altpg_verify.sim.results import Results

UNSATURATED = 0.01
"""Nats: a policy with more entropy isn't highly saturated."""
HIGH = 2.0**5
"""The largest stepsize of the other tasks: a very high one lies beyond."""
WORST = -1000.0
PRINTED = -700.0
"""About what regular's runs come to in the mean, as the paper says."""


def _domain(results: Results) -> str:
    return domain("tile coding", [record(results, name) for name in ESTIMATORS])


def ends(results: Results, estimator: str, critic: float = 0.0) -> Measured:
    """Where fresh runs end.

    Return over the last 5000 steps at the best stepsizes.
    """
    return fresh(
        f"{estimator}, critic {captions.signed(critic)}",
        record(results, estimator, critic),
        "final",
        RETURNS,
    )


@evidence("realistic-alternate-superior", kind="simulation")
def alternate_superior(results: Results) -> Finding:
    gap = less(*(ends(results, estimator) for estimator in ESTIMATORS))
    return analysis.all_above(
        "alternate ends above regular, critic from 0", [gap], 0.0, _domain(results)
    )


@evidence("realistic-alternate-solves-regular-fails", kind="simulation")
def alternate_solves(results: Results) -> Finding:
    alternate, regular = (ends(results, estimator) for estimator in ESTIMATORS)
    summary = "alternate ends above -400 and regular below, critic from 0"
    return analysis.all_separated(summary, [alternate], [regular], LEARNED, _domain(results))


@evidence("realistic-regular-flat", kind="simulation")
def regular_flat(results: Results) -> Finding:
    shown = record(results, "regular")
    place, words = chosen(shown, "final")
    alpha = shown.setting["alphas"][shown["chosen"][place][0]]
    item = at("regular", shown, "final", "entropy", "second", ENTROPY)
    # no chance in it: the place of the best stepsize in the sweep
    size = Measured(
        f"log2 of the best α of regular, {words}",
        float(np.log2(alpha)),
        0.0,
        shown.setting["runs"],
        0.0,
        0.0,
    )
    moved = np.asarray(shown["fresh_final"][place], float) - np.asarray(
        shown["at_returns"][place][MOMENTS.index("second")], float
    )
    change = measured(
        "regular, its return at the end less in the second 1000 steps",
        [moved],
        (RETURNS[0] - RETURNS[1], RETURNS[1] - RETURNS[0]),
    )
    summary = (
        "the best α of regular is above 2^5, and there its policy entropy is below 0.01 in its"
        " second 1000 steps, its return moves by less than 50 from then on, and ends below -400,"
        " critic from 0"
    )
    conditions = [
        below(item, UNSATURATED),
        above(size, float(np.log2(HIGH))),
        above(change, -VISIBLE),
        below(change, VISIBLE),
        below(ends(results, "regular"), LEARNED),
    ]
    return analysis.all_hold(summary, conditions, _domain(results))


@evidence("realistic-regular-value-diverges", kind="simulation")
def value_diverges(results: Results) -> Finding:
    shown = record(results, "regular")
    middle, end = (
        at(f"regular, {words}", shown, "final", "start_value", when)
        for words, when in (("half-time", "before"), ("end", "end"))
    )
    summary = (
        "the critic of regular, at its best stepsizes, values the start below -1000, the lowest"
        " return there is, and lower at the end than at half-time, where that of alternate stays"
        " above -1000, critic from 0"
    )
    other = at("alternate, end", record(results, "alternate"), "final", "start_value", "end")
    return analysis.all_hold(
        summary,
        [below(end, WORST), above(less(middle, end), 0.0), above(other, WORST)],
        _domain(results),
    )


@evidence("realistic-alternate-wide-range", kind="simulation")
def wide_range(results: Results) -> Finding:
    shares = []
    for name in ESTIMATORS:
        tops = at_best_betas(record(results, name)["final"])
        shares.append(
            bootstrapped(f"{name}, share of α", _share_learned, [tops], step=1 / len(tops))
        )
    summary = (
        "at more than half of the α = 2^-8, 2^-6, ..., 2^16, each with its best β, alternate ends"
        " above -400, and at a larger share of them than regular, critic from 0"
    )
    about = sweep_domain(
        "tile coding; β chosen on half of the runs, the other half reported; bootstrap over runs",
        [record(results, "alternate")],
    )
    return analysis.all_hold(summary, [above(shares[0], MOST), above(less(*shares), 0.0)], about)


def _share_learned(means: Sequence[np.ndarray]) -> float:
    return float(np.mean(means[0] > LEARNED))


@evidence("realistic-plus-500-worse", kind="simulation")
def high_optimism_worse(results: Results) -> Finding:
    plots = {
        critic: over_stepsizes(
            f"alternate, critic {captions.signed(critic)}, mean over all α and β",
            record(results, "alternate", critic),
            RETURNS,
        )
        for critic in (500.0, 0.0, -500.0)
    }
    bests = {
        f"best stepsizes, {captions.signed(critic)} less +500": (
            less(ends(results, "alternate", critic), ends(results, "alternate", 500.0)).mean
        )
        for critic in (0.0, -500.0)
    }
    summary = (
        "in the mean over all stepsizes alternate is higher with a critic from 0, and from -500,"
        " than from +500"
    )
    about = sweep_domain("tile coding", [record(results, "alternate", critic) for critic in plots])
    return analysis.all_hold(
        summary,
        [above(less(plots[critic], plots[500.0]), 0.0) for critic in (0.0, -500.0)],
        about,
        bests,
    )


@evidence("large-stepsizes-still-good", kind="simulation")
def still_good(results: Results) -> Finding:
    shown = largest_stepsize(results)
    largest = fresh("alternate, α = 65536 alone", shown, "final", RETURNS)
    summary = (
        "at α = 2^16 and its best β alternate ends at most 50 below its best stepsizes and more"
        " than 100 above regular at its best ones, critic from 0"
    )
    conditions = [
        above(less(largest, ends(results, "alternate")), -VISIBLE),
        above(less(largest, ends(results, "regular")), MUCH),
    ]
    about = f"{_domain(results)}; at α = 2^16 {shown.setting['fresh']} times"
    return analysis.all_hold(summary, conditions, about)


@evidence("realistic-regular-runs-split", kind="simulation")
def runs_split(results: Results) -> Finding:
    shown = regular_on_realistic(results)
    mean = fresh("regular, critic 0", shown, "final", RETURNS)
    runs = np.asarray(shown["fresh_final"][0], dtype=np.float64)
    # two kinds of runs, hence shares and not a spread
    good = measured("share of these runs above -200", [runs > GOOD], (0.0, 1.0))
    failed = measured("share of these runs at -1000", [runs <= WORST], (0.0, 1.0))
    summary = (
        "of the runs of regular at its best stepsizes more than a twentieth end above -200 and more"
        " than half at -1000, and their mean is within 50 of -700, critic from 0"
    )
    conditions = [
        above(good, SMALL),
        above(failed, MOST),
        above(mean, PRINTED - VISIBLE),
        below(mean, PRINTED + VISIBLE),
    ]
    return analysis.all_hold(summary, conditions, domain("tile coding", [shown]))
