"""The very estimator object learning on the paper's tasks, at a small scale, beside the regular and
the alternate one.

Stepsizes are chosen by the mean over the last part of some runs; what is shown are fresh runs at
the chosen stepsize, so that the choice doesn't flatter anyone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.sim.figures import FigureData, Panel, Series

EXPERIMENT = "own estimator"
ROOT = 0
ALPHAS = tuple(2.0**n for n in range(-6, 2))
ONLINE_ALPHAS = (2.0**-9, 2.0**-5, 2.0**-1, 2.0**3)
BETA = 0.25
ONLINE_BETA = 0.5
RUNS = 150
STEPS, EPISODES, ONLINE_STEPS = 1000, 100, 40_000
ONLINE_RUNS = 32
BINS = 50


@dataclass(frozen=True)
class Task:
    """One task from one start with one baseline.

    Args:
        run: (estimator, alphas, experiment) -> final performance (alphas, runs) and learning curves
            (alphas, runs, bins).
        name: start and baseline in words.
        what: what performance is, the name of its axis.
        unit: of the learning curve: step or episode.
        length: how many units a run has.
        runs: for each stepsize.
        alphas: stepsizes of the sweep.
    """

    name: str
    what: str
    unit: str
    length: int
    runs: int
    alphas: tuple[float, ...]
    run: Callable[[Estimator, tuple[float, ...], str], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Learned:
    """What one estimator did on one task: mean and standard error of the final performance by
    stepsize, and fresh runs at the best.

    Args:
        label: the estimator's, in figures and tables.
        alphas: the stepsizes.
        mean, error: of the final performance at each.
        best: the stepsize of the highest mean.
        fresh, fresh_error: mean and standard error of further runs at it, which nothing was chosen
            on.
        curve, curve_error: of those runs, for each bin of time.
    """

    task: str
    label: str
    alphas: tuple[float, ...]
    mean: tuple[float, ...]
    error: tuple[float, ...]
    best: float
    fresh: float
    fresh_error: float
    curve: tuple[float, ...]
    curve_error: tuple[float, ...]


def tasks() -> tuple[tuple[Task, ...], ...]:
    """The tasks, a tuple for each figure: bandit, chain, MountainCar."""
    bandits = tuple(
        _bandit(
            f"{start}, fixed b = +4" if baseline == "fixed" else f"{start}, b learned from +4",
            theta,
            baseline,
            b,
        )
        for start, theta in (("uniform", 0.0), ("saturated", 10.0))
        for baseline, b in (("learned", 4.0), ("fixed", 4.0))
    )
    chains = tuple(
        _chain(
            f"{start}, fixed b = +4" if baseline == "fixed" else f"{start}, b learned from 0",
            theta,
            baseline,
            b,
        )
        for start, theta in (("uniform", 0.0), ("saturated", 3.0))
        for baseline, b in (("learned", 0.0), ("fixed", 4.0))
    )
    return bandits, chains, (_mountain_car(),)


def learn(
    estimators: Mapping[str, Estimator], group: tuple[Task, ...], done: Callable[[str], None]
) -> tuple[list[Learned], str]:
    """Every estimator on every task of a group; or none and why the agents can't run one of them.

    Stepsizes are chosen on some runs, and fresh runs at the best are shown: the highest of several
    means is too high on average.

    Args:
        estimators: by label.
        group: the tasks of a figure.
        done: is told each task and estimator after it has run.
    """
    learned = []
    for task in group:
        for label, estimator in estimators.items():
            try:
                learned.append(_one(task, label, estimator))
            except BadInput as error:
                # where the user's file lies is no part of the result
                return [], re.sub(r" *Raised from [^()]*\(\d+\)", "", str(error))
            done(f"{task.name}, {label}")
    return learned, ""


def _one(task: Task, label: str, estimator: Estimator) -> Learned:
    final, _ = task.run(estimator, task.alphas, f"{EXPERIMENT}: {task.name}")
    mean, error = _mean(final)
    best = int(np.argmax(mean))
    fresh, curves = task.run(estimator, (task.alphas[best],), f"{EXPERIMENT}: {task.name}, fresh")
    (value,), (spread,) = _mean(fresh)
    curve, curve_error = _mean(curves[0].T)
    return Learned(
        task.name,
        label,
        task.alphas,
        mean,
        error,
        task.alphas[best],
        value,
        spread,
        curve,
        curve_error,
    )


def _mean(values: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Means over the last axis and their standard errors, to the digits that every machine agrees
    on.
    """
    mean, error = values.mean(axis=-1), values.std(axis=-1, ddof=1) / np.sqrt(values.shape[-1])
    # an expected update has no chance in it: all runs are one, and what is left is rounding
    error = np.where(error < 1e-12 * np.maximum(1.0, np.abs(mean)), 0.0, error)
    return tuple(float(f"{x:.8g}") for x in mean), tuple(float(f"{x:.8g}") for x in error)


def figure(
    name: str, title: str, group: tuple[Task, ...], learned: list[Learned]
) -> list[FigureData]:
    """Two figures of a group: final performance against stepsize, and learning curves of fresh runs
    at the best stepsize.
    """
    first = group[0]
    scale = f"{first.runs} runs of {first.length} {first.unit}s"
    by_alpha = tuple(
        Panel(
            task.name,
            "stepsize α",
            task.what,
            "log2",
            tuple(
                Series(_literally(one.label), one.alphas, one.mean, one.error)
                for one in _of(task, learned)
            ),
        )
        for task in group
    )
    width = first.length / len(learned[0].curve)
    x = tuple(width * (n + 0.5) for n in range(len(learned[0].curve)))
    curves = tuple(
        Panel(
            task.name,
            first.unit,
            task.what,
            "linear",
            tuple(
                Series(_literally(one.label), x, one.curve, one.curve_error)
                for one in _of(task, learned)
            ),
        )
        for task in group
    )
    chosen = (
        f"Fresh runs of {title} at the stepsize that was best for each estimator and panel,"
        f" {scale}. Bands are two standard errors."
    )
    swept = (
        f"{title[:1].upper() + title[1:]}: mean over the last part of {scale}. Bars are two"
        " standard errors."
    )
    return [
        FigureData(f"{name}-stepsizes", title, swept, _told(learned), by_alpha),
        FigureData(f"{name}-curves", title, chosen, _told(learned), curves),
    ]


def _literally(label: str) -> str:
    """A name whose dollars are no mathematics to matplotlib."""
    return label.replace("$", r"\$")


def _of(task: Task, learned: list[Learned]) -> list[Learned]:
    return [one for one in learned if one.task == task.name]


def _told(learned: list[Learned]) -> str:
    return "Curves. " + " ".join(
        f"{one.task}: {one.label} best at stepsize {one.best:g}, {one.fresh:.4g} ±"
        f" {one.fresh_error:.2g}."
        for one in learned
    )


def _bandit(name: str, theta: float, baseline: str, b: float) -> Task:
    def run(
        estimator: Estimator, alphas: tuple[float, ...], experiment: str
    ) -> tuple[np.ndarray, np.ndarray]:
        from altpg_verify.sim import bandit

        settings = [
            bandit.Bandit((1.0, 2.0, 3.0), 1.0, (theta, 0.0, 0.0), alpha, BETA, baseline, b)
            for alpha in alphas
        ]
        found = bandit.simulate(
            estimator,
            settings,
            root=ROOT,
            experiment=experiment,
            runs=RUNS,
            steps=STEPS,
            last=50,
            bins=BINS,
        )
        return np.stack([one.mean for one in found]), np.stack([one.curve for one in found])

    return Task(name, "value J", "step", STEPS, RUNS, ALPHAS, run)


def _chain(name: str, theta: float, baseline: str, b: float) -> Task:
    def run(
        estimator: Estimator, alphas: tuple[float, ...], experiment: str
    ) -> tuple[np.ndarray, np.ndarray]:
        from altpg_verify.sim import chain

        settings = [chain.Chain((theta, 0.0), alpha, BETA, baseline, b) for alpha in alphas]
        found = chain.simulate(
            estimator,
            settings,
            root=ROOT,
            experiment=experiment,
            runs=RUNS,
            episodes=EPISODES,
            last=10,
            bins=BINS,
        )
        return np.stack([one.mean for one in found]), np.stack([one.curve for one in found])

    return Task(name, "value v(s_3)", "episode", EPISODES, RUNS, ALPHAS, run)


def _mountain_car() -> Task:
    def run(
        estimator: Estimator, alphas: tuple[float, ...], experiment: str
    ) -> tuple[np.ndarray, np.ndarray]:
        from altpg_verify.sim.online import linear

        settings = [linear.LinearAgent("MountainCar", alpha, ONLINE_BETA) for alpha in alphas]
        found = linear.simulate(
            estimator,
            settings,
            root=ROOT,
            experiment=experiment,
            runs=ONLINE_RUNS,
            steps=ONLINE_STEPS,
            bin=1000,
            last=5000,
        )
        return np.stack([one.final for one in found]), np.stack([one.returns for one in found])

    return Task("MountainCar", "return", "step", ONLINE_STEPS, ONLINE_RUNS, ONLINE_ALPHAS, run)
