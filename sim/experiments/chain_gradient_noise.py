"""Normal noise on the gradient of REINFORCE, from the uniform and from the most saturated start (paper, appendix E.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis
from altpg_verify.sim.analysis import Measured, difference, less
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.chain_claims import DOMAIN, RANGE
from altpg_verify.sim.experiments.chain_learned_value import NOISE
from altpg_verify.sim.experiments.chain_panel import panel, run
from altpg_verify.sim.experiments.readings import CHAIN_RANGE, SMALL
from altpg_verify.sim.figures import FigureData, Panel
from altpg_verify.sim.results import Record, Results

NAME = "competitor_linear_chain_sensitivity"
NOISES = (0.1, 0.5, 1.0, 2.0)
STARTS = (0.0, 3.0)
ESTIMATORS = ("regular", "alternate")
_SIZES: Mapping[str, Any] = {
    "quick": {"runs": 50, "fresh": 600, "betas": [2.0**-4, 2.0**-2, 1.0]},
    "paper": {"runs": 150, "fresh": 1200},
}


def _cells(profile: str) -> list[Mapping[str, Any]]:
    sizes = _SIZES[profile]
    cells = [
        panel(estimator, 1.0, start, "learned", gradient_noise=noise, **sizes)
        for start in STARTS
        for noise in NOISES
        for estimator in ESTIMATORS
    ]
    return [{**cell, "betas": sizes.get("betas", cell["betas"])} for cell in cells]


def _record(results: Results, estimator: str, start: float, noise: float) -> Record:
    if noise:
        return results.one(NAME, estimator=estimator, start=start, gradient_noise=noise)
    return results.one(NOISE, estimator=estimator, baseline="learned", start=start)


def _ends(results: Results, estimator: str, start: float, noise: float) -> Measured:
    label = f"{estimator}, gradient noise {noise:g}, θ = ({start:g}, 0)"
    return analysis.at_best(label, _record(results, estimator, start, noise), RANGE)


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for start in STARTS:
        series = tuple(
            analysis.best_beta(f"{estimator}, noise {noise:g}", _record(results, estimator, start, noise))
            for estimator in ESTIMATORS
            for noise in (0.0, 0.5, 2.0)
        )
        panels.append(Panel(f"θ = ({start:g}, 0)", "stepsize α", "v(s3)", "log2", series))
    caption = (
        "REINFORCE on the chain with normal noise on the gradient, values learned from 0: exact v(s3), averaged over the last 10 of 100 "
        f"episodes, against the stepsize, at the best β for each; {results.select(NAME)[0].setting['runs']} runs, 150 without gradient "
        "noise."
    )
    alt = "Two panels of v(s3) against stepsize: uniform and saturated start, three sizes of noise for each estimator."
    return [FigureData(NAME, "Chain: noise on the gradient", caption, alt, tuple(panels))]


COMPETITOR_LINEAR_CHAIN_SENSITIVITY = Experiment(
    NAME,
    "chain, normal noise on the gradient",
    "figure competitor_linear_chain_sensitivity",
    {
        "quick": "50 runs of 100 episodes with 3 of the paper's 6 stepsizes β; best ones run again 600 times",
        "paper": "150 runs of 100 episodes, the paper's own; best ones run again 1200 times",
    },
    _cells,
    run,
    _figures,
)


def _domain(results: Results) -> str:
    setting = results.select(NAME)[0].setting
    return (
        f"chain, values learned from 0, gradient noise 0.1, 0.5, 1 or 2; best stepsizes of {setting['runs']} runs over α = 1/64 ... 2 and "
        f"{len(setting['betas'])} values of β, {setting['fresh']} fresh runs at them; without gradient noise: {DOMAIN}"
    )


@evidence("chain-gradient-noise-little-help", kind="simulation")
def little_help(results: Results) -> Finding:
    def reached(noise: float) -> float:
        record = _record(results, "regular", 3.0, noise)
        return float(record["mean"][analysis.best(record)].mean())

    best = max((0.0, *NOISES), key=reached)
    noisy, quiet = _ends(results, "regular", 3.0, best), _ends(results, "regular", 3.0, 0.0)
    gap = less(noisy, quiet)
    relative = difference(
        f"{noisy.words} less one and a half times {quiet.words}", noisy, Measured("", 1.5 * quiet.mean, *_times(1.5, quiet))
    )
    says = (
        "from (3, 0) regular ends less than a twentieth of 0.81 above where it ends without gradient noise, "
        "at its best noise, and less than half "
        "as high again"
    )
    return analysis.all_hold(says, [analysis.below(gap, SMALL * CHAIN_RANGE), analysis.below(relative, 0.0)], _domain(results))


def _times(factor: float, item: Measured) -> tuple[float, int, float, float]:
    return factor * item.standard_error, item.runs, factor * item.low, factor * item.high


@evidence("chain-gradient-noise-alternate-superior", kind="simulation")
def alternate_superior(results: Results) -> Finding:
    gaps = [
        less(*(_ends(results, estimator, start, noise) for estimator in ("alternate", "regular")))
        for start in STARTS
        for noise in (0.0, *NOISES)
    ]
    says = "alternate ends above regular at every size of gradient noise, from (0, 0) and from (3, 0)"
    return analysis.all_above(says, gaps, 0.0, _domain(results))
