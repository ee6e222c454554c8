"""Results of a few cells, held in memory, for evidence that is to be asked about agents with a planted fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
        self.records = []
        for cell in experiment.work("quick"):
            setting = shown(dict(cell.setting))
            self.records.append(Record(setting, spoil(experiment.run(experiment.name, fault(dict(setting)), 2022))))

    def select(self, experiment: str, **criteria: Any) -> list[Record]:
        return [record for record in self.records if all(record.setting.get(name) == value for name, value in criteria.items())]

    def one(self, experiment: str, **criteria: Any) -> Record:
        (record,) = self.select(experiment, **criteria)
        return record
