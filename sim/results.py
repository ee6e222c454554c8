"""Access to the stored results of a profile, for analyses, figures and evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput, Missing
from altpg_verify.sim.experiment import PAPER_SCALE, Cell
from altpg_verify.sim.log import Totals, totals
from altpg_verify.sim.store import Store
from altpg_verify.sim.sweep import by_experiment, open_store


class NotHeld(BadInput):
    """An experiment was asked for that isn't part of these results."""


@dataclass(frozen=True)
class Record:
    """The setting of one cell and its arrays.

    Args:
        setting: parameter -> value.
        arrays: name -> array, as `Experiment.run` returned them.
    """

    setting: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.arrays:
            raise BadInput(
                f"results with the setting {dict(self.setting)} hold no {name!r}, so they are not"
                " this code's; make them again"
            )
        return self.arrays[name]


@dataclass(frozen=True)
class _Home:
    """Where the cells of one experiment are."""

    profile: str
    cells: Sequence[Cell]
    out: Path
    how: str

    def store(self) -> Store:
        return open_store(self.cells, self.out, read_only=True, how=self.how)


class Results:
    """All results of a profile in a folder; files are read, and checked, when first asked for, and
    nothing is written.

    Args:
        profile: which one of `altpg_verify.sim.experiment.PROFILES`.
        work: its cells; out: the folder they were stored in.
        stored: cells of experiments that are too long for a report, at the paper's scale; kept: the
            folder that has them.
    """

    def __init__(
        self,
        profile: str,
        work: Sequence[Cell],
        out: Path,
        *,
        stored: Sequence[Cell] = (),
        kept: Path = PAPER_SCALE,
    ) -> None:
        self.profile = profile
        self._homes: dict[str, _Home] = {}
        here, there = f"--profile {profile}", f"--profile paper --out {PAPER_SCALE.as_posix()}"
        for scale, cells, folder, how in (
            (profile, work, out, here),
            ("paper", stored, kept, there),
        ):
            # later groups replace earlier ones: results kept at the paper's scale stand for quick
            # ones
            self._homes |= {
                name: _Home(scale, group, folder, how)
                for name, group in by_experiment(cells).items()
            }
        self._stores: dict[str, Store] = {}
        self._read: dict[int, Record] = {}

    def __contains__(self, experiment: str) -> bool:
        return experiment in self._homes

    def profile_of(self, experiment: str) -> str:
        """The scale that these results of an experiment have: an experiment kept at the paper's
        scale has that in every report.
        """
        return self._home(experiment).profile

    def select(self, experiment: str, **criteria: Any) -> list[Record]:
        """The records of an experiment whose settings have these values, in order.

        Args:
            criteria: parameter -> value of the setting; none for all cells.

        Raises:
            NotHeld: the experiment isn't part of these results.
            BadInput: a file was altered.
            Missing: the results have not been made, or were made by other code.
        """
        cells = self._home(experiment).cells
        return [
            self._record(cell)
            for cell in cells
            if all(cell.setting.get(name) == value for name, value in criteria.items())
        ]

    def one(self, experiment: str, **criteria: Any) -> Record:
        """The only record with these values.

        Raises:
            ValueError: none has them, or several.
        """
        found = self.select(experiment, **criteria)
        if len(found) != 1:
            raise ValueError(f"{len(found)} cells of {experiment} have {criteria}")
        return found[0]

    def failures(self, *experiments: str) -> Iterator[tuple[str, int]]:
        """Experiment and how many of its runs became infinite or not a number; they count as the
        worst, and are never dropped.

        All experiments of these results, if none is named.
        """
        for experiment in experiments or self._homes:
            yield experiment, sum(int(record["failed"].sum()) for record in self.select(experiment))

    def aside(self) -> Iterator[Cell]:
        """The cells that were set aside because they killed their worker, and have no results.

        An experiment that was never run has none.
        """
        for name, home in self._homes.items():
            try:
                store = self._store(name)
            except Missing:
                continue
            yield from (cell for cell in home.cells if store.is_aside(cell) and not store.has(cell))

    def spent(self, *experiments: str) -> Totals:
        """What the experiments took, or all of them: CPU and wall time, environment steps,
        machines; told by the log of each folder.

        Only kept results took the same everywhere: what others took belongs in no file that is to
        be the same on every machine.

        Raises:
            Missing: the results have not been made, or were made by other code.
        """
        return totals(
            (store.folder, store.cells) for store in map(self._store, experiments or self._homes)
        )

    def _home(self, experiment: str) -> _Home:
        if experiment not in self._homes:
            raise NotHeld(
                f"these results hold no experiment {experiment!r}; they hold"
                f" {', '.join(self._homes)}"
            )
        return self._homes[experiment]

    def _store(self, experiment: str) -> Store:
        if experiment not in self._stores:
            self._stores[experiment] = self._home(experiment).store()
        return self._stores[experiment]

    def _record(self, cell: Cell) -> Record:
        # by identity: a cell holds a mapping, and so has no hash
        if id(cell) not in self._read:
            self._read[id(cell)] = Record(cell.setting, self._store(cell.experiment).read(cell))
        return self._read[id(cell)]
