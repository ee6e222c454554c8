"""Are stored results what this code computes? Every file is checked to be whole, and a sample is
computed again, bit for bit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.sim.experiment import Cell, Experiment, Pick
from altpg_verify.sim.store import Store, name_of, pattern
from altpg_verify.sim.sweep import open_store

RUNS = 2
"""Runs of a pair of stepsizes that are computed again."""


@dataclass(frozen=True)
class Checked:
    """One sampled cell: what was computed again, and the names of the arrays that came out
    otherwise.

    Args:
        cell: the one sampled.
        what: what was computed again, in words.
        arrays: how many arrays were compared, bit for bit.
        differ: names of those that came out otherwise.
    """

    cell: Cell
    what: str
    arrays: int
    differ: tuple[str, ...]

    @property
    def words(self) -> str:
        """The outcome in a line."""
        head = f"{self.cell.words}: {self.what}"
        return (
            f"{head}: {', '.join(self.differ)} DIFFER"
            if self.differ
            else f"{head}: {self.arrays} arrays equal, bit for bit"
        )


def stores(
    folder: Path, profile: str, experiments: Sequence[Experiment]
) -> list[tuple[Experiment, Store, tuple[Cell, ...]]]:
    """The experiments that the folder has results of, with those results.

    Raises:
        BadInput: there are none; Missing: they were made by other code or with other settings.
    """
    found = []
    for experiment in experiments:
        if any(folder.glob(pattern(experiment.name))):
            cells = experiment.work(profile)
            found.append(
                (
                    experiment,
                    open_store(
                        cells, folder, read_only=True, how=f"--profile {profile} --out {folder}"
                    ),
                    cells,
                )
            )
    if not found:
        raise BadInput(
            f"{str(folder)!r} holds no results of any experiment; make some with: python -m"
            f" altpg_verify.sim run NAME --out {folder}"
        )
    return found


def whole(
    folder: Path, profile: str, experiments: Sequence[Experiment]
) -> Iterator[tuple[str, int]]:
    """Each experiment and its number of cells, after every file was read and found to be whole.

    Raises:
        BadInput: a file is missing, torn, altered or another cell's.
    """
    for experiment, store, cells in stores(folder, profile, experiments):
        for cell in cells:
            store.read(cell)
        yield experiment.name, len(cells)


def recheck(
    folder: Path, profile: str, experiments: Sequence[Experiment], number: int, seed: int = 0
) -> Iterator[Checked]:
    """Compute a sample again: `number` cells, from all experiments in turn; the seed decides which
    cells, stepsizes and runs.

    A cell whose experiment has a `spot` is checked at one pair of stepsizes and `RUNS` runs; any
    other is computed whole. Equal means equal bytes, also of NaN and of the sign of 0.

    Args:
        number: how many cells.
        seed: draws of the sample are hashes of seed and cell, so that they don't depend on the
            order.
    """
    queues = [
        (experiment, store, iter(sorted(cells, key=lambda cell: _draw(seed, cell, "cell"))))
        for experiment, store, cells in stores(folder, profile, experiments)
    ]
    while queues and number > 0:
        # in turn, so that a small sample has cells of every experiment
        for queue in list(queues):
            experiment, store, cells = queue
            cell = next(cells, None)
            if cell is None:
                queues.remove(queue)
            elif number > 0:
                number -= 1
                yield _checked(experiment, cell, store.read(cell), seed)


def _checked(
    experiment: Experiment, cell: Cell, stored: Mapping[str, np.ndarray], seed: int
) -> Checked:
    if experiment.spot is None:
        again = experiment.run(experiment.name, cell.setting, cell.root)
        differ = tuple(
            name
            for name in sorted({*again, *stored})
            if not _same(again.get(name), stored.get(name))
        )
        return Checked(cell, "whole cell", len(stored), differ)
    # a file of another shape is a difference to report, not a crash
    if "failed" not in stored or stored["failed"].ndim < 3 or 0 in stored["failed"].shape[:3]:
        return Checked(cell, "no runs for every pair of stepsizes", 0, ("failed",))
    alphas, betas, runs = stored["failed"].shape[:3]
    if alphas > len(cell.setting["alphas"]) or betas > len(cell.setting["betas"]):
        return Checked(cell, "more stepsizes than the setting has", 0, ("failed",))
    some = sorted({_draw(seed, cell, f"run {i}") % runs for i in range(RUNS)})
    pick = Pick(_draw(seed, cell, "alpha") % alphas, _draw(seed, cell, "beta") % betas, tuple(some))
    again = experiment.spot(experiment.name, cell.setting, cell.root, pick)
    if not again:
        raise ValueError(f"the spot check of {experiment.name} computes nothing")
    there = {
        name: (
            stored[name][pick.alpha, pick.beta][some]
            if _has(stored, name, (alphas, betas, runs))
            else None
        )
        for name in again
    }
    differ = tuple(name for name in sorted(again) if not _same(again[name], there[name]))
    return Checked(
        cell,
        f"stepsizes {pick.alpha}, {pick.beta}; runs {', '.join(map(str, pick.runs))}",
        len(again),
        differ,
    )


def _has(stored: Mapping[str, np.ndarray], name: str, axes: tuple[int, ...]) -> bool:
    return name in stored and stored[name].shape[: len(axes)] == axes


def _same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return False
    one, other = np.asarray(one), np.asarray(other)
    return (
        # bytes, not values: -0.0 equals 0.0, and a NaN not even itself
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )


def _draw(seed: int, cell: Cell, purpose: str) -> int:
    return int.from_bytes(
        hashlib.sha256(f"{seed} {name_of(cell)} {purpose}".encode()).digest()[:8], "big"
    )
