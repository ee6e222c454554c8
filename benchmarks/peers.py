"""All peers as contenders of `python -m altpg_verify.sim bench`."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

from altpg_verify.sim.bench_agents import (
    BANDIT_RUNS,
    ESTIMATORS,
    LANES,
    NEURAL_RATE,
    RATE,
    STEPS,
    Contender,
)
from benchmarks import c_lanes, numpy_peers

JAX_BATCHES = {
    "mountain_car": ((64, 4000), (512, 500), (3000, 100)),
    "dot_reacher": ((64, 1000), (512, 125), (2400, 30)),
}
"""(runs, steps of each in a turn)."""


def contenders(tasks: Sequence[str]) -> tuple[list[Contender], list[str]]:
    """The peers that can run here, and a line for each kind that can't."""
    kinds: list[tuple[str, Callable[[str, str], list[Contender]]]] = [
        ("", _numpy),
        ("", _c),
        ("jax", _jax),
        ("gymnasium", _gymnasium),
    ]
    found, remarks = [], []
    for library, make in kinds:
        if library and not _installed(library):
            remarks.append(f"{library} isn't installed: its peers are skipped")
            continue
        try:
            found += [
                contender
                for task in tasks
                for estimator in ESTIMATORS
                for contender in make(task, estimator)
            ]
        except c_lanes.CannotBuild as error:
            remarks.append(f"{error}: the loops in C are skipped")
    return found, remarks


def _installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _rates(task: str) -> dict[str, float]:
    rate = NEURAL_RATE if task == "dot_reacher" else RATE
    return {"alpha": rate, "beta": rate}


def _c(task: str, estimator: str) -> list[Contender]:
    if task not in STEPS:
        return []
    steps = STEPS[task]
    c_lanes.compiled(task, LANES)

    def job() -> object:
        shape: dict[str, Any] = {
            "runs": LANES,
            "steps": steps,
            "last": steps // 2,
            "lanes": LANES,
            **_rates(task),
        }
        return (
            c_lanes.neural(estimator, **shape)
            if task == "dot_reacher"
            else c_lanes.linear(task, estimator, **shape)
        )

    return [Contender(task, estimator, "C", f"C, {LANES} runs in lock step", LANES * steps, job)]


def _jax(task: str, estimator: str) -> list[Contender]:
    if task not in JAX_BATCHES:
        return []
    from benchmarks import jax_peers

    jax_peers.use_one_thread()
    make, rates = getattr(jax_peers, task), _rates(task)
    return [
        Contender(
            task,
            estimator,
            "JAX",
            f"JAX, vmap over {runs} runs, float32",
            runs * steps,
            make(estimator, runs, steps, **rates),
        )
        for runs, steps in JAX_BATCHES[task]
    ]


def _numpy(task: str, estimator: str) -> list[Contender]:
    if task == "bandit":
        job = numpy_peers.bandit(ESTIMATORS[estimator], BANDIT_RUNS, 1000)
        return [
            Contender(
                task,
                estimator,
                "numpy",
                f"numpy, batch of {BANDIT_RUNS} runs",
                BANDIT_RUNS * 1000,
                job,
            )
        ]
    if task == "chain":
        job = numpy_peers.chain(ESTIMATORS[estimator], runs=5, episodes=100)
        return [Contender(task, estimator, "numpy", "numpy, run by run, uniform start", 500, job)]
    if task == "mountain_car":
        batch = numpy_peers.batch(estimator, 500, 300, **_rates(task))
        return [Contender(task, estimator, "numpy", "numpy, batch of 500 runs", 500 * 300, batch)]
    return []


def _gymnasium(task: str, estimator: str) -> list[Contender]:
    if task != "mountain_car":
        return []
    job = numpy_peers.gymnasium_run(estimator, 2000, **_rates(task))
    return [Contender(task, estimator, "gymnasium", "gymnasium + numpy, one run", 2000, job)]
