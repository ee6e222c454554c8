"""The findings beyond the paper: for them as the agents are, against them when a fault is
planted.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.estimators import alternate
from altpg_verify.sim.bandit import Bandit, simulate
from altpg_verify.sim.experiments import (
    bandit_attraction,
    bandit_corner_spread,
    bandit_cycles,
    bandit_escape_times,
    bandit_optimism_budget,
    bandit_portrait,
    bandit_spread,
    chain_baselines,
    mdp_attraction,
)
from altpg_verify.sim.figures import Grid
from altpg_verify.verdicts import Verdict
from tests.extensions.kept import Kept
from tests.shares import share


def with_(**changes):
    return lambda setting: {**setting, **changes}


CYCLES = Kept(bandit_cycles.BANDIT_CYCLES, with_(burn_in=800, last=200))
PORTRAIT = Kept(bandit_portrait.BANDIT_PORTRAIT)
ESCAPE = Kept(bandit_escape_times.BANDIT_ESCAPE_TIMES)
SPREAD = Kept(bandit_spread.BANDIT_SPREAD)
BUDGET = Kept(bandit_optimism_budget.BANDIT_OPTIMISM_BUDGET, with_(runs=20))
CORNER = Kept(bandit_corner_spread.BANDIT_CORNER_SPREAD)
ATTRACTION = Kept(bandit_attraction.BANDIT_ATTRACTION, with_(runs=300))
CHAIN = Kept(chain_baselines.CHAIN_BASELINES, with_(runs=200))
MDP = Kept(mdp_attraction.MDP_ATTRACTION, with_(runs=40))

FINDINGS = {
    "stability": (bandit_cycles.rests_below, CYCLES),
    "cycles": (bandit_cycles.cycles_of_two, CYCLES),
    "averages": (bandit_cycles.time_average, CYCLES),
    "basins": (bandit_portrait.basins, PORTRAIT),
    "below best": (bandit_portrait.below_best, PORTRAIT),
    "at best": (bandit_portrait.critical, PORTRAIT),
    "envelopes": (bandit_escape_times.within_envelopes, ESCAPE),
    "slow gradient": (bandit_escape_times.gradient_is_slow, ESCAPE),
    "two arms": (bandit_escape_times.two_arms, ESCAPE),
    "mean": (bandit_spread.mean_policy, SPREAD),
    "bound": (bandit_spread.below_bound, SPREAD),
    "linear": (bandit_spread.linear_law_fits, SPREAD),
    "falls": (bandit_spread.value_falls, SPREAD),
    "harmonic": (bandit_spread.value_harmonic, SPREAD),
    "invariant": (bandit_optimism_budget.conserved, BUDGET),
    "budget": (bandit_optimism_budget.predicts, BUDGET),
    "corner": (bandit_corner_spread.bounded_spread, CORNER),
    "attraction": (bandit_attraction.attracted, ATTRACTION),
    "chain": (chain_baselines.follow, CHAIN),
    "processes": (mdp_attraction.meet, MDP),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", share(FINDINGS, 4))
def test_agents_as_they_are(name):
    judge, results = FINDINGS[name]
    assert judge(results).verdict is Verdict.SUPPORTED


def scaled(name, factor):
    """The array of that name, multiplied."""
    return lambda arrays: {**arrays, name: arrays[name] * factor}


def shifted(name, by):
    return lambda arrays: {**arrays, name: arrays[name] + by}


def fault(experiment, shown=lambda setting: setting, **changes):
    """Agents that get another setting than the evidence believes."""
    return Kept(experiment, shown, with_(**changes))


FAULTS = {
    "stability: a baseline further up": (bandit_cycles.rests_below, lambda: moved_baseline()),
    "cycles: another fixed point": (
        bandit_cycles.cycles_of_two,
        lambda: respoiled(CYCLES, shifted("cycle", 1e-7)),
    ),
    "averages: π* of another baseline": (
        bandit_cycles.time_average,
        lambda: respoiled(CYCLES, shifted("average", 0.02)),
    ),
    "basins: another baseline": (
        bandit_portrait.basins,
        lambda: fault(bandit_portrait.BANDIT_PORTRAIT, with_(side=24), b=-1.0),
    ),
    "below best: a fiftieth of the speed": (
        bandit_portrait.below_best,
        lambda: respoiled(PORTRAIT, scaled("log_ratio", 0.02)),
    ),
    "at best: another power of t": (
        bandit_portrait.critical,
        lambda: respoiled(PORTRAIT, scaled("log_ratio", 1.2)),
    ),
    "envelopes: another baseline": (
        bandit_escape_times.within_envelopes,
        lambda: fault(bandit_escape_times.BANDIT_ESCAPE_TIMES, with_(steps=400), b=6.0),
    ),
    "slow gradient: ten times as fast": (
        bandit_escape_times.gradient_is_slow,
        lambda: respoiled(ESCAPE, scaled("gradient", 0.1)),
    ),
    "two arms: a wrong constant": (
        bandit_escape_times.two_arms,
        lambda: respoiled(ESCAPE, scaled("gradient", 1.00001)),
    ),
    "mean: another baseline": (
        bandit_spread.mean_policy,
        lambda: fault(bandit_spread.BANDIT_SPREAD, b=2.6),
    ),
    "bound: five times the noise": (
        bandit_spread.below_bound,
        lambda: fault(bandit_spread.BANDIT_SPREAD, sigma=5.0),
    ),
    "linear: a third more noise": (
        bandit_spread.linear_law_fits,
        lambda: fault(bandit_spread.BANDIT_SPREAD, sigma=1.2),
    ),
    "falls: a wrong sign": (
        bandit_spread.value_falls,
        lambda: Kept(bandit_spread.BANDIT_SPREAD, spoil=scaled("mean", -1.0)),
    ),
    "harmonic: another baseline": (
        bandit_spread.value_harmonic,
        lambda: fault(bandit_spread.BANDIT_SPREAD, b=2.6),
    ),
    "invariant: a little drift": (
        bandit_optimism_budget.conserved,
        lambda: respoiled(BUDGET, shifted("drift", 1e-8)),
    ),
    "budget: half of the gap": (
        bandit_optimism_budget.predicts,
        lambda: fault(bandit_optimism_budget.BANDIT_OPTIMISM_BUDGET, with_(runs=20), gap=4.0),
    ),
    "corner: more noise": (
        bandit_corner_spread.bounded_spread,
        lambda: fault(bandit_corner_spread.BANDIT_CORNER_SPREAD, sigma=2.2),
    ),
    "attraction: past the threshold": (
        bandit_attraction.attracted,
        lambda: fault(
            bandit_attraction.BANDIT_ATTRACTION,
            with_(runs=300),
            ratios=[1.05, 1.35, 1.65, 2.2],
            steps=1000,
        ),
    ),
    "chain: another baseline": (
        chain_baselines.follow,
        lambda: fault(chain_baselines.CHAIN_BASELINES, with_(runs=200), b=4.0),
    ),
    "processes: a pessimistic value": (
        mdp_attraction.meet,
        lambda: fault(mdp_attraction.MDP_ATTRACTION, with_(runs=20, steps=400), excess=-0.5),
    ),
}


def moved_baseline() -> Kept:
    """Stepsizes for |κ| at one baseline, agents at another: they are a third too large."""
    return Kept(
        bandit_cycles.BANDIT_CYCLES,
        with_(burn_in=800, last=200),
        lambda s: {**s, "ratios": [1.3 * x for x in s["ratios"]]},
    )


def respoiled(kept: Kept, spoil) -> Kept:
    """The same results with an array changed."""
    copy = object.__new__(Kept)
    copy.records = [type(record)(record.setting, spoil(record.arrays)) for record in kept.records]
    return copy


@pytest.mark.parametrize("name", share(FAULTS, 4))
def test_planted_faults_are_refuted(name):
    judge, results = FAULTS[name]
    assert judge(results()).verdict is Verdict.REFUTED


def test_the_nearest_corner_is_not_the_one_that_is_reached():
    record = PORTRAIT.one("bandit_portrait", b=1.5)
    nearest = bandit_portrait.lattice(record.setting["side"]).argmax(axis=0)
    reached = record["ends"].argmax(axis=0)
    assert (nearest != reached).mean() > 0.1


def test_the_invariant_sees_a_wrong_order_of_updates():
    # a baseline that is moved first makes the policy's step use another b
    alpha, beta, b, theta = 0.25, 0.125, 2.0, np.zeros(3)
    generator = np.random.default_rng(0)
    right = wrong = 0.0
    for first in (False, True):
        b, theta = 2.0, np.zeros(3)
        for _ in range(50):
            pi = np.exp(theta) / np.exp(theta).sum()
            a = generator.choice(3, p=pi)
            reward = float(a) + generator.standard_normal()
            if first:
                b += beta * (reward - b)
            theta[a] += alpha * (reward - b)
            if not first:
                b += beta * (reward - b)
        drift = abs(theta.sum() - alpha / beta * (b - 2.0))
        right, wrong = (right, drift) if first else (drift, wrong)
    assert right < 1e-12
    assert wrong > 1e-3


def test_the_invariant_holds_with_any_noise_and_any_number_of_actions():
    agent = Bandit(
        (0.3, 1.0, -2.0, 0.5, 0.1), 3.0, (1.0, 0.0, 2.0, 0.0, -1.0), 0.125, 0.25, "learned", -1.5
    )
    (outcome,) = simulate(alternate, [agent], root=1, experiment="test", runs=50, steps=999, last=1)
    kept = outcome.theta.sum(axis=1) - 0.5 * outcome.b
    assert kept == pytest.approx(np.full(50, 2.0 + 0.75), abs=1e-10)


def test_grids_have_a_row_for_each_y():
    with pytest.raises(ValueError, match="row for each y"):
        Grid("x", (0.0, 1.0), (0.0, 1.0), ((0.0, 1.0),))


@pytest.mark.parametrize(
    "results", [PORTRAIT, BUDGET, CYCLES], ids=["portrait", "budget", "cycles"]
)
def test_maps_have_a_grid_below_what_is_predicted(results):
    module = {
        id(PORTRAIT): bandit_portrait,
        id(BUDGET): bandit_optimism_budget,
        id(CYCLES): bandit_cycles,
    }[id(results)]
    for figure in module._figures(results):
        grids = [panel.grid for panel in figure.panels if panel.grid]
        assert grids
        for grid in grids:
            assert np.isfinite(np.array(grid.values)).any()
            assert np.allclose(np.diff(grid.x), grid.x[1] - grid.x[0])
            assert np.allclose(np.diff(grid.y), grid.y[1] - grid.y[0])
