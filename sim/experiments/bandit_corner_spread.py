"""A saturated preference with a learned baseline: how far noise moves it for ever, for fast and
slow baselines.

Other numbers than those of the random walk's experiment: four actions, noise 2, the saturated
action's reward 0.7.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import Measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.bandit_panel import bandits
from altpg_verify.sim.figures import FigureData, Panel, Series
from altpg_verify.sim.results import Record, Results

NAME = "bandit_corner_spread"
REWARDS = [0.7, 0.0, 0.3, 1.0]
SIGMA, START = 2.0, 60.0
ALPHAS, BETAS = [2.0**-5, 2.0**-2, 1.0], [2.0**n for n in range(-6, 1)]
STEPS = 500
_RUNS = {"quick": 1500, "paper": 20000}


def _cells(profile: str) -> list[Mapping[str, Any]]:
    shared = {"rewards": REWARDS, "sigma": SIGMA, "start": START, "alphas": ALPHAS, "betas": BETAS}
    return [{**shared, "steps": STEPS, "runs": _RUNS[profile]}]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """theta, failed (alphas, betas, runs): the saturated preference at the end."""
    from altpg_verify.sim.bandit import simulate

    # b starts at the saturated action's mean reward, so that only noise moves it
    grid = bandits({**setting, "baseline": "learned", "b": setting["rewards"][0]})
    sizes = {"runs": setting["runs"], "steps": setting["steps"], "last": 1}
    outcomes = simulate(
        estimator_named("alternate"), grid, root=root, experiment=experiment, **sizes
    )
    shape = (len(setting["alphas"]), len(setting["betas"]), setting["runs"])
    return {
        "theta": np.array([outcome.theta[:, 0] for outcome in outcomes]).reshape(shape),
        "failed": np.array([outcome.failed for outcome in outcomes]).reshape(shape),
    }


def predicted(alpha: float, beta: float, steps: int = STEPS) -> float:
    """α σ/√(β (2 - β)), less what `steps` steps from a settled start still lack: √(1 - (1 - β)^(2
    steps)).

    In a corner R - b is noise about a running average, so θ moves by α (R_t - b_t) and b by β (R_t
    - b_t): θ - θ₀ = (α/β)(b - b₀), whose stationary standard deviation is that of b, σ √(β/(2 -
    β)), times α/β.

    Args:
        alpha, beta: stepsizes of the policy and of the baseline.
    """
    return (
        alpha
        * SIGMA
        / math.sqrt(beta * (2.0 - beta))
        * math.sqrt(1.0 - (1.0 - beta) ** (2 * steps))
    )


def _ratios(record: Record) -> list[Measured]:
    """Measured over predicted standard deviation, for each pair of stepsizes."""
    runs, items = record.setting["runs"], []
    for i, alpha in enumerate(ALPHAS):
        for j, beta in enumerate(BETAS):
            ratio = float(record["theta"][i, j].std(ddof=1)) / predicted(alpha, beta)
            # the relative standard error of a standard deviation of normal numbers, 1/√(2 (n - 1))
            error = ratio / math.sqrt(2 * (runs - 1))
            items.append(
                Measured(
                    f"α = {captions.fraction(alpha)}, β = {captions.fraction(beta)}",
                    ratio,
                    error,
                    runs,
                    error,
                    error,
                )
            )
    return items


def _figures(results: Results) -> list[FigureData]:
    (record,) = results.select(NAME)
    series = []
    for i, alpha in enumerate(ALPHAS):
        spread = record["theta"][i].std(axis=-1, ddof=1)
        # of a standard deviation of normal numbers
        error = spread / math.sqrt(2 * (record.setting["runs"] - 1))
        # an error of the logarithm is a relative error
        logs, bars = np.log10(spread), error / spread / math.log(10)
        series.append(
            Series(
                f"α = {captions.fraction(alpha)}",
                tuple(BETAS),
                tuple(logs.tolist()),
                tuple(bars.tolist()),
            )
        )
    theory = [
        Series(
            "α σ / √(β (2 − β))",
            tuple(BETAS),
            tuple(math.log10(predicted(alpha, beta)) for beta in BETAS),
        )
        for alpha in ALPHAS
    ]
    caption = (
        "Saturated on an action with noise 2 and a learned baseline: spread of its preference over"
        f" {record.setting['runs']} runs after {STEPS} steps. It stays bounded, so noise alone"
        " doesn't undo saturation; it is large only where α is large and β small."
    )
    alt = "Three falling lines over the stepsize of the baseline, on the predicted ones."
    panel = Panel(
        "learned baseline",
        "stepsize β of the baseline",
        "log10 of the standard deviation of θ",
        "log2",
        (*series, *theory),
    )
    return [FigureData(NAME, "No random walk with a learned baseline", caption, alt, (panel,))]


BANDIT_CORNER_SPREAD = Experiment(
    NAME,
    "bandit, saturated start, learned baseline: spread of the preference",
    "example saturated_pg, with a learned baseline",
    {
        profile: f"{runs} runs of {STEPS} steps for 21 pairs of stepsizes; not in the paper"
        for profile, runs in _RUNS.items()
    },
    _cells,
    _run,
    _figures,
)


@evidence("corner-spread-with-learned-baseline", kind="simulation")
def bounded_spread(results: Results) -> Finding:
    (record,) = results.select(NAME)
    summary = (
        "the standard deviation of the saturated preference over α σ/√(β (2 - β)) is one, for slow"
        " and fast baselines: no random walk"
    )
    domain = (
        "r = (0.7, 0, 0.3, 1), θ = (60, 0, 0, 0), noise 2, α = 1/32, 1/4, 1, β = 1/64 ... 1,"
        f" {record.setting['runs']} runs of {STEPS} steps"
    )
    return analysis.all_equal(summary, [(item, 1.0) for item in _ratios(record)], 0.1, domain)
