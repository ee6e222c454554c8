"""One REINFORCE agent on the chain over the paper's grid of stepsizes, 150 runs of 100 episodes: the cell of most chain experiments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sim.experiment import estimator_named
from sim.experiments.bandit_panel import ALPHAS, stack

BETAS = [2.0**n for n in range(-4, 2)]
STARTS = (0.0, 1.0, 2.0, 3.0)
"""θ of `left` at the start, in every state; that of `right` is 0."""

PROTOCOL = {"runs": 150, "episodes": 100, "last": 10, "bins": 50}
SCALE = "150 runs of 100 episodes, mean of the last 10: the paper's own"


def panel(estimator: str, sigma: float, start: float, baseline: str, b: float = 0.0) -> dict[str, Any]:
    """The setting of one cell; an agent without chance is run once."""
    betas = BETAS if baseline == "learned" else [0.0]
    runs = {"runs": 1} if estimator == "expected_gradient" else {}
    return {
        "estimator": estimator, "baseline": baseline, "b": b, "sigma": sigma, "start": start, "alphas": ALPHAS, "betas": betas,
        **PROTOCOL, **runs,
    }  # fmt: skip


def run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """Arrays (alphas, betas, runs): mean of v(s3) over the last episodes, square of v(s3)², failed, and length in steps.

    right (..., 5): P(right|s) averaged over the last episodes; kept where the policy itself matters, with a fixed baseline.
    curve and curve_error are (alphas, betas, bins): v(s3) in each bin of episodes, averaged over runs, and its standard error.
    """
    from sim.chain import Chain, simulate

    grid = [
        Chain((setting["start"], 0.0), alpha, beta, setting["baseline"], setting["b"], setting["sigma"])
        for alpha in setting["alphas"]
        for beta in setting["betas"]
    ]
    sizes = {name: setting[name] for name in ("runs", "episodes", "last", "bins")}
    outcomes = simulate(estimator_named(setting["estimator"]), grid, root=root, experiment=experiment, **sizes)
    kept = ("right",) if setting["baseline"] == "fixed" else ()
    return stack(outcomes, setting, ("mean", "square", "failed", "length", *kept))
