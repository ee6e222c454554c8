"""The agents of this package as contenders of the bench."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from altpg_verify.estimators import alternate, regular
from altpg_verify.sim import bandit, chain

OURS = "ours"
ESTIMATORS = {estimator.name: estimator for estimator in (regular, alternate)}
TASKS = {
    "bandit": "a step",
    "chain": "an episode",
    "mountain_car": "a step",
    "acrobot": "a step",
    "dot_reacher": "a step",
}
"""What is timed, and what a unit of it is."""

RATE = 0.5
"""Both stepsizes of the linear agents."""
NEURAL_RATE = 2.0**-9
"""Both stepsizes of the neural agent."""
LANES = 16
STEPS = {"mountain_car": 200_000, "acrobot": 400_000, "dot_reacher": 50_000}
"""Steps of each of the 16 runs in a turn, for us and for C: as many as in the experiments of the
paper.
"""
BANDIT_RUNS = 150


@dataclass(frozen=True)
class Contender:
    """One thing to time.

    Args:
        task: one of `TASKS`. estimator: one of `ESTIMATORS`.
        kind: "ours", or what it is written in: goals are about the fastest of a kind.
        name: how it appears in the table.
        units: how many steps (episodes for the chain) `job` does.
    """

    task: str
    estimator: str
    kind: str
    name: str
    units: int
    job: Callable[[], object]


def agents(tasks: Sequence[str]) -> list[Contender]:
    """All agents of these tasks, for both estimators.

    Jobs are the paper's sizes: 150 runs of 1000 steps (bandit) or 100 episodes (chain), and 16 runs
    of `STEPS` for the online agents.
    """
    return [
        contender
        for task in tasks
        for estimator in ESTIMATORS
        for contender in _AGENTS[task](task, estimator)
    ]


def _bandit(task: str, estimator: str) -> list[Contender]:
    setting = bandit.Bandit((1.0, 2.0, 3.0), 1.0, (0.0, 0.0, 0.0), 0.25, 0.25, bandit.LEARNED, 0.0)

    def job() -> object:
        return bandit.simulate(
            ESTIMATORS[estimator],
            [setting],
            root=0,
            experiment="bench",
            runs=BANDIT_RUNS,
            steps=1000,
            last=50,
        )

    return [
        Contender(
            task,
            estimator,
            OURS,
            f"this package, {BANDIT_RUNS} runs in lock step",
            BANDIT_RUNS * 1000,
            job,
        )
    ]


def _chain(task: str, estimator: str) -> list[Contender]:
    def made(start: float, word: str) -> Contender:
        setting = chain.Chain((start, 0.0), 0.25, 0.25, bandit.LEARNED, 0.0)

        def job() -> object:
            return chain.simulate(
                ESTIMATORS[estimator],
                [setting],
                root=0,
                experiment="bench",
                runs=150,
                episodes=100,
                last=10,
            )

        kind = OURS if start == 0.0 else f"{OURS}, {word} start"
        return Contender(task, estimator, kind, f"this package, {word} start", 150 * 100, job)

    return [made(0.0, "uniform"), made(3.0, "saturated")]


def _linear(task: str, estimator: str) -> list[Contender]:
    from altpg_verify.sim.online import linear

    setting = linear.LinearAgent(
        {"mountain_car": "MountainCar", "acrobot": "Acrobot"}[task], RATE, RATE
    )
    return _in_lock_step(task, estimator, linear.simulate, setting)


def _neural(task: str, estimator: str) -> list[Contender]:
    from altpg_verify.sim.online import neural

    return _in_lock_step(
        task, estimator, neural.simulate, neural.NeuralAgent(NEURAL_RATE, NEURAL_RATE)
    )


def _in_lock_step(
    task: str, estimator: str, simulate: Callable[..., object], setting: object
) -> list[Contender]:
    steps = STEPS[task]

    def job() -> object:
        return simulate(
            ESTIMATORS[estimator],
            [setting],
            root=0,
            experiment="bench",
            runs=LANES,
            steps=steps,
            bin=steps,
            last=steps // 2,
        )

    return [
        Contender(
            task, estimator, OURS, f"this package, {LANES} runs in lock step", LANES * steps, job
        )
    ]


_AGENTS = {
    "bandit": _bandit,
    "chain": _chain,
    "mountain_car": _linear,
    "acrobot": _linear,
    "dot_reacher": _neural,
}
