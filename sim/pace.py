"""How fast a sweep goes and how long it has to go: cells are weighed by what they cost, not counted."""

from __future__ import annotations

import time
from collections.abc import Sequence

from sim.experiment import Cell
from sim.log import Spent

NANOSECONDS = {"tabular": 50.0, "linear": 60.0, "neural": 350.0}
"""CPU time of an environment step by family, roughly: what is assumed until cells of an experiment have been timed."""

_UNKNOWN = 0.3
"""Seconds of CPU time assumed for a cell whose experiment doesn't say how many steps it takes."""


class Pace:
    """Learns from each finished cell what a step of its experiment costs."""

    def __init__(self) -> None:
        self._left: dict[str, float] = {}
        self._steps: dict[str, float] = {}
        self._seconds: dict[str, float] = {}
        self._begin = time.monotonic()
        self._busy = self._told = 0.0

    def begin(self, todo: Sequence[Cell]) -> None:
        """The work starts now."""
        self._begin = time.monotonic()
        for cell in todo:
            self._left[cell.experiment] = self._left.get(cell.experiment, 0.0) + _steps(cell)

    def add(self, cell: Cell, spent: Spent) -> None:
        """A cell is done."""
        name, steps = cell.experiment, _steps(cell)
        self._left[name] = max(0.0, self._left.get(name, 0.0) - steps)
        self._steps[name] = self._steps.get(name, 0.0) + steps
        self._seconds[name] = self._seconds.get(name, 0.0) + spent.wall
        self._busy += spent.wall
        self._told += steps if _tells(cell) else 0.0

    def expected(self, cell: Cell) -> float:
        """Seconds that a cell will take its worker."""
        return _steps(cell) * self._per_step(cell.experiment)

    @property
    def rate(self) -> float:
        """Environment steps a second so far, in the cells whose experiments count them."""
        return self._told / max(time.monotonic() - self._begin, 1e-9)

    @property
    def done(self) -> float:
        """Part of the work that is done, between 0 and 1."""
        done = sum(self._seconds.values())
        return done / (done + self._remaining) if self._remaining else 1.0

    @property
    def left(self) -> float | None:
        """Seconds to go if as many workers stay busy as were so far; None before the first cell is done."""
        if not self._busy:
            return 0.0 if not self._remaining else None
        workers = max(self._busy / max(time.monotonic() - self._begin, 1e-9), 1e-9)
        return self._remaining / workers

    @property
    def _remaining(self) -> float:
        return sum(steps * self._per_step(name) for name, steps in self._left.items())

    def _per_step(self, name: str) -> float:
        if self._steps.get(name):
            return self._seconds[name] / self._steps[name]
        from sim.experiments import experiment_named

        experiment = experiment_named(name)
        return NANOSECONDS.get(experiment.family, 100.0) * 1e-9 if experiment.cost else _UNKNOWN


def _steps(cell: Cell) -> float:
    from sim.experiments import experiment_named

    return experiment_named(cell.experiment).steps(cell.setting)


def _tells(cell: Cell) -> bool:
    from sim.experiments import experiment_named

    return experiment_named(cell.experiment).cost is not None
