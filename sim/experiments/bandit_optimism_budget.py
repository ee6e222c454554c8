"""The budget of optimism: which saturated agents with a learned baseline get out of their corner,
over α/β and the baseline's start.

While only the saturated action c is taken, Σ θ - (α/β) b is conserved; so the gap M shrinks by
(α/β) (b₀ - r(c)), once, until b has settled. What is left must be walked by the true gradient,
which takes a time exponential in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import Measured, measured, policies
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.figures import FigureData, Grid, Panel, Series
from altpg_verify.sim.results import Record, Results

NAME = "bandit_optimism_budget"
REWARDS = [0.2, 0.0, 1.0]
SIGMA, GAP, ALPHA = 0.5, 8.0, 0.25
RATIOS = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0]
"""α/β: a slower baseline to the right."""

STARTS = [-1.0 + 0.5 * i for i in range(13)]
"""b at the start."""

STEPS = 600
_RUNS = {"quick": 100, "paper": 1000}
SURE, TOO_FAR = 1.0, 6.5
"""The budget exceeds the gap by so much, or falls short of it by so much, where the claim says what
happens.

By the proved bound (e^l - 1 + l)/(2 D), D = 1, with l = gap - log 2, the true gradient needs 600 α
= 150 or more from a gap of 6.4 on.
"""


def _cells(profile: str) -> list[Mapping[str, Any]]:
    shared = {
        "rewards": REWARDS,
        "sigma": SIGMA,
        "gap": GAP,
        "alpha": ALPHA,
        "ratios": RATIOS,
        "starts": STARTS,
    }
    return [
        {"estimator": name, **shared, "steps": STEPS, "runs": _RUNS[profile]}
        for name in ("alternate", "regular")
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """(ratios, starts, runs): probability of the saturated action at the end; drift of Σ θ - (α/β)
    b and of Σ θ; failed.
    """
    from altpg_verify.sim.bandit import Bandit, simulate

    theta, alpha = (setting["gap"], *(0.0 for _ in setting["rewards"][1:])), setting["alpha"]
    grid = [
        Bandit(
            tuple(setting["rewards"]), setting["sigma"], theta, alpha, alpha / ratio, "learned", b
        )
        for ratio in setting["ratios"]
        for b in setting["starts"]
    ]
    sizes = {"runs": setting["runs"], "steps": setting["steps"], "last": 1}
    outcomes = simulate(
        estimator_named(setting["estimator"]), grid, root=root, experiment=experiment, **sizes
    )
    shape = (len(setting["ratios"]), len(setting["starts"]), setting["runs"])
    # of the first arm, at which the run starts
    saturated = np.array([policies(outcome.theta)[:, 0] for outcome in outcomes]).reshape(shape)
    moved = np.array([outcome.theta.sum(axis=1) - setting["gap"] for outcome in outcomes]).reshape(
        shape
    )
    learned = (
        np.array([outcome.b for outcome in outcomes]).reshape(shape)
        - np.array(setting["starts"])[None, :, None]
    )
    # Σ θ moves by α (R - b) and b by β (R - b), for alternate: the difference is conserved
    drift = moved - np.array(setting["ratios"])[:, None, None] * learned
    failed = np.array([outcome.failed for outcome in outcomes]).reshape(shape)
    return {"saturated": saturated, "drift": drift, "sum_drift": moved, "failed": failed}


def _left_over() -> np.ndarray:
    """The gap that is left (ratios, starts): M - (α/β) (b₀ - r(c))."""
    return GAP - np.array(RATIOS)[:, None] * (np.array(STARTS)[None, :] - REWARDS[0])


def _escaped(record: Record) -> np.ndarray:
    return (record["saturated"] < 0.5).astype(float)


def _figures(results: Results) -> list[FigureData]:
    record = results.one(NAME, estimator="alternate")
    share = _escaped(record).mean(axis=-1)
    # columns evenly spaced: the ratios from 2 on
    even = [i for i, ratio in enumerate(RATIOS) if ratio >= 2.0 and ratio % 2.0 == 0.0]
    x = tuple(RATIOS[i] for i in even)
    grid = Grid(
        "share of runs that escape",
        x,
        tuple(STARTS),
        tuple(tuple(share[even, j].tolist()) for j in range(len(STARTS))),
    )
    fine = np.linspace(x[0], x[-1], 60)
    inside = [
        (float(c), float(REWARDS[0] + GAP / c)) for c in fine if REWARDS[0] + GAP / c <= STARTS[-1]
    ]
    short = [(float(c), float(REWARDS[0] + (GAP - TOO_FAR) / c)) for c in fine]
    series = (
        Series("budget = gap, predicted", *(tuple(values) for values in zip(*inside, strict=True))),
        Series(
            f"budget short by {TOO_FAR:g}: no escape in {STEPS} steps",
            *(tuple(values) for values in zip(*short, strict=True)),
        ),
    )
    left = _left_over().ravel()
    order = [i for i in np.argsort(left) if abs(left[i]) <= 20.0]
    curve = Series("alternate", tuple(left[order].tolist()), tuple(share.ravel()[order].tolist()))
    regular = _escaped(results.one(NAME, estimator="regular")).mean(axis=-1)
    other = Series("regular", curve.x, tuple(regular.ravel()[order].tolist()))
    caption = (
        f"Learned baseline, r = (0.2, 0, 1), noise 0.5, start (8, 0, 0), α = 1/4, {STEPS} steps,"
        f" {record.setting['runs']} runs a cell: share of runs that leave the corner. The gap that"
        " optimism leaves, 8 − (α/β)(b₀ − 0.2), decides (right): a slower or more optimistic"
        " baseline makes escape possible. The regular estimator has no such budget."
    )
    alt = (
        "Left: a heat map with the predicted boundary, a hyperbola. Right: the share falls from one"
        " to zero as the gap left over grows."
    )
    panels = (
        Panel("alternate estimator", "α/β", "b at the start", series=series, grid=grid),
        Panel(
            "over the gap left",
            "M − (α/β)(b₀ − r(c))",
            "share of runs that escape",
            series=(curve, other),
        ),
    )
    return [FigureData(NAME, "The budget of optimism", caption, alt, panels)]


BANDIT_OPTIMISM_BUDGET = Experiment(
    NAME,
    "bandit, learned baseline: escape over α/β and the baseline's start",
    "the sentences on optimistic baselines, section 4, made quantitative",
    {
        profile: f"130 pairs of α/β and b₀, {runs} runs of {STEPS} steps each; not in the paper"
        for profile, runs in _RUNS.items()
    },
    _cells,
    _run,
    _figures,
)


@evidence("learned-baseline-invariant", kind="simulation")
def conserved(results: Results) -> Finding:
    items, regular = [], results.one(NAME, estimator="regular")
    for name, record, array in (
        ("Σ θ - (α/β) b, alternate", results.one(NAME, estimator="alternate"), "drift"),
        ("Σ θ, regular", regular, "sum_drift"),
    ):
        for i, ratio in enumerate(RATIOS):
            worst = float(np.abs(record[array][i]).max())
            items.append(
                Measured(f"{name}, α/β = {ratio:g}", worst, 0.0, record[array][i].size, 0.0, 0.0)
            )
    moved = float(np.abs(regular["drift"]).max())
    summary = (
        "each estimator conserves its own quantity to 1e-9 on every run of the compiled agents;"
        f" with the regular one Σ θ - (α/β) b moves by {moved:.2g}"
    )
    domain = (
        f"r = (0.2, 0, 1), noise 0.5, 130 pairs of α/β and b₀, {regular.setting['runs']} runs of"
        f" {STEPS} steps each"
    )
    return analysis.all_within(summary, items, 0.0, 1e-9, domain)


@evidence("optimism-budget-predicts-escape", kind="simulation")
def predicts(results: Results) -> Finding:
    record, left = results.one(NAME, estimator="alternate"), _left_over()
    # half of the mass elsewhere counts as out of the corner
    escaped = _escaped(record)
    groups = {"sure": left <= -SURE, "too far": left >= TOO_FAR}
    sure, too_far = (
        measured(name, [escaped[cells].ravel()], (0.0, 1.0)) for name, cells in groups.items()
    )
    items = [
        Measured(
            "escape with budget to spare",
            sure.mean,
            sure.standard_error,
            sure.runs,
            sure.low,
            sure.high,
        )
    ]
    items.append(
        Measured(
            "no escape",
            1.0 - too_far.mean,
            too_far.standard_error,
            too_far.runs,
            too_far.high,
            too_far.low,
        )
    )
    cells = {name: int(which.sum()) for name, which in groups.items()}
    summary = (
        f"more than 95 % of the runs do what the budget says, in the {cells['sure']} cells with"
        f" budget to spare and the {cells['too far']} too far off"
    )
    return analysis.all_above(
        summary,
        items,
        0.95,
        f"r = (0.2, 0, 1), noise 0.5, M = 8, α = 1/4, {STEPS} steps, {record.setting['runs']} runs"
        " a cell",
    )
