"""What the paper says of escort policies on the tasks whose actions are switched (section 7,
experiment 9, and appendix F.3).

The best power p is the one whose best stepsizes did best in the sweep, by the same performance that
its stepsizes are chosen by; what is reported are fresh runs. Where a sentence names no task it is
said of both. How words are read as numbers: `altpg_verify.sim.experiments.readings`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import Measured, above, below, less
from altpg_verify.sim.bootstrap import bootstrapped
from altpg_verify.sim.experiments.linear_escort import POWERS, record
from altpg_verify.sim.experiments.linear_more_runs import ESCORT_POWERS, ESCORT_TASK
from altpg_verify.sim.experiments.linear_more_runs import escort as with_more_runs
from altpg_verify.sim.experiments.linear_nonstationary import record as softmax
from altpg_verify.sim.experiments.linear_nonstationary_claims import (
    NEAR,
    SETTING,
    ends,
    fails_to_recover,
)
from altpg_verify.sim.experiments.linear_panel import RETURNS, TASKS
from altpg_verify.sim.experiments.online_measures import (
    best_of,
    domain,
    fall,
    fresh,
    over_stepsizes,
    recovery,
    sweep_domain,
)
from altpg_verify.sim.experiments.online_panel import CHOICES
from altpg_verify.sim.experiments.readings import (
    FAILS_TO_RECOVER,
    GOOD,
    MOST,
    MUCH,
    RECOVERS,
    VISIBLE,
)
from altpg_verify.sim.results import Record, Results


def _domain(results: Results, *tasks: str) -> str:
    records = [record(results, task, power) for task in tasks for power in POWERS]
    rivals = [softmax(results, task, "alternate") for task in tasks]
    return domain(
        f"{SETTING}; p = 1, 2, 3, 5, 10, the best chosen like the stepsizes", [*records, *rivals]
    )


def _sweep(results: Results) -> str:
    return sweep_domain(
        f"{SETTING}; p = 1, 2, 3, 5, 10",
        [record(results, task, power) for task in TASKS for power in POWERS],
    )


def best_power(results: Results, task: str, choice: str) -> Record:
    """The sweep of the best power.

    Powers are compared at the best stepsizes of each, in the sweep.
    """
    return best_of([record(results, task, power) for power in POWERS], choice)


def name(shown: Record) -> str:
    """The agent in words: escort, p = 2."""
    return f"escort, p = {shown.setting['policy'].partition(':')[2]}"


def escort(results: Results, task: str, choice: str) -> Measured:
    """Final performance of fresh runs with the best power.

    Args:
        choice: by which performance p and the stepsizes are chosen: "half" or "final".
    """
    shown = best_power(results, task, choice)
    return fresh(name(shown), shown, choice, RETURNS)


@evidence("escort-handles-nonstationarity", kind="simulation")
def handles(results: Results) -> Finding:
    conditions = []
    for choice in CHOICES:
        shown = best_power(results, "MountainCar", choice)
        conditions += [
            above(fall(name(shown), shown, choice, RETURNS), MUCH),
            above(recovery(name(shown), shown, choice), FAILS_TO_RECOVER),
        ]
    summary = (
        "on MountainCar escort with its best p falls by more than 100 and makes up for more than"
        " half of that, for both sets of stepsizes"
    )
    return analysis.all_hold(summary, conditions, _domain(results, "MountainCar"))


@evidence("escort-slightly-better-mountaincar", kind="simulation")
def better_on_mountaincar(results: Results) -> Finding:
    gap = less(
        escort(results, "MountainCar", "half"),
        ends(results, "MountainCar", "alternate", "half"),
        about="MountainCar",
    )
    summary = (
        "on MountainCar, at the stepsizes best at half-time, escort with its best p ends above"
        " alternate, by less than 100"
    )
    return analysis.all_hold(
        summary, [above(gap, 0.0), below(gap, MUCH)], _domain(results, "MountainCar")
    )


@evidence("alternate-better-than-escort-acrobot", kind="simulation")
def worse_on_acrobot(results: Results) -> Finding:
    gap = less(
        ends(results, "Acrobot", "alternate", "half"),
        escort(results, "Acrobot", "half"),
        about="Acrobot",
    )
    summary = (
        "on Acrobot, at the stepsizes best at half-time, alternate ends above escort with its"
        " best p"
    )
    return analysis.all_above(summary, [gap], 0.0, _domain(results, "Acrobot"))


@evidence("escort-best-better-on-acrobot", kind="simulation")
def best_better_on_acrobot(results: Results) -> Finding:
    gap = less(
        escort(results, "Acrobot", "final"),
        ends(results, "Acrobot", "alternate", "final"),
        about="Acrobot",
    )
    summary = (
        "on Acrobot, at the stepsizes best at the end, escort with its best p ends above alternate"
    )
    return analysis.all_above(summary, [gap], 0.0, _domain(results, "Acrobot"))


@evidence("escort-best-does-not-recover", kind="simulation")
def does_not_recover(results: Results) -> Finding:
    conditions = []
    for task in TASKS:
        shown = best_power(results, task, "half")
        conditions += fails_to_recover(f"{task}, {name(shown)}", shown, RECOVERS)
    summary = (
        "escort with the p and the stepsizes best at half-time has returns above -400 before the"
        " switch, falls by more than 100, and makes up for less than three quarters of that, on"
        " both tasks"
    )
    return analysis.all_hold(summary, conditions, _domain(results, *TASKS))


@evidence("escort-sensitive-to-power", kind="simulation")
def sensitive_to_power(results: Results) -> Finding:
    gaps = []
    for task in TASKS:
        ranked = sorted(
            (record(results, task, power) for power in POWERS),
            # ranked on every other run, and reported on the rest
            key=lambda one: one["final"][..., ::2].mean(),
        )
        top, bottom = (_second_half(one) for one in (ranked[-1], ranked[0]))
        gaps.append(less(top, bottom, about=task))
    summary = (
        "escort ends more than 50 higher with the best p than with the worst, in the mean over all"
        " stepsizes, on both tasks"
    )
    about = (
        f"{_sweep(results)}; the best and the worst p chosen on half of the runs, the other half"
        " reported"
    )
    return analysis.all_above(summary, gaps, VISIBLE, about)


def _second_half(shown: Record) -> Measured:
    return over_stepsizes(
        name(shown), Record(shown.setting, {"final": shown["final"][..., 1::2]}), RETURNS
    )


@evidence("escort-good-at-two-and-three", kind="simulation")
def good_at_two_and_three(results: Results) -> Finding:
    items, near = [], {}
    for task in TASKS:
        swept = {power: record(results, task, power)["final"] for power in POWERS}
        # over all powers, for the share that is shown beside the finding
        best = max(float(values.mean(axis=-1).max()) for values in swept.values())
        for power in (2, 3):
            step = 1 / swept[power][..., 0].size
            items.append(
                bootstrapped(
                    f"{task}, p = {power}, share of α and β", _share_good, [swept[power]], step=step
                )
            )
            near[f"{task}, p = {power}, within 50 of the best of all p"] = float(
                np.mean(swept[power].mean(axis=-1) >= best - NEAR)
            )
    summary = (
        "with p = 2 and with p = 3 more than half of the stepsize pairs end above -200, on both"
        " tasks"
    )
    return analysis.all_hold(
        summary,
        [above(item, MOST) for item in items],
        f"{_sweep(results)}; bootstrap over runs",
        near,
    )


def _share_good(means: Sequence[np.ndarray]) -> float:
    return float(np.mean(means[0] > GOOD))


@evidence("escort-worse-at-one-and-ten", kind="simulation")
def worse_at_one_and_ten(results: Results) -> Finding:
    gaps = []
    for task, good, poor in product(TASKS, (2, 3), (1, 10)):
        one, other = (
            over_stepsizes(f"p = {p}", with_more_runs(results, task, p), RETURNS)
            for p in (good, poor)
        )
        gaps.append(less(one, other, about=task))
    summary = (
        "escort ends more than 100 higher with p = 2 and p = 3 than with p = 1 and with p = 10, in"
        " the mean over all stepsizes, on both tasks"
    )
    powers = " and ".join(map(str, ESCORT_POWERS))
    runs = with_more_runs(results, ESCORT_TASK, ESCORT_POWERS[0]).setting["runs"]
    return analysis.all_above(
        summary, gaps, MUCH, f"{_sweep(results)}; {runs} runs for p = {powers} on {ESCORT_TASK}"
    )
