"""A conjecture tried on random bandits: with a fixed optimistic baseline π* attracts every policy
for every α < 2/|κ|.

It is proved for α <= 1/|κ|, and for two actions; between the two stepsizes the divergence from π*
needn't fall at every step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.expected_steps import expected_update, fixed_point, policies_of
from altpg_verify.sim.figures import FigureData, Panel, Series
from altpg_verify.sim.results import Results

NAME = "bandit_attraction"
ARMS = (2, 3, 4, 6, 8)
RATIOS = (1.05, 1.35, 1.65, 1.95)
_RUNS = {"quick": 400, "paper": 5000}
_STEPS = 6000
_NEAR = 1e-6
SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {"arms": k, "ratios": list(RATIOS), "runs": _RUNS[profile], "steps": _STEPS} for k in ARMS
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """distance (ratios, times, runs): the largest |π - π*| after the steps in `SHOWN`; arrived
    (ratios, runs) at the end; failed.
    """
    from altpg_verify.sim import streams

    k, runs, ratios = setting["arms"], setting["runs"], np.array(setting["ratios"])
    words = streams.entropy(root, experiment, {"arms": k}, "bandits and starts")
    generator = np.random.Generator(np.random.SFC64(np.random.SeedSequence(words)))
    # b - r over three decades, preferences within 10 of each other; every stepsize has the same
    # bandits and starts
    # evenly spread in the logarithm, so that near-ties with b and far rewards both occur
    below = 10.0 ** generator.uniform(-1.5, 1.5, (k, runs))
    start = generator.uniform(0.0, 10.0, (k, runs))
    n = len(ratios) * runs
    rewards, theta = np.tile(-below, len(ratios)), np.tile(start, len(ratios))
    # b = 0 without loss: only b - r counts
    # one bandit a column: stepsizes are in units of 1/|κ| of each bandit
    star, kappa = fixed_point(rewards, 0.0)
    alpha = np.repeat(ratios, runs) / kappa
    policies, estimator = policies_of(k, n), estimator_named("alternate")
    distance = np.zeros((len(SHOWN), n))
    gap = np.ones(n)
    for step in range(1, setting["steps"] + 1):
        theta += alpha * expected_update(estimator, policies(theta), rewards, 0.0)
        # now and then only: a policy costs as much as a step
        if step in SHOWN or step % 250 == 0:
            gap = np.abs(policies(theta) - star).max(axis=0)
            if step in SHOWN:
                distance[SHOWN.index(step)] = gap
            # nothing moves any more but rounding
            elif (gap < 1e-12).all():
                break
    shape = (len(SHOWN), len(ratios), runs)
    return {
        "distance": distance.reshape(shape).transpose(1, 0, 2),
        "arrived": (gap < _NEAR).astype(float).reshape(len(ratios), runs),
        "failed": ~np.isfinite(gap),
    }


def _stray(results: Results) -> tuple[int, int]:
    """How many starts did not arrive at π*, and of how many."""
    arrived = [record["arrived"] for record in results.select(NAME)]
    return sum(int((one == 0).sum()) for one in arrived), sum(one.size for one in arrived)


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for record in results.select(NAME):
        if record.setting["arms"] not in (2, 3, 8):
            continue
        series = []
        for i, ratio in enumerate(record.setting["ratios"]):
            # what the slowest of all starts still lacks, on a logarithmic axis that ends at
            # rounding
            y = np.log10(np.maximum(record["distance"][i].max(axis=-1), 1e-16))
            series.append(Series(f"α|κ| = {ratio:g}", tuple(map(float, SHOWN)), tuple(y.tolist())))
        panels.append(
            Panel(
                f"{record.setting['arms']} actions",
                "step",
                "log10 of the largest |π − π*|",
                "log10",
                tuple(series),
            )
        )
    caption = (
        "Expected update with stepsizes between the proved threshold 1/|κ| and the conjectured"
        f" 2/|κ|: the largest distance from π* over {results.select(NAME)[0].setting['runs']}"
        f" random bandits and starts; {_stray(results)[0]} of all starts did not arrive. That is"
        " evidence; a proof exists for two actions only."
    )
    alt = (
        "Three panels: the largest distance from the fixed point falls to rounding at every"
        " stepsize."
    )
    return [
        FigureData(NAME, "Attraction below the stability threshold", caption, alt, tuple(panels))
    ]


BANDIT_ATTRACTION = Experiment(
    NAME,
    "bandit, expected update: random bandits and starts below the stability threshold",
    "theorem fixed_pt_biased_pg, stepsizes between 1/|κ| and 2/|κ|",
    {
        profile: (
            f"{runs} random bandits for each of 5 numbers of actions and 4 stepsizes; not in the"
            " paper"
        )
        for profile, runs in _RUNS.items()
    },
    _cells,
    _run,
    _figures,
)


@evidence("conjecture-attraction-below-threshold", kind="simulation")
def attracted(results: Results) -> Finding:
    items, (stray, tried) = [], _stray(results)
    for record in results.select(NAME):
        for ratio, arrived in zip(record.setting["ratios"], record["arrived"], strict=True):
            items.append(
                measured(
                    f"{record.setting['arms']} actions, α|κ| = {ratio:g}", [arrived], (0.0, 1.0)
                )
            )
    summary = (
        f"conjecture: {stray} of {tried} random starts did not arrive at π*; the share that arrives"
        " is within 0.02 of one in every group"
    )
    domain = (
        f"k = 2 ... 8, b - r over three decades, logits within 10, α|κ| = 1.05 ... 1.95, {_STEPS}"
        " expected steps; no proof for k > 2"
    )
    return analysis.all_within(summary, items, 1.0, 0.02, domain, {"stray": stray, "tried": tried})
