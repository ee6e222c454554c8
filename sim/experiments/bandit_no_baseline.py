"""The regular estimator without a baseline: r = [1, 2, 3] (paper, appendix D.5, "Dropping the
reward baseline").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import less
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.bandit_panel import FRESH, SCALE, STARTS, panel, run
from altpg_verify.sim.experiments.bandit_saturated_starts import REWARDS
from altpg_verify.sim.experiments.bandit_start_claims import DOMAIN, RANGE, learned
from altpg_verify.sim.figures import FigureData, stepsize_panel
from altpg_verify.sim.results import Results

NAME = "multiple_init_regular_no_baseline"


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [panel("regular", REWARDS, 1.0, start, "fixed", fresh=FRESH) for start in STARTS]


def _figures(results: Results) -> list[FigureData]:
    series = tuple(
        best_stepsizes.sensitivity(f"θ = ({r.setting['start']:g}, 0, 0)", r)
        for r in results.select(NAME)
    )
    caption = (
        "Bandit r = (1, 2, 3) with noise 1, regular estimator without a baseline: J over the last"
        f" 50 of 1000 steps against the stepsize, for {len(series)} starts;"
        f" {captions.runs_each(results.select(NAME))}."
    )
    alt = (
        "One panel of J against stepsize: the curves of the two most saturated starts stay near 1."
    )
    panels = (stepsize_panel("no baseline", "value of the policy, J", series),)
    return [FigureData(NAME, "Regular without a baseline", caption, alt, panels)]


MULTIPLE_INIT_REGULAR_NO_BASELINE = Experiment(
    NAME,
    "bandit, regular estimator without a baseline",
    "figure multiple_init_regular_no_baseline",
    {"quick": SCALE, "paper": SCALE},
    _cells,
    run,
    _figures,
)


@evidence("no-baseline-regular-not-competitive", kind="simulation")
def not_competitive(results: Results) -> Finding:
    regular = best_stepsizes.at_best(
        "regular, no baseline, θ = (10, 0, 0)", results.one(NAME, start=10.0), RANGE
    )
    gap = less(learned(results, "alternate", 4.0, 10.0), regular)
    summary = (
        "from (10, 0, 0) alternate with b from +4 ends more than 0.5 above regular without a"
        " baseline"
    )
    return analysis.all_above(summary, [gap], 0.5, DOMAIN)
