"""Linear actor-critics on RealisticMountainCar (paper, experiment 7 and appendix F.5).

The library that the task came from has had two physics for it; the paper's experiments used the
former. A second experiment has the newer one, to see what of the results depends on that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from altpg_verify.sim.captions import signed
from altpg_verify.sim.experiments.linear_panel import (
    ESTIMATORS,
    QUICK,
    QUICK_WORDS,
    experiment,
    panel,
)
from altpg_verify.sim.experiments.online_measures import AXIS, curve, sensitivities
from altpg_verify.sim.experiments.online_panel import CURVES
from altpg_verify.sim.figures import FigureData, Panel, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "linear_realmc_stepsize_sensitivity"
NEWER = "linear_realmc_newer_physics"
TASK = "RealisticMountainCar"
ALPHAS = [2.0**n for n in range(-8, 17, 2)]
CRITICS = (0.0, 500.0, -500.0)
FRESH = 960


def _cells(
    profile: str, task: str = TASK, critics: Sequence[float] = CRITICS
) -> list[Mapping[str, Any]]:
    quick: dict[str, Any] = {**QUICK, "alphas": [0.25, 16.0, 65536.0]}
    steps, sizes = (
        (100_000, {"alphas": ALPHAS, "fresh": FRESH}) if profile == "paper" else (40_000, quick)
    )
    return [
        panel(task, estimator, steps, critic=critic, **sizes)
        for critic in critics
        for estimator in ESTIMATORS
    ]


def _newer_cells(profile: str) -> list[Mapping[str, Any]]:
    return _cells(profile, f"{TASK}:newer", (0.0,))


def record(results: Results, estimator: str, critic: float = 0.0) -> Record:
    """The sweep of one agent, in the physics of the paper's experiments.

    Args:
        critic: the value of every state at the start: 0, +500 or -500.
    """
    return results.one(NAME, estimator=estimator, critic=critic)


def newer(results: Results, estimator: str) -> Record:
    """The sweep of one agent in the newer physics.

    The critic starts at 0; arrays as of `online_panel.sweep`.
    """
    return results.one(NEWER, estimator=estimator)


def _figures(results: Results) -> list[FigureData]:
    shown = {
        (estimator, critic): record(results, estimator, critic)
        for estimator in ESTIMATORS
        for critic in CRITICS
    }
    example = shown[ESTIMATORS[0], 0.0].setting
    curves = tuple(
        Panel(
            "",
            "step",
            AXIS[what],
            series=tuple(curve(name, shown[name, 0.0], "final", what) for name in ESTIMATORS),
        )
        for what in CURVES
    )
    caption = (
        f"{TASK} from a uniform policy and a critic of 0: return of the episodes that end in each"
        " bin, policy entropy in the states visited, and the critic's value of the start states;"
        f" at the stepsizes best at the end, chosen on {example['runs']} runs and shown on"
        f" {example['fresh']} fresh ones. Bands are two standard errors."
    )
    alt = f"Three panels of curves over steps on {TASK}: return, entropy and start value."
    made = [
        FigureData("linear_realmc_learning_curve", f"{TASK}, learning curves", caption, alt, curves)
    ]
    panels = tuple(
        stepsize_panel(f"{estimator}, critic {signed(critic)}", "return", sensitivities(one))
        for (estimator, critic), one in shown.items()
    )
    caption = (
        f"{TASK} from a uniform policy and three starts of the critic: mean return over the last"
        f" {example['last']} of {example['steps']} steps against the stepsize of the policy, for"
        f" each stepsize β of the critic; {example['runs']} runs."
    )
    alt = (
        f"Six panels of return against stepsize on {TASK}: alternate and regular, three starts of"
        " the critic."
    )
    return [*made, FigureData(NAME, TASK, caption, alt, panels)]


LINEAR_REALISTIC = experiment(
    NAME,
    "linear actor-critic on RealisticMountainCar",
    "figures linear_realmc_stepsize_sensitivity, linear_realmc_learning_curve and"
    " realistic_plus_dotreacher (left)",
    {
        "quick": QUICK_WORDS,
        "paper": "3 critics, 50 runs of 100 000 steps, 13 α × 6 β: the paper's own",
    },
    _cells,
    figures=_figures,
)


def _newer_figures(results: Results) -> list[FigureData]:
    shown = {estimator: newer(results, estimator) for estimator in ESTIMATORS}
    example = shown[ESTIMATORS[0]].setting
    panels = tuple(
        stepsize_panel(estimator, "return", sensitivities(one)) for estimator, one in shown.items()
    )
    caption = (
        f"{TASK} in the newer physics of the library it came from, uniform policy, critic from 0:"
        f" mean return over the last {example['last']} of {example['steps']} steps against the"
        f" stepsize of the policy, for each β; {example['runs']} runs."
    )
    alt = (
        f"Two panels of return against stepsize on {TASK} in its newer physics: alternate and"
        " regular."
    )
    return [FigureData(NEWER, f"{TASK}, newer physics", caption, alt, panels)]


LINEAR_REALISTIC_NEWER = experiment(
    NEWER,
    "linear actor-critic on RealisticMountainCar in its newer physics",
    "beyond the paper: the effect of the physics on the results for RealisticMountainCar",
    {"quick": QUICK_WORDS, "paper": "critic from 0, 50 runs of 100 000 steps, 13 α × 6 β"},
    _newer_cells,
    figures=_newer_figures,
)
