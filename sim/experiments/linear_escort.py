"""Linear actor-critics with escort policies on the tasks whose actions are switched (paper,
experiment 9 and appendix F.3).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altpg_verify.sim.experiments import linear_entropy
from altpg_verify.sim.experiments.linear_nonstationary import switched
from altpg_verify.sim.experiments.linear_panel import ESTIMATORS, QUICK_WORDS, TASKS, experiment
from altpg_verify.sim.experiments.online_measures import AXIS, CHOICE, best_of, curve, sensitivities
from altpg_verify.sim.experiments.online_panel import CHOICES
from altpg_verify.sim.figures import FigureData, Panel, Series, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "escort_sensitivity"
POWERS = (1, 2, 3, 5, 10)
FRESH = 320
START = (1.0, 1.0, 1.0)
"""Preferences at the start: they can't all be 0."""


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        switched(f"escort_regular({p})", task, profile, FRESH, policy=policy(p), theta=START)
        for task in TASKS
        for p in POWERS
    ]


def policy(power: int) -> str:
    """The name of the escort policy |θ|^p / Σ |θ|^p."""
    return f"escort:{power}"


def record(results: Results, task: str, power: int) -> Record:
    """The sweep of one agent.

    Arrays are those of `online_panel.sweep`; the estimator is `escort_regular(power)`.
    """
    return results.one(NAME, task=task, policy=policy(power))


def contenders(results: Results, task: str, choice: str) -> Sequence[tuple[str, Record]]:
    """What the paper compares: alternate and regular, each with its best τ > 0, alternate without,
    and escort with its best p.

    Labels and sweeps, in the order of the figure (paper, figure lc_escort_entropy).
    """
    found = [("alternate", linear_entropy.record(results, task, "alternate", 0.0))]
    for estimator in ESTIMATORS:
        records = [
            linear_entropy.record(results, task, estimator, tau) for tau in linear_entropy.TAUS
        ]
        found.append((f"{estimator} with bonus", best_of(records, choice)))
    return [*found, ("escort", best_of([record(results, task, power) for power in POWERS], choice))]


def _figures(results: Results) -> list[FigureData]:
    panels, made = [], []
    for task in TASKS:
        shown = {power: record(results, task, power) for power in POWERS}
        example = shown[POWERS[0]].setting
        caption = (
            f"{task} with its actions switched at half-time, escort policies of power p: mean"
            f" return over the last {example['last']} steps against the stepsize of the policy, for"
            f" each stepsize β of the critic; {example['runs']} runs."
        )
        alt = f"Five panels of return against stepsize on {task}, one for each escort power."
        parts = tuple(
            stepsize_panel(f"p = {power}", "return", sensitivities(one))
            for power, one in shown.items()
        )
        made.append(
            FigureData(f"{NAME}_{task.lower()}", f"Escort policies, {task}", caption, alt, parts)
        )
        for what in ("returns", "entropy"):
            panels.append(Panel(task, "step", AXIS[what], series=_curves(results, task, what)))
    caption = (
        "MountainCar and Acrobot with their actions switched at half-time: return and entropy of"
        " alternate without an entropy bonus, alternate and regular with the bonus that suits each"
        " best, and escort with its best power; at the stepsizes best at half-time and best at the"
        f" end, chosen on {example['runs']} runs and shown on fresh ones. Bands are two standard"
        " errors."
    )
    alt = (
        "Four panels of curves over steps: return and policy entropy on MountainCar and on Acrobot."
    )
    return [
        FigureData("lc_escort_entropy", "Entropy bonus and escort", caption, alt, tuple(panels)),
        *made,
    ]


def _curves(results: Results, task: str, what: str) -> tuple[Series, ...]:
    return tuple(
        curve(f"{label}, {CHOICE[choice]}", record, choice, what)
        for choice in CHOICES
        for label, record in contenders(results, task, choice)
    )


ESCORT_SENSITIVITY = experiment(
    NAME,
    "linear actor-critic with escort policies, actions switched",
    "figures escort_sensitivity and lc_escort_entropy",
    {
        "quick": QUICK_WORDS,
        "paper": (
            "p = 1, 2, 3, 5, 10, 50 runs of 200 000 or 400 000 steps, 10 α × 6 β: the paper's own"
        ),
    },
    _cells,
    figures=_figures,
)
