"""How fast a sweep goes and how long it has to go: cells are weighed by what they cost, not
counted.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from altpg_verify.sim.experiment import Cell, Experiment
from altpg_verify.sim.log import Spent

NANOSECONDS = {"tabular": 50.0, "linear": 60.0, "neural": 350.0}
"""CPU time of an environment step by family, roughly: what is assumed until cells of an experiment
have been timed.
"""

_UNKNOWN = 0.3
"""Seconds of CPU time assumed for a cell whose experiment doesn't say how many steps it takes."""


class Throughput:
    """Learns from each finished cell what a step of its experiment costs.

    Times are seconds; a sum over experiments is weighed by what a step of each costs, as they
    differ by a factor of ten.
    """

    def __init__(self) -> None:
        self._left: dict[str, float] = {}
        self._steps: dict[str, float] = {}
        self._seconds: dict[str, float] = {}
        self._experiments: dict[str, Experiment] = {}
        self._begin = time.monotonic()

    def begin(self, todo: Sequence[Cell]) -> None:
        """Set the clock to 0 and note the environment steps that each experiment has to go."""
        self._begin = time.monotonic()
        for cell in todo:
            self._experiments[cell.experiment] = cell.run_by
            self._left[cell.experiment] = self._left.get(cell.experiment, 0.0) + cell.steps

    def add(self, cell: Cell, spent: Spent) -> None:
        """Count a finished cell: its steps are no longer to go, and its time is what such steps
        cost.

        Args:
            spent: what it took, by its worker; the time by the clock counts.
        """
        name, steps = cell.experiment, cell.steps
        self._experiments[name] = cell.run_by
        self._left[name] = max(0.0, self._left.get(name, 0.0) - steps)
        self._steps[name] = self._steps.get(name, 0.0) + steps
        self._seconds[name] = self._seconds.get(name, 0.0) + spent.wall

    def expected(self, cell: Cell) -> float:
        """Seconds that a cell will take its worker.

        By cells of the same experiment that were timed before, or by `NANOSECONDS` of its family.
        """
        return cell.steps * self._per_step(cell.run_by)

    @property
    def rate(self) -> float:
        """Environment steps a second so far, in the cells whose experiments count them."""
        return (
            sum(steps for name, steps in self._steps.items() if self._experiments[name].cost)
            / self._gone
        )

    @property
    def done(self) -> float:
        """Part of the work that is done, between 0 and 1."""
        remaining = self._remaining
        return self._busy / (self._busy + remaining) if remaining else 1.0

    @property
    def left(self) -> float | None:
        """Seconds to go if as many workers stay busy as were so far; None before the first cell is
        done.
        """
        remaining, busy = self._remaining, self._busy
        if not busy:
            return None if remaining else 0.0
        return remaining / max(busy / self._gone, 1e-9)

    @property
    def _gone(self) -> float:
        """Seconds by the clock since the work started."""
        return max(time.monotonic() - self._begin, 1e-9)

    @property
    def _busy(self) -> float:
        """Seconds that workers have spent."""
        return sum(self._seconds.values())

    @property
    def _remaining(self) -> float:
        return sum(
            steps * self._per_step(self._experiments[name]) for name, steps in self._left.items()
        )

    def _per_step(self, experiment: Experiment) -> float:
        name = experiment.name
        if self._steps.get(name):
            return self._seconds[name] / self._steps[name]
        return NANOSECONDS.get(experiment.family, 100.0) * 1e-9 if experiment.cost else _UNKNOWN
