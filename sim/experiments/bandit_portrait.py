"""The phase portrait in b: which corner the expected update ends in, for a lattice of starts and
four baselines.

r = [1, 2, 3]. With b < 3 it is the corner with the largest π(a) (r(a) - b) at the start; with 2 <=
b < 3 that is the best action from everywhere, geometrically fast; at b = 3 it still is, but slowly;
above, the interior point π* takes over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import Measured, measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.expected_steps import expected_update, policies_of
from altpg_verify.sim.figures import FigureData, Grid, Panel, Series
from altpg_verify.sim.results import Record, Results

NAME = "bandit_portrait"
REWARDS = [1.0, 2.0, 3.0]
BASELINES = [-4.0, 1.5, 2.5, 3.0]
ALPHA = 0.25
_SIDE = {"quick": 40, "paper": 120}
_STEPS = 4000
_CLOSE = 0.01
"""Starts whose two largest π (r - b) differ by less, as a share of the largest, are left out: they
take long to decide.
"""

TRACED = ((0.9, 0.05), (0.6, 0.35), (0.2, 0.7), (0.45, 0.1))
TIMES = (
    0,
    1,
    2,
    3,
    5,
    8,
    12,
    18,
    27,
    40,
    60,
    90,
    135,
    200,
    300,
    450,
    700,
    1000,
    1500,
    2000,
    3000,
    4000,
)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        {
            "b": b,
            "rewards": REWARDS,
            "alpha": ALPHA,
            "side": _SIDE[profile],
            "steps": _STEPS,
            "runs": 1,
        }
        for b in BASELINES
    ]


def lattice(side: int) -> np.ndarray:
    """Policies (3, n) at the centres of the cells of a square lattice over (π(a0), π(a1)) that lie
    inside the simplex.

    Half of the side² cells are inside; those that the edge cuts are left out.
    """
    centres = (np.arange(side) + 0.5) / side
    first, second = (axis.ravel() for axis in np.meshgrid(centres, centres))
    # a cell belongs to the simplex if its centre does, with room for rounding
    inside = first + second < 1.0 - 0.25 / side
    first, second = first[inside], second[inside]
    return np.stack([first, second, 1.0 - first - second])


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """For n starts: ends (3, n) the last policy, failed; log_ratio (times, 2, n) of the others to
    the best; traces (times, starts, 3).
    """
    pi = np.concatenate(
        [lattice(setting["side"]), np.array([(x, y, 1.0 - x - y) for x, y in TRACED]).T], axis=1
    )
    n = pi.shape[1]
    rewards, theta = np.array(setting["rewards"])[:, None], np.log(pi)
    policies, estimator = policies_of(3, n), estimator_named("alternate")
    traces, ratio = [], []
    for step in range(setting["steps"] + 1):
        pi = policies(theta)
        if step in TIMES:
            traces.append(pi[:, -len(TRACED) :].T)
            # log-ratios to the best action: exact where probabilities have rounded to 0
            ratio.append(theta[:-1] - theta[-1])
        theta += setting["alpha"] * expected_update(estimator, pi, rewards, setting["b"])
    lanes = slice(0, n - len(TRACED))
    return {
        "ends": pi[:, lanes],
        "log_ratio": np.array(ratio)[:, :, lanes],
        "traces": np.array(traces),
        "failed": ~np.isfinite(pi).all(axis=0),
    }


def _predicted(record: Record) -> tuple[np.ndarray, np.ndarray]:
    """The corner with the largest π (r - b) at the start, and whether it leads clearly."""
    pushes = lattice(record.setting["side"]) * (
        np.array(record.setting["rewards"])[:, None] - record.setting["b"]
    )
    ordered = np.sort(pushes, axis=0)
    return pushes.argmax(axis=0), ordered[-1] - ordered[-2] > _CLOSE * np.abs(ordered[-1])


def _boundaries(b: float) -> list[Series]:
    """Where the two largest π (r - b) are equal: lines from the point where all are, to the
    edges.
    """
    gains = np.array(REWARDS) - b
    positive = [a for a in range(3) if gains[a] > 0]
    if len(positive) < 2:
        return []
    # with two positive gains the line starts in the corner of the third action
    hub = (
        1.0 / gains / np.sum(1.0 / gains)
        if len(positive) == 3
        else np.eye(3)[({0, 1, 2} - set(positive)).pop()]
    )
    lines = []
    for a in positive:
        for c in positive[positive.index(a) + 1 :]:
            edge = np.zeros(3)
            # on the edge between a and c, where π_a gain_a = π_c gain_c
            edge[a], edge[c] = gains[c], gains[a]
            edge /= edge.sum()
            lines.append(
                Series(
                    "predicted boundary",
                    (float(hub[0]), float(edge[0])),
                    (float(hub[1]), float(edge[1])),
                )
            )
    return lines


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for record in results.select(NAME):
        side = record.setting["side"]
        centres = tuple(((np.arange(side) + 0.5) / side).tolist())
        cells = np.full((side, side), np.nan)
        starts = lattice(side)
        column, row = (np.minimum((starts[i] * side).astype(int), side - 1) for i in (0, 1))
        cells[row, column] = record["ends"].argmax(axis=0)
        grid = Grid(
            "ends at",
            centres,
            centres,
            tuple(map(tuple, cells.tolist())),
            ("a0, reward 1", "a1, reward 2", "a2, reward 3"),
        )
        traces = [
            Series(
                "trajectory",
                tuple(record["traces"][:, i, 0].tolist()),
                tuple(record["traces"][:, i, 1].tolist()),
            )
            for i in range(len(TRACED))
        ]
        title = f"b = {captions.signed(record.setting['b'])}"
        panels.append(
            Panel(
                title,
                "π(a0) at the start",
                "π(a1) at the start",
                series=(*_boundaries(record.setting["b"]), *traces),
                grid=grid,
            )
        )
    caption = (
        "Bandit r = (1, 2, 3), expected update, α = 1/4: the action that each start ends at, on the"
        " simplex with the corners a0 (right), a1 (top) and a2 (at the origin), and the boundaries"
        " that theory predicts, where two π (r − b) are equal. With a pessimistic baseline the"
        " start decides where training ends; with b between the two best rewards every start ends"
        " at the best action."
    )
    alt = (
        "Four maps of the simplex: three basins for b = −4, two for b = 1.5, one for b = 2.5 and"
        " for b = 3."
    )
    return [FigureData(NAME, "Phase portrait in b", caption, alt, tuple(panels))]


BANDIT_PORTRAIT = Experiment(
    NAME,
    "bandit, expected update: where every start ends, for four baselines",
    'the sentence "depending on the nearest corner", made exact',
    {
        profile: f"half of {side} × {side} starts for each of four baselines; not in the paper"
        for profile, side in _SIDE.items()
    },
    _cells,
    _run,
    _figures,
)


def _domain(record: Record) -> str:
    return (
        f"r = (1, 2, 3), α = 1/4, {_STEPS} expected steps, {record['ends'].shape[1]} starts on a"
        " lattice over the simplex"
    )


@evidence("exact-basins", kind="simulation")
def basins(results: Results) -> Finding:
    items, left_out = [], 0
    for record in results.select(NAME):
        if record.setting["b"] < REWARDS[-1]:
            corner, clear = _predicted(record)
            arrived = record["ends"][corner, np.arange(corner.size)] > 0.9
            left_out += int((~clear).sum())
            items.append(
                measured(f"b = {record.setting['b']:g}", [arrived[clear].astype(float)], (0.0, 1.0))
            )
    summary = (
        "every start ends at the corner with the largest π (r - b): of two actions the one that"
        " starts more probable can lose"
    )
    return analysis.all_within(
        summary, items, 1.0, 0.01, _domain(record), {"left_out_as_nearly_tied": left_out}
    )


def _exact(label: str, values: np.ndarray) -> Measured:
    return Measured(label, float(values.min()), 0.0, values.size, 0.0, 0.0)


@evidence("baseline-below-best-reaches-optimum", kind="simulation")
def below_best(results: Results) -> Finding:
    record = results.one(NAME, b=2.5)
    start = lattice(record.setting["side"])
    # by the proof the log-ratio of the others to the best falls by α π_0 (r - b) or more at each
    # step
    proved = record.setting["alpha"] * start[-1] * (REWARDS[-1] - 2.5)
    fallen = (record["log_ratio"][0] - record["log_ratio"]).min(axis=1)
    items = [_exact(f"step {t}", fallen[i] - t * proved) for i, t in enumerate(TIMES) if t > 0]
    items.append(_exact("π of the best action at the end, less 0.99", record["ends"][-1] - 0.99))
    summary = (
        "with b = 2.5 every start ends at the best action, at least as fast as the proved geometric"
        " rate"
    )
    return analysis.all_above(summary, items, 0.0, _domain(record))


@evidence("baseline-at-best-reward-is-critical", kind="simulation")
def critical(results: Results) -> Finding:
    record = results.one(NAME, b=3.0)
    start, middle, late = lattice(record.setting["side"]), TIMES.index(1000), TIMES.index(4000)
    items = []
    for other in range(2):
        d = REWARDS[-1] - REWARDS[other]
        inverse = np.exp(-record["log_ratio"][:, other])
        for i, t in enumerate(TIMES[1:], start=1):
            # by the proof 1/z grows by α d π_0 or more at each step
            items.append(
                _exact(
                    f"a{other}, step {t}, growth",
                    inverse[i] - inverse[0] - (1.0 - 1e-9) * t * ALPHA * d * start[-1],
                )
            )
        # 1/z grows by at most α d / (1 - α d z) a step, and z falls
        most = 3000 * ALPHA * d / (1.0 - ALPHA * d / inverse[middle])
        items.append(
            _exact(
                f"a{other}, from step 1000 to 4000, no faster",
                most - (inverse[late] - inverse[middle]),
            )
        )
    slope = np.exp(-record["log_ratio"][late, 1]) / TIMES[late]
    summary = (
        "at b = 3 every ratio to the best action falls like 1/t, between the proved bounds; at the"
        f" end like 1/({slope.mean():.3f} t)"
    )
    return analysis.all_above(summary, items, 0.0, _domain(record))
