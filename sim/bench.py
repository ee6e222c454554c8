"""How fast the kernels are: nanoseconds of CPU a bandit step and a chain episode, beside a batch in plain numpy.

All contenders take turns in one process, so that other load on the machine hits them alike; the smallest of several rounds counts.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator

import numpy as np

from altpg_verify.estimators import Estimator, alternate, regular
from sim import bandit, chain

ROUNDS = 7
RUNS = 150


def measure() -> Iterator[str]:
    """The lines of the table, as they become known."""
    jobs: dict[str, tuple[Callable[[], None], int]] = {}
    for estimator in (regular, alternate):
        jobs[f"bandit step, {estimator.name}"] = (_bandit(estimator), RUNS * 1000)
        jobs[f"bandit step, {estimator.name}, numpy batch of {RUNS}"] = (_numpy_bandit(estimator), RUNS * 1000)
    for estimator in (regular, alternate):
        for start, word in ((0.0, "uniform"), (3.0, "saturated")):
            jobs[f"chain episode, {estimator.name}, {word} start"] = (_chain(estimator, start), RUNS * 100)
    begin = time.perf_counter()
    for job, _ in jobs.values():
        job()
    yield f"compiled and warmed up in {time.perf_counter() - begin:.1f} s"
    best = dict.fromkeys(jobs, float("inf"))
    for _ in range(ROUNDS):
        for name, (job, units) in jobs.items():
            begin = time.thread_time()
            job()
            best[name] = min(best[name], (time.thread_time() - begin) / units * 1e9)
    for name, nanoseconds in best.items():
        yield f"{name:<52} {nanoseconds:10.1f} ns"
    for estimator in (regular, alternate):
        ratio = best[f"bandit step, {estimator.name}, numpy batch of {RUNS}"] / best[f"bandit step, {estimator.name}"]
        yield f"numpy batch / kernel, {estimator.name}: {ratio:.0f}"
    load = f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    yield f"smallest of {ROUNDS} interleaved rounds, CPU time of one thread; {load}"


def _bandit(estimator: Estimator) -> Callable[[], None]:
    setting = bandit.Bandit((1.0, 2.0, 3.0), 1.0, (0.0, 0.0, 0.0), 0.25, 0.25, bandit.LEARNED, 0.0)
    return lambda: _ignore(bandit.simulate(estimator, [setting], root=0, experiment="bench", runs=RUNS, steps=1000, last=50))


def _chain(estimator: Estimator, start: float) -> Callable[[], None]:
    setting = chain.Chain((start, 0.0), 0.25, 0.25, bandit.LEARNED, 0.0)
    return lambda: _ignore(chain.simulate(estimator, [setting], root=0, experiment="bench", runs=RUNS, episodes=100, last=10))


def _ignore(result: object) -> None:
    """Benchmarks are called for their time."""


def _numpy_bandit(estimator: Estimator) -> Callable[[], None]:
    """The same agent over a batch of runs in plain numpy, with the same formula."""
    rewards, actions = np.array([1.0, 2.0, 3.0]), np.arange(3)[:, None]

    def run() -> None:
        generator = np.random.Generator(np.random.SFC64(0))
        theta, b, final = np.zeros((3, RUNS)), np.zeros(RUNS), np.zeros(RUNS)
        for t in range(1000):
            weight = np.exp(theta - theta.max(axis=0))
            pi = weight / weight.sum(axis=0)
            action = (generator.random(RUNS) >= pi.cumsum(axis=0)[:-1]).sum(axis=0)
            r = rewards[action] + generator.standard_normal(RUNS)
            theta += 0.25 * estimator(pi=pi, e=(actions == action).astype(float), r=r, b=b)
            b += 0.25 * (r - b)
            if t >= 950:
                final += rewards @ pi

    return run
