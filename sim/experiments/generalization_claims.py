"""What the paper says of large stepsizes and how widely a policy generalizes (appendix H): it takes the chain and every other task.

All agents start at the uniform policy with values from 0. The loss is how far the largest stepsize of the policy ends below the best,
in units of the best performance, each at its best stepsize of the values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from sim import analysis
from sim.analysis import Measured, less
from sim.bootstrap import bootstrapped
from sim.experiments import chain_large_stepsizes, linear_saturated, neural_saturated
from sim.experiments.chain_large_stepsizes import ESTIMATORS
from sim.experiments.linear_panel import TASKS
from sim.experiments.online_measures import at_best_betas, chosen
from sim.experiments.online_panel import WINDOW
from sim.results import Record, Results

_SMALLEST = 1e-3
"""Too few runs can all end at 0, in units of which nothing can be lost."""


def _loss(means: Sequence[np.ndarray]) -> float:
    """Of the means of the best and of the largest stepsize."""
    best, largest = means
    return float((best - largest) / max(abs(best), _SMALLEST))


def _chain(results: Results, estimator: str) -> Measured:
    runs = [chain_large_stepsizes.swept(results, estimator), chain_large_stepsizes.at_largest(results, estimator, 0.0)]
    return bootstrapped(f"chain, {estimator}", _loss, [record["fresh_mean"] for record in runs])


def _online(label: str, record: Record) -> Measured:
    place, _ = chosen(record, "final")
    return bootstrapped(label, _loss, [record["fresh_final"][place], at_best_betas(record["final"])[-1]])


@evidence("generalization-hurts-at-large-stepsizes", kind="simulation")
def generalization_hurts(results: Results) -> Finding:
    gaps = []
    for estimator in ESTIMATORS:
        tabular = _chain(results, estimator)
        neural = _online(f"DotReacher, {estimator}", neural_saturated.record(results, estimator, 0.0, 0.0))
        for task in TASKS:
            linear = _online(f"{task}, {estimator}", linear_saturated.record(results, task, estimator))
            gaps += [less(linear, tabular), less(neural, linear)]
    says = (
        "with the largest stepsize both estimators lose more of their best performance with tile coding than with a table, and more with "
        "networks than with tile coding"
    )
    why = "the largest stepsizes of the sweeps aren't equally far above the best, and returns below 0 can be lost many times over"
    steps = linear_saturated.record(results, TASKS[0], "regular").setting["steps"]
    domain = (
        "chain, α up to 2¹⁴; MountainCar and Acrobot, tile coding, α up to 2⁵; DotReacher, networks and Adam, α up to 2⁻³; "
        f"online tasks: performance over the last {WINDOW} of {steps} steps"
    )
    return analysis.explained(lambda says: analysis.all_above(says, gaps, 0.0, f"{domain}; bootstrap over runs"), says, why)
