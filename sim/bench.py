"""How fast the agents are, in nanoseconds of CPU a step, beside what one would use instead.

All contenders take turns in one process, so that other load on the machine hits them alike; the
smallest of several rounds counts. The peers are in the repository's benchmarks/ only; an installed
package times itself alone.
"""

from __future__ import annotations

import importlib
import math
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import altpg_verify
from altpg_verify.errors import BadInput
from altpg_verify.sim import log
from altpg_verify.sim.bench_agents import ESTIMATORS, OURS, TASKS, Contender, agents

ROUNDS = 7
PEERS = Path(altpg_verify.__file__).resolve().parents[1] / "benchmarks"


@dataclass(frozen=True)
class Goal:
    """A ratio to the fastest contender of a kind: `at_most` times its time, or `at_least` times as
    fast.

    Times are CPU time a unit of the task; a ratio is ours to the peer's, or the peer's to ours for
    a goal of speed.

    Args:
        task: one of the bench's tasks.
        kind: what the contenders it is measured against are written in.
    """

    task: str
    kind: str
    at_most: float = math.inf
    at_least: float = 0.0

    def verdict(self, ours: float, peer: float) -> tuple[float, bool]:
        """The ratio in the sense of the goal, and whether it is met."""
        if self.at_least:
            return peer / ours, peer / ours >= self.at_least
        return ours / peer, ours / peer <= self.at_most

    def __str__(self) -> str:
        if self.at_least:
            return f"{self.task}: at least {self.at_least:g} times as fast as {self.kind}"
        return f"{self.task}: at most {self.at_most:g} times the time of {self.kind}"


GOALS = (
    Goal("mountain_car", "C", at_most=1.7),
    Goal("acrobot", "C", at_most=1.5),
    Goal("dot_reacher", "C", at_most=2.5),
    Goal("mountain_car", "JAX", at_least=10),
    Goal("dot_reacher", "JAX", at_least=5),
    Goal("mountain_car", "gymnasium", at_least=500),
    Goal("mountain_car", "numpy", at_least=30),
    Goal("bandit", "numpy", at_least=15),
    Goal("chain", "numpy", at_least=800),
)
"""Fixed before the agents were written; whether they are met is up to the machine."""


def measure(only: Sequence[str] = (), rounds: int = ROUNDS) -> Iterator[str]:
    """The lines of the table of times and of goals, as they become known.

    Args:
        only: tasks to time, of `bench_agents.TASKS`; all, if empty.
        rounds: turns of each contender, of which the fastest counts.

    Raises:
        BadInput: there is no such task, or no round.
    """
    unknown = sorted(set(only) - set(TASKS))
    if unknown:
        raise BadInput(
            f"there is no task {', '.join(map(repr, unknown))}; there are {', '.join(TASKS)}"
        )
    if rounds < 1:
        raise BadInput(f"the fastest of {rounds} rounds doesn't exist")
    return _table([task for task in TASKS if task in only or not only], rounds)


def _table(tasks: Sequence[str], rounds: int) -> Iterator[str]:
    before = log.load()
    contenders = agents(tasks)
    others, remarks = peers(tasks)
    yield from remarks
    begin = time.process_time()
    for contender in contenders:
        contender.job()
    yield f"agents compiled and warmed up in {time.process_time() - begin:.1f} s of CPU"
    for contender in others:
        contender.job()
    contenders += others
    best = smallest(contenders, rounds)
    for task in tasks:
        yield ""
        yield f"{f'{task}, ns of CPU {TASKS[task]}':<56}" + "".join(
            f"{name:>14}" for name in ESTIMATORS
        )
        for name in dict.fromkeys(
            contender.name for contender in contenders if contender.task == task
        ):
            yield f"  {name:<54}" + "".join(
                _cell(best.get((task, name, estimator))) for estimator in ESTIMATORS
            )
    verdicts = list(judged(tasks, contenders, best))
    if verdicts:
        yield ""
        yield f"{'goals':<70}" + "".join(f"{name:>18}" for name in ESTIMATORS)
        yield from verdicts
    yield ""
    yield (
        f"smallest of {rounds} interleaved rounds, CPU time of the process; load average"
        f" {before:.1f} before and {log.load():.1f} after"
    )
    yield ", ".join(f"{name} {value}" for name, value in log.machine().items())


def peers(tasks: Sequence[str]) -> tuple[list[Contender], list[str]]:
    """The contenders in benchmarks/ that can run here, and a line for each kind that can't.

    Such a line says what is missing: a compiler, JAX, gymnasium.
    """
    if not (PEERS / "peers.py").is_file():
        return [], [
            "no peers: they are in the folder benchmarks/ of the source repository, which isn't"
            " beside this package"
        ]
    if str(PEERS.parent) not in sys.path:
        sys.path.append(str(PEERS.parent))
    found: tuple[list[Contender], list[str]] = importlib.import_module(
        "benchmarks.peers"
    ).contenders(tasks)
    return found


Times = dict[tuple[str, str, str], float]
"""ns of CPU a step of (task, name, estimator)."""


def smallest(contenders: Sequence[Contender], rounds: int) -> Times:
    """The least time of every contender, in ns of CPU a unit, over rounds in each of which all have
    a turn.

    The minimum, not the mean: other load can only add to a time.
    """
    best: Times = {}
    for _ in range(rounds):
        for contender in contenders:
            begin = time.process_time()
            contender.job()
            spent = (time.process_time() - begin) / contender.units * 1e9
            key = (contender.task, contender.name, contender.estimator)
            best[key] = min(best.get(key, math.inf), spent)
    return best


def judged(tasks: Sequence[str], contenders: Sequence[Contender], best: Times) -> Iterator[str]:
    """A line for every goal that has a peer here: the ratio for each estimator, and whether it is
    met.
    """
    for goal in GOALS:
        cells = []
        for estimator in ESTIMATORS:
            ours, peer = (
                _fastest(contenders, best, (goal.task, kind, estimator))
                for kind in (OURS, goal.kind)
            )
            ratio, met = goal.verdict(ours, peer)
            cells.append("" if math.isnan(ratio) else f"{ratio:.3g} {'met' if met else 'NOT MET'}")
        if goal.task in tasks and any(cells):
            yield f"  {goal!s:<68}" + "".join(f"{cell:>18}" for cell in cells)


def _fastest(contenders: Sequence[Contender], best: Times, wanted: tuple[str, str, str]) -> float:
    """NaN if there is no contender of this (task, kind, estimator)."""
    times = [
        best[c.task, c.name, c.estimator]
        for c in contenders
        if (c.task, c.kind, c.estimator) == wanted
    ]
    return min(times, default=math.nan)


def _cell(nanoseconds: float | None) -> str:
    return f"{'':>14}" if nanoseconds is None else f"{nanoseconds:>14.1f}"
