"""What the paper says of large stepsizes and how widely a policy generalizes (appendix H): it takes
the chain and every other task.

All agents start at the uniform policy with values from 0. The loss is how far the largest stepsize
of the policy ends below the best, in units of the best performance, each at its best stepsize of
the values. It is told, and decides nothing: see the finding.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from altpg_verify.judging import Finding, inconclusive
from altpg_verify.ledger import evidence
from altpg_verify.sim.analysis import ERROR_RATE, Measured
from altpg_verify.sim.bootstrap import bootstrapped
from altpg_verify.sim.experiments import chain_large_stepsizes, linear_saturated, neural_saturated
from altpg_verify.sim.experiments.chain_large_stepsizes import ESTIMATORS
from altpg_verify.sim.experiments.linear_panel import TASKS
from altpg_verify.sim.experiments.online_measures import at_best_betas, chosen
from altpg_verify.sim.results import Record, Results

_SMALLEST = 1e-3
"""Too few runs can all end at 0, in units of which nothing can be lost."""


def _loss(means: Sequence[np.ndarray]) -> float:
    """Of the means of the best and of the largest stepsize."""
    best, largest = means
    # relative to the best, as the tasks have different ranges
    return float((best - largest) / max(abs(best), _SMALLEST))


def _chain(results: Results, estimator: str) -> Measured:
    runs = [
        chain_large_stepsizes.swept(results, estimator),
        chain_large_stepsizes.at_largest(results, estimator, 0.0),
    ]
    return bootstrapped(f"chain, {estimator}", _loss, [record["fresh_mean"] for record in runs])


def _online(label: str, record: Record) -> Measured:
    place, _ = chosen(record, "final")
    return bootstrapped(
        label, _loss, [record["fresh_final"][place], at_best_betas(record["final"])[-1]]
    )


@evidence("generalization-hurts-at-large-stepsizes", kind="simulation")
def generalization_hurts(results: Results) -> Finding:
    losses: dict[str, float] = {}
    for estimator in ESTIMATORS:
        tabular = _chain(results, estimator)
        neural = _online(
            f"DotReacher, {estimator}", neural_saturated.record(results, estimator, 0.0, 0.0)
        )
        linear = [
            _online(f"{task}, {estimator}", linear_saturated.record(results, task, estimator))
            for task in TASKS
        ]
        losses |= {item.label: item.mean for item in (tabular, *linear, neural)}
    shown = ", ".join(f"{label} {loss:.2g}" for label, loss in losses.items())
    why = (
        "compared were different tasks, whose returns have different ranges and signs, with largest"
        " stepsizes that aren't equally far above the best: no difference between them is one of"
        " generalization alone"
    )
    return inconclusive(
        f"{why}; part of the best performance that is lost with the largest stepsize: {shown}",
        numbers={"false_alarm_rate": ERROR_RATE, "losses": losses},
    )
