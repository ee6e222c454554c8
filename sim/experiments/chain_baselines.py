"""The chain with other fixed baselines: each has its own exact fixed point, and REINFORCE finds it;
more optimism, less value.

The curve comes from iterating π(a|s) ∝ 1/(b - q_π(s, a)), the points from sampled agents with small
stepsizes, started at the uniform policy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.chain_fixed_points import (
    action_values,
    exact_point,
    relaxation_time,
    value,
)
from altpg_verify.sim.figures import FigureData, Line, Panel, Series
from altpg_verify.sim.results import Results

NAME = "chain_baselines"
BASELINES = [2.0, 6.0, 10.0]
PUSH = 1 / 64
"""α times b: the stepsize is smaller for larger baselines, whose updates are larger."""

_BURN_IN = 10
_RUNS = {"quick": 300, "paper": 3000}
_LAST = 1500
CURVE = [1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0]


def _cells(profile: str) -> list[Mapping[str, Any]]:
    # at b = 4 the slowest direction returns in 1/(0.92 α); with α b fixed it is about the same
    # number of episodes for every b
    burn_in = 2 * math.ceil(_BURN_IN * relaxation_time(PUSH / 4.0) / 2)
    return [
        {"b": b, "alpha": PUSH / b, "runs": _RUNS[profile], "burn_in": burn_in, "last": _LAST}
        for b in BASELINES
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """mean (runs,) of v(s3) over the last episodes, right (runs, 5), failed."""
    from altpg_verify.sim.chain import Chain, simulate

    # from the uniform policy, which lies on one side of all the fixed points
    agent = Chain((0.0, 0.0), setting["alpha"], 0.0, "fixed", setting["b"])
    sizes = {
        "runs": setting["runs"],
        "episodes": setting["burn_in"] + setting["last"],
        "last": setting["last"],
    }
    (outcome,) = simulate(
        estimator_named("alternate"), [agent], root=root, experiment=experiment, **sizes
    )
    return {name: getattr(outcome, name) for name in ("mean", "right", "failed")}


def _figures(results: Results) -> list[FigureData]:
    exact = Series("exact fixed point", tuple(CURVE), tuple(value(exact_point(b)) for b in CURVE))
    records = results.select(NAME)
    pairs = [analysis.mean_and_error(record["mean"]) for record in records]
    agents = Series(
        "agents",
        tuple(BASELINES),
        tuple(float(m) for m, _ in pairs),
        tuple(float(e) for _, e in pairs),
    )
    # the limit for b → ∞
    uniform = value(np.full(len(action_values(np.full(5, 0.5))[0]), 0.5))
    caption = (
        "REINFORCE with the alternate estimator on the chain with a fixed b in every state,"
        f" {records[0].setting['runs']} runs: mean v(s3) after burn-in, on the exact fixed points."
        f" The value falls from the optimum's 0.81 towards the uniform policy's {uniform:.3f} as b"
        " rises: a fixed value estimate should be optimistic by little."
    )
    ends = " to ".join(f"{exact.y[i]:.2f} at b = {exact.x[i]:g}" for i in (0, -1))
    alt = f"A falling curve from {ends}, with {len(agents.x)} measured points on it."
    panel = Panel(
        "fixed b",
        "b in every state",
        "v(s3)",
        "log2",
        (exact, agents),
        (Line("uniform policy", uniform),),
    )
    return [FigureData(NAME, "The chain with other baselines", caption, alt, (panel,))]


CHAIN_BASELINES = Experiment(
    NAME,
    "chain, other fixed baselines: agents against exact fixed points",
    'the sentence "the policy converges to the fixed point given by the lemma", other baselines',
    {
        profile: f"{runs} chains for b = 2, 6, 10, {_LAST} episodes after burn-in; not in the paper"
        for profile, runs in _RUNS.items()
    },
    _cells,
    _run,
    _figures,
)


@evidence("chain-agents-follow-baseline-sweep", kind="simulation")
def follow(results: Results) -> Finding:
    items = []
    for record in results.select(NAME):
        exact = value(exact_point(record.setting["b"]))
        items.append(
            measured(f"b = {record.setting['b']:g}, less {exact:.6f}", [record["mean"] - exact])
        )
    sweep = {f"b = {b:g}": round(value(exact_point(b)), 4) for b in CURVE}
    runs = results.select(NAME)[0].setting["runs"]
    summary = (
        "v(s3) is within 0.005 of the exact fixed point of each baseline: the value that training"
        " ends with is chosen by b"
    )
    return analysis.all_within(
        summary,
        items,
        0.0,
        0.005,
        f"chain, noise 1, γ = 0.9, α b = 1/64, {runs} runs",
        {"exact": sweep},
    )
