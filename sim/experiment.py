"""An experiment: settings, how to run one, and what the results show.

A *cell* is the unit of work and of storage: one agent over a grid of stepsizes. Its setting names
it completely; from the setting come its random streams, and so the same cell has the same bits
wherever and whenever it runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from altpg_verify.errors import BadInput

if TYPE_CHECKING:
    import numpy as np

    from altpg_verify.estimators import Estimator
    from altpg_verify.sim.figures import FigureData
    from altpg_verify.sim.results import Results

PROFILES = ("quick", "paper")
"""`quick` fits in the report's two minutes; `paper` is the full scale. Each experiment says where
they differ.
"""

ROOT = 2022
"""Root seed of every published result."""

PAPER_SCALE = Path("reports/paper-scale")
"""Where, in the repository, the results are kept that are too long to make for every report."""


@dataclass(frozen=True)
class Cell:
    """One agent over a grid of stepsizes: the experiment it belongs to and a setting that JSON can
    hold.

    Cells compare by name, setting and root; two drivers that make the same cell agree on its file.

    Args:
        experiment: its name.
        setting: parameter -> value; streams and stored results are named by it.
        root: the seed from which all random streams descend.
        of: the experiment itself, for whoever runs the cell; its name, setting and root decide
            everything else.
    """

    experiment: str
    setting: Mapping[str, Any]
    root: int = ROOT
    of: Experiment | None = field(default=None, compare=False, repr=False)

    @property
    def run_by(self) -> Experiment:
        """The experiment that runs it.

        Raises:
            BadInput: the cell was made without one, to name stored results only.
        """
        if self.of is None:
            raise BadInput(
                f"the cell {self.words} has no experiment to run it; take cells from"
                " `Experiment.work`"
            )
        return self.of

    @property
    def steps(self) -> float:
        """Environment steps that it takes; see `Experiment.steps`."""
        return self.run_by.steps(self.setting)

    def key(self) -> dict[str, Any]:
        """What decides the result, code apart.

        Experiment, root and setting as JSON can hold them: the cell's file is named by their
        digest, and carries them.
        """
        return {"experiment": self.experiment, "root": self.root, "setting": dict(self.setting)}

    @property
    def words(self) -> str:
        """The setting in a line, for progress and messages."""
        return f"{self.experiment} {json.dumps(self.setting, sort_keys=True)}"


@dataclass(frozen=True)
class Pick:
    """Some runs at one pair of stepsizes, all by their indices in the setting's grid: what
    `Experiment.spot` computes again.

    Args:
        alpha, beta: which of the setting's stepsizes, counted from 0.
        runs: which runs, counted from 0.
    """

    alpha: int
    beta: int
    runs: tuple[int, ...]


@dataclass(frozen=True)
class Experiment:
    """Named for the paper's figure where there is one.

    The grid of a cell are the lists `alphas` and `betas` of its setting; arrays of single runs are
    (alphas, betas, runs, ...) where an experiment sweeps both.

    Args:
        name: how it is called on the command line and in stored results.
        title: one line for a reader.
        paper: the figure or passage it stands for.
        scale: profile -> what is run, in words.
        cells: profile -> the settings to run.
        run: setting and root seed -> arrays to store, by name.
        figures: what the results show.
        family: which agents run, one of `altpg_verify.sim.jit.SOURCES`: the code that decides the
            bits.
        stored: too long for a report, which takes the paper's scale from `PAPER_SCALE`; `python -m
            altpg_verify.sim run` runs it all the
        same.
        cost: setting -> environment steps that the cell takes, all runs together.
        spot: (experiment, setting, root, pick) -> those arrays that have leading axes (alphas,
            betas, runs), for one pair of stepsizes and
            some of its runs alone: each has the leading axis (len(pick.runs),), and the very bits
                of the whole cell. Without it a
            check computes the whole cell again.
        sample: (setting, fraction) -> a setting with about that part of the cost, for estimates;
            without it whole cells are run.
    """

    name: str
    title: str
    paper: str
    scale: Mapping[str, str]
    cells: Callable[[str], Sequence[Mapping[str, Any]]]
    run: Callable[[str, Mapping[str, Any], int], Mapping[str, np.ndarray]]
    figures: Callable[[Results], list[FigureData]]
    family: str = "tabular"
    stored: bool = False
    cost: Callable[[Mapping[str, Any]], float] | None = None
    spot: Callable[[str, Mapping[str, Any], int, Pick], Mapping[str, np.ndarray]] | None = None
    sample: Callable[[Mapping[str, Any], float], Mapping[str, Any]] | None = None

    def steps(self, setting: Mapping[str, Any]) -> float:
        """Environment steps of a cell; 1 where the experiment doesn't say."""
        return self.cost(setting) if self.cost else 1.0

    def work(self, profile: str, root: int = ROOT) -> tuple[Cell, ...]:
        """All cells of a profile, in their order.

        Raises:
            BadInput: the profile isn't one of `PROFILES`.
        """
        check_profile(profile)
        return tuple(Cell(self.name, setting, root, self) for setting in self.cells(profile))


def no_figures(results: Results) -> list[FigureData]:
    """Of an experiment whose results stand in a table, or in another's figures."""
    return []


def spot(
    run: Callable[[str, Mapping[str, Any], int], Mapping[str, np.ndarray]],
    names: Sequence[str],
    experiment: str,
    setting: Mapping[str, Any],
    root: int,
    pick: Pick,
) -> dict[str, np.ndarray]:
    """The named arrays of some runs of one pair of stepsizes, by the experiment's own `run` on just
    that pair and without fresh runs.

    For experiments in which the streams of a run are its own.

    Args:
        run: that of the experiment.
        names: arrays that have leading axes (alphas, betas, runs).
        pick: which pair and which runs; as many runs are computed as the largest number asks for.
    """
    alpha, beta = setting["alphas"][pick.alpha], setting["betas"][pick.beta]
    # runs 0 to the largest wanted one, since run i's streams don't depend on how many follow
    alone = run(
        experiment,
        {**setting, "alphas": [alpha], "betas": [beta], "runs": max(pick.runs) + 1, "fresh": 0},
        root,
    )
    return {name: alone[name][0, 0, list(pick.runs)] for name in names}


def check_profile(profile: str) -> None:
    """Raises BadInput unless the profile is one of `PROFILES`."""
    if profile not in PROFILES:
        raise BadInput(f"profile {profile!r} is none of {', '.join(PROFILES)}")


def estimator_named(name: str) -> Estimator:
    """The estimator object of that name in `altpg_verify.estimators`: what was checked is what
    runs.

    A family of them that a whole number tells apart is named with it: escort_regular(2).

    Examples:
        >>> estimator_named("alternate").name
        'alternate'
        >>> estimator_named("escort_regular(2)").name
        'escort_regular(2)'

    Raises:
        BadInput: there is none of that name.
    """
    from altpg_verify import estimators

    family, _, number = name.removesuffix(")").partition("(")
    found = getattr(estimators, family, None)
    # a family such as escort(2): a function of a whole number
    if number.isdecimal() and callable(found) and not isinstance(found, estimators.Estimator):
        found = found(int(number))
    if not isinstance(found, estimators.Estimator):
        raise BadInput(f"estimator {name!r} is not in altpg_verify.estimators")
    return found
