"""Linear actor-critics on MountainCar and Acrobot whose actions are switched at half-time (paper,
experiment 6 and appendix F.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.sim.experiments.linear_panel import (
    ESTIMATORS,
    QUICK,
    QUICK_WORDS,
    STEPS,
    TASKS,
    experiment,
    panel,
)
from altpg_verify.sim.experiments.online_measures import AXIS, CHOICE, curve, sensitivities
from altpg_verify.sim.experiments.online_panel import CHOICES, CURVES
from altpg_verify.sim.figures import FigureData, Panel, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "linear_nonstationary_combined"
FRESH = 768
PROTOCOL = (
    "50 runs of 200 000 steps (MountainCar) or 400 000 (Acrobot), left and right switched half-way,"
    " 10 α × 6 β: the paper's own; the stepsizes that it chooses are run again"
)


def switched(estimator: str, task: str, profile: str, fresh: int, **more: Any) -> dict[str, Any]:
    """A cell of the tasks whose actions left and right are exchanged at half-time.

    Args:
        fresh: how many runs the best stepsizes get at the paper's scale.
        more: as for `linear_panel.panel`.
    """
    sizes = {"fresh": fresh} if profile == "paper" else QUICK
    return panel(
        task,
        estimator,
        STEPS[task] if profile == "paper" else 40_000,
        switch="actions",
        choices=CHOICES,
        **more,
        **sizes,
    )


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [switched(estimator, task, profile, FRESH) for task in TASKS for estimator in ESTIMATORS]


def record(results: Results, task: str, estimator: str) -> Record:
    """The sweep of one agent without an entropy bonus; arrays as of `online_panel.sweep`."""
    return results.one(NAME, task=task, estimator=estimator)


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for task in TASKS:
        for what in CURVES:
            series = tuple(
                curve(
                    f"{estimator}, {CHOICE[choice]}", record(results, task, estimator), choice, what
                )
                for estimator in ESTIMATORS
                for choice in CHOICES
            )
            panels.append(Panel(task, "step", AXIS[what], series=series))
    example = record(results, TASKS[0], ESTIMATORS[0]).setting
    caption = (
        "Linear actor-critics whose actions left and right are switched at half-time: return of"
        " the episodes that end in each bin, entropy of the policy in the states visited, and the"
        " critic's value of the start states; at the stepsizes that are best at half-time, and at"
        f" those best at the end, chosen on {example['runs']} runs and shown on {example['fresh']}"
        " fresh ones. Bands are two standard errors."
    )
    alt = (
        "Six panels of curves over steps: return, entropy and start value on MountainCar and on"
        " Acrobot."
    )
    made = [FigureData(NAME, "Actions switched at half-time", caption, alt, tuple(panels))]
    for choice, when, suffix in (("final", "the end", ""), ("half", "half-time", "_half")):
        panels = [
            stepsize_panel(
                f"{task}, {estimator}",
                "return",
                sensitivities(record(results, task, estimator), choice),
            )
            for task in TASKS
            for estimator in ESTIMATORS
        ]
        caption = (
            f"Actions switched at half-time: mean return over the last {example['last']} steps"
            f" before {when}, against the stepsize of the policy, for each stepsize β of the"
            f" critic; {example['runs']} runs."
        )
        alt = (
            f"Four panels of return before {when} against stepsize: MountainCar and Acrobot,"
            " alternate and regular."
        )
        made.append(
            FigureData(
                f"linear_nonstationary_sensitivity{suffix}",
                f"Stepsizes: return before {when}",
                caption,
                alt,
                tuple(panels),
            )
        )
    return made


LINEAR_NONSTATIONARY = experiment(
    NAME,
    "linear actor-critic, actions switched at half-time",
    "figures linear_nonstationary_combined and linear_nonstationary_sensitivity",
    {"quick": QUICK_WORDS, "paper": PROTOCOL},
    _cells,
    figures=_figures,
)
