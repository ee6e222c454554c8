"""One bandit agent over the paper's grid of stepsizes, 150 runs of 1000 steps each: the cell of
most bandit experiments.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.sim.experiment import estimator_named

ALPHAS = [2.0**n for n in range(-6, 2)]
BETAS = [2.0**n for n in range(-4, 1)]
STARTS = (0.0, 5.0, 10.0, 50.0)
"""θ of the first action at the start; the others are 0."""

FRESH = 600
"""Runs, on streams of their own, of the stepsizes that were best in the sweep: choosing flatters
the runs chosen from.
"""

PROTOCOL = {"runs": 150, "steps": 1000, "last": 50, "bins": 50}
SCALE = "150 runs of 1000 steps, mean of the last 50: the paper's own"


def panel(
    estimator: str,
    rewards: list[float],
    sigma: float,
    start: float,
    baseline: str,
    b: float = 0.0,
    **more: Any,
) -> dict[str, Any]:
    """The setting of one cell; an agent without chance is run once.

    Args:
        estimator: its name in `altpg_verify.estimators`.
        rewards: expected reward of each action; sigma: standard deviation of the noise.
        start: θ of the first action; the others start at 0.
        baseline, b: see `altpg_verify.sim.bandit.Bandit`.

    Args:
        more: `gradient_noise`; other `runs` than the paper's; `fresh` runs at the best stepsizes of
            the sweep, see `FRESH`, and `by_alpha`: so many also at each stepsize of the policy,
            with its best beta.
    """
    # a baseline that isn't learned has no stepsize
    betas = BETAS if baseline == "learned" else [0.0]
    runs = (
        {"runs": 1, "fresh": 0}
        if estimator == "expected_gradient" and not more.get("gradient_noise")
        else {}
    )
    grid = {"alphas": ALPHAS, "betas": betas}
    task = {"rewards": rewards, "sigma": sigma, "start": start}
    return {
        "estimator": estimator,
        "baseline": baseline,
        "b": b,
        **task,
        **grid,
        **PROTOCOL,
        **more,
        **runs,
    }


def bandits(setting: Mapping[str, Any]) -> list[Any]:
    """A `Bandit` for each pair of stepsizes of a setting, betas within alphas.

    The order is that of arrays (alphas, betas, ...).
    """
    from altpg_verify.sim.bandit import Bandit

    theta = (setting["start"], *(0.0 for _ in setting["rewards"][1:]))
    return [
        Bandit(
            tuple(setting["rewards"]),
            setting["sigma"],
            theta,
            alpha,
            beta,
            setting["baseline"],
            setting["b"],
            setting.get("gradient_noise", 0.0),
        )
        for alpha in setting["alphas"]
        for beta in setting["betas"]
    ]


def run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """Arrays (alphas, betas, runs): mean of J over the last steps, square of J², failed; theta
    (..., k) and b at the end.

    fresh_mean, fresh_whole and fresh_off (fresh,): at the best stepsizes of the sweep, J over the
    last steps and over all, and |b - r_π| over the last; fresh_by_alpha (alphas, fresh): J over the
    last steps at the best beta of each alpha. curve and curve_error are (alphas, betas, bins): J in
    each bin of steps, averaged over runs, and its standard error.
    """
    from altpg_verify.sim.bandit import simulate

    grid = bandits(setting)
    sizes = {name: setting[name] for name in ("steps", "last", "bins")}
    agent = estimator_named(setting["estimator"])
    outcomes = simulate(
        agent, grid, root=root, experiment=experiment, runs=setting["runs"], **sizes
    )
    arrays = stack(outcomes, setting, ("mean", "square", "failed", "theta", "b"))
    if setting.get("fresh"):
        # the best of up to 40 means is one that chance favoured: it is run again under another name
        chosen = grid[int(arrays["mean"].mean(axis=-1).argmax())]
        (again,) = simulate(
            agent,
            [chosen],
            root=root,
            experiment=f"{experiment}, fresh",
            runs=setting["fresh"],
            **sizes,
        )
        arrays |= {
            "fresh_mean": again.mean,
            "fresh_whole": again.curve.mean(axis=1),
            "fresh_off": again.off,
        }
    if setting.get("by_alpha"):
        # the best β for each α, run again on streams of their own
        betas = arrays["mean"].mean(axis=-1).argmax(axis=1)
        best = [grid[i * len(setting["betas"]) + int(beta)] for i, beta in enumerate(betas)]
        again_each = simulate(
            agent,
            best,
            root=root,
            experiment=f"{experiment}, fresh by alpha",
            runs=setting["fresh"],
            **sizes,
        )
        arrays["fresh_by_alpha"] = np.stack([outcome.mean for outcome in again_each])
    return arrays


def stack(
    outcomes: list[Any], setting: Mapping[str, Any], names: tuple[str, ...]
) -> dict[str, np.ndarray]:
    """The named arrays of all outcomes, (alphas, betas, ...), and their learning curves averaged
    over runs.

    Args:
        outcomes: one for each pair of stepsizes, betas within alphas.
        setting: its alphas and betas, and its bins and runs.
        names: of fields of the outcomes, (runs, ...) each.
    """
    shape = (len(setting["alphas"]), len(setting["betas"]))
    arrays = {name: np.stack([getattr(outcome, name) for outcome in outcomes]) for name in names}
    if setting["bins"]:
        runs = setting["runs"]
        arrays["curve"] = np.stack([outcome.curve.mean(axis=0) for outcome in outcomes])
        spread = [
            (
                outcome.curve.std(axis=0, ddof=1) / np.sqrt(runs)
                if runs > 1
                else np.zeros(setting["bins"])
            )
            for outcome in outcomes
        ]
        arrays["curve_error"] = np.stack(spread)
    return {name: array.reshape(shape + array.shape[1:]) for name, array in arrays.items()}
