"""What the paper says of linear actor-critics whose actions are switched at half-time (section 7,
experiment 6, and appendix F.1, F.2).

Stepsizes are chosen as the paper chooses them, on 50 runs; what is reported are fresh runs at them.
"Both sets" are the stepsizes best at half-time and those best at the end. How words are read as
numbers: `altpg_verify.sim.experiments.readings`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import Measured, above, below, less
from altpg_verify.sim.bootstrap import lead_near_best
from altpg_verify.sim.experiments.linear_nonstationary import record
from altpg_verify.sim.experiments.linear_panel import ESTIMATORS, RETURNS, TASKS
from altpg_verify.sim.experiments.online_measures import (
    CHOICE,
    at,
    change,
    domain,
    fall,
    fresh,
    over_stepsizes,
    recovery,
    sweep_domain,
    typical,
)
from altpg_verify.sim.experiments.online_panel import CHOICES
from altpg_verify.sim.experiments.readings import (
    ALMOST_ALL,
    FAILS_TO_RECOVER,
    GOOD,
    LEARNED,
    MUCH,
    RECOVERS,
    SMALL,
    VISIBLE,
)
from altpg_verify.sim.results import Record, Results

LARGEST_ENTROPY = 1.0986122886681098
"""ln 3."""
ENTROPY = (0.0, LARGEST_ENTROPY)
JUMP = SMALL * LARGEST_ENTROPY

Measure = Callable[[str, Record, str, str, str], Measured]
NEAR = VISIBLE
"""So far below the best a stepsize pair still counts as as good."""

SETTING = "tile coding, actions switched at half-time"


def _domain(results: Results, *tasks: str) -> str:
    return domain(SETTING, [record(results, task, name) for task in tasks for name in ESTIMATORS])


def ends(results: Results, task: str, estimator: str, choice: str) -> Measured:
    """Final performance of fresh runs without an entropy bonus.

    A return, between -1000 and 0, over the last 5000 steps.
    """
    return fresh(estimator, record(results, task, estimator), choice, RETURNS)


def advantage(results: Results, task: str, choice: str) -> Measured:
    """Alternate less regular at the end, each at its stepsizes of that choice.

    Positive where alternate is better.
    """
    alternate, regular = (ends(results, task, estimator, choice) for estimator in ESTIMATORS)
    return less(alternate, regular, about=task)


@evidence("mountaincar-alternate-superior", kind="simulation")
def alternate_superior(results: Results) -> Finding:
    gaps = [advantage(results, "MountainCar", choice) for choice in CHOICES]
    return analysis.all_above(
        "on MountainCar alternate ends above regular, for both sets of stepsizes",
        gaps,
        0.0,
        _domain(results, "MountainCar"),
    )


def fails_to_recover(label: str, shown: Record, share: float) -> list[Any]:
    """It has learned before the switch, falls by much, and makes up for less than a share of that;
    at the stepsizes best at half-time.

    Args:
        share: of the fall, between 0 and 1.
    """
    return [
        above(at(label, shown, "half", "returns", "before", RETURNS), LEARNED),
        above(fall(label, shown, "half", RETURNS), MUCH),
        below(recovery(label, shown, "half"), share),
    ]


@evidence("mountaincar-regular-does-not-recover", kind="simulation")
def regular_does_not_recover(results: Results) -> Finding:
    shown = record(results, "MountainCar", "regular")
    summary = (
        "on MountainCar regular, best at half-time, has returns above -400 before the switch, falls"
        " by more than 100, and makes up for less than half of that by the end"
    )
    conditions = fails_to_recover("regular", shown, FAILS_TO_RECOVER)
    return analysis.all_hold(summary, conditions, _domain(results, "MountainCar"))


@evidence("mountaincar-alternate-recovers", kind="simulation")
def alternate_recovers(results: Results) -> Finding:
    shown = record(results, "MountainCar", "alternate")
    regular = at(
        "regular", record(results, "MountainCar", "regular"), "half", "returns", "before", RETURNS
    )
    before = at("alternate", shown, "half", "returns", "before", RETURNS)
    summary = (
        "on MountainCar alternate, best at half-time, is at most 50 below regular before the"
        " switch, falls by more than 100, and makes up for more than three quarters of that by"
        " the end"
    )
    conditions = [
        above(less(before, regular), -VISIBLE),
        above(fall("alternate", shown, "half", RETURNS), MUCH),
        above(recovery("alternate", shown, "half"), RECOVERS),
    ]
    return analysis.all_hold(summary, conditions, _domain(results, "MountainCar"))


@evidence("acrobot-difference-smaller", kind="simulation")
def acrobot_difference_smaller(results: Results) -> Finding:
    conditions: list[Any] = []
    single: dict[str, float] = {}
    for choice in CHOICES:
        car, acrobot = (advantage(results, task, choice) for task in TASKS)
        conditions += [above(acrobot, 0.0), above(less(car, acrobot), 0.0)]
        single |= {
            f"{task}, {CHOICE[choice]}": gap.mean
            for task, gap in zip(TASKS, (car, acrobot), strict=True)
        }
    summary = (
        "on Acrobot alternate ends above regular, by less than on MountainCar, for both sets of"
        " stepsizes"
    )
    return analysis.all_hold(summary, conditions, _domain(results, *TASKS), single)


@evidence("critic-predicts-about-minus-200", kind="simulation")
def critic_about_200(results: Results) -> Finding:
    shown = record(results, "MountainCar", "alternate")
    summary = (
        "on MountainCar the critic of alternate, best at half-time, values the start between -250"
        " and -150 at half-time"
    )

    def judged(measure: Measure) -> Finding:
        value = measure("alternate", shown, "half", "start_value", "before")
        return analysis.all_within(summary, [value], GOOD, VISIBLE, _domain(results, "MountainCar"))

    return analysis.agreed({"the mean over runs": judged(at), "the typical run": judged(typical)})


@evidence("critic-above-minus-200", kind="simulation")
def critic_above_200(results: Results) -> Finding:
    summary = (
        "on MountainCar both estimators, best at half-time, have returns above -200 just before the"
        " switch, and critics that value the start above -200"
    )

    def judged(measure: Measure) -> Finding:
        shown = {name: record(results, "MountainCar", name) for name in ESTIMATORS}
        items = [
            measure(name, one, "half", what, "before")
            for name, one in shown.items()
            for what in ("returns", "start_value")
        ]
        return analysis.all_above(summary, items, GOOD, _domain(results, "MountainCar"))

    return analysis.agreed({"the mean over runs": judged(at), "the typical run": judged(typical)})


@evidence("returns-fall-below-minus-200", kind="simulation")
def returns_fall(results: Results) -> Finding:
    conditions = []
    for name in ESTIMATORS:
        shown = record(results, "MountainCar", name)
        before, after = (
            at(name, shown, "half", "returns", when, RETURNS) for when in ("before", "after")
        )
        # -300: as far below -200 as is visible on the plots' scale
        conditions += [above(before, GOOD - MUCH), below(after, GOOD - MUCH)]
    summary = (
        "on MountainCar the mean return of both estimators, best at half-time, is above -300 in the"
        " 5000 steps before the switch and below -300 in those after it"
    )
    return analysis.all_hold(summary, conditions, _domain(results, "MountainCar"))


@evidence("entropy-jumps-for-alternate-only", kind="simulation")
def entropy_jumps(results: Results) -> Finding:
    moved = {
        name: change(name, record(results, "MountainCar", name), "half", "entropy", ENTROPY)
        for name in ESTIMATORS
    }
    summary = (
        "on MountainCar, stepsizes best at half-time, the policy's entropy rises by more than a"
        " twentieth of ln 3 from the last 5000 steps before the switch to the first 5000 after it"
        " for alternate, and not for regular"
    )
    conditions = [above(moved["alternate"], JUMP), below(moved["regular"], JUMP)]
    return analysis.all_hold(summary, conditions, _domain(results, "MountainCar"))


@evidence("thousand-steps-enough", kind="simulation")
def thousand_steps_enough(results: Results) -> Finding:
    groups, records = [], []
    for task in TASKS:
        for estimator in ESTIMATORS:
            shown = record(results, task, estimator)
            records.append(shown)
            groups.append((f"{task}, {estimator}, all α and β", shown["first_goal"] >= 0))
    summary = (
        "with episodes cut at 1000 steps more than four fifths of all runs, at all stepsizes, reach"
        " a true end, both estimators, both tasks"
    )
    about = sweep_domain("tile coding, uniform policy at the start", records)
    return analysis.share_above(summary, groups, ALMOST_ALL, about)


@evidence("alternate-less-sensitive-nonstationary", kind="simulation")
def less_sensitive(results: Results) -> Finding:
    conditions: list[Any] = []
    everything: list[Record] = []
    numbers: dict[str, float] = {}
    for task in TASKS:
        records = {name: record(results, task, name) for name in ESTIMATORS}
        everything += records.values()
        for choice in CHOICES:
            plots = [
                over_stepsizes(f"{name}, mean over all α and β", one, RETURNS, of=choice)
                for name, one in records.items()
            ]
            bests = [fresh(name, one, choice, RETURNS, choice) for name, one in records.items()]
            gap, lead = (less(*items, about=f"{task}, {choice}") for items in (plots, bests))
            # less sensitive, and not because it is worse everywhere
            conditions += [above(gap, MUCH), above(lead, -VISIBLE)]
            means = [one[choice].mean(axis=-1, dtype=np.float64) for one in records.values()]
            numbers[f"{task}, {choice}: mean over α and β, alternate less regular"] = gap.mean
            numbers[
                f"{task}, {choice}: share within 50 of the best of both, alternate less regular"
            ] = lead_near_best(means, NEAR)
    summary = (
        "in the mean over all stepsizes alternate is more than 100 above regular, and at its best"
        " stepsizes at most 50 below it, at half-time and at the end, on both tasks"
    )
    return analysis.all_hold(summary, conditions, sweep_domain(SETTING, everything), numbers)
