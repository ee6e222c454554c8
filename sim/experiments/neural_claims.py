"""What the paper says of neural actor-critics on DotReacher (section 7, experiment 8, and
appendices G and H).

Stepsizes are chosen as the paper chooses them, on 50 runs; what is reported are fresh runs at them.
Where a sentence names no set of stepsizes they are those best at the end, and where it names no
start of the critic it is 0. Where it speaks of sensitivity plots, performance is the mean over all
stepsizes in them. How words are read as numbers: `altpg_verify.sim.experiments.readings`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import Measured, above, below, less, measured, times
from altpg_verify.sim.bootstrap import bootstrapped, bootstrapped_median, share_of_plots_won
from altpg_verify.sim.experiments import neural_nonstationary, neural_saturated
from altpg_verify.sim.experiments.linear_nonstationary_claims import advantage
from altpg_verify.sim.experiments.linear_panel import TASKS
from altpg_verify.sim.experiments.neural_panel import ESTIMATORS, RETURNS
from altpg_verify.sim.experiments.neural_saturated import CRITICS, PREFERENCES
from altpg_verify.sim.experiments.online_measures import (
    at_best_betas,
    domain,
    fresh,
    over_starts,
    sweep_domain,
)
from altpg_verify.sim.experiments.online_panel import CHOICES
from altpg_verify.sim.experiments.readings import (
    ALMOST_ALL,
    LARGE,
    NEURAL_GOOD,
    NEURAL_NEVER,
    NEURAL_RANGE,
    RETURN_RANGE,
    SMALL,
)
from altpg_verify.sim.results import Results

_SETTING = "two networks, Adam"
LOW, HIGHEST = (5.0, 10.0), PREFERENCES[-1]
STARTS = tuple(product(PREFERENCES, CRITICS))


def _domain(results: Results) -> str:
    return domain(_SETTING, results.select(neural_saturated.NAME))


def _sweep(results: Results) -> str:
    return sweep_domain(_SETTING, results.select(neural_saturated.NAME))


def _switched(results: Results) -> str:
    return domain(f"{_SETTING}, goal moved at half-time", results.select(neural_nonstationary.NAME))


def _words(estimator: str, preference: float, critic: float) -> str:
    return f"{estimator}, no movement {preference:g}, critic {captions.signed(critic)}"


def ends(results: Results, estimator: str, preference: float, critic: float = 0.0) -> Measured:
    """Where fresh runs end.

    Return over the last 5000 steps at the best stepsizes, critic and policy started as said.
    """
    return fresh(
        _words(estimator, preference, critic), neural_saturated.record(results, estimator, preference, critic), "final", RETURNS
    )  # fmt: skip


def typically_ends(
    results: Results, estimator: str, preference: float, critic: float = 0.0
) -> Measured:
    """The median of the same runs: some never escape, and rule the mean.

    Its error is the bootstrap's.
    """
    runs = neural_saturated.record(results, estimator, preference, critic)["fresh_final"][0]
    return bootstrapped_median(_words(estimator, preference, critic), runs)


Measure = Callable[[Results, str, float, float], Measured]


def _ends_after_move(results: Results, estimator: str, choice: str) -> Measured:
    return fresh(estimator, neural_nonstationary.record(results, estimator), choice, RETURNS)


def plotted(
    results: Results, estimator: str, preferences: Sequence[float], critics: Sequence[float]
) -> Measured:
    """The mean over all stepsizes and over some starts.

    Args:
        preferences, critics: the starts are all pairs of them.
    """
    of = partial(neural_saturated.record, results, estimator)
    return over_starts(estimator, "no movement", of, preferences, critics, RETURNS)


@evidence("dotreacher-neural-competitive", kind="simulation")
def competitive(results: Results) -> Finding:
    conditions = [condition for choice in CHOICES for condition in _competes(results, choice)]
    summary = (
        "after the goal has moved alternate ends above -7.6, which is more than an agent that never"
        " learns comes to, and at most 0.5 below regular, for both sets of stepsizes"
    )
    return analysis.all_hold(summary, conditions, _switched(results))


def _competes(results: Results, choice: str) -> list[Any]:
    alternate, regular = (_ends_after_move(results, estimator, choice) for estimator in ESTIMATORS)
    return [
        above(alternate, NEURAL_NEVER + LARGE * NEURAL_RANGE),
        above(less(alternate, regular), -SMALL * NEURAL_RANGE),
    ]


@evidence("dotreacher-alternate-competitive", kind="simulation")
def competitive_at_best(results: Results) -> Finding:
    summary = (
        "after the goal has moved alternate ends above -7.6, which is more than an agent that never"
        " learns comes to, and at most 0.5 below regular, each at the stepsizes best at the end"
    )
    return analysis.all_hold(summary, _competes(results, "final"), _switched(results))


@evidence("dotreacher-difference-less-pronounced", kind="simulation")
def less_pronounced(results: Results) -> Finding:
    conditions = []
    for choice in CHOICES:
        here = less(
            *(
                _ends_after_move(results, estimator, choice)
                for estimator in ("alternate", "regular")
            ),
            about="DotReacher",
        )
        for task in TASKS:
            there = advantage(results, task, choice)
            conditions.append(
                # ranges of returns differ a hundredfold between the tasks
                above(less(times(1 / RETURN_RANGE, there), times(1 / NEURAL_RANGE, here)), 0.0)
            )
    summary = (
        "alternate less regular at the end, as a part of the range that returns have, is smaller on"
        " DotReacher than on MountainCar and than on Acrobot, for both sets of stepsizes"
    )
    return analysis.all_hold(
        summary, conditions, f"{_switched(results)}; and the runs of experiment 6"
    )


@evidence("neural-alternate-superior", kind="simulation")
def superior(results: Results) -> Finding:
    gaps = [
        less(*(plotted(results, estimator, (preference,), (0.0,)) for estimator in ESTIMATORS))
        for preference in PREFERENCES[1:]
    ]
    summary = (
        "alternate ends above regular in the mean over all α and β, from each saturated policy and"
        " a critic of 0"
    )
    return analysis.all_above(summary, gaps, 0.0, _sweep(results))


@evidence("neural-low-saturation-regular-as-good", kind="simulation")
def regular_as_good(results: Results) -> Finding:
    conditions = []
    for preference in LOW:
        regular, alternate = (
            ends(results, estimator, preference) for estimator in ("regular", "alternate")
        )
        conditions += [
            above(alternate, NEURAL_GOOD),
            above(less(regular, alternate), -SMALL * NEURAL_RANGE),
        ]
    summary = (
        "from preferences 5 and 10 and a critic of 0 alternate ends above -1, and regular at most"
        " 0.5 below alternate"
    )
    return analysis.all_hold(summary, conditions, _domain(results))


@evidence("neural-high-saturation-alternate-only", kind="simulation")
def only_alternate_escapes(results: Results) -> Finding:
    summary = (
        f"from preference {HIGHEST:g} and a critic of 0 alternate ends above -1 and regular"
        " below -2"
    )

    def judged(measure: Measure) -> Finding:
        alternate, regular = (measure(results, estimator, HIGHEST, 0.0) for estimator in ESTIMATORS)
        conditions = [
            above(alternate, NEURAL_GOOD),
            below(regular, NEURAL_GOOD - LARGE * NEURAL_RANGE),
        ]
        return analysis.all_hold(summary, conditions, _domain(results))

    return analysis.agreed(
        {"the mean over runs": judged(ends), "the typical run": judged(typically_ends)}
    )


@evidence("neural-optimism-helps", kind="simulation")
def optimism_helps(results: Results) -> Finding:
    gaps = [
        less(
            *(plotted(results, "alternate", PREFERENCES[1:], (start,)) for start in (critic, -25.0))
        )
        for critic in (0.0, 25.0)
    ]
    summary = (
        f"from preference {HIGHEST:g} alternate ends above -1 with a critic from 0 and from +25; in"
        " the mean over all stepsizes and saturated policies both starts are above a critic"
        " from -25"
    )

    def judged(measure: Measure) -> Finding:
        optimistic = [measure(results, "alternate", HIGHEST, critic) for critic in (0.0, 25.0)]
        conditions = [
            *(above(item, NEURAL_GOOD) for item in optimistic),
            *(above(gap, 0.0) for gap in gaps),
        ]
        return analysis.all_hold(summary, conditions, _domain(results))

    return analysis.agreed(
        {"the mean over runs": judged(ends), "the typical run": judged(typically_ends)}
    )


@evidence("neural-pessimism-worse-than-regular", kind="simulation")
def pessimism_worse(results: Results) -> Finding:
    pair = ("regular", "alternate")
    plots = [
        less(*(plotted(results, estimator, (preference,), (-25.0,)) for estimator in pair))
        for preference in PREFERENCES[:-1]
    ]
    bests = [
        less(*(ends(results, estimator, preference, -25.0) for estimator in pair))
        for preference in PREFERENCES[:-1]
    ]
    summary = (
        "with a critic from -25 regular is above alternate, from each policy but the one with"
        f" preference {HIGHEST:g}"
    )
    return analysis.agreed(
        {
            "the mean over all stepsizes": analysis.all_above(summary, plots, 0.0, _sweep(results)),
            "the best stepsizes": analysis.all_above(summary, bests, 0.0, _domain(results)),
        }
    )


@evidence("neural-alternate-better-for-almost-all", kind="simulation")
def better_for_almost_all(results: Results) -> Finding:
    settings = list(product(PREFERENCES[1:], CRITICS))
    samples = [
        neural_saturated.record(results, estimator, *start)["final"]
        for start in settings
        for estimator in ESTIMATORS
    ]
    share = bootstrapped(
        f"share of {len(settings)} settings", share_of_plots_won, samples, step=1 / len(settings)
    )
    summary = (
        "alternate is above regular in the mean over all stepsizes in more than four fifths of the"
        " saturated settings: three policies and three critics at the start"
    )
    pairs = {
        "share of single stepsize pairs": float(
            np.mean([_ahead(results, *start) for start in settings])
        )
    }
    return analysis.all_hold(
        summary, [above(share, ALMOST_ALL)], f"{_sweep(results)}; bootstrap over runs", pairs
    )


def _ahead(results: Results, preference: float, critic: float) -> float:
    """The share of stepsize pairs at which alternate's mean in the sweep is larger."""
    one, other = (
        neural_saturated.record(results, estimator, preference, critic)["final"].mean(axis=-1)
        for estimator in ESTIMATORS
    )
    return float(np.mean(one > other))


@evidence("neural-large-stepsizes-fail", kind="simulation")
def large_stepsizes_fail(results: Results) -> Finding:
    good = [ends(results, estimator, 0.0) for estimator in ESTIMATORS]
    failed = [
        at_largest(results, estimator, *start) for estimator in ESTIMATORS for start in STARTS
    ]
    summary = (
        "both estimators end above -1 from the uniform policy and a critic of 0 at their best"
        " stepsizes, and below -1 from every start with the largest stepsize of the actor and its"
        " best β"
    )
    conditions = [
        *(above(item, NEURAL_GOOD) for item in good),
        *(below(item, NEURAL_GOOD) for item in failed),
    ]
    return analysis.all_hold(
        summary,
        conditions,
        f"{_sweep(results)}; β chosen on one half of the runs, the other half at it",
    )


def at_largest(results: Results, estimator: str, preference: float, critic: float) -> Measured:
    """Where the runs with the largest stepsize of the actor end: β is chosen on one half of them,
    and the other half is reported.
    """
    record = neural_saturated.record(results, estimator, preference, critic)
    label = (
        f"{_words(estimator, preference, critic)}, α ="
        f" {captions.fraction(record.setting['alphas'][-1])}"
    )
    # the last row: the largest α of the grid
    return measured(label, [at_best_betas(record["final"])[-1]], RETURNS)
