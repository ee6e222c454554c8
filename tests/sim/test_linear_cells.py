"""Linear actor-critics: what a cell keeps."""

import numpy as np
import pytest

from altpg_verify.sim.experiment import Pick, spot
from altpg_verify.sim.experiments import linear_nonstationary, online_panel, work_for
from altpg_verify.sim.experiments.linear_panel import panel, run
from altpg_verify.sim.experiments.online_measures import at_best_betas, change, curve, fresh, gain
from altpg_verify.sim.online.outcome import Outcome
from altpg_verify.sim.results import Record

SETTING = {
    "estimator": "alternate", "alphas": [0.25, 0.5], "betas": [0.1, 1.0], "runs": 6, "steps": 20_000, "last": 5000,
    "choices": ["half", "final"], "fresh": 4,
}  # fmt: skip


def pretended(levels, calls):
    """A `simulate` whose agents, here numbers, do what `levels` says: (half, final) of each, plus a
    hundredth for each run.
    """

    def simulate(estimator, settings, *, root, experiment, runs, steps, bin, last):
        calls.append((estimator.name, list(settings), experiment, runs, bin))
        outcomes = []
        for agent in settings:
            half, final = levels[agent]
            small, bins = np.arange(runs) / 100, steps // bin
            ramp = np.tile(np.arange(bins, dtype=float), (runs, 1))
            outcomes.append(
                Outcome(
                    ramp,
                    small + final,
                    small + half,
                    small,
                    ramp / 10,
                    -ramp,
                    np.arange(runs),
                    np.ones(runs, int),
                    small > 0.045,
                )
            )
        return outcomes

    return simulate


@pytest.fixture
def swept():
    calls = []
    levels = [(-400.0, -300.0), (-100.0, -900.0), (-200.0, -150.0), (-100.0, -500.0)]
    return online_panel.sweep(pretended(levels, calls), range(4), "name", SETTING, 1), calls


def test_the_best_are_chosen_as_the_paper_does_and_run_again(swept):
    arrays, calls = swept
    # best at half-time: the second and the fourth agent, of which the first counts; best at the
    # end: the third
    assert arrays["chosen"].tolist() == [[0, 1], [1, 0]]
    assert [(agents, experiment, runs, bin) for _, agents, experiment, runs, bin in calls] == [
        ([0, 1, 2, 3], "name", 6, 5000),
        ([1], "name, fresh, best by half", 4, 1000),
        ([2], "name, fresh, best by final", 4, 1000),
    ]
    assert arrays["final"].shape == (2, 2, 6)
    assert arrays["final"][1, 0].tolist() == pytest.approx([-150.0 + run / 100 for run in range(6)])
    assert arrays["fresh_final"].mean(axis=1) == pytest.approx([-899.985, -149.985], abs=1e-4)
    assert arrays["failed"].sum() == 4
    assert all(array.dtype != np.float64 for array in arrays.values())


def test_moments_and_curves(swept):
    arrays, _ = swept
    # of 20 bins numbered from 0: the second, 5 to 9, 10 to 14, 15 to 19
    assert arrays["at_returns"][:, :, 0].tolist() == [[1.0, 7.0, 12.0, 17.0]] * 2
    record = Record(SETTING, arrays)
    assert change("", record, "half", "start_value", (-1000.0, 0.0)).mean == -5.0
    assert gain("", record, "half", (-1000.0, 0.0)).mean == pytest.approx(-800.0, abs=1e-3)
    assert curve("", record, "final", "returns").x[:2] == (500.0, 1500.0)
    item = fresh("", record, "final", (-1000.0, 0.0))
    assert item.mean == pytest.approx(-149.985, abs=1e-4)
    assert "α = 1/2, β = 0.1; -150 on the 6 runs it was chosen on" in item.words
    halves = online_panel.coarser(np.arange(400.0)[None])
    assert halves.shape == (1, 100)
    assert halves[0, :2].tolist() == [1.5, 5.5]


def test_too_large_numbers_are_kept_as_the_largest():
    kept = online_panel._small(np.array([-1e300, 1.0]))
    assert np.isfinite(kept).all()
    assert kept[1] == 1.0


def test_costs_and_samples():
    cell = work_for("paper", linear_nonstationary.NAME)[0]
    cost = online_panel.cost(cell.setting)
    assert cost == (60 * 50 + 2 * linear_nonstationary.FRESH) * 200_000
    sampled = online_panel.sample(cell.setting, 0.02)
    assert online_panel.cost(sampled) == pytest.approx(0.02 * cost, rel=0.1)


def tiny(task, estimator, **more):
    sizes = {"alphas": [0.5, 4.0], "betas": [0.5, 1.0], "runs": 5, "fresh": 0} | more
    return panel(task, estimator, 10_000, switch="actions", **sizes)


@pytest.mark.slow
def test_a_spot_has_the_bits_of_the_whole_cell():
    setting = tiny("MountainCar", "alternate")
    whole = run("spot", setting, 7)
    alone = spot(run, online_panel.KEPT, "spot", setting, 7, Pick(1, 0, (1, 4)))
    assert set(alone) == {"final", "half", "whole", "first_goal", "failed"}
    for name, values in alone.items():
        assert values.tolist() == whole[name][1, 0, [1, 4]].tolist()


def test_every_agent_has_streams_of_its_own():
    one, other = (run("own", tiny("MountainCar", "alternate", runs=3), root) for root in (7, 8))
    assert not np.array_equal(one["first_goal"], other["first_goal"])
    assert len(set(one["first_goal"].ravel().tolist())) > 6


def test_betas_are_chosen_on_runs_that_are_not_reported():
    values = np.zeros((1, 2, 4))
    values[0, 0] = [1.0, 1.0, 5.0, 6.0]
    values[0, 1] = [0.0, 0.0, 90.0, 90.0]
    assert at_best_betas(values).tolist() == [[0.0, 0.0, 5.0, 6.0]]
