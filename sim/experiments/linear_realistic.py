"""Linear actor-critics on RealisticMountainCar, the physics that the paper's experiments used (paper, experiment 7 and appendix F.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.analysis import signed
from sim.experiments.linear_nonstationary import AXIS, sensitivities
from sim.experiments.linear_panel import ESTIMATORS, QUICK, QUICK_WORDS, experiment, panel
from sim.experiments.online_measures import curve
from sim.experiments.online_panel import CURVES
from sim.figures import FigureData, Panel
from sim.results import Record, Results

NAME = "linear_realmc_stepsize_sensitivity"
TASK = "RealisticMountainCar"
ALPHAS = [2.0**n for n in range(-8, 17, 2)]
CRITICS = (0.0, 500.0, -500.0)
FRESH = 960


def _cells(profile: str) -> list[Mapping[str, Any]]:
    steps, sizes = (
        (100_000, {"alphas": ALPHAS, "fresh": FRESH}) if profile == "paper" else (40_000, {**QUICK, "alphas": [0.25, 16.0, 65536.0]})
    )
    return [panel(TASK, estimator, steps, critic=critic, **sizes) for critic in CRITICS for estimator in ESTIMATORS]


def record(results: Results, estimator: str, critic: float = 0.0) -> Record:
    """The sweep of one agent."""
    return results.one(NAME, estimator=estimator, critic=critic)


def _figures(results: Results) -> list[FigureData]:
    shown = {(estimator, critic): record(results, estimator, critic) for estimator in ESTIMATORS for critic in CRITICS}
    example = shown[ESTIMATORS[0], 0.0].setting
    curves = tuple(
        Panel("", "step", AXIS[what], series=tuple(curve(name, shown[name, 0.0], "final", what) for name in ESTIMATORS)) for what in CURVES
    )
    caption = (
        f"{TASK} from a uniform policy and a critic of 0: return of the episodes that end in each bin, policy entropy in the states "
        f"visited, and the critic's value of the start states; at the stepsizes best at the end, chosen on {example['runs']} runs and "
        f"shown on {example['fresh']} fresh ones. Bands are two standard errors."
    )
    alt = f"Three panels of curves over steps on {TASK}: return, entropy and start value."
    made = [FigureData("linear_realmc_learning_curve", f"{TASK}, learning curves", caption, alt, curves)]
    panels = tuple(
        Panel(f"{estimator}, critic {signed(critic)}", "stepsize α", "return", "log2", sensitivities(one))
        for (estimator, critic), one in shown.items()
    )
    caption = (
        f"{TASK} from a uniform policy and three starts of the critic: mean return over the last {example['last']} of {example['steps']} "
        f"steps against the stepsize of the policy, for each stepsize β of the critic; {example['runs']} runs."
    )
    alt = f"Six panels of return against stepsize on {TASK}: alternate and regular, three starts of the critic."
    return [*made, FigureData(NAME, TASK, caption, alt, panels)]


LINEAR_REALISTIC = experiment(
    NAME,
    "linear actor-critic on RealisticMountainCar",
    "figures linear_realmc_stepsize_sensitivity, linear_realmc_learning_curve and realistic_plus_dotreacher (left)",
    {"quick": QUICK_WORDS, "paper": "3 critics, 50 runs of 100 000 steps, 13 α × 6 β: the paper's own"},
    _cells,
    figures=_figures,
)
