"""Sweeps with more runs than the paper's, where its 50 leave a statement undecided: the same
agents, on random numbers of their own.

How many runs there are was fixed from the standard errors of the paper's own number, before they
were made; what they decide is decided by them alone, so that nothing is looked at twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.sim.experiment import no_figures
from altpg_verify.sim.experiments import linear_escort, linear_realistic
from altpg_verify.sim.experiments.linear_nonstationary import switched
from altpg_verify.sim.experiments.linear_panel import QUICK_WORDS, experiment, panel
from altpg_verify.sim.experiments.linear_realistic import ALPHAS
from altpg_verify.sim.results import Record, Results

NAME = "linear_more_runs"
ESCORT_TASK = "MountainCar"
ESCORT_POWERS = (1, 2)
"""Of these two the difference lies next to the bound of what it is asked for."""

_ESCORT_RUNS = 100
_LARGEST: dict[str, Any] = {"alphas": ALPHAS[-1:], "fresh": 1280}
_REGULAR: dict[str, Any] = {"alphas": ALPHAS, "fresh": 2880}


def _cells(profile: str) -> list[Mapping[str, Any]]:
    paper = profile == "paper"
    few: dict[str, Any] = {"runs": 16, "fresh": 16}
    largest, regular = (
        (_LARGEST, _REGULAR)
        if paper
        else ({**_LARGEST, **few}, {**_REGULAR, "alphas": ALPHAS[-2:], **few})
    )
    steps = 100_000 if paper else 40_000
    escort = {"runs": _ESCORT_RUNS} if paper else {}
    return [
        panel(linear_realistic.TASK, "alternate", steps, **largest),
        panel(linear_realistic.TASK, "regular", steps, **regular),
        *(
            switched(
                f"escort_regular({power})",
                ESCORT_TASK,
                profile,
                0 if paper else few["fresh"],
                policy=linear_escort.policy(power),
                theta=linear_escort.START,
                **escort,
            )
            for power in ESCORT_POWERS
        ),
    ]


def largest_stepsize(results: Results) -> Record:
    """Alternate on RealisticMountainCar at α = 2^16 alone: the sweep over β, and fresh runs at the
    best.

    1280 fresh runs at the paper's scale.
    """
    return results.one(NAME, estimator="alternate")


def regular_on_realistic(results: Results) -> Record:
    """Regular on RealisticMountainCar over the paper's grid, and fresh runs at the best
    stepsizes.

    2880 fresh runs at the paper's scale.
    """
    return results.one(NAME, estimator="regular")


def escort(results: Results, task: str, power: int) -> Record:
    """The sweep of an escort policy: the one with more runs if there is one, else the paper's."""
    if task == ESCORT_TASK and power in ESCORT_POWERS:
        return results.one(NAME, policy=linear_escort.policy(power))
    return linear_escort.record(results, task, power)


LINEAR_MORE_RUNS = experiment(
    NAME,
    "linear actor-critics with more runs than the paper's, where 50 don't decide",
    "beyond the paper: its protocols for RealisticMountainCar and escort policies with more runs",
    {
        "quick": QUICK_WORDS,
        "paper": (
            "1280 and 2880 fresh runs on RealisticMountainCar, 100 runs of escort policies at 10 α"
            " × 6 β"
        ),
    },
    _cells,
    figures=no_figures,
)
