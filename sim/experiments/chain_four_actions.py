"""The chain on which a uniform policy explores poorly: three of its four actions go left (paper,
appendix E.5).

The paper's stepsizes, from the uniform start, for 300 episodes; the first 100 of them are looked at
by themselves. Stepsizes are chosen as the paper chooses them, the best of the sweep, once for each
of the two lengths; what is reported are fresh runs at them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import Measured, above, below, less
from altpg_verify.sim.experiment import Experiment, estimator_named, spot
from altpg_verify.sim.experiments.bandit_panel import stack
from altpg_verify.sim.experiments.chain_large_stepsizes import VALUES
from altpg_verify.sim.experiments.chain_panel import BETAS, panel
from altpg_verify.sim.experiments.readings import CHAIN_RANGE, LARGE, SMALL
from altpg_verify.sim.figures import FigureData, Line, Panel, Series, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "chain_messed_sensitivity"
ACTIONS = 4
EARLY, EPISODES, LAST = 100, 300, 10
_RUNS, _FRESH = {"quick": 50, "paper": 150}, {"quick": 500, "paper": 20_000}
_OPTIMUM = 0.81
_RANGE = (0.0, _OPTIMUM)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    sizes = {
        "runs": _RUNS[profile],
        "fresh": _FRESH[profile],
        "episodes": EPISODES,
        "last": LAST,
        "bins": EPISODES // LAST,
    }
    agents = [(estimator, *values) for estimator in ("regular", "alternate") for values in VALUES]
    return [
        panel(estimator, 1.0, 0.0, baseline, b, **sizes)
        for estimator, baseline, b in [*agents, ("expected_gradient", "fixed", 0.0)]
    ]


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """Arrays (alphas, betas, runs): v(s3) over the last ten episodes, mean of all and early of the
    first 100; length, failed.

    fresh_mean and fresh_early (fresh,): the same at the stepsizes that are best for each. curve and
    curve_error (alphas, betas, bins): v(s3) in each ten episodes, averaged over runs, and its
    standard error.
    """
    from altpg_verify.sim.chain import Chain, simulate

    theta = (setting["start"],) * ACTIONS
    grid = [
        Chain(theta, alpha, beta, setting["baseline"], setting["b"], setting["sigma"])
        for alpha in setting["alphas"]
        for beta in setting["betas"]
    ]
    agent, last = estimator_named(setting["estimator"]), setting["last"]
    sizes = {name: setting[name] for name in ("runs", "episodes", "last", "bins")}
    outcomes = simulate(agent, grid, root=root, experiment=experiment, **sizes)
    arrays = stack(outcomes, setting, ("mean", "failed"))
    arrays["early"] = np.stack(
        [outcome.curve[:, EARLY // last - 1] for outcome in outcomes]
    ).reshape(arrays["mean"].shape)
    # float32: of a sweep means and orders are wanted, and half the bytes are kept
    arrays |= {
        name: arrays[name].astype(np.float32) for name in ("mean", "early", "curve", "curve_error")
    }
    if setting["fresh"]:
        for name, episodes in (("mean", setting["episodes"]), ("early", EARLY)):
            chosen = grid[int(arrays[name].mean(axis=-1).argmax())]
            fresh = {
                "root": root,
                "experiment": f"{experiment}, fresh, best of {episodes} episodes",
                "runs": setting["fresh"],
            }
            (again,) = simulate(agent, [chosen], episodes=episodes, last=last, **fresh)
            arrays[f"fresh_{name}"] = again.mean.astype(np.float32)
    return arrays


def _cost(setting: Mapping[str, Any]) -> float:
    """Steps of the environment, about: an episode takes twenty or so."""
    sweep = len(setting["alphas"]) * len(setting["betas"]) * setting["runs"] * setting["episodes"]
    return 20.0 * (sweep + setting["fresh"] * (setting["episodes"] + EARLY))


def _sample(setting: Mapping[str, Any], fraction: float) -> dict[str, Any]:
    """About so much of a cell, at the same stepsizes."""
    return {
        **setting,
        "runs": max(
            1, round(fraction * _cost(setting) / _cost({**setting, "runs": 1, "fresh": 0}))
        ),
        "fresh": 0,
    }


def _record(results: Results, estimator: str, baseline: str, b: float, episodes: int) -> Record:
    """The sweep of one agent after so many episodes."""
    record = results.one(NAME, estimator=estimator, baseline=baseline, b=b)
    if episodes == EPISODES:
        return record
    early = {"mean": record["early"]} | (
        {"fresh_mean": record["fresh_early"]} if record.setting["fresh"] else {}
    )
    return Record({**record.setting, "episodes": episodes}, early)


def _words(baseline: str, b: float) -> str:
    return "true v_π" if baseline == "true" else f"learned from {captions.signed(b)}"


def _ends(
    results: Results, estimator: str, baseline: str, b: float, episodes: int = EPISODES
) -> Measured:
    """Where an agent ends at its best stepsizes."""
    label = f"{estimator}, {_words(baseline, b)}, {episodes} episodes"
    return best_stepsizes.at_best(label, _record(results, estimator, baseline, b, episodes), _RANGE)


def _sensitivity(results: Results, baseline: str, b: float, episodes: int) -> tuple[Series, ...]:
    series = []
    for estimator in ("alternate", "regular"):
        record = _record(results, estimator, baseline, b, episodes)
        if baseline == "true":
            series.append(best_stepsizes.sensitivity(estimator, record))
        else:
            # the smallest, a middle and the largest beta: all six would hide each other
            series += [
                best_stepsizes.sensitivity(
                    f"{estimator}, β = {captions.fraction(BETAS[i])}", record, i
                )
                for i in (0, 2, 5)
            ]
    return (
        *series,
        best_stepsizes.sensitivity(
            "expected gradient", _record(results, "expected_gradient", "fixed", 0.0, episodes)
        ),
    )


def _figures(results: Results) -> list[FigureData]:
    lines = (Line("0.81, the optimum", _OPTIMUM),)
    panels = tuple(
        stepsize_panel(
            f"{_words(*values)}, {episodes} episodes",
            "v(s3)",
            _sensitivity(results, *values, episodes),
            lines,
        )
        for episodes in (EARLY, EPISODES)
        for values in VALUES
    )
    agents = [
        ("expected_gradient", "fixed", 0.0),
        *((estimator, *values) for estimator in ("alternate", "regular") for values in VALUES),
    ]
    curves = tuple(
        best_stepsizes.learning_curve(
            f"{estimator}, {_words(baseline, b)}" if baseline != "fixed" else "expected gradient",
            results.one(NAME, estimator=estimator, baseline=baseline, b=b),
        )
        for estimator, baseline, b in agents
    )
    records = results.select(NAME)
    runs = captions.runs_each(records)
    task = (
        "REINFORCE on the chain with four actions, three of which go left, from the uniform policy"
    )
    return [
        FigureData(
            NAME,
            "Chain with four actions",
            f"{task}: exact v(s3), averaged over the last ten of {EARLY} episodes (first row) and"
            f" of {EPISODES} (second row), against the stepsize, for true values and values learned"
            f" from 0, +4 and −4; {runs}.",
            "Eight panels of v(s3) against stepsize; the regular estimator lies above the alternate"
            " one in each of them.",
            panels,
        ),
        FigureData(
            NAME.replace("sensitivity", "learning_curve"),
            "Chain with four actions, learning curves",
            f"{task}: exact v(s3) in each ten episodes, at the stepsizes that are best at the end;"
            f" {records[0].setting['runs']} runs. Not in the paper.",
            "Curves of v(s3) against episodes for nine agents.",
            (Panel("best stepsizes", "episode", "v(s3)", "linear", curves, lines),),
        ),
    ]


CHAIN_MESSED_SENSITIVITY = Experiment(
    NAME,
    "chain with four actions: a uniform policy explores poorly",
    "figure chain_messed_sensitivity",
    {
        "quick": (
            f"{_RUNS['quick']} runs of {EPISODES} episodes at each of the paper's stepsizes, then"
            f" {_FRESH['quick']} at the best"
        ),
        "paper": (
            f"{_RUNS['paper']} runs of {EPISODES} episodes, the paper's own, then {_FRESH['paper']}"
            " at the best stepsizes"
        ),
    },
    _cells,
    _run,
    _figures,
    stored=True,
    cost=_cost,
    spot=partial(spot, _run, ("mean", "early", "failed")),
    sample=_sample,
)


def _domain(results: Results) -> str:
    setting = results.select(NAME)[0].setting
    return (
        "chain with four actions, γ = 0.9, noise 1, uniform start, α = 1/64 ... 2, β = 1/16 ... 2;"
        f" best stepsizes of {setting['runs']} runs, {setting['fresh']} fresh runs at them, exact"
        " v(s3), mean of the last ten episodes"
    )


@evidence("four-action-alternate-poorer", kind="simulation")
def poorer(results: Results) -> Finding:
    gaps = [
        less(
            _ends(results, "regular", *values, episodes),
            _ends(results, "alternate", *values, episodes),
        )
        for values in VALUES
        for episodes in (EARLY, EPISODES)
    ]
    summary = (
        "regular ends above alternate in each of the four cases, after 100 and after 300 episodes"
    )
    return analysis.all_above(summary, gaps, 0.0, _domain(results))


@evidence("four-action-optimism-no-help", kind="simulation")
def no_help(results: Results) -> Finding:
    optimistic, zero = (_ends(results, "alternate", "learned", b) for b in (4.0, 0.0))
    summary = (
        "alternate ends less than 0.01 higher with values from +4 than from 0, with which it ends"
        " above 0.1, more than the uniform policy's 0.02 by a tenth of 0.81"
    )
    conditions = [below(less(optimistic, zero), 0.01), above(zero, 0.02 + LARGE * CHAIN_RANGE)]
    return analysis.all_hold(summary, conditions, _domain(results))


@evidence("optimism-can-hurt", kind="simulation")
def hurts(results: Results) -> Finding:
    gap = less(*(_ends(results, "alternate", "learned", b) for b in (0.0, 4.0)))
    return analysis.all_above(
        "alternate ends higher with values from 0 than from +4", [gap], 0.0, _domain(results)
    )


@evidence("four-action-unsolved-after-300", kind="simulation")
def unsolved(results: Results) -> Finding:
    ends = [
        _ends(results, estimator, *values)
        for estimator in ("regular", "alternate")
        for values in VALUES
    ]
    summary = (
        "each of the eight REINFORCE agents ends below 0.77, a twentieth below the maximum, after"
        " 300 episodes, though each has learned: it ends above 0.06, more than the uniform policy's"
        " 0.02 by a twentieth of 0.81"
    )
    conditions = [
        part
        for one in ends
        for part in (below(one, (1 - SMALL) * CHAIN_RANGE), above(one, 0.02 + SMALL * CHAIN_RANGE))
    ]
    return analysis.all_hold(summary, conditions, _domain(results))


@evidence("four-action-optimism-poorer-than-regular", kind="simulation")
def optimism_poorer(results: Results) -> Finding:
    gap = less(
        *(_ends(results, estimator, "learned", 4.0) for estimator in ("regular", "alternate"))
    )
    return analysis.all_above(
        "with values from +4 regular ends more than 0.05 above alternate",
        [gap],
        0.05,
        _domain(results),
    )
