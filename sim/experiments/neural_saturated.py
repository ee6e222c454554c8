"""Actor-critics with neural networks on DotReacher, from saturated policies and values started
apart (paper, appendix G.3).

The text names 5 and 10 as its lower saturations and not the highest, nor the number of runs: 20 and
50 are those of the scripts that plot the figure in the authors' released code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.sim.captions import signed
from altpg_verify.sim.experiments.neural_panel import (
    ESTIMATORS,
    QUICK,
    QUICK_STEPS,
    QUICK_WORDS,
    experiment,
    panel,
)
from altpg_verify.sim.experiments.online_measures import AXIS, curve, few_sensitivities
from altpg_verify.sim.experiments.online_panel import WINDOW
from altpg_verify.sim.figures import FigureData, Panel, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "neural_dotreacher_stepsize_sensitivity"
PREFERENCES = (0.0, 5.0, 10.0, 20.0)
"""Of not moving, at the start; those of the eight directions are 0."""

CRITICS = (0.0, 25.0, -25.0)
STEPS = 50_000
FRESH = 768


def _cells(profile: str) -> list[Mapping[str, Any]]:
    steps, sizes = (STEPS, {"fresh": FRESH}) if profile == "paper" else (QUICK_STEPS, QUICK)
    return [
        panel(estimator, steps, WINDOW, stay=preference, critic=critic, choices=("final",), **sizes)
        for preference in PREFERENCES
        for critic in CRITICS
        for estimator in ESTIMATORS
    ]


def record(results: Results, estimator: str, preference: float, critic: float) -> Record:
    """The sweep of one agent.

    Args:
        preference: θ of the action that doesn't move; critic: value of every state at the start.
    """
    return results.one(NAME, estimator=estimator, stay=preference, critic=critic)


def _sensitivities(results: Results, preference: float, critic: float) -> Panel:
    shown = {estimator: record(results, estimator, preference, critic) for estimator in ESTIMATORS}
    series = tuple(one for each in shown.items() for one in few_sensitivities(*each))
    return stepsize_panel(_title(preference, critic), "return", series)


def _curves(results: Results, preference: float, critic: float) -> Panel:
    series = tuple(
        curve(estimator, record(results, estimator, preference, critic), "final", "returns")
        for estimator in ESTIMATORS
    )
    return Panel(_title(preference, critic), "step", AXIS["returns"], series=series)


def _title(preference: float, critic: float) -> str:
    return f"no movement {preference:g}, critic {signed(critic)}"


def _figures(results: Results) -> list[FigureData]:
    example = results.select(NAME)[0].setting
    starts = [(preference, critic) for critic in CRITICS for preference in PREFERENCES]
    task = (
        "Actor-critics with neural networks on DotReacher, from these preferences for no movement"
        " and values of the critic"
    )
    caption = (
        f"{task}: mean return over the last {example['last']} of {example['steps']} steps against"
        f" the stepsize of the actor; {example['runs']} runs. The highest saturation and the number"
        " of runs are those of the authors' plotting scripts; the text has neither."
    )
    alt = (
        "Twelve panels of return against stepsize: four starts of the policy, three of the critic."
    )
    panels = tuple(_sensitivities(results, *start) for start in starts)
    sweep = FigureData(NAME, "DotReacher, saturated starts", caption, alt, panels)
    caption = (
        f"{task}: return of the episodes that end in each bin, at the stepsizes best at the end,"
        f" chosen on {example['runs']} runs and shown on {example['fresh']} fresh ones. Not in the"
        " paper."
    )
    alt = "Twelve panels of return over steps: four starts of the policy, three of the critic."
    name = NAME.replace("stepsize_sensitivity", "learning_curve")
    panels = tuple(_curves(results, *start) for start in starts)
    return [sweep, FigureData(name, "DotReacher, saturated starts: learning", caption, alt, panels)]


NEURAL_SATURATED = experiment(
    NAME,
    "neural actor-critic on DotReacher from saturated policies",
    "figure neural_dotreacher_stepsize_sensitivity",
    {
        "quick": QUICK_WORDS,
        "paper": (
            "4 policies × 3 critics, 50 runs of 50 000 steps, 8 α × 6 β: the paper's own where it"
            " says; best stepsizes are run again"
        ),
    },
    _cells,
    figures=_figures,
)
