"""Linear actor-critics on MountainCar and Acrobot from saturated policies and values started apart
(paper, appendix F.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.sim.captions import signed
from altpg_verify.sim.experiments.linear_panel import (
    ESTIMATORS,
    QUICK,
    QUICK_WORDS,
    TASKS,
    experiment,
    panel,
)
from altpg_verify.sim.experiments.online_measures import AXIS, curve, few_sensitivities
from altpg_verify.sim.figures import FigureData, Panel, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "linear_ac_mc_stepsize_sensitivity"
PREFERENCES = (0.0, 5.0, 10.0, 100.0)
"""Of doing nothing, at the start; those of left and right are 0."""

CRITICS = (0.0, 500.0, -500.0)
FRESH = 384


def _cells(profile: str) -> list[Mapping[str, Any]]:
    steps, sizes = (50_000, {"fresh": FRESH}) if profile == "paper" else (20_000, QUICK)
    return [
        panel(task, estimator, steps, theta=(0.0, preference, 0.0), critic=critic, **sizes)
        for task in TASKS
        for preference in PREFERENCES
        for critic in CRITICS
        for estimator in ESTIMATORS
    ]


def record(
    results: Results, task: str, estimator: str, preference: float = 0.0, critic: float = 0.0
) -> Record:
    """The sweep of one agent; arrays as of `online_panel.sweep`.

    Args:
        preference: θ of doing nothing at the start; critic: value of every state.
    """
    return results.one(
        NAME, task=task, estimator=estimator, theta=[0.0, preference, 0.0], critic=critic
    )


def _figures(results: Results) -> list[FigureData]:
    curves = tuple(
        Panel(
            task,
            "step",
            AXIS["returns"],
            series=tuple(
                curve(name, record(results, task, name), "final", "returns") for name in ESTIMATORS
            ),
        )
        for task in TASKS
    )
    example = record(results, TASKS[0], ESTIMATORS[0]).setting
    caption = (
        "Linear actor-critics from a uniform policy and a critic of 0: return of the episodes that"
        f" end in each bin, at the stepsizes best at the end, chosen on {example['runs']} runs and"
        f" shown on {example['fresh']} fresh ones. Bands are two standard errors."
    )
    alt = "Two panels of return over steps, on MountainCar and on Acrobot."
    made = [
        FigureData(
            "linear_ac_mc_learning_curve", "Learning from a uniform policy", caption, alt, curves
        )
    ]
    for task in TASKS:
        panels = []
        for preference in PREFERENCES:
            for critic in CRITICS:
                shown = {
                    estimator: record(results, task, estimator, preference, critic)
                    for estimator in ESTIMATORS
                }
                series = tuple(one for each in shown.items() for one in few_sensitivities(*each))
                panels.append(
                    stepsize_panel(
                        f"(0, {preference:g}, 0), critic {signed(critic)}", "return", series
                    )
                )
        caption = (
            f"{task}, from these preferences for left, do nothing and right and a critic started at"
            f" 0, +500 or −500: mean return over the last {example['last']} of {example['steps']}"
            f" steps against the stepsize; {example['runs']} runs."
        )
        alt = (
            f"Twelve panels of return against stepsize on {task}: four starts of the policy, three"
            " of the critic."
        )
        made.append(
            FigureData(
                f"{NAME}_{task.lower()}", f"Saturated starts, {task}", caption, alt, tuple(panels)
            )
        )
    return made


LINEAR_SATURATED = experiment(
    NAME,
    "linear actor-critic from saturated policies",
    "figures linear_ac_mc_stepsize_sensitivity and linear_ac_mc_learning_curve",
    {
        "quick": QUICK_WORDS,
        "paper": "4 policies × 3 critics, 50 runs of 50 000 steps, 10 α × 6 β: the paper's own",
    },
    _cells,
    figures=_figures,
)
