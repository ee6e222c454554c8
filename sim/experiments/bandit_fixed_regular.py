"""Whether a fixed baseline affects the regular estimator: the paper's uniform start again, with
runs enough to decide.

r = [1, 2, 3] with noise 1, 1000 steps; b fixed at +4, fixed at -4, or the true r_π. A baseline adds
no bias to the regular estimator, but it adds variance, and large steps along noisy estimates can
end at a worse action.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import Measured, measured
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.bandit_panel import panel, run
from altpg_verify.sim.experiments.readings import BANDIT_RANGE, LARGE, SMALL
from altpg_verify.sim.figures import FigureData, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "regular_fixed_baseline"
AGENTS = (("true", 0.0, "true r_π"), ("fixed", 4.0, "b = +4"), ("fixed", -4.0, "b = −4"))
_RUNS = {"quick": 3000, "paper": 10000}
_DOMAIN = (
    "r = (1, 2, 3), noise 1, uniform start, best of the stepsizes 1/64 ... 2, mean of the last 50"
    " of 1000 steps, {runs} runs"
)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    cells = [panel("regular", [1.0, 2.0, 3.0], 1.0, 0.0, baseline, b) for baseline, b, _ in AGENTS]
    return [{**cell, "runs": _RUNS[profile]} for cell in cells]


def _records(results: Results) -> list[tuple[str, Record]]:
    return [(label, results.one(NAME, baseline=baseline, b=b)) for baseline, b, label in AGENTS]


def _figures(results: Results) -> list[FigureData]:
    records = _records(results)
    series = tuple(best_stepsizes.sensitivity(label, record) for label, record in records)
    caption = (
        "Regular estimator on the bandit r = (1, 2, 3) with noise 1, uniform start: J over the"
        " last 50 of 1000 steps against the stepsize, with the true r_π and with two fixed"
        f" baselines; {records[0][1].setting['runs']} runs in the place of the paper's 150."
    )
    alt = "One panel of J against stepsize: the three curves part at large stepsizes."
    panels = (stepsize_panel("uniform start", "value of the policy, J", series),)
    return [FigureData(NAME, "The regular estimator with a fixed baseline", caption, alt, panels)]


REGULAR_FIXED_BASELINE = Experiment(
    NAME,
    "bandit, regular estimator with fixed baselines, many runs",
    "figure bias_alternate_param_study, the curves of the regular estimator from the uniform start",
    {
        profile: f"{runs} runs of 1000 steps, the paper's 150 and more"
        for profile, runs in _RUNS.items()
    },
    _cells,
    run,
    _figures,
)


def _best(results: Results) -> tuple[list[Measured], str]:
    records = _records(results)
    items = []
    for label, record in records:
        alpha, beta = best_stepsizes.best(record)
        stepsize = captions.fraction(record.setting["alphas"][alpha])
        items.append(
            measured(f"{label}, α = {stepsize}", [record["mean"][alpha, beta]], (1.0, 3.0))
        )
    return items, _DOMAIN.format(runs=records[0][1].setting["runs"])


@evidence("regular-not-affected-by-fixed-baseline", kind="simulation")
def not_affected(results: Results) -> Finding:
    (true, *fixed), domain = _best(results)
    items = [analysis.difference(f"{one.label} against {true.label}", one, true) for one in fixed]
    summary = (
        "with a fixed baseline the regular estimator ends above 2.2, and within 0.1 of where it"
        " ends with the true r_π"
    )
    conditions = [analysis.above(one, 2.0 + LARGE * BANDIT_RANGE) for one in (true, *fixed)]
    for item in items:
        conditions += [
            analysis.above(item, -SMALL * BANDIT_RANGE),
            analysis.below(item, SMALL * BANDIT_RANGE),
        ]
    return analysis.all_hold(summary, conditions, domain)


@evidence("regular-learns-good-not-optimal", kind="simulation")
def good_not_optimal(results: Results) -> Finding:
    (_, *bests), domain = _best(results)
    plots = [
        measured(f"{label}, mean over all α", list(record["mean"][:, 0]), (1.0, 3.0))
        for label, record in _records(results)[1:]
    ]
    low, high = 2.0 + LARGE * BANDIT_RANGE, 3.0 - SMALL * BANDIT_RANGE
    # 2.2 and 2.9: a tenth and a twentieth of the range of J, from 1 to 3
    start = (
        "with a fixed baseline, +4 or -4, the regular estimator ends above 2.2 and below 2.9,"
        " better than uniform and not at the optimum,"
    )
    readings = {
        words: analysis.all_hold(
            f"{start} {where}", [one for item in items for one in (analysis.above(item, low), analysis.below(item, high))], about
        )
        for words, where, items, about in (
            ("the best stepsizes", "at its best stepsizes", bests, domain),
            ("the sensitivity plot", "in the mean over all stepsizes", plots, domain.replace("best of the stepsizes", "mean over")),
        )
    }  # fmt: skip
    return analysis.agreed(readings)
