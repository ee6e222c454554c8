"""Normal noise on the gradient of REINFORCE, from the uniform and from the most saturated start
(paper, appendix E.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes
from altpg_verify.sim.analysis import Measured, above, below, less, measured, times
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.chain_claims import DOMAIN, RANGE
from altpg_verify.sim.experiments.chain_learned_value import NOISE
from altpg_verify.sim.experiments.chain_panel import panel, run
from altpg_verify.sim.experiments.readings import CHAIN_RANGE, SMALL
from altpg_verify.sim.figures import FigureData, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "competitor_linear_chain_sensitivity"
NOISES = (0.1, 0.5, 1.0, 2.0)
STARTS = (0.0, 3.0)
ESTIMATORS = ("regular", "alternate")
HELPED, MANY = ("regular", 3.0), 400
"""The agent that noise helps little, or not so little, and its runs: its values are small and
spread widely.
"""

_SIZES: Mapping[str, Any] = {
    "quick": {"runs": 50, "fresh": 600, "betas": [2.0**-4, 2.0**-2, 1.0]},
    "paper": {"runs": 150, "fresh": 1200},
}


def _cells(profile: str) -> list[Mapping[str, Any]]:
    agents = [
        (estimator, start, noise)
        for start in STARTS
        for noise in NOISES
        for estimator in ESTIMATORS
    ]
    return [_cell(_SIZES[profile], *agent) for agent in (*agents, (*HELPED, 0.0))]


def _cell(
    sizes: Mapping[str, Any], estimator: str, start: float, noise: float
) -> Mapping[str, Any]:
    runs = MANY if (estimator, start) == HELPED else sizes["runs"]
    return panel(estimator, 1.0, start, "learned", gradient_noise=noise, **{**sizes, "runs": runs})


def _record(results: Results, estimator: str, start: float, noise: float) -> Record:
    if noise:
        return results.one(NAME, estimator=estimator, start=start, gradient_noise=noise)
    return results.one(NOISE, estimator=estimator, baseline="learned", start=start)


def _ends(results: Results, estimator: str, start: float, noise: float) -> Measured:
    return best_stepsizes.at_best(
        f"{estimator}, gradient noise {noise:g}, θ = ({start:g}, 0)",
        _record(results, estimator, start, noise),
        RANGE,
    )


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for start in STARTS:
        series = tuple(
            best_stepsizes.best_beta(
                f"{estimator}, noise {noise:g}", _record(results, estimator, start, noise)
            )
            for estimator in ESTIMATORS
            for noise in (0.0, 0.5, 2.0)
        )
        panels.append(stepsize_panel(f"θ = ({start:g}, 0)", "v(s3)", series))
    caption = (
        "REINFORCE on the chain with normal noise on the gradient, values learned from 0: exact"
        " v(s3), averaged over the last 10 of 100 episodes, against the stepsize, at the best β"
        f" for each; {results.select(NAME)[0].setting['runs']} runs, 150 without gradient noise."
    )
    alt = (
        "Two panels of v(s3) against stepsize: uniform and saturated start, three sizes of noise"
        " for each estimator."
    )
    return [FigureData(NAME, "Chain: noise on the gradient", caption, alt, tuple(panels))]


COMPETITOR_LINEAR_CHAIN_SENSITIVITY = Experiment(
    NAME,
    "chain, normal noise on the gradient",
    "figure competitor_linear_chain_sensitivity",
    {
        "quick": (
            "50 runs of 100 episodes with 3 of the paper's 6 stepsizes β; best ones run again 600"
            " times"
        ),
        "paper": "150 runs of 100 episodes, the paper's own; best ones run again 1200 times",
    },
    _cells,
    run,
    _figures,
)


def _setting(results: Results) -> Mapping[str, Any]:
    return results.one(NAME, estimator="alternate", start=0.0, gradient_noise=NOISES[0]).setting


@evidence("chain-gradient-noise-little-help", kind="simulation")
def little_help(results: Results) -> Finding:
    estimator, start = HELPED
    records = {
        noise: results.one(NAME, estimator=estimator, start=start, gradient_noise=noise)
        for noise in (0.0, *NOISES)
    }
    best = max(NOISES, key=lambda noise: float(records[noise]["mean"][..., ::2].mean()))
    noisy, quiet = (
        _plotted(f"{estimator}, gradient noise {noise:g}", records[noise]) for noise in (best, 0.0)
    )
    half_more, gain = times(1.5, quiet), less(noisy, quiet)
    # slightly better is better
    better = above(gain, 0.0)
    about = (
        "chain, values learned from 0, gradient noise 0.1, 0.5, 1 or 2, α = 1/64 ... 2 and"
        f" {len(_setting(results)['betas'])} values of β; {MANY} runs, the noise chosen on half of"
        " them and the other half reported"
    )
    where = (
        "from (3, 0), in the mean over all stepsizes, regular with the noise that suits it best"
        " ends"
    )
    readings = {
        "the range of values": analysis.all_hold(
            f"{where} above itself without, by less than 0.04, a twentieth of 0.81",
            [better, below(gain, SMALL * CHAIN_RANGE)],
            about,
        ),
        "what it has without noise": analysis.all_hold(
            f"{where} above itself without, by less than half of what that is",
            [better, below(less(noisy, half_more), 0.0)],
            about,
        ),
    }
    return analysis.agreed(readings)


def _plotted(label: str, record: Record) -> Measured:
    """The mean over all stepsizes, in the half of the runs that chose no noise."""
    mean = record["mean"][..., 1::2]
    return measured(
        f"{label}, mean over all α and β", list(mean.reshape(-1, mean.shape[-1])), RANGE
    )


@evidence("chain-gradient-noise-alternate-superior", kind="simulation")
def alternate_superior(results: Results) -> Finding:
    gaps = [
        less(*(_ends(results, estimator, start, noise) for estimator in ("alternate", "regular")))
        for start in STARTS
        for noise in (0.0, *NOISES)
    ]
    setting = _setting(results)
    about = (
        "chain, values learned from 0, gradient noise 0.1, 0.5, 1 or 2; best stepsizes of"
        f" {setting['runs']} runs ({MANY} of regular from (3, 0)) over α = 1/64 ... 2 and"
        f" {len(setting['betas'])} values of β, {setting['fresh']} fresh runs at them; without"
        f" gradient noise: {DOMAIN}"
    )
    summary = (
        "alternate ends above regular at every size of gradient noise, from (0, 0) and from (3, 0)"
    )
    return analysis.all_above(summary, gaps, 0.0, about)
