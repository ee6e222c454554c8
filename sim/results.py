"""Access to the stored results of a profile, for analyses, figures and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from sim.experiment import Cell
from sim.sweep import open_stores


@dataclass(frozen=True)
class Record:
    """The setting of one cell and its arrays."""

    setting: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.arrays[name]


class Results:
    """All results of a profile in a folder; files are read, and checked, when first asked for.

    Args:
        profile: which one of `sim.experiment.PROFILES`.
        work: its cells; out: the folder they were stored in.
    """

    def __init__(self, profile: str, work: Sequence[Cell], out: Path) -> None:
        self.profile = profile
        self._stores = open_stores(work, out)
        self._cells: dict[str, list[Cell]] = {}
        for cell in work:
            self._cells.setdefault(cell.experiment, []).append(cell)
        self._read: dict[int, Record] = {}

    def __contains__(self, experiment: str) -> bool:
        return experiment in self._cells

    def select(self, experiment: str, **criteria: Any) -> list[Record]:
        """The records of an experiment whose settings have these values, in order.

        Raises:
            BadInput: the experiment isn't part of these results, or a file is missing or was altered.
        """
        if experiment not in self._cells:
            raise BadInput(f"these results hold no experiment {experiment!r}; they hold {', '.join(self._cells)}")
        chosen = [cell for cell in self._cells[experiment] if all(cell.setting.get(name) == value for name, value in criteria.items())]
        return [self._record(cell) for cell in chosen]

    def one(self, experiment: str, **criteria: Any) -> Record:
        """The only record with these values."""
        found = self.select(experiment, **criteria)
        if len(found) != 1:
            raise ValueError(f"{len(found)} cells of {experiment} have {criteria}")
        return found[0]

    def failures(self) -> Iterator[tuple[str, int]]:
        """Experiment and how many of its runs became infinite or not a number; they count as the worst, and are never dropped."""
        for experiment in self._cells:
            yield experiment, sum(int(record["failed"].sum()) for record in self.select(experiment))

    def _record(self, cell: Cell) -> Record:
        if id(cell) not in self._read:
            self._read[id(cell)] = Record(cell.setting, self._stores[cell.experiment].read(cell))
        return self._read[id(cell)]
