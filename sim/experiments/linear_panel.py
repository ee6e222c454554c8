"""Linear actor-critics on MountainCar, Acrobot and RealisticMountainCar: what their experiments
share.

Each experiment is there twice, by the tile coder of the authors' released code ("wrapping") and by
one that clamps ("clamped"), with the same random numbers: see `altpg_verify.sim.online.tiles`. The
first is the one that the paper's statements are judged by.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from altpg_verify.sim.experiment import Experiment, no_figures, spot
from altpg_verify.sim.experiments.online_panel import KEPT, WINDOW, cost, grid, sample, sweep

if TYPE_CHECKING:
    from altpg_verify.sim.figures import FigureData
    from altpg_verify.sim.results import Results

TASKS = ("MountainCar", "Acrobot")
ESTIMATORS = ("alternate", "regular")
ALPHAS = [2.0**n for n in range(-13, 6, 2)]
BETAS = [0.01, 0.05, 0.1, 0.5, 1.0, 2.0]
STEPS = {"MountainCar": 200_000, "Acrobot": 400_000}
"""Of the tasks whose actions are switched at half-time."""

CLAMPED = "_clamped_tiles"
"""How the name of an experiment by the clamped coder ends."""

RUNS = 50
RETURNS = (-1000.0, 0.0)
"""Episodes are cut after 1000 steps, and a step costs 1."""

QUICK: dict[str, Any] = {
    "alphas": [2.0**-7, 2.0**-3, 2.0],
    "betas": [0.01, 1.0],
    "runs": 16,
    "fresh": 16,
}
"""Enough to see that everything works, too little to say anything."""

QUICK_WORDS = "3 α × 2 β, 16 runs, fewer steps: to try it, not to judge by it"


def panel(
    task: str,
    estimator: str,
    steps: int,
    *,
    theta: Sequence[float] = (0.0, 0.0, 0.0),
    critic: float = 0.0,
    tau: float = 0.0,
    policy: str = "softmax",
    switch: str = "none",
    coder: str = "wrapping",
    choices: Sequence[str] = ("final",),
    **more: Any,
) -> dict[str, Any]:
    """The setting of one cell.

    Args:
        steps: of each run; theta, critic, tau, policy, switch, coder: see
            `altpg_verify.sim.online.linear.LinearAgent`.
        choices: by which performance the best stepsizes are chosen, some of "half" and "final".
        more: other alphas, betas or runs than the paper's; fresh: how many runs the best stepsizes
            get on streams of their own.
    """
    agent = {
        "task": task,
        "theta": list(theta),
        "critic": critic,
        "tau": tau,
        "policy": policy,
        "switch": switch,
        "coder": coder,
    }
    sizes = {"alphas": ALPHAS, "betas": BETAS, "runs": RUNS, "steps": steps, "last": WINDOW}
    return {"estimator": estimator, **agent, **sizes, "choices": list(choices), **more}


def run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """The arrays of `altpg_verify.sim.experiments.online_panel.sweep`, of agents over the grid of a
    setting.

    Both coders have the streams of the experiment that is named without a coder.
    """
    from altpg_verify.sim.online.linear import LinearAgent, simulate

    names = ("critic", "switch", "tau", "policy", "coder")
    agents = [
        LinearAgent(
            setting["task"],
            alpha,
            beta,
            tuple(setting["theta"]),
            **{name: setting[name] for name in names},
        )
        for alpha, beta in grid(setting)
    ]
    # under one name, so that both coders have the same random numbers
    return sweep(simulate, agents, experiment.removesuffix(CLAMPED), setting, root)


experiment = partial(
    Experiment,
    run=run,
    family="linear",
    stored=True,
    cost=cost,
    spot=partial(spot, run, KEPT),
    sample=sample,
)
"""An experiment of linear actor-critics: all but its name, title, paper, scale, cells and
figures.
"""


def clamped(
    one: Experiment, figures: Callable[[Results], list[FigureData]] = no_figures
) -> Experiment:
    """The same experiment by the clamped coder: its name, settings and title say so.

    Args:
        figures: what it shows; nothing of its own by default.
    """
    source = one.name if one.paper.startswith("figure") else one.title
    return dataclasses.replace(
        one,
        name=one.name + CLAMPED,
        title=f"{one.title}, clamped tiles",
        paper=f"beyond the paper: the tile coder's part in {source}",
        cells=partial(_clamped_cells, one),
        figures=figures,
    )


def _clamped_cells(one: Experiment, profile: str) -> list[Mapping[str, Any]]:
    return [{**setting, "coder": "clamped"} for setting in one.cells(profile)]
