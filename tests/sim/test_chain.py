"""The chain kernel, episode by episode, against the same agent in plain Python; and planted faults
that the comparison must see.
"""

import dataclasses

import numpy as np
import pytest
from numba import njit

from altpg_verify.errors import BadInput
from altpg_verify.estimators import alternate, estimator, expected_gradient, regular
from altpg_verify.sim import chain
from altpg_verify.sim.chain import Chain, simulate
from tests.shares import share
from tests.sim import examples, reference

EPISODES, RUNS = 40, 3
ROUNDING, FAULT = 1e-8, 1e-4
"""Rounding grows a little on the way; a fault is far larger than what is left of it."""

LEARNED = Chain((0.5, 0.0), 0.25, 0.5, "learned", 1.0)
SETTINGS = {
    "learned baseline": LEARNED,
    "true baseline": dataclasses.replace(LEARNED, baseline="true"),
    "fixed baseline": dataclasses.replace(LEARNED, baseline="fixed", b=4.0),
    "no noise": dataclasses.replace(LEARNED, sigma=0.0),
    "gradient noise": dataclasses.replace(LEARNED, gradient_noise=0.5),
    "cut after 6 steps": dataclasses.replace(LEARNED, cut=6),
    "another discount, a start for each state": dataclasses.replace(
        LEARNED, gamma=0.7, theta=((0.0, 1.0), (2.0, 0.0), (0.0, 0.0), (0.3, 0.0), (0.0, 0.1))
    ),
    "four actions": dataclasses.replace(LEARNED, theta=(0.0, 0.0, 0.0, 0.0)),
    "four actions, gradient noise": dataclasses.replace(
        LEARNED, theta=(0.0, 1.0, 0.0, 0.5), baseline="true", gradient_noise=0.5
    ),
    "three actions, a start for each state": dataclasses.replace(
        LEARNED,
        theta=((0.0, 1.0, 0.0), (2.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.3, 0.0, 0.1), (0.0, 0.1, 3.0)),
    ),
}


EVERY_FORM = [
    regular,
    alternate,
    expected_gradient,
    pytest.param(examples.mixing, marks=pytest.mark.slow),
]


def deviation(est, setting, compared_with=None):
    """The largest difference between the kernel and the plain Python agent, over all episodes and
    runs.
    """
    other = compared_with or est
    (outcome,) = simulate(
        est,
        [setting],
        root=3,
        experiment="test",
        runs=RUNS,
        episodes=EPISODES,
        last=10,
        bins=EPISODES,
    )
    largest = 0.0
    for run in range(RUNS):
        numbers = reference.random_numbers(3, "test", est, setting, run, 100 * EPISODES)
        path, theta, b = reference.chain(other, setting, *numbers, EPISODES)
        ends = [
            (outcome.theta[run] - theta) / (1 + np.abs(theta)),
            outcome.b[run] - b,
            outcome.mean[run] - path[-10:].mean(),
        ]
        largest = max(
            largest, *(float(np.abs(gap).max()) for gap in (outcome.curve[run] - path, *ends))
        )
    return largest


@pytest.mark.thorough
@pytest.mark.parametrize("name", share(SETTINGS, 2))
@pytest.mark.parametrize("est", EVERY_FORM, ids=lambda est: est.name)
def test_the_kernel_is_the_algorithm(est, name):
    assert deviation(est, SETTINGS[name]) < ROUNDING


@pytest.mark.thorough
@pytest.mark.parametrize(
    "est", share([examples.with_everything, examples.clipped], 2), ids=lambda est: est.name
)
def test_any_estimator_runs(est):
    assert deviation(est, LEARNED) < ROUNDING


@pytest.mark.thorough
def test_planted_faults_are_seen():
    @estimator
    def slightly_off(pi, e, r, b):
        return (r - b) * (e - 1.001 * pi)

    assert deviation(slightly_off, LEARNED, compared_with=regular) > FAULT
    assert deviation(regular, LEARNED, compared_with=alternate) > FAULT


def test_episodes_are_cut():
    endless = Chain(
        ((0.0, 50.0), (0.0, 50.0), (0.0, 50.0), (50.0, 0.0), (50.0, 0.0)), 0.0, 0.0, "fixed", 0.0
    )
    for cut in (7, 100):
        (outcome,) = simulate(
            regular,
            [dataclasses.replace(endless, cut=cut)],
            root=3,
            experiment="test",
            runs=2,
            episodes=5,
            last=5,
        )
        assert (outcome.length == cut).all()


@njit(error_model="numpy")
def exact(theta, gamma):
    pi, q, v, d = np.empty(theta.shape), np.empty(theta.shape), np.empty(5), np.empty(5)
    chain.policy(theta, pi)
    chain.values(pi, gamma, v, q)
    chain.occupancy(pi, gamma, d)
    return pi, v, q, d


@pytest.mark.thorough
@pytest.mark.parametrize("k", share([4, 2], 2))
def test_closed_forms_are_the_linear_systems(k):
    generator = np.random.Generator(np.random.SFC64(2))
    for _ in range(200):
        theta, gamma = (
            generator.normal(size=(5, k)) * generator.choice([0.1, 1.0, 5.0]),
            generator.uniform(0.1, 0.99),
        )
        pi, v, q, d = exact(theta, gamma)
        expected_v, expected_q, expected_d = reference.chain_model(
            np.array([reference.softmax(row) for row in theta]), gamma
        )
        assert np.allclose(pi.sum(axis=1), 1, rtol=1e-15)
        for got, expected in ((v, expected_v), (q, expected_q), (d, expected_d)):
            assert np.allclose(got, expected, rtol=1e-10, atol=1e-13)


def test_a_run_does_not_depend_on_its_neighbours():
    few, many = (
        simulate(regular, [LEARNED], root=3, experiment="test", runs=runs, episodes=30, last=10)[0]
        for runs in (3, 40)
    )
    assert np.array_equal(few.theta, many.theta[:3])


def test_failed_runs_are_counted_as_the_worst():
    (outcome,) = simulate(
        examples.explosive,
        [LEARNED],
        root=3,
        experiment="test",
        runs=4,
        episodes=400,
        last=10,
        bins=10,
    )
    assert outcome.failed.all()
    assert (outcome.mean == 0.0).all()
    assert np.isfinite(outcome.curve).all()


@pytest.mark.parametrize(
    "change",
    [{"theta": (0.0,)}, {"theta": 0.0}, {"theta": ((0.0, 0.0),) * 4}, {"baseline": "guessed"}],
)
def test_bad_settings_are_refused(change):
    with pytest.raises(BadInput):
        dataclasses.replace(LEARNED, **change)
