"""Which of the paper's conclusions on linear features depend on the tile coder: the same
experiments by both, with the same random numbers.

With the wrapping coder of the authors' released code, whose offsets span the whole range, states at
opposite ends of a coordinate share tiles: on the cars full speed left and full speed right look the
same. The clamped coder keeps them apart. The text names neither.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from altpg_verify.errors import Missing
from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.ledger_building import collect
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import less
from altpg_verify.sim.experiments import (
    linear_entropy_claims,
    linear_escort_claims,
    linear_nonstationary,
    linear_nonstationary_claims,
    linear_realistic,
    linear_realistic_claims,
    linear_saturated_claims,
)
from altpg_verify.sim.experiments.linear_panel import CLAMPED, ESTIMATORS, RETURNS, TASKS
from altpg_verify.sim.experiments.online_measures import at_best_betas, domain, fresh
from altpg_verify.sim.experiments.readings import MUCH
from altpg_verify.sim.figures import FigureData, Series, stepsize_panel
from altpg_verify.sim.results import Record, Results


class ByClamped:
    """Results whose linear experiments are those by the clamped coder, under the names of the
    others.

    Args:
        results: those that have both. What isn't run by the clamped coder is missing, never taken
            from the other.
    """

    def __init__(self, results: Any) -> None:
        self.results = results

    def select(self, experiment: str, **criteria: Any) -> list[Record]:
        """See `Results.select`."""
        return list(self.results.select(self._name(experiment), **criteria))

    def one(self, experiment: str, **criteria: Any) -> Record:
        """See `Results.one`."""
        return self.results.one(self._name(experiment), **criteria)  # type: ignore[no-any-return]

    def _name(self, experiment: str) -> str:
        # an experiment of another family has no clamped version, and none is wanted
        if experiment in self.results and experiment + CLAMPED not in self.results:
            raise Missing(f"{experiment} isn't run by the clamped coder")
        return experiment + CLAMPED


def verdicts(results: Results) -> list[tuple[str, str, str]]:
    """Each claim on linear features, its verdict by the wrapping coder and by the clamped one; "NOT
    RUN" where results are missing.

    Each claim is judged twice, by the same function; a figure and a table share the result.
    """
    if results not in _JUDGED:
        _JUDGED[results] = list(_judged(results))
    return _JUDGED[results]


_JUDGED: WeakKeyDictionary[Results, list[tuple[str, str, str]]] = WeakKeyDictionary()
"""Judging takes seconds; a figure and a table of one report show it."""


def _judged(results: Results) -> Iterator[tuple[str, str, str]]:
    for function in collect(_JUDGES):
        claim = function.__evidence__[0][0]  # type: ignore[attr-defined]
        yield claim, _verdict(function, results), _verdict(function, ByClamped(results))


_JUDGES = (
    linear_entropy_claims,
    linear_escort_claims,
    linear_nonstationary_claims,
    linear_realistic_claims,
    linear_saturated_claims,
)


def _verdict(function: Any, results: Any) -> str:
    try:
        return str(function(results=results).verdict)
    except Missing:
        return "NOT RUN"


def figures(results: Results) -> list[FigureData]:
    """Both estimators by both coders, over the stepsize of the policy.

    Panels: RealisticMountainCar with a critic from 0, and the two tasks whose actions are switched.
    """
    panels = []
    shown: tuple[tuple[str, str, dict[str, Any]], ...]
    shown = (
        (linear_realistic.TASK, linear_realistic.NAME, {"critic": 0.0}),
        *(
            (f"{task}, actions switched", linear_nonstationary.NAME, {"task": task})
            for task in TASKS
        ),
    )
    for title, name, criteria in shown:
        series = [
            _best_betas(f"{estimator}, {coder}", view.one(name, estimator=estimator, **criteria))
            for coder, view in (("wrapping", results), ("clamped", ByClamped(results)))
            for estimator in ESTIMATORS
        ]
        panels.append(stepsize_panel(title, "return", series))
    both = [row for row in verdicts(results) if "NOT RUN" not in row]
    changed = [row for row in both if row[1] != row[2]]
    caption = (
        "What depends on the tile coder: mean return over the last 5000 steps against the stepsize"
        " of the policy, at the best β for each (chosen on one half of 50 runs, shown on the"
        " other, and conversely), by the wrapping coder of the authors' released code and by one"
        f" that clamps its last tiles; same random numbers. Of {len(both)} claims judged by both,"
        f" {len(changed)} get another verdict; the table of choices names them."
    )
    alt = (
        "Three panels of return against stepsize: four curves each, two estimators by two tile"
        " coders."
    )
    return [
        FigureData(
            "linear_tile_coders", "What depends on the tile coder", caption, alt, tuple(panels)
        )
    ]


def _best_betas(label: str, record: Record) -> Series:
    mean, error = analysis.mean_and_error(at_best_betas(np.asarray(record["final"])))
    return Series(
        label, tuple(record.setting["alphas"]), tuple(mean.tolist()), tuple(error.tolist())
    )


@evidence("tile-coder-decides-realistic", kind="simulation")
def coder_decides(results: Results) -> Finding:
    # the paper's own coder first: where its experiment isn't held this decides nothing, and isn't
    # asked
    wrapping = linear_realistic.record(results, "regular")
    records = {
        "clamped": linear_realistic.record(ByClamped(results), "regular"),  # type: ignore[arg-type]
        "wrapping": wrapping,
    }
    gap = less(
        *(fresh(f"regular, {name}", shown, "final", RETURNS) for name, shown in records.items())
    )
    summary = (
        "on RealisticMountainCar regular at its best stepsizes ends more than 100 higher with the"
        " clamped tile coder than with the wrapping one"
    )
    return analysis.all_above(summary, [gap], MUCH, domain("tile coding", list(records.values())))
