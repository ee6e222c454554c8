"""What the paper says of linear actor-critics from saturated policies (appendix F.4).

Where a sentence speaks of sensitivity plots, performance is the mean over all stepsizes in them;
else that of fresh runs at the stepsizes best at the end. What a sentence doesn't name is averaged
over: the preferences, or the starts of the critic. Where it names no task it is said of both. How
words are read as numbers: `altpg_verify.sim.experiments.readings`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import Measured, above, less, measured
from altpg_verify.sim.bootstrap import bootstrapped, share_of_plots_won, share_of_wins
from altpg_verify.sim.experiments import linear_nonstationary
from altpg_verify.sim.experiments.linear_panel import ESTIMATORS, RETURNS, TASKS
from altpg_verify.sim.experiments.linear_saturated import CRITICS, PREFERENCES, record
from altpg_verify.sim.experiments.online_measures import (
    at_best_betas,
    domain,
    fresh,
    joined,
    over_starts,
    over_stepsizes,
    sweep_domain,
)
from altpg_verify.sim.experiments.readings import ALMOST_ALL, GOOD, LEARNED, VISIBLE
from altpg_verify.sim.results import Results

WORST = PREFERENCES[-1]
MIDDLE = 0.5
"""From here on a β is one of the three larger ones."""
LARGE_STEPS = 1.0
"""From here on an α is one of the large ones: 2, 8 and 32."""


def _domain(results: Results) -> str:
    return domain("tile coding", [record(results, task, "alternate") for task in TASKS])


def _sweep(results: Results) -> str:
    return sweep_domain(
        "tile coding, mean over all stepsizes",
        [record(results, task, "alternate") for task in TASKS],
    )


def ends(
    results: Results,
    task: str,
    estimator: str,
    preference: float = 0.0,
    critic: float = 0.0,
    of: str = "final",
) -> Measured:
    """Where fresh runs end.

    Args:
        preference, critic: the start.
        of: "final", or "whole" for the mean over all steps.
    """
    label = f"{task}, {estimator}, (0, {preference:g}, 0), critic {captions.signed(critic)}"
    return fresh(label, record(results, task, estimator, preference, critic), "final", RETURNS, of)


def plotted(
    results: Results,
    task: str,
    estimator: str,
    preferences: Sequence[float],
    critics: Sequence[float],
) -> Measured:
    """The mean over all stepsizes and over some starts.

    Args:
        preferences, critics: the starts are all pairs of them.
    """
    of = partial(record, results, task, estimator)
    return over_starts(estimator, "preference", of, preferences, critics, RETURNS)


@evidence("linear-both-learn-from-uniform", kind="simulation")
def both_learn(results: Results) -> Finding:
    items = [ends(results, task, estimator) for task in TASKS for estimator in ESTIMATORS]
    summary = (
        "from the uniform policy and a critic of 0 both estimators end above -200, on both tasks"
    )
    # the same agents before the switch of the other experiment, which comes later
    longer = {
        f"Acrobot, {estimator}, after {one.setting['steps'] // 2} steps": (
            fresh("", one, "half", RETURNS, "half").mean
        )
        for estimator in ESTIMATORS
        for one in [linear_nonstationary.record(results, "Acrobot", estimator)]
    }
    return analysis.all_hold(
        summary, [above(item, GOOD) for item in items], _domain(results), longer
    )


@evidence("linear-alternate-faster-from-uniform", kind="simulation")
def alternate_faster(results: Results) -> Finding:
    gaps = [
        less(*(ends(results, task, estimator, of="whole") for estimator in ESTIMATORS), about=task)
        for task in TASKS
    ]
    summary = (
        "from the uniform policy and a critic of 0 alternate has a larger mean return over all"
        " steps than regular, on both tasks"
    )
    about = (
        f"{_domain(results)}; stepsizes chosen by final performance; a return counts once for each"
        " step of its episode"
    )
    return analysis.all_above(summary, gaps, 0.0, about)


@evidence("alternate-escapes-preference-100", kind="simulation")
def escapes(results: Results) -> Finding:
    items = [ends(results, task, "alternate", WORST) for task in TASKS]
    summary = (
        "from preferences (0, 100, 0) and a critic of 0 alternate ends above -400, on both tasks"
    )
    return analysis.all_above(summary, items, LEARNED, _domain(results))


@evidence("alternate-superior-for-almost-all-starts", kind="simulation")
def superior_for_almost_all(results: Results) -> Finding:
    # 24 settings: two tasks, four policies, three critics
    settings = list(product(TASKS, PREFERENCES, CRITICS))
    records = [
        record(results, task, estimator, preference, critic)
        for task, preference, critic in settings
        for estimator in ESTIMATORS
    ]
    step = 1 / len(settings)
    bests = bootstrapped(
        f"share of {len(settings)} settings, best stepsizes",
        share_of_wins,
        [one["fresh_final"][0] for one in records],
        step=step,
    )
    plots = bootstrapped(
        f"share of {len(settings)} settings, mean over all stepsizes",
        share_of_plots_won,
        [one["final"] for one in records],
        step=step,
    )
    summary = (
        "alternate is above regular in the mean over all stepsizes, and at the best stepsizes, in"
        " more than four fifths of the settings: two tasks, four policies and three critics at the"
        " start"
    )
    return analysis.all_hold(
        summary,
        [above(bests, ALMOST_ALL), above(plots, ALMOST_ALL)],
        f"{_domain(results)}; bootstrap over runs",
    )


@evidence("regular-better-at-uniform-minus-500", kind="simulation")
def regular_better_at_pessimism(results: Results) -> Finding:
    pair = ("regular", "alternate")
    plots = [
        less(
            *(plotted(results, task, estimator, (0.0,), (-500.0,)) for estimator in pair),
            about=task,
        )
        for task in TASKS
    ]
    bests = [
        less(*(ends(results, task, estimator, 0.0, -500.0) for estimator in pair), about=task)
        for task in TASKS
    ]
    summary = (
        "from the uniform policy and a critic of -500 regular is above alternate, on both tasks"
    )
    return analysis.agreed(
        {
            "the mean over all stepsizes": analysis.all_above(summary, plots, 0.0, _sweep(results)),
            "the best stepsizes": analysis.all_above(summary, bests, 0.0, _domain(results)),
        }
    )


@evidence("negative-start-hurts-alternate", kind="simulation")
def pessimism_hurts(results: Results) -> Finding:
    gaps = [
        less(
            *(
                plotted(results, task, "alternate", PREFERENCES, (critic,))
                for critic in (0.0, -500.0)
            ),
            about=task,
        )
        for task in TASKS
    ]
    summary = (
        "in the mean over all stepsizes and the four policies at the start alternate is higher with"
        " a critic from 0 than from -500, on both tasks"
    )
    return analysis.all_above(summary, gaps, 0.0, _sweep(results))


@evidence("regular-less-affected-by-critic-start", kind="simulation")
def regular_less_affected(results: Results) -> Finding:
    summary = (
        "in the mean over the four policies at the start, the best of the three starts of the"
        " critic is more than 50 farther above the worst for alternate than for regular, on both"
        " tasks"
    )

    def judged(measure: Callable[[Results, str, str, float], Measured], about: str) -> Finding:
        gaps = [
            less(
                *(_range(measure, results, task, estimator) for estimator in ESTIMATORS), about=task
            )
            for task in TASKS
        ]
        return analysis.all_above(
            summary,
            gaps,
            VISIBLE,
            f"{about}; which start is best and which worst is read off the same runs",
        )

    readings = {
        "the mean over all stepsizes": judged(_plotted_from_all_policies, _sweep(results)),
        "the best stepsizes": judged(_best_from_all_policies, _domain(results)),
    }
    return analysis.agreed(readings)


def _plotted_from_all_policies(
    results: Results, task: str, estimator: str, critic: float
) -> Measured:
    return plotted(results, task, estimator, PREFERENCES, (critic,))


def _best_from_all_policies(results: Results, task: str, estimator: str, critic: float) -> Measured:
    items = [ends(results, task, estimator, preference, critic) for preference in PREFERENCES]
    return joined(
        f"{estimator}, critic {captions.signed(critic)}, the best stepsizes for each policy", items
    )


def _range(
    measure: Callable[[Results, str, str, float], Measured],
    results: Results,
    task: str,
    estimator: str,
) -> Measured:
    """The best start of the critic less the worst."""
    # by the mean: the range of three starts
    items = sorted(
        (measure(results, task, estimator, critic) for critic in CRITICS),
        key=lambda item: item.mean,
    )
    return less(items[-1], items[0], about=f"{task}, {estimator}")


@evidence("linear-saturation-worsens-both", kind="simulation")
def saturation_worsens(results: Results) -> Finding:
    gaps = [
        less(
            *(
                plotted(results, task, estimator, (preference,), CRITICS)
                for preference in (0.0, WORST)
            ),
            about=task,
        )
        for task, estimator in product(TASKS, ESTIMATORS)
    ]
    summary = (
        "in the mean over all stepsizes and three critics each estimator is more than 50 higher"
        " from the uniform policy than from (0, 100, 0), on both tasks"
    )
    return analysis.all_above(summary, gaps, VISIBLE, _sweep(results))


@evidence("alternate-poorer-at-small-critic-steps", kind="simulation")
def poorer_at_small_critic_steps(results: Results) -> Finding:
    conditions = []
    for task in TASKS:
        gaps = {estimator: _large_less_small(results, task, estimator) for estimator in ESTIMATORS}
        conditions += [
            above(gaps["alternate"], VISIBLE),
            above(less(gaps["alternate"], gaps["regular"], about=task), 0.0),
        ]
    summary = (
        "with the three larger β alternate is more than 50 higher than with the three smaller ones,"
        " in the mean over all α and all starts, and by more than regular is, on both tasks"
    )
    return analysis.all_hold(summary, conditions, _sweep(results))


def _large_less_small(results: Results, task: str, estimator: str) -> Measured:
    means = []
    swept = record(results, task, estimator).setting["betas"]
    large, small = (
        [i for i, beta in enumerate(swept) if beta >= MIDDLE],
        [i for i, beta in enumerate(swept) if beta < MIDDLE],
    )
    for words, betas in (("β = 0.5, 1, 2", large), ("β = 0.01, 0.05, 0.1", small)):
        items = [
            over_stepsizes("", record(results, task, estimator, *start), RETURNS, betas)
            for start in product(PREFERENCES, CRITICS)
        ]
        means.append(joined(f"{estimator}, {words}, mean over all α and all starts", items))
    return less(means[0], means[1], about=task)


@evidence("large-stepsizes-good-throughout", kind="simulation")
def good_throughout(results: Results) -> Finding:
    found = {task: record(results, task, "alternate") for task in TASKS}
    swept = {
        (task, alpha): runs
        for task, one in found.items()
        for alpha, runs in zip(one.setting["alphas"], at_best_betas(one["final"]), strict=True)
    }
    about = sweep_domain(
        "tile coding, β chosen on half of the runs, the other half reported", list(found.values())
    )
    start = "from the uniform policy and a critic of 0 alternate ends"
    readings = {
        words: analysis.all_above(
            f"{start} above -200 with every α {which}, each with its best β, on both tasks",
            [
                measured(
                    f"{task}, alternate, α = {captions.fraction(alpha)}, its best β",
                    [runs],
                    RETURNS,
                )
                for (task, alpha), runs in swept.items()
                if alpha >= least
            ],
            GOOD,
            about,
        )
        for words, which, least in (
            ("all stepsizes", "of the sweep", 0.0),
            ("the large ones", "from 2 to 32", LARGE_STEPS),
        )
    }
    gaps = []
    for task in TASKS:
        large = [
            runs for (where, alpha), runs in swept.items() if where == task and alpha >= LARGE_STEPS
        ]
        pooled = measured(
            f"{task}, alternate, mean over α from 2 to 32, each with its best β", large, RETURNS
        )
        gaps.append(less(pooled, ends(results, task, "alternate")))
    readings["the large ones, against its best"] = analysis.all_above(
        f"{start} at most 50 below its best in the mean over α from 2 to 32, each with its best β,"
        " on both tasks",
        gaps,
        -VISIBLE,
        about,
    )
    return analysis.agreed(readings)
