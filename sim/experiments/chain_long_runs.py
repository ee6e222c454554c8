"""Which fixed point REINFORCE reaches on the chain with b = +4: long runs with small stepsizes.

The paper predicts v(s3) = 0.279447 from immediate rewards; the exact fixed point of the expected
update has 0.297641. The two starts, the paper's policy and the uniform one, lie on one side; the
stepsizes are small enough for the two to be told apart.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, captions
from altpg_verify.sim.analysis import measured
from altpg_verify.sim.experiment import Experiment, estimator_named
from altpg_verify.sim.experiments.chain_fixed_points import (
    STATES,
    exact_point,
    immediate_reward_point,
    relaxation_time,
    value,
)
from altpg_verify.sim.figures import FigureData, Line, Panel, Series, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "chain_fixed_point"
B = 4.0
ALPHAS = [2.0**-6, 2.0**-8, 2.0**-10]
STARTS = ("paper's policy", "uniform")
_LOG_4_3 = 0.28768207245178096
_BURN_IN = 8
_RUNS = {2.0**-6: 4000, 2.0**-8: 1000, 2.0**-10: 250}
"""Chains for each stepsize: the work is the same for all, and the spread falls with the
stepsize.
"""

_RELAXATIONS = {"quick": 12, "paper": 100}
_SCALE = (
    "250 to 4000 chains, averaged over {} relaxation times after a burn-in of 8; not in the paper"
)
BINS = 40


def _cells(profile: str) -> list[Mapping[str, Any]]:
    cells: list[Mapping[str, Any]] = []
    for alpha in reversed(ALPHAS):
        for start in STARTS:
            burn_in = math.ceil(_BURN_IN * relaxation_time(alpha))
            episodes = BINS * math.ceil(
                (burn_in + _RELAXATIONS[profile] * relaxation_time(alpha)) / BINS
            )
            cells.append(
                {
                    "alpha": alpha,
                    "start": start,
                    "runs": _RUNS[alpha],
                    "episodes": episodes,
                    "last": episodes - burn_in,
                }
            )
    return cells


def _run(experiment: str, setting: Mapping[str, Any], root: int) -> dict[str, np.ndarray]:
    """Arrays over independent chains: mean of v(s3), square, right (chains, 5), length, failed;
    curve and curve_error (bins,).
    """
    from altpg_verify.sim.chain import Chain, simulate

    # e^0.2877 = 4/3, the odds 4 : 3 of the immediate rewards in the last state
    last = (0.0, _LOG_4_3) if setting["start"] == "paper's policy" else (0.0, 0.0)
    theta = ((0.0, 0.0),) * (STATES - 1) + (last,)
    agent = Chain(theta, setting["alpha"], 0.0, "fixed", B)
    sizes = {name: setting[name] for name in ("runs", "episodes", "last")}
    (outcome,) = simulate(
        estimator_named("alternate"), [agent], root=root, experiment=experiment, bins=BINS, **sizes
    )
    arrays = {
        name: getattr(outcome, name) for name in ("mean", "square", "right", "length", "failed")
    }
    arrays["curve"], arrays["curve_error"] = analysis.mean_and_error(outcome.curve.T)
    return arrays


def _label(record: Record) -> str:
    return (
        f"α = {captions.fraction(record.setting['alpha'])}, from the"
        f" {record.setting['start'].removesuffix(' policy')} policy"
    )


def _figures(results: Results) -> list[FigureData]:
    lines = (
        Line("0.297641, exact fixed point", value(exact_point(B))),
        Line("0.279447, from immediate rewards", value(immediate_reward_point(B))),
    )
    curves, means = [], []
    for start in STARTS:
        records = results.select(NAME, start=start)
        word = f"from the {start.removesuffix(' policy')} policy"
        for record in records:
            # time in relaxation times, so that all stepsizes fit on one axis
            total = record.setting["episodes"] / relaxation_time(record.setting["alpha"])
            x = tuple((i + 0.5) * total / BINS for i in range(BINS))
            label = f"α = {captions.fraction(record.setting['alpha'])}, {word}"
            curves.append(
                Series(
                    label, x, tuple(record["curve"].tolist()), tuple(record["curve_error"].tolist())
                )
            )
        pairs = [analysis.mean_and_error(record["mean"]) for record in records]
        x = tuple(record.setting["alpha"] for record in records)
        means.append(
            Series(
                word,
                x,
                tuple(float(mean) for mean, _ in pairs),
                tuple(float(error) for _, error in pairs),
            )
        )
    runs = sorted({record.setting["runs"] for record in results.select(NAME)})
    chains = f"{runs[0]} to {runs[-1]} chains" if len(runs) > 1 else f"{runs[0]} chains"
    caption = (
        f"REINFORCE with the alternate estimator on the chain, b = {captions.signed(B)} in every"
        f" state, {chains}: exact v(s3) on the way (left) and its mean after a burn-in of"
        f" {_BURN_IN} relaxation times (right). Small stepsizes settle at the exact fixed point of"
        " the expected update, not at the paper's point, from which half of the runs were started."
    )
    alt = (
        "Left: all curves end at 0.298. Right: the means lie on 0.298, far above 0.279 in units of"
        " their errors."
    )
    return [
        FigureData(
            NAME,
            "Which fixed point is reached",
            caption,
            alt,
            (
                Panel(
                    "on the way",
                    "episodes, in relaxation times",
                    "v(s3)",
                    "linear",
                    tuple(curves),
                    lines,
                ),
                stepsize_panel("after burn-in", "mean of v(s3)", means, lines),
            ),
        )
    ]


CHAIN_FIXED_POINT = Experiment(
    NAME,
    "chain, b = +4: which fixed point long runs reach",
    'the sentence "the policy converges to the fixed point given by the lemma"',
    {profile: _SCALE.format(relaxations) for profile, relaxations in _RELAXATIONS.items()},
    _cells,
    _run,
    _figures,
)


@evidence("chain-agents-reach-exact-fixed-point", kind="simulation")
def reach_exact_fixed_point(results: Results) -> Finding:
    exact, immediate = value(exact_point(B)), value(immediate_reward_point(B))
    records = results.select(NAME)
    near = [measured(_label(record), [record["mean"]]) for record in records]
    domain = (
        "chain, noise 1, γ = 0.9, b = +4, α = 1/64, 1/256, 1/1024, two starts, 4000, 1000, 250"
        " chains after burn-in"
    )
    summary = (
        f"v(s3) stays within 0.002 of {exact:.6f}, which is {exact - immediate:.6f} above"
        f" {immediate:.6f}, at every stepsize and start"
    )
    reached = {item.label: f"{item.mean:.5f} ± {item.standard_error:.5f}" for item in near}
    return analysis.all_within(
        summary,
        near,
        exact,
        0.002,
        domain,
        {"from_immediate_rewards": immediate, "reached": reached},
    )
