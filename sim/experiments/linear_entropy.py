"""Linear actor-critics with an entropy bonus on the tasks whose actions are switched (paper,
experiment 9 and appendix F.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.sim.experiments.linear_nonstationary import record as without_bonus
from altpg_verify.sim.experiments.linear_nonstationary import switched
from altpg_verify.sim.experiments.linear_panel import ESTIMATORS, QUICK_WORDS, TASKS, experiment
from altpg_verify.sim.experiments.online_measures import sensitivities
from altpg_verify.sim.figures import FigureData, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "entropy_sensitivity"
TAUS = (0.1, 0.3, 0.5, 0.7, 0.9)
FRESH = 320


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        switched(estimator, task, profile, FRESH, tau=tau)
        for task in TASKS
        for tau in TAUS
        for estimator in ESTIMATORS
    ]


def record(results: Results, task: str, estimator: str, tau: float) -> Record:
    """The sweep of one agent, with a bonus or without.

    Arrays are those of `online_panel.sweep`.

    Args:
        tau: weight of the entropy bonus, 0 or one of `TAUS`.
    """
    return (
        results.one(NAME, task=task, estimator=estimator, tau=tau)
        if tau
        else without_bonus(results, task, estimator)
    )


def _figures(results: Results) -> list[FigureData]:
    made = []
    for task in TASKS:
        shown = {
            (estimator, tau): record(results, task, estimator, tau)
            for estimator in ESTIMATORS
            for tau in (0.0, *TAUS)
        }
        panels = tuple(
            stepsize_panel(f"{estimator}, τ = {tau:g}", "return", sensitivities(one))
            for (estimator, tau), one in shown.items()
        )
        example = shown[ESTIMATORS[0], TAUS[0]].setting
        caption = (
            f"{task} with its actions switched at half-time, softmax policies with an entropy bonus"
            f" τ: mean return over the last {example['last']} steps against the stepsize of the"
            f" policy, for each stepsize β of the critic; {example['runs']} runs."
        )
        alt = (
            f"Twelve panels of return against stepsize on {task}: alternate and regular with six"
            " weights of the entropy bonus."
        )
        made.append(
            FigureData(f"{NAME}_{task.lower()}", f"Entropy bonus, {task}", caption, alt, panels)
        )
    return made


ENTROPY_SENSITIVITY = experiment(
    NAME,
    "linear actor-critic with an entropy bonus, actions switched",
    "figure entropy_sensitivity",
    {
        "quick": QUICK_WORDS,
        "paper": (
            "τ = 0.1 ... 0.9, 50 runs of 200 000 or 400 000 steps, 10 α × 6 β: the paper's own (τ ="
            " 0 is the experiment above)"
        ),
    },
    _cells,
    figures=_figures,
)
