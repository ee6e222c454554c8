"""A conjecture tried on random Markov decision processes: expected REINFORCE with a fixed
optimistic b goes to one policy from every start.

Discount 0.8, rewards between 0 and 1, a random transition kernel with every state reachable, b
above all action values, stepsizes small against the pushes. From each start the update runs until
it rests; two starts in the same process must rest at the same policy.
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
from altpg_verify.sim.experiments.expected_steps import expected_update, policies_of
from altpg_verify.sim.figures import FigureData, Panel, Series
from altpg_verify.sim.results import Results

NAME = "mdp_attraction"
SIZES = ((2, 2), (3, 2), (4, 3))
"""States and actions."""

EXCESS = (1.05, 1.5, 4.0)
"""b, as a multiple of the largest possible value 1/(1 - γ)."""

GAMMA = 0.8
_RUNS = {"quick": 50, "paper": 1000}
STEPS = 2000
SHOWN = (1, 10, 30, 100, 200, 400, 800, 1400, 2000)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {"states": s, "actions": a, "excess": e, "steps": STEPS, "runs": _RUNS[profile]}
        for s, a in SIZES
        for e in EXCESS
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """apart (times, runs): the largest difference of two policies of one process; arrived (runs,)
    whether they met and rest; failed.
    """
    from altpg_verify.sim import streams

    s, k, runs = setting["states"], setting["actions"], setting["runs"]
    words = streams.entropy(root, experiment, {"states": s, "actions": k}, "processes and starts")
    generator = np.random.Generator(np.random.SFC64(np.random.SeedSequence(words)))
    # cubed, so that few next states are likely; from 0.01 on, so that all can be reached
    # seeded by the sizes alone: all baselines face the same processes
    transitions = generator.uniform(0.01, 1.0, (runs, s, k, s)) ** 3
    transitions /= transitions.sum(axis=-1, keepdims=True)
    rewards = generator.uniform(0.0, 1.0, (runs, s, k))
    # two starts of each process, side by side: (2 runs, s, k)
    transitions, rewards = np.concatenate([transitions] * 2), np.concatenate([rewards] * 2)
    theta = generator.uniform(0.0, 5.0, (2 * runs, s, k))
    b = setting["excess"] / (1.0 - GAMMA)
    # times the largest occupancy 1/(1 - γ) this is at most one in units of 1/|κ|, where a bandit is
    # attracted
    alpha = (1.0 - GAMMA) * k / abs(b)
    policies, estimator = policies_of(k, 2 * runs * s), estimator_named("alternate")
    apart, moved = [], np.ones(runs)
    uniform = np.full(s, 1.0 / s)
    for step in range(1, setting["steps"] + 1):
        pi = policies(np.ascontiguousarray(theta.reshape(-1, k).T))
        by_state = pi.T.reshape(2 * runs, s, k)
        walk = np.einsum("nsk,nskt->nst", by_state, transitions)
        # one matrix for both: (I - γ P) v = r, and its transpose for the discounted occupancy
        system = np.eye(s) - GAMMA * walk
        v = np.linalg.solve(system, (by_state * rewards).sum(axis=-1)[..., None])[..., 0]
        q = rewards + GAMMA * np.einsum("nskt,nt->nsk", transitions, v)
        occupancy = np.linalg.solve(
            system.transpose(0, 2, 1), np.broadcast_to(uniform, (2 * runs, s))[..., None]
        )
        update = expected_update(estimator, pi, np.ascontiguousarray(q.reshape(-1, k).T), b)
        theta += alpha * occupancy * update.T.reshape(2 * runs, s, k)
        if step in SHOWN:
            after = policies(np.ascontiguousarray(theta.reshape(-1, k).T)).T.reshape(2 * runs, s, k)
            # the two starts of each process against each other
            apart.append(np.abs(after[:runs] - after[runs:]).max(axis=(1, 2)))
            still = np.abs(after - by_state).max(axis=(1, 2))
            moved = np.maximum(still[:runs], still[runs:])
    # both: two starts may come close to each other on the way, and still move
    arrived = (apart[-1] < 1e-6) & (moved < 1e-8)
    return {
        "apart": np.array(apart),
        "arrived": arrived.astype(float),
        "failed": ~np.isfinite(apart[-1]),
    }


def _stray(results: Results) -> tuple[int, int]:
    """How many pairs of starts did not come to rest at one policy, and of how many."""
    arrived = [record["arrived"] for record in results.select(NAME)]
    return sum(int((one == 0).sum()) for one in arrived), sum(one.size for one in arrived)


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for s, k in SIZES:
        series = []
        for record in results.select(NAME, states=s, actions=k):
            y = np.log10(np.maximum(record["apart"].max(axis=-1), 1e-16))
            series.append(
                Series(
                    f"b = {record.setting['excess']:g}/(1 − γ)",
                    tuple(map(float, SHOWN)),
                    tuple(y.tolist()),
                )
            )
        panels.append(
            Panel(
                f"{s} states, {k} actions",
                "step",
                "log10 of the largest difference of two starts",
                "log10",
                tuple(series),
            )
        )
    caption = (
        "Expected REINFORCE with a fixed optimistic value in every state, on random Markov"
        " decision processes with γ = 0.8: how far apart the policies from two random starts still"
        f" are, the largest over {results.select(NAME)[0].setting['runs']} processes;"
        f" {_stray(results)[0]} of all pairs did not come to rest at one policy. That is evidence,"
        " not a proof."
    )
    alt = "Three panels: the difference of two starts falls at every step, for three baselines."
    return [
        FigureData(NAME, "Attraction in Markov decision processes", caption, alt, tuple(panels))
    ]


MDP_ATTRACTION = Experiment(
    NAME,
    "random Markov decision processes, expected REINFORCE with a fixed optimistic value",
    'the sentence "the theorem may hold for MDPs"',
    {
        profile: (
            f"{runs} random processes for each of 9 settings, two starts each; not in the paper"
        )
        for profile, runs in _RUNS.items()
    },
    _cells,
    _run,
    _figures,
)


@evidence("conjecture-mdp-attraction", kind="simulation")
def meet(results: Results) -> Finding:
    items, (stray, tried) = [], _stray(results)
    for record in results.select(NAME):
        setting = record.setting
        label = (
            f"{setting['states']} states, {setting['actions']} actions, b ="
            f" {setting['excess']:g}/(1 - γ)"
        )
        items.append(measured(label, [record["arrived"]], (0.0, 1.0)))
    summary = (
        f"conjecture: {stray} of {tried} pairs of starts did not come to rest at one policy; the"
        " share that does is within 0.1 of one"
    )
    domain = (
        f"random processes with 2 to 4 states and 2 or 3 actions, γ = 0.8, {STEPS} expected steps;"
        " no proof"
    )
    return analysis.all_within(summary, items, 1.0, 0.1, domain, {"stray": stray, "tried": tried})
