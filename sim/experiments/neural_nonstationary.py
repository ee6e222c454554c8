"""Actor-critics with neural networks on DotReacher, whose goal moves at half-time (paper,
experiment 8 and appendix G.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.sim.experiments.neural_panel import (
    ESTIMATORS,
    QUICK,
    QUICK_STEPS,
    QUICK_WORDS,
    experiment,
    panel,
)
from altpg_verify.sim.experiments.online_measures import AXIS, CHOICE, curve, sensitivities
from altpg_verify.sim.experiments.online_panel import CHOICES, CURVES
from altpg_verify.sim.figures import FigureData, Panel, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "neural_nonstationary_dotreacher_stepsize_sensitivity"
STEPS, LAST = 100_000, 2000
FRESH = 1536
"""Some runs never find the moved goal: so many see a difference of 0.4 between two agents."""

_TASK = (
    "Actor-critics with neural networks on DotReacher, whose goal moves from one corner to the"
    " opposite one at half-time"
)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    steps, sizes = (STEPS, {"fresh": FRESH}) if profile == "paper" else (QUICK_STEPS, QUICK)
    return [
        panel(estimator, steps, LAST, switch="goal", choices=CHOICES, **sizes)
        for estimator in ESTIMATORS
    ]


def record(results: Results, estimator: str) -> Record:
    """The sweep of one agent.

    Arrays as of `online_panel.sweep`, for the goal that moves at half-time.
    """
    return results.one(NAME, estimator=estimator)


def _figures(results: Results) -> list[FigureData]:
    records = {estimator: record(results, estimator) for estimator in ESTIMATORS}
    example = records["alternate"].setting
    curves = tuple(
        Panel(
            AXIS[what],
            "step",
            AXIS[what],
            series=tuple(
                curve(f"{estimator}, {CHOICE[choice]}", shown, choice, what)
                for estimator, shown in records.items()
                for choice in CHOICES
            ),
        )
        for what in CURVES
    )
    caption = (
        f"{_TASK}: return of the episodes that end in each bin, entropy of the policy in the states"
        " visited, and the critic's value of the start states; at the stepsizes that are best at"
        f" half-time, and at those best at the end, chosen on {example['runs']} runs and shown on"
        f" {example['fresh']} fresh ones."
    )
    alt = (
        "Three panels of curves over steps: return, entropy and start value, which change when the"
        " goal moves."
    )
    learning = FigureData(
        NAME.replace("stepsize_sensitivity", "learning_curve"),
        "DotReacher, the goal moves at half-time",
        caption,
        alt,
        curves,
    )
    panels = tuple(
        stepsize_panel(f"{estimator}, before {when}", "return", sensitivities(shown, of))
        for of, when in (("half", "half-time"), ("final", "the end"))
        for estimator, shown in records.items()
    )
    caption = (
        f"{_TASK}: mean return over the last {example['last']} steps before half-time and before"
        " the end, against the stepsize of the actor, for each stepsize β of the critic;"
        f" {example['runs']} runs."
    )
    alt = (
        "Four panels of return against stepsize: before half-time and before the end, alternate and"
        " regular."
    )
    return [
        learning,
        FigureData(NAME, "DotReacher, the goal moves: stepsizes", caption, alt, panels),
    ]


NEURAL_NONSTATIONARY = experiment(
    NAME,
    "neural actor-critic on DotReacher, the goal moves at half-time",
    "figures neural_nonstationary_dotreacher_stepsize_sensitivity and realistic_plus_dotreacher"
    " (right)",
    {
        "quick": QUICK_WORDS,
        "paper": (
            "50 runs of 100 000 steps, 8 α × 6 β: the paper's own; the stepsizes that it chooses"
            " are run again"
        ),
    },
    _cells,
    figures=_figures,
)
