"""What the paper says of an entropy bonus on the tasks whose actions are switched (section 7,
experiment 9, and appendix F.3).

The best τ of an estimator is the one whose best stepsizes did best in the sweep, by the same
performance that its stepsizes are chosen by; what is reported are fresh runs. Where a sentence
names no task it is said of both. How words are read as numbers:
`altpg_verify.sim.experiments.readings`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import Measured, above, below, less
from altpg_verify.sim.bootstrap import bootstrapped, lead_near_best
from altpg_verify.sim.experiments.linear_entropy import TAUS, record
from altpg_verify.sim.experiments.linear_nonstationary_claims import (
    NEAR,
    SETTING,
    ends,
    fails_to_recover,
)
from altpg_verify.sim.experiments.linear_panel import ESTIMATORS, RETURNS, TASKS
from altpg_verify.sim.experiments.online_measures import (
    CHOICE,
    at,
    at_best_betas,
    best_of,
    domain,
    fall,
    fresh,
    over_stepsizes,
    sweep_domain,
)
from altpg_verify.sim.experiments.online_panel import CHOICES
from altpg_verify.sim.experiments.readings import (
    ALMOST_ALL,
    FAILS_TO_RECOVER,
    LARGE,
    LEARNED,
    MUCH,
    NEVER,
    VISIBLE,
)
from altpg_verify.sim.results import Record, Results

FLOOR = -900.0
"""A pair of stepsizes at which neither estimator comes above it shows nothing of either."""


def _records(results: Results, *tasks: str) -> list[Record]:
    return [
        record(results, task, name, tau)
        for task in tasks
        for name in ESTIMATORS
        for tau in (0.0, *TAUS)
    ]


def _domain(results: Results) -> str:
    return domain(
        f"{SETTING}; τ = 0.1 ... 0.9, the best chosen like the stepsizes", _records(results, *TASKS)
    )


def _sweep(results: Results, *tasks: str) -> str:
    return sweep_domain(SETTING, _records(results, *tasks))


def with_bonus(results: Results, task: str, choice: str, estimator: str = "regular") -> Measured:
    """Final performance of fresh runs with the best τ > 0.

    Args:
        choice: by which performance τ and the stepsizes are chosen: "half" or "final".
    """
    best = best_tau(results, task, choice, estimator)
    return fresh(f"{estimator}, τ = {best.setting['tau']:g}", best, choice, RETURNS)


def best_tau(results: Results, task: str, choice: str, estimator: str = "regular") -> Record:
    """The sweep with the best τ > 0.

    τ is compared at the best stepsizes of each, in the sweep.
    """
    return best_of([record(results, task, estimator, tau) for tau in TAUS], choice)


@evidence("entropy-bonus-no-help-to-regular", kind="simulation")
def no_help_to_regular(results: Results) -> Finding:
    return analysis.agreed(
        {f"the stepsizes {CHOICE[choice]}": _no_help(results, choice) for choice in CHOICES}
    )


def _no_help(results: Results, choice: str) -> Finding:
    conditions = []
    for task in TASKS:
        plain = record(results, task, "regular", 0.0)
        conditions += [
            above(at(f"{task}, regular", plain, "half", "returns", "before", RETURNS), LEARNED),
            above(fall(f"{task}, regular", plain, "half", RETURNS), MUCH),
            below(
                less(
                    with_bonus(results, task, choice),
                    ends(results, task, "regular", choice),
                    about=task,
                ),
                VISIBLE,
            ),
        ]
    summary = (
        "regular, which comes to a return above -400 and falls by more than 100 at the switch,"
        " ends less than 50 higher with its best τ than without a bonus, each at the stepsizes"
        f" {CHOICE[choice]}, on both tasks"
    )
    return analysis.all_hold(summary, conditions, _domain(results))


@evidence("regular-with-entropy-does-not-recover", kind="simulation")
def does_not_recover_with_bonus(results: Results) -> Finding:
    conditions = []
    for task in TASKS:
        best = best_tau(results, task, "half")
        label = f"{task}, regular, τ = {best.setting['tau']:g}"
        conditions += fails_to_recover(label, best, FAILS_TO_RECOVER)
    summary = (
        "at the stepsizes best at half-time regular with its best τ has returns above -400 before"
        " the switch, falls by more than 100, and makes up for less than half of that, on both"
        " tasks"
    )
    return analysis.all_hold(summary, conditions, _domain(results))


@evidence("regular-entropy-worse-than-alternate", kind="simulation")
def worse_than_alternate(results: Results) -> Finding:
    gaps = [
        less(
            ends(results, task, "alternate", choice), with_bonus(results, task, choice), about=task
        )
        for task in TASKS
        for choice in CHOICES
    ]
    summary = (
        "alternate without a bonus ends above regular with its best τ, for both sets of stepsizes,"
        " on both tasks"
    )
    return analysis.all_above(summary, gaps, 0.0, _domain(results))


@evidence("alternate-not-worse-than-regular-entropy", kind="simulation")
def not_worse(results: Results) -> Finding:
    conditions = []
    for task in TASKS:
        regular = _plotted_with_best_tau(results, task, "regular")
        # without a bonus, and with the best one
        for alternate in (
            _over(results, task, 0.0, "alternate", _SECOND),
            _plotted_with_best_tau(results, task, "alternate"),
        ):
            conditions += [
                above(alternate, NEVER + MUCH),
                above(less(alternate, regular, about=task), -VISIBLE),
            ]
    summary = (
        "in the mean over all stepsizes alternate, without a bonus and with its best τ, ends above"
        " -850, which is more than an agent that never learns comes to, and at most 50 below"
        " regular with its best τ, on both tasks"
    )
    return analysis.all_hold(summary, conditions, _by_halves(results))


@evidence("entropy-significantly-improves-regular", kind="simulation")
def improves_regular(results: Results) -> Finding:
    plain = {task: _over(results, task, 0.0, "regular", _SECOND) for task in TASKS}
    gaps = [
        less(_plotted_with_best_tau(results, task, "regular"), plain[task], about=task)
        for task in TASKS
    ]
    summary = (
        "regular with its best τ ends more than 100 higher than without a bonus, in the mean over"
        " all stepsizes, on both tasks"
    )
    return analysis.all_above(summary, gaps, MUCH, _by_halves(results))


_FIRST, _SECOND = slice(None, None, 2), slice(1, None, 2)


def _plotted_with_best_tau(results: Results, task: str, estimator: str) -> Measured:
    """The mean over all stepsizes at the τ > 0 whose mean is largest in one half of the runs,
    measured in the other.
    """
    best = max(TAUS, key=lambda tau: _over(results, task, tau, estimator, _FIRST).mean)
    return _over(results, task, best, estimator, _SECOND)


def _by_halves(results: Results) -> str:
    return f"{_sweep(results, *TASKS)}; τ chosen on half of the runs, the other half reported"


@evidence("alternate-beats-regular-entropy-widely", kind="simulation")
def beats_widely(results: Results) -> Finding:
    items = []
    for task in TASKS:
        samples = [
            record(results, task, estimator, tau)["final"]
            for tau in TAUS
            for estimator in ESTIMATORS
        ]
        # one pair of stepsizes more or less
        step = 1 / (samples[0][..., 0].size * len(TAUS))
        items.append(
            bootstrapped(f"{task}, share of α, β and τ", _wins_where_learned, samples, step=step)
        )
    summary = (
        "of the stepsize pairs and τ, the same for both, at which either comes above -900,"
        " alternate ends above regular at more than four fifths, on both tasks"
    )
    return analysis.all_above(
        summary,
        items,
        ALMOST_ALL,
        f"{_sweep(results, *TASKS)}; τ = 0.1 ... 0.9, bootstrap over runs",
    )


def _wins_where_learned(means: Sequence[np.ndarray]) -> float:
    one, other = np.stack(means[::2]), np.stack(means[1::2])
    shown = np.maximum(one, other) > FLOOR
    return float((one > other)[shown].mean()) if shown.any() else 0.0


@evidence("entropy-helps-alternate-slightly", kind="simulation")
def helps_alternate(results: Results) -> Finding:
    car, acrobot = (
        less(*(_over(results, task, tau) for tau in (0.1, 0.0)), about=task) for task in TASKS
    )
    summary = (
        "alternate ends higher with τ = 0.1 than without a bonus on Acrobot, and on neither task by"
        " 100 or more, in the mean over all stepsizes"
    )
    return analysis.all_hold(
        summary,
        [above(acrobot, 0.0), below(acrobot, MUCH), below(car, MUCH)],
        _sweep(results, *TASKS),
    )


@evidence("large-tau-hurts-alternate", kind="simulation")
def large_tau_hurts(results: Results) -> Finding:
    gaps = [
        less(*(_over(results, task, tau) for tau in (0.0, large)), about=task)
        for task in TASKS
        for large in TAUS[-2:]
    ]
    summary = (
        "alternate ends more than 50 higher without a bonus than with τ = 0.7 and than with τ ="
        " 0.9, in the mean over all stepsizes, on both tasks"
    )
    return analysis.all_above(summary, gaps, VISIBLE, _sweep(results, *TASKS))


def _over(
    results: Results, task: str, tau: float, estimator: str = "alternate", runs: slice = slice(None)
) -> Measured:
    shown = record(results, task, estimator, tau)
    part = Record(shown.setting, {"final": shown["final"][..., runs]})
    return over_stepsizes(f"{estimator}, τ = {tau:g}", part, RETURNS)


@evidence("entropy-helps-regular-sensitivity", kind="simulation")
def helps_sensitivity(results: Results) -> Finding:
    items = []
    for task in TASKS:
        # with the best τ first, without a bonus second: `lead_near_best` takes the difference
        records = [best_tau(results, task, "final"), record(results, task, "regular", 0.0)]
        tops = [at_best_betas(one["final"]) for one in records]
        label = f"{task}, τ = {records[0].setting['tau']:g}: share of α less the same without"
        items.append(
            bootstrapped(label, partial(lead_near_best, distance=NEAR), tops, step=1 / len(tops[0]))
        )
    summary = (
        "with its best τ the share of the stepsizes α of regular that are within 50 of the best of"
        " both, each α with its best β, is larger by more than a tenth than without a bonus, on"
        " both tasks"
    )
    about = (
        f"{_sweep(results, *TASKS)}; β chosen on half of the runs, shares of the other half,"
        " bootstrap over runs"
    )
    return analysis.all_above(summary, items, LARGE, about)
