"""How long a profile will take, from a small part of every experiment: CPU time, scaled by
environment steps.

An experiment that says how to make a cell smaller (`Experiment.sample`) and what it costs
(`Experiment.cost`) has every cell measured. Of the others a few cells are run with fewer runs, and
time is scaled by runs: what a cell does once is then counted as if it were done for every run, so
that the estimate errs to the long side. Kernels are compiled before anything is measured.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from altpg_verify.sim.experiment import ROOT, Experiment

_CELLS = 3
_RUNS = 50


@dataclass(frozen=True)
class Block:
    """What one experiment will take.

    Args:
        experiment: its name.
        family: of agents, a key of `altpg_verify.sim.jit.SOURCES`.
        cells: how many it has.
        steps: environment steps of all cells; 0 if the experiment doesn't tell.
        sampled: seconds of CPU time that were measured.
        cpu: seconds of CPU time that all cells will take.
    """

    experiment: str
    family: str
    cells: int
    steps: float
    sampled: float
    cpu: float

    @property
    def words(self) -> str:
        """A line of the estimate: cells, steps if known, seconds measured and expected."""
        steps = f"{self.steps / 1e6:12,.0f} M steps" if self.steps else f"{'':20}"
        return (
            f"{self.experiment:<52} {self.cells:>4} cells {steps} {self.sampled:8.2f} s measured"
            f" {self.cpu:9.1f} s of CPU time"
        )


def estimate(experiments: Sequence[Experiment], profile: str, fraction: float) -> Iterator[Block]:
    """One block an experiment, as soon as it is measured, in this thread.

    CPU time of this thread, not time by the clock, so that other load on the machine counts little.

    Args:
        fraction: which part of the work to run, above 0 and up to 1.
    """
    for experiment in experiments:
        settings = [cell.setting for cell in experiment.work(profile)]
        steps = sum(map(experiment.steps, settings)) if experiment.cost else 0.0
        # compiling takes seconds once; scaled to the whole it would be hours
        _warm(experiment, settings[0])
        sampled = shares = 0.0
        for setting, share in _samples(experiment, settings, fraction):
            begin = time.thread_time()
            experiment.run(experiment.name, setting, ROOT)
            sampled += time.thread_time() - begin
            shares += share
        yield Block(
            experiment.name, experiment.family, len(settings), steps, sampled, sampled / shares
        )


def _samples(
    experiment: Experiment, settings: Sequence[Mapping[str, Any]], fraction: float
) -> Iterator[tuple[Mapping[str, Any], float]]:
    """Smaller settings, each with its share of the whole: of the steps where they are told, of the
    cells otherwise.
    """
    if experiment.sample and experiment.cost:
        total = sum(map(experiment.cost, settings))
        for setting in settings:
            smaller = experiment.sample(setting, fraction)
            yield smaller, experiment.cost(smaller) / total
        return
    number = min(len(settings), max(_CELLS, math.ceil(fraction * len(settings))))
    for place in range(number):
        # evenly spread: neighbours in the list take alike
        setting = settings[place * len(settings) // number]
        part = min(1.0, max(fraction, _RUNS / setting.get("runs", 1)))
        yield _fewer(setting, part), part / len(settings)


def _fewer(setting: Mapping[str, Any], part: float) -> dict[str, Any]:
    """The setting with so many of its runs, and of its fresh ones if it has any, but at least
    one.
    """
    numbers = {"runs": setting.get("runs", 1)} | (
        {"fresh": setting["fresh"]} if setting.get("fresh") else {}
    )
    return {**setting, **{name: max(1, round(part * number)) for name, number in numbers.items()}}


def _warm(experiment: Experiment, setting: Mapping[str, Any]) -> None:
    """Compile, or load, what the experiment needs."""
    experiment.run(
        experiment.name,
        experiment.sample(setting, 0.0) if experiment.sample else _fewer(setting, 0.0),
        ROOT,
    )
