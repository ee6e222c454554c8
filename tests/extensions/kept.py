"""Results of a few cells, held in memory, for evidence that is to be asked about agents with a
planted fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.results import Record

Change = Callable[[dict[str, Any]], dict[str, Any]]


class Kept:
    """Runs every cell of an experiment at once; answers like `altpg_verify.sim.results.Results`.

    Args:
        shown: setting -> the setting to run in its place, smaller say.
        fault: setting -> the setting that the agents really get, unknown to the evidence.
        spoil: arrays -> the arrays that are handed to the evidence.
    """

    profile = "quick"

    def __init__(
        self,
        experiment: Experiment,
        shown: Change = lambda setting: setting,
        fault: Change = lambda setting: setting,
        spoil: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda arrays: arrays,
    ) -> None:
        self.experiment, self.shown, self.fault, self.spoil = experiment, shown, fault, spoil

    @cached_property
    def records(self) -> list[Record]:
        """Run when they are first asked for: collecting tests runs nothing."""
        settings = [self.shown(dict(cell.setting)) for cell in self.experiment.work("quick")]
        run, name = self.experiment.run, self.experiment.name
        return [
            Record(setting, self.spoil(run(name, self.fault(dict(setting)), 2022)))
            for setting in settings
        ]

    def select(self, experiment: str, **criteria: Any) -> list[Record]:
        return [
            record
            for record in self.records
            if all(record.setting.get(name) == value for name, value in criteria.items())
        ]

    def one(self, experiment: str, **criteria: Any) -> Record:
        (record,) = self.select(experiment, **criteria)
        return record
