"""How long a profile will take, from a small part of every experiment: CPU time, scaled by environment steps.

An experiment that says how to make a cell smaller (`Experiment.sample`) and what it costs (`Experiment.cost`) has every cell
measured. Of the others a few cells are run with fewer runs, and time is scaled by runs: what a cell does once is then counted as
if it were done for every run, so that the estimate errs to the long side. Kernels are compiled before anything is measured.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sim.experiment import ROOT, Experiment

_CELLS = 3
_RUNS = 50


@dataclass(frozen=True)
class Block:
    """One experiment. cells: how many it has; steps: environment steps, 0 if not told; sampled, cpu: seconds measured, and for all."""

    experiment: str
    family: str
    cells: int
    steps: float
    sampled: float
    cpu: float

    @property
    def words(self) -> str:
        steps = f"{self.steps / 1e6:12,.0f} M steps" if self.steps else f"{'':20}"
        return f"{self.experiment:<52} {self.cells:>4} cells {steps} {self.sampled:8.2f} s measured {self.cpu:9.1f} s of CPU time"


def estimate(experiments: Sequence[Experiment], profile: str, fraction: float) -> Iterator[Block]:
    """One block an experiment, as soon as it is measured, in this thread."""
    for experiment in experiments:
        settings = [cell.setting for cell in experiment.work(profile)]
        steps = sum(map(experiment.steps, settings)) if experiment.cost else 0.0
        samples = list(_samples(experiment, settings, fraction))
        _warm(experiment, settings[0])
        sampled = whole = 0.0
        for setting, share in samples:
            begin = time.thread_time()
            experiment.run(experiment.name, setting, ROOT)
            sampled += time.thread_time() - begin
            whole += share
        yield Block(experiment.name, experiment.family, len(settings), steps, sampled, sampled * _scale(experiment, settings, whole))


def _samples(experiment: Experiment, settings: Sequence[Mapping[str, Any]], fraction: float) -> Iterator[tuple[Mapping[str, Any], float]]:
    """Smaller settings, each with what it is of the whole: steps where they are told, cells otherwise."""
    if experiment.sample and experiment.cost:
        for setting in settings:
            smaller = experiment.sample(setting, fraction)
            yield smaller, experiment.cost(smaller)
        return
    number = min(len(settings), max(_CELLS, math.ceil(fraction * len(settings))))
    for place in range(number):
        setting = settings[place * len(settings) // number]
        runs = setting.get("runs", 1)
        part = min(1.0, max(fraction, _RUNS / runs))
        fresh = {"fresh": max(1, round(part * setting["fresh"]))} if setting.get("fresh") else {}
        yield {**setting, "runs": max(1, round(part * runs)), **fresh}, part


def _scale(experiment: Experiment, settings: Sequence[Mapping[str, Any]], sampled: float) -> float:
    """How many times what was sampled the whole is."""
    total = sum(map(experiment.cost, settings)) if experiment.sample and experiment.cost else float(len(settings))
    return total / sampled


def _warm(experiment: Experiment, setting: Mapping[str, Any]) -> None:
    """Compile, or load, what the experiment needs."""
    smaller = (
        experiment.sample(setting, 0.0) if experiment.sample else {**setting, "runs": 1, **({"fresh": 1} if setting.get("fresh") else {})}
    )
    experiment.run(experiment.name, smaller, ROOT)
