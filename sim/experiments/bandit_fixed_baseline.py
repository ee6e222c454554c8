"""The bandit with a baseline that is never updated: where the biased update converges (paper,
appendix, "Fixed Baseline").

r = [1, 2, 3] with noise 1, b fixed at +4 or -4, four starts ever more saturated on the worst
action.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import Measured, above, below, measured, policies
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.bandit_panel import ALPHAS, SCALE, STARTS, panel, run
from altpg_verify.sim.figures import FigureData, Line, stepsize_panel
from altpg_verify.sim.results import Results

REWARDS = [1.0, 2.0, 3.0]
OPTIMISTIC, PESSIMISTIC = 4.0, -4.0
NAME = "bias_alternate_param_study"
_RANGE = (1.0, 3.0)
_VALUE_AT_FIVE = (math.exp(5.0) + 5.0) / (math.exp(5.0) + 2.0)
"""J of softmax(5, 0, 0)."""
_UNIFORM = 2.0
"""J of the uniform policy."""
_DOMAIN = (
    "r = (1, 2, 3), noise 1, 150 runs of 1000 steps for each start and stepsize 1/64 ... 2, mean of"
    " the last 50 steps"
)


def pi_star(b: float) -> np.ndarray:
    """The fixed point of the expected alternate update for a fixed baseline (paper, lemma on fixed
    points, 3).

    π*(a) = (1/(r(a) - b)) / Σ_c 1/(r(c) - b), for b outside the range of the rewards.
    """
    weight = 1.0 / (np.array(REWARDS) - b)
    return weight / weight.sum()


def value_at_pi_star(b: float) -> float:
    """r_π* = Σ_a π*(a) r(a) at the policy fixed point of the expected alternate update with the
    fixed baseline b.
    """
    return float(pi_star(b) @ REWARDS)


def settling_time(start: float, alpha: float, relaxations: float = 5.0) -> float:
    """Steps from θ = (start, 0, 0) to stationarity with b = +4.

    On the way out of the corner the gap shrinks by alpha (b - r_1) a step; then errors shrink by 1
    - alpha |kappa|.

    Args:
        start: the gap of the saturated action's preference.
        alpha: the stepsize; the result is in steps.
        relaxations: how many relaxation times 1/(α |κ|) to wait once the corner is left.
    """
    kappa = 1.0 / sum(1.0 / (OPTIMISTIC - r) for r in REWARDS)
    # the way out of the corner at the speed α (b - r), then relaxations at the rate α |κ|
    return start / (alpha * (OPTIMISTIC - REWARDS[0])) + relaxations / (alpha * kappa)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    return [
        panel(estimator, REWARDS, 1.0, start, "fixed", b)
        for b in (OPTIMISTIC, PESSIMISTIC)
        for estimator in ("regular", "alternate")
        for start in STARTS
    ]


def _figures(results: Results) -> list[FigureData]:
    panels = []
    for b, word in ((OPTIMISTIC, "optimistic"), (PESSIMISTIC, "pessimistic")):
        # a pessimistic baseline has its π* in the simplex too, but it repels
        lines = (Line("26/11, the value at π*", value_at_pi_star(b)),) if b == OPTIMISTIC else ()
        series = [
            best_stepsizes.sensitivity(
                f"{estimator}, θ = ({start:g}, 0, 0)",
                results.one(NAME, estimator=estimator, b=b, start=start),
            )
            for estimator in ("alternate", "regular")
            for start in STARTS
        ]
        panels.append(
            stepsize_panel(
                f"{word} baseline, b = {captions.signed(b)}",
                "value of the policy, J",
                series,
                lines,
            )
        )
    caption = (
        "Bandit r = (1, 2, 3) with noise 1 and a fixed baseline: J, averaged over the last 50 of"
        f" 1000 steps, against the stepsize, for {len(STARTS)} starts;"
        f" {captions.runs_each(results.select(NAME))}. With b = +4 the alternate estimator comes to"
        " 26/11 from every start that has time to leave its corner; with b = −4 it saturates, and"
        " at which action depends on the start."
    )
    alt = (
        "Two panels of J against stepsize. Optimistic: all alternate curves lie at 2.36."
        " Pessimistic: they lie at 1 from saturated starts."
    )
    return [FigureData(NAME, "Fixed baseline", caption, alt, tuple(panels))]


BIAS_ALTERNATE_PARAM_STUDY = Experiment(
    NAME,
    "bandit with a fixed baseline, +4 or -4",
    "figure bias_alternate_param_study",
    {"quick": SCALE, "paper": SCALE},
    _cells,
    run,
    _figures,
)


def _settled(start: float) -> list[int]:
    """The stepsizes, by index, with which the optimistic agent has settled before the last 50
    steps.
    """
    return [i for i, alpha in enumerate(ALPHAS) if settling_time(start, alpha) <= 950]


def _optimistic(results: Results, stepsizes: list[int]) -> list[Measured]:
    records = [
        results.one(NAME, estimator="alternate", b=OPTIMISTIC, start=start) for start in STARTS
    ]
    return [
        measured(
            f"θ = ({r.setting['start']:g}, 0, 0)", [r["mean"][i, 0] for i in stepsizes], _RANGE
        )
        for r in records
    ]


@evidence("alternate-optimistic-converges-to-2.4", kind="simulation")
def optimistic_converges(results: Results) -> Finding:
    items = [_optimistic(results, _settled(start))[i] for i, start in enumerate(STARTS)]
    summary = (
        "with b = +4 the alternate estimator ends within 0.05 of 2.4 from every start, over the"
        " stepsizes that settle in 950 steps"
    )
    return analysis.all_within(summary, items, 2.4, 0.05, _DOMAIN)


@evidence("optimistic-value-independent-of-start", kind="simulation")
def optimistic_independent_of_start(results: Results) -> Finding:
    common = sorted(set.intersection(*(set(_settled(start)) for start in STARTS)))
    ends = _optimistic(results, common)
    summary = (
        "with b = +4 all pairs of starts end within 0.05 of each other, and none within 0.05 of 2,"
        " the uniform policy's value, over the stepsizes with which each start settles in 950 steps"
    )
    return analysis.all_hold(
        summary, [*_same(ends), *(above(one, _UNIFORM + 0.05) for one in ends)], _DOMAIN
    )


def _same(ends: list[Measured]) -> list[Any]:
    """All pairs within 0.05 of each other."""
    pairs = [
        analysis.difference(f"{x.label} against {y.label}", x, y) for x, y in combinations(ends, 2)
    ]
    return [part for pair in pairs for part in (above(pair, -0.05), below(pair, 0.05))]


@evidence("alternate-pessimistic-converges-to-zero", kind="simulation")
def pessimistic_not_zero(results: Results) -> Finding:
    summary = "with b = -4 the alternate estimator ends within 0.05 of 0 from every start"
    return analysis.all_within(summary, _pessimistic(results, STARTS), 0.0, 0.05, _DOMAIN)


@evidence("alternate-pessimistic-converges-to-corner-value", kind="simulation")
def pessimistic_corner_value(results: Results) -> Finding:
    return _at_corner(results, "from (5, 0, 0) and (10, 0, 0)", (5.0, 10.0))


@evidence("pessimistic-saturated-reward-one", kind="simulation")
def pessimistic_reward_one(results: Results) -> Finding:
    return _at_corner(results, "from every saturated start", STARTS[1:])


def _at_corner(results: Results, words: str, starts: tuple[float, ...]) -> Finding:
    """Within 0.05 of 1, and moved there: below the value of the start, where that is far enough
    from 1 to be told apart.
    """
    summary = (
        f"with b = -4 the alternate estimator ends within 0.05 of 1 {words}, and from (5, 0, 0)"
        f" below {_VALUE_AT_FIVE:.4f}, where it starts"
    )
    ends = _pessimistic(results, starts)
    (moved,) = _pessimistic(results, (5.0,))
    return analysis.all_hold(
        summary,
        [
            *(above(one, 0.95) for one in ends),
            *(below(one, 1.05) for one in ends),
            below(moved, _VALUE_AT_FIVE),
        ],
        _DOMAIN,
    )


@evidence("pessimistic-value-independent-of-start", kind="simulation")
def pessimistic_independent_of_start(results: Results) -> Finding:
    ends = _pessimistic(results, STARTS)
    summary = (
        "with b = -4 all pairs of starts, the uniform one included, end within 0.05 of each other,"
        " and the saturated ones below 1.95, where the uniform policy has 2"
    )
    return analysis.all_hold(
        summary, [*_same(ends), *(below(one, _UNIFORM - 0.05) for one in ends[1:])], _DOMAIN
    )


def _pessimistic(results: Results, starts: tuple[float, ...]) -> list[Measured]:
    records = [
        results.one(NAME, estimator="alternate", b=PESSIMISTIC, start=start) for start in starts
    ]
    return [
        measured(
            f"θ = ({r.setting['start']:g}, 0, 0), all stepsizes", list(r["mean"][:, 0]), _RANGE
        )
        for r in records
    ]


@evidence("biased-signal-overrides-saturation", kind="simulation")
def overrides_saturation(results: Results) -> Finding:
    alternate = results.one(NAME, estimator="alternate", b=OPTIMISTIC, start=10.0)
    regular = results.one(NAME, estimator="regular", b=OPTIMISTIC, start=10.0)
    higher = [
        measured(f"alternate, α = {captions.fraction(alpha)}", [alternate["mean"][i, 0]], _RANGE)
        for i, alpha in enumerate(ALPHAS)
    ]
    lower = [
        measured(f"regular, α = {captions.fraction(alpha)}", [regular["mean"][i, 0]], _RANGE)
        for i, alpha in enumerate(ALPHAS)
    ]
    summary = (
        "with b = +4 from (10, 0, 0), at every stepsize, the alternate estimator ends above 2 and"
        " the regular one below"
    )
    return analysis.all_separated(summary, higher, lower, 2.0, _DOMAIN)


@evidence("pessimistic-converges-to-nearest-corner", kind="simulation")
def nearest_corner(results: Results) -> Finding:
    items = []
    for start in STARTS[1:]:
        theta = results.one(NAME, estimator="alternate", b=PESSIMISTIC, start=start)["theta"]
        items.append(
            (f"θ = ({start:g}, 0, 0), all stepsizes", policies(theta)[..., 0].ravel() > 0.99)
        )
    summary = (
        "with b = -4, from every saturated start, more than 0.95 of the runs end with more than"
        " 0.99 of the mass on the first action"
    )
    return analysis.share_above(summary, items, 0.95, _DOMAIN)
