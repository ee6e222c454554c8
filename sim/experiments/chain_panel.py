"""One REINFORCE agent on the chain over the paper's grid of stepsizes, 150 runs of 100 episodes:
the cell of most chain experiments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.sim.experiment import estimator_named
from altpg_verify.sim.experiments.bandit_panel import ALPHAS, stack

BETAS = [2.0**n for n in range(-4, 2)]
STARTS = (0.0, 1.0, 2.0, 3.0)
"""θ of `left` at the start, in every state; that of `right` is 0."""

FRESH = 1200
"""Runs, on streams of their own, of the stepsizes that were best: so many see a difference of 0.05
between two of a dozen pairs.
"""

PROTOCOL = {"runs": 150, "episodes": 100, "last": 10, "bins": 50}
SCALE = "150 runs of 100 episodes, mean of the last 10: the paper's own"


def panel(
    estimator: str, sigma: float, start: float, baseline: str, b: float = 0.0, **more: Any
) -> dict[str, Any]:
    """The setting of one cell; an agent without chance is run once.

    Args:
        sigma: standard deviation of the reward noise.
        start: θ of `left` in every state; `right` starts at 0.
        baseline, b: see `altpg_verify.sim.chain.Chain`.
        more: as in `bandit_panel.panel`, and other `alphas`.
    """
    betas = BETAS if baseline == "learned" else [0.0]
    runs = (
        {"runs": 1, "fresh": 0}
        if estimator == "expected_gradient" and not more.get("gradient_noise")
        else {}
    )
    return {
        "estimator": estimator, "baseline": baseline, "b": b, "sigma": sigma, "start": start, "alphas": ALPHAS, "betas": betas,
        **PROTOCOL, **more, **runs,
    }  # fmt: skip


def run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """Arrays (alphas, betas, runs): mean of v(s3) over the last episodes, square of v(s3)², failed,
    and length in steps.

    right (..., 5): P(right|s) averaged over the last episodes; kept where the policy itself
    matters, with a fixed baseline. curve and curve_error are (alphas, betas, bins): v(s3) in each
    bin of episodes, averaged over runs, and its standard error. fresh_mean (fresh,): v(s3) over the
    last episodes, at the best stepsizes of the sweep.
    """
    from altpg_verify.sim.chain import Chain, simulate

    grid = [
        Chain(
            (setting["start"], 0.0),
            alpha,
            beta,
            setting["baseline"],
            setting["b"],
            setting["sigma"],
            gradient_noise=setting.get("gradient_noise", 0.0),
        )
        for alpha in setting["alphas"]
        for beta in setting["betas"]
    ]
    sizes = {name: setting[name] for name in ("episodes", "last")}
    agent = estimator_named(setting["estimator"])
    outcomes = simulate(
        agent,
        grid,
        root=root,
        experiment=experiment,
        runs=setting["runs"],
        bins=setting["bins"],
        **sizes,
    )
    # only the claims on fixed values ask where the policy goes
    kept = ("right",) if setting["baseline"] == "fixed" else ()
    arrays = stack(outcomes, setting, ("mean", "square", "failed", "length", *kept))
    if setting.get("fresh"):
        chosen = grid[int(arrays["mean"].mean(axis=-1).argmax())]
        (again,) = simulate(
            agent,
            [chosen],
            root=root,
            experiment=f"{experiment}, fresh",
            runs=setting["fresh"],
            **sizes,
        )
        arrays["fresh_mean"] = again.mean
    return arrays
