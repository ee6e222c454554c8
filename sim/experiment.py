"""An experiment: settings, how to run one, and what the results show.

A *cell* is the unit of work and of storage: one agent over a grid of stepsizes. Its setting names it completely; from the
setting come its random streams, and so the same cell has the same bits wherever and whenever it runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    import numpy as np

    from altpg_verify.estimators import Estimator
    from sim.figures import FigureData
    from sim.results import Results

PROFILES = ("quick", "paper")
"""`quick` fits in the report's two minutes; `paper` is the full scale. Each experiment says where they differ."""

ROOT = 2022
"""Root seed of every published result."""


@dataclass(frozen=True)
class Cell:
    """One agent over a grid of stepsizes: the experiment it belongs to and a setting that JSON can hold."""

    experiment: str
    setting: Mapping[str, Any]
    root: int = ROOT

    def key(self) -> dict[str, Any]:
        """What decides the result, code apart."""
        return {"experiment": self.experiment, "root": self.root, "setting": dict(self.setting)}

    @property
    def words(self) -> str:
        """The setting in a line, for progress and messages."""
        return f"{self.experiment} {json.dumps(self.setting, sort_keys=True)}"


@dataclass(frozen=True)
class Experiment:
    """Named for the paper's figure where there is one.

    Args:
        name: how it is called on the command line and in stored results.
        title: one line for a reader.
        paper: the figure or passage it stands for.
        scale: profile -> what is run, in words.
        cells: profile -> the settings to run.
        run: setting and root seed -> arrays to store, by name.
        figures: what the results show.
        family: which agents run, one of `sim.jit.SOURCES`: the code that decides the bits.
    """

    name: str
    title: str
    paper: str
    scale: Mapping[str, str]
    cells: Callable[[str], Sequence[Mapping[str, Any]]]
    run: Callable[[str, Mapping[str, Any], int], Mapping[str, np.ndarray]]
    figures: Callable[[Results], list[FigureData]]
    family: str = "tabular"

    def work(self, profile: str, root: int = ROOT) -> tuple[Cell, ...]:
        """All cells of a profile, in their order.

        Raises:
            BadInput: the profile isn't one of `PROFILES`.
        """
        check_profile(profile)
        return tuple(Cell(self.name, setting, root) for setting in self.cells(profile))


def check_profile(profile: str) -> None:
    """Raises BadInput unless the profile is one of `PROFILES`."""
    if profile not in PROFILES:
        raise BadInput(f"profile {profile!r} is none of {', '.join(PROFILES)}")


def estimator_named(name: str) -> Estimator:
    """The estimator object of that name in `altpg_verify.estimators`: what was checked is what runs."""
    from altpg_verify import estimators

    found = getattr(estimators, name, None)
    if not isinstance(found, estimators.Estimator):
        raise BadInput(f"estimator {name!r} is not in altpg_verify.estimators")
    return found
