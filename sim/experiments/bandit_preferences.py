"""How the best action's preference moves, with and without reward noise: r = [0, 0, 1], uniform
start (paper, appendix D.2).

The preference after 100, 500 and 1000 steps of the same runs, with the true r_π, and for regular
with a learned baseline as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import Measured, measured
from altpg_verify.sim.bootstrap import bootstrapped
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments import bandit_reward_noise
from altpg_verify.sim.experiments.bandit_panel import ALPHAS, BETAS
from altpg_verify.sim.experiments.readings import LARGE, SMALL
from altpg_verify.sim.figures import FigureData, Panel, Series
from altpg_verify.sim.results import Record, Results

NAME = "uniform_init_learning_curves"
REWARDS = (0.0, 0.0, 1.0)
TIMES = [100, 500, 1000]
NOISES = (1.0, 0.0)
_RUNS = {"quick": 5000, "paper": 20_000}
"""Not the paper's 150: a variance, and a rise that is a small part of what it adds to, need
more.
"""
_LEARNED_RUNS = {"quick": 1000, "paper": 4000}
_DOMAIN = (
    "r = (0, 0, 1), uniform start, {baseline}, α the best of 1/64 ... 2 in the experiment on reward"
    " noise; {runs} runs, on other streams"
)
_TRUE, _LEARNED = "true r_π", "learned b from 0, the best β of 1/16 ... 1"


def _cells(profile: str) -> list[Mapping[str, Any]]:
    common = {"alphas": ALPHAS, "times": TIMES}
    known = [
        {
            "estimator": estimator,
            "sigma": sigma,
            "baseline": "true",
            "beta": 0.0,
            "runs": _RUNS[profile],
            **common,
        }
        for estimator in ("regular", "alternate")
        for sigma in NOISES
    ]
    learned = [
        {
            "estimator": "regular",
            "sigma": sigma,
            "baseline": "learned",
            "beta": beta,
            "runs": _LEARNED_RUNS[profile],
            **common,
        }
        for sigma in NOISES
        for beta in BETAS
    ]
    return [*known, *learned]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """theta (alphas, times, runs): the best action's preference; value (alphas, runs): r_π after
    the last step; failed (alphas, runs).
    """
    from altpg_verify.sim.bandit import Bandit, simulate

    learning = setting["beta"], setting["baseline"], 0.0
    grid = [
        Bandit(REWARDS, setting["sigma"], (0.0, 0.0, 0.0), alpha, *learning)
        for alpha in setting["alphas"]
    ]
    sizes = {"root": root, "experiment": experiment, "runs": setting["runs"], "last": 1}
    outcomes = [
        simulate(estimator_named(setting["estimator"]), grid, steps=steps, **sizes)
        for steps in setting["times"]
    ]
    # the same streams for each length, so the times are of one and the same run
    theta = np.stack([[outcome.theta[:, 2] for outcome in at_time] for at_time in outcomes], axis=1)
    value = np.stack([analysis.policies(outcome.theta)[:, 2] for outcome in outcomes[-1]])
    return {
        "theta": theta,
        "value": value,
        "failed": np.stack([outcome.failed for outcome in outcomes[-1]]),
    }


def _chosen(
    results: Results, estimator: str, sigma: float, baseline: str = "true"
) -> tuple[Record, int]:
    """The record and its best stepsize, chosen on the runs of another experiment, and so is the
    baseline's if it is learned.
    """
    swept = results.one(
        bandit_reward_noise.NAME, estimator=estimator, baseline=baseline, sigma=sigma, start=0.0
    )
    alpha, beta = best_stepsizes.best(swept)
    step = BETAS[beta] if baseline == "learned" else 0.0
    return results.one(NAME, estimator=estimator, sigma=sigma, baseline=baseline, beta=step), alpha


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for sigma in NOISES:
        series = []
        for estimator in ("regular", "alternate"):
            record, alpha = _chosen(results, estimator, sigma)
            mean, error = analysis.mean_and_error(record["theta"][alpha])
            label = f"{estimator}, α = {captions.fraction(ALPHAS[alpha])}"
            x = tuple(float(t) for t in (0, *TIMES))
            series.append(Series(label, x, (0.0, *mean.tolist()), (0.0, *error.tolist())))
        panels.append(
            Panel(
                f"noise {sigma:g}", "step", "preference of the best action", "linear", tuple(series)
            )
        )
    caption = (
        "Bandit r = (0, 0, 1), uniform start, true r_π, at the best stepsizes: preference of the"
        " best action after 100, 500 and 1000 steps;"
        f" {results.one(NAME, estimator='alternate', sigma=1.0).setting['runs']} runs."
    )
    alt = "Two panels of the preference against time, with and without reward noise."
    return [FigureData(NAME, "The best action's preference", caption, alt, tuple(panels))]


UNIFORM_INIT_LEARNING_CURVES = Experiment(
    NAME,
    "bandit, how the best action's preference moves",
    "figures uniform_init_learning_curves and uniform_init_no_noise_learning_curves, bottom rows",
    {profile: f"{runs} runs of 1000 steps, the paper has 150" for profile, runs in _RUNS.items()},
    _cells,
    _run,
    _figures,
)


@evidence("regular-preferences-flatten", kind="simulation")
def flatten(results: Results) -> Finding:
    rises: dict[str, list[tuple[Measured, Measured]]] = {}
    for baseline, words in (("true", _TRUE), ("learned", _LEARNED)):
        for sigma in NOISES:
            record, alpha = _chosen(results, "regular", sigma, baseline)
            first, _, last = record["theta"][alpha]
            at = (
                f"regular, {'true r_π' if baseline == 'true' else 'learned b'}, noise {sigma:g}, α"
                f" = {captions.fraction(ALPHAS[alpha])}"
            )
            # twice the later rise against the first, as a linear statement about each run
            half = measured(
                f"{at}, half of the first rise less the later one", [first / 2 - (last - first)]
            )
            tenth = measured(
                f"{at}, the later rise less {LARGE:g} of the preference at the end",
                [last - first - LARGE * last],
            )
            rises.setdefault(words, []).append((half, tenth))
    against = "the preference rises less in the last 900 steps than"
    readings = {}
    for words, pairs in rises.items():
        domain = _DOMAIN.format(runs=pairs[0][0].runs, baseline=words)
        summary = f"{against} half of what it rises in the first 100, with and without noise"
        readings[f"half of the rise, {words}"] = analysis.all_above(
            summary, [half for half, _ in pairs], 0.0, domain
        )
        summary = f"{against} a tenth of what it is at the end, with and without noise"
        readings[f"a tenth of the preference, {words}"] = analysis.all_below(
            summary, [tenth for _, tenth in pairs], 0.0, domain
        )
    return analysis.agreed(readings)


@evidence("alternate-preferences-walk", kind="simulation")
def walk(results: Results) -> Finding:
    record, alpha = _chosen(results, "alternate", 1.0)
    changes = (record["theta"][:, 2] - record["theta"][:, 1]) / (
        np.array(ALPHAS)[:, None] * np.sqrt(500)
    )
    shares = {
        f"α = {captions.fraction(each)}": round(float(changes[i].var(ddof=1)), 3)
        for i, each in enumerate(ALPHAS)
    }
    change = changes[alpha]
    variance, runs = float(change.var(ddof=1)), change.size
    # the error of a variance, from the fourth moment: the change needn't be normal
    squares = (change - change.mean()) ** 2
    error = float(squares.std() / np.sqrt(runs))
    label = f"variance over 500 α², α = {captions.fraction(ALPHAS[alpha])}"
    item = Measured(label, variance, error, runs, error, error)
    earlier = record["theta"][alpha, 1] - record["theta"][alpha, 0]
    correlation = float(np.corrcoef(earlier, change)[0, 1])
    spread = 1 / np.sqrt(runs)
    memory = Measured(
        "correlation of the changes from step 100 to 500 and from 500 to 1000",
        correlation,
        spread,
        runs,
        spread,
        spread,
    )
    summary = (
        "like a random walk's, the preference's change from step 500 to 1000 has a variance over"
        " runs of 500 α² within a half, and a correlation below 0.2 with the change before"
    )
    domain = _DOMAIN.format(runs=runs, baseline=_TRUE) + ", noise 1"
    conditions = [
        analysis.above(item, 0.5),
        analysis.below(item, 1.5),
        analysis.above(memory, -0.2),
        analysis.below(memory, 0.2),
    ]
    return analysis.all_hold(summary, conditions, domain, {"variance_over_500_α²": shares})


@evidence("no-noise-preference-keeps-increasing", kind="simulation")
def keeps_increasing(results: Results) -> Finding:
    rises = []
    for estimator in ("alternate", "regular"):
        record, alpha = _chosen(results, estimator, 0.0)
        label = (
            f"{estimator}, no noise, α = {captions.fraction(ALPHAS[alpha])}, relative rise from"
            " step 500 to 1000"
        )
        rises.append(bootstrapped(label, _relative_rise, [record["theta"][alpha, 1:]]))
    summary = (
        "without noise, at the best stepsizes, the preference of the best action rises by more than"
        " a twentieth from step 500 to 1000 with alternate, and by a larger part of it than with"
        " regular"
    )
    conditions = [analysis.above(rises[0], SMALL), analysis.above(analysis.less(*rises), 0.0)]
    return analysis.all_hold(
        summary, conditions, _DOMAIN.format(runs=record.setting["runs"], baseline=_TRUE)
    )


def _relative_rise(means: Sequence[np.ndarray]) -> float:
    middle, last = (float(mean) for mean in means[0])
    return last / middle - 1.0 if middle else 0.0
