"""Optimistic and pessimistic learned baselines without reward noise: r = [1, 2, 3] (paper, appendix
D.4, the footnote).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import less
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.bandit_panel import panel, run
from altpg_verify.sim.experiments.bandit_saturated_starts import REWARDS
from altpg_verify.sim.experiments.bandit_start_claims import DOMAIN, RANGE, learned
from altpg_verify.sim.experiments.readings import BANDIT_RANGE, LARGE
from altpg_verify.sim.figures import FigureData, stepsize_panel
from altpg_verify.sim.results import Results

NAME = "baselines_without_noise"
STARTS = (0.0, 10.0)
BASELINES = (4.0, -4.0)
_SIZES: Mapping[str, Any] = {
    "quick": {"runs": 75, "fresh": 300},
    "paper": {"runs": 150, "fresh": 600},
}


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        panel(estimator, REWARDS, 0.0, start, "learned", b, **_SIZES[profile])
        for b in BASELINES
        for start in STARTS
        for estimator in ("regular", "alternate")
    ]


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for b in BASELINES:
        series = tuple(
            best_stepsizes.best_beta(
                f"{estimator}, θ = ({start:g}, 0, 0)",
                results.one(NAME, estimator=estimator, b=b, start=start),
            )
            for estimator in ("alternate", "regular")
            for start in STARTS
        )
        panels.append(
            stepsize_panel(f"b from {captions.signed(b)}", "value of the policy, J", series)
        )
    caption = (
        "Bandit r = (1, 2, 3) without reward noise, learned baseline: J over the last 50 of 1000"
        " steps against the stepsize, at the best β for each;"
        f" {results.select(NAME)[0].setting['runs']} runs."
    )
    alt = "Two panels of J against stepsize, optimistic and pessimistic, two starts in each."
    return [FigureData(NAME, "Learned baselines without reward noise", caption, alt, tuple(panels))]


BASELINES_WITHOUT_NOISE = Experiment(
    NAME,
    "bandit, learned baseline started at +4 or −4, no reward noise",
    "the footnote on no noise in the appendix on optimistic and pessimistic baselines; not shown in"
    " the paper",
    {
        profile: f"{sizes['runs']} runs of 1000 steps; best ones run again {sizes['fresh']} times"
        for profile, sizes in _SIZES.items()
    },
    _cells,
    run,
    _figures,
)


@evidence("reward-noise-matters-less-than-bias", kind="simulation")
def noise_matters_less(results: Results) -> Finding:
    gaps = []
    for b in BASELINES:
        for start in STARTS:
            for estimator in ("regular", "alternate"):
                label = (
                    f"{estimator}, learned from {captions.signed(b)}, no noise, θ = ({start:g},"
                    " 0, 0)"
                )
                record = results.one(NAME, estimator=estimator, b=b, start=start)
                gaps.append(
                    less(
                        learned(results, estimator, b, start),
                        best_stepsizes.at_best(label, record, RANGE),
                    )
                )
    setting = results.select(NAME)[0].setting
    domain = (
        f"{DOMAIN}; without noise {setting['fresh']} fresh runs at the best of {setting['runs']};"
        " starts (0, 0, 0) and (10, 0, 0)"
    )
    quiet = [
        best_stepsizes.at_best(
            f"{estimator}, learned from +4, no noise, θ = (10, 0, 0)",
            results.one(NAME, estimator=estimator, b=4.0, start=10.0),
            RANGE,
        )
        for estimator in ("alternate", "regular")
    ]
    summary = (
        "with b from +4 and from -4 each estimator ends within 0.2 of where it ends without reward"
        " noise, from both starts; without noise, too, alternate ends more than 0.2 above regular"
        " from (10, 0, 0) with b from +4"
    )
    width = LARGE * BANDIT_RANGE
    conditions = [
        condition
        for gap in gaps
        for condition in (analysis.above(gap, -width), analysis.below(gap, width))
    ]
    return analysis.all_hold(summary, [*conditions, analysis.above(less(*quiet), width)], domain)
