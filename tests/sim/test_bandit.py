"""The bandit kernel, step by step, against the same agent in plain Python; and planted faults that
the comparison must see.
"""

import dataclasses

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.estimators import alternate, estimator, expected_gradient, regular
from altpg_verify.sim.bandit import Bandit, simulate
from tests.shares import share
from tests.sim import examples, reference

STEPS, RUNS = 200, 4
ROUNDING, FAULT = 1e-8, 1e-4
"""Rounding grows a little on the way; a fault is far larger than what is left of it."""

LEARNED = Bandit((1.0, 2.0, 3.0), 1.0, (1.0, 0.0, -0.5), 0.25, 0.125, "learned", 4.0)
SETTINGS = {
    "learned baseline": LEARNED,
    "true baseline": dataclasses.replace(LEARNED, baseline="true"),
    "fixed baseline": dataclasses.replace(LEARNED, baseline="fixed"),
    "no noise": dataclasses.replace(LEARNED, sigma=0.0),
    "saturated": dataclasses.replace(LEARNED, theta=(50.0, 0.0, 0.0)),
    "gradient noise": dataclasses.replace(LEARNED, gradient_noise=0.5),
    "five actions": dataclasses.replace(
        LEARNED, rewards=(0.5, -1.0, 2.0, 0.0, 1.0), theta=(0.0, 2.0, 0.0, 0.0, 1.0)
    ),
}


EVERY_FORM = [
    regular,
    alternate,
    expected_gradient,
    pytest.param(examples.mixing, marks=pytest.mark.slow),
]


def deviation(est, setting, compared_with=None):
    """The largest difference between the kernel and the plain Python agent, over all steps and
    runs.
    """
    other = compared_with or est
    named = dataclasses.replace(other, name=est.name)
    (outcome,) = simulate(
        est, [setting], root=3, experiment="test", runs=RUNS, steps=STEPS, last=10, bins=STEPS
    )
    largest = 0.0
    for run in range(RUNS):
        numbers = reference.random_numbers(3, "test", est, setting, run, STEPS)
        path, off, theta, b = reference.bandit(named, setting, *numbers, STEPS)
        ends = [
            (outcome.theta[run] - theta) / (1 + np.abs(theta)),
            outcome.b[run] - b,
            outcome.mean[run] - path[-10:].mean(),
        ]
        ends.append(outcome.off[run] - off[-10:].mean())
        largest = max(
            largest, *(float(np.abs(gap).max()) for gap in (outcome.curve[run] - path, *ends))
        )
        assert outcome.square[run] == pytest.approx((path[-10:] ** 2).mean()) or largest > FAULT
    return largest


@pytest.mark.parametrize("name", share(SETTINGS, 2))
@pytest.mark.parametrize("est", EVERY_FORM, ids=lambda est: est.name)
def test_the_kernel_is_the_algorithm(est, name):
    assert deviation(est, SETTINGS[name]) < ROUNDING


# each is compiled for itself; tests/sim/test_compiled.py tries the compiled forms
@pytest.mark.slow
@pytest.mark.parametrize(
    "est",
    share([examples.clipped, examples.with_everything, examples.scaled_by_count], 3),
    ids=lambda est: est.name,
)
def test_any_estimator_runs(est):
    assert deviation(est, LEARNED) < ROUNDING


@pytest.mark.thorough
def test_planted_faults_are_seen():
    @estimator
    def slightly_off(pi, e, r, b):
        return (r - b) * (e - 1.001 * pi)

    @estimator
    def wrong_sign(e, r, b):
        return (b - r) * e

    assert deviation(slightly_off, LEARNED, compared_with=regular) > FAULT
    assert deviation(wrong_sign, LEARNED, compared_with=alternate) > FAULT
    assert deviation(regular, LEARNED, compared_with=alternate) > FAULT


@pytest.mark.thorough
def test_both_paths_learn_alike():
    scalar, vector = (
        simulate(
            regular,
            [LEARNED],
            root=3,
            experiment="test",
            runs=5,
            steps=500,
            last=10,
            by_action=by_action,
        )[0]
        for by_action in (True, False)
    )
    assert np.array_equal(scalar.theta, vector.theta)
    assert np.array_equal(scalar.mean, vector.mean)


def test_a_run_does_not_depend_on_its_neighbours():
    few, many = (
        simulate(regular, [LEARNED], root=3, experiment="test", runs=runs, steps=100, last=10)[0]
        for runs in (3, 40)
    )
    assert np.array_equal(few.theta, many.theta[:3])
    alone = simulate(regular, [LEARNED], root=3, experiment="test", runs=3, steps=100, last=10)[0]
    among = simulate(
        regular,
        [SETTINGS["no noise"], LEARNED],
        root=3,
        experiment="test",
        runs=3,
        steps=100,
        last=10,
    )[1]
    assert np.array_equal(alone.theta, among.theta)


def test_a_longer_run_begins_like_a_shorter_one():
    short, long = (
        simulate(regular, [LEARNED], root=3, experiment="test", runs=3, steps=n, last=10, bins=n)[0]
        for n in (50, 100)
    )
    assert np.array_equal(short.curve, long.curve[:, :50])


@pytest.mark.thorough
def test_failed_runs_are_counted_as_the_worst():
    setting = Bandit((1.0, 2.0), 1.0, (1.0, 0.0), 1.0, 0.0, "fixed", 0.0)
    (outcome,) = simulate(
        examples.explosive,
        [setting],
        root=3,
        experiment="test",
        runs=6,
        steps=1000,
        last=10,
        bins=10,
    )
    assert outcome.failed.all()
    assert (outcome.mean == 1.0).all()
    assert np.isfinite(outcome.curve).all()


@pytest.mark.parametrize(
    "change", [{"rewards": (1.0,), "theta": (0.0,)}, {"theta": (0.0,)}, {"baseline": "guessed"}]
)
def test_bad_settings_are_refused(change):
    with pytest.raises(BadInput):
        dataclasses.replace(LEARNED, **change)


@pytest.mark.parametrize(
    "sizes",
    [{"steps": 10, "last": 11}, {"steps": 10, "last": 0}, {"steps": 10, "last": 1, "bins": 3}],
)
def test_bad_sizes_are_refused(sizes):
    with pytest.raises(BadInput):
        simulate(regular, [LEARNED], root=0, experiment="test", runs=1, **sizes)
