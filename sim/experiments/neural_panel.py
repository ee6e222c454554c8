"""Actor-critics with neural networks on DotReacher: what their experiments share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from altpg_verify.sim.experiment import Experiment, spot
from altpg_verify.sim.experiments.online_panel import KEPT, cost, grid, sample, sweep

ESTIMATORS = ("alternate", "regular")
ALPHAS = [2.0**n for n in range(-17, -2, 2)]
BETAS = [2.0**n for n in range(-17, -6, 2)]
RUNS = 50
QUICK = {"alphas": [2.0**-9, 2.0**-5], "betas": [2.0**-9], "runs": 16, "fresh": 16}
"""Enough to see that everything works, too little to say anything."""

QUICK_STEPS = 10_000
QUICK_WORDS = "2 α × 1 β, 16 runs of 10 000 steps: to try it, not to judge by it"
RETURNS = (-10.0, 0.0)
"""Episodes are cut after 1000 steps, and a step costs 0.01."""


def panel(
    estimator: str,
    steps: int,
    last: int,
    *,
    stay: float = 0.0,
    critic: float = 0.0,
    switch: str = "none",
    choices: Sequence[str],
    **more: Any,
) -> dict[str, Any]:
    """The setting of one cell.

    Args:
        steps: of each run; last: how many of them the performance is over.
        stay: preference at the start of the action that doesn't move; those of the others are 0.
        critic, switch: see `altpg_verify.sim.online.neural.NeuralAgent`.
        choices: by which performance the best stepsizes are chosen, some of "half" and "final".
        more: other alphas, betas or runs than the paper's; fresh: how many runs the best stepsizes
            get on streams of their own.
    """
    agent = {"estimator": estimator, "stay": stay, "critic": critic, "switch": switch}
    sizes = {"alphas": ALPHAS, "betas": BETAS, "runs": RUNS, "steps": steps, "last": last}
    return {**agent, **sizes, "choices": list(choices), **more}


def run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """The arrays of `altpg_verify.sim.experiments.online_panel.sweep`.

    Only the action that doesn't move starts with another preference than 0.
    """
    from altpg_verify.sim.online.dot_reacher import ACTIONS, STAY
    from altpg_verify.sim.online.neural import NeuralAgent, simulate

    theta = tuple(setting["stay"] if action == STAY else 0.0 for action in range(ACTIONS))
    agents = [
        NeuralAgent(alpha, beta, theta, setting["critic"], setting["switch"])
        for alpha, beta in grid(setting)
    ]
    return sweep(simulate, agents, experiment, setting, root)


experiment = partial(
    Experiment,
    run=run,
    family="neural",
    stored=True,
    cost=cost,
    spot=partial(spot, run, KEPT),
    sample=sample,
)
"""An experiment of neural actor-critics: all but its name, title, paper, scale, cells and
figures.
"""
