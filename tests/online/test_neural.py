"""The neural kernel against the same agent in numpy; the same bits however it is run; and planted
faults that must be seen.
"""

import dataclasses
import os
import subprocess
import sys

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.estimators import alternate, estimator, expected_gradient, regular
from altpg_verify.sim.online.dot_reacher import STAY
from altpg_verify.sim.online.neural import WEIGHTS, NeuralAgent, simulate
from tests.online.neural_reference import Agent, Network
from tests.shares import share
from tests.sim import examples

ROUNDING, FAULT = 1e-9, 1e-5
"""Rounding grows a little on the way; a fault is far larger than what is left of it."""

PLAIN = NeuralAgent(2.0**-9, 2.0**-9, cut=60)
SETTINGS = {
    "plain": PLAIN,
    "saturated": dataclasses.replace(
        PLAIN, theta=tuple(10.0 * (a == STAY) for a in range(9)), critic=25.0
    ),
    "switched": dataclasses.replace(PLAIN, switch="goal"),
    "switched later": dataclasses.replace(PLAIN, switch="goal", switch_at="episode"),
    "entropy bonus": dataclasses.replace(PLAIN, tau=0.3),
    "the library's moves": dataclasses.replace(PLAIN, moves="library"),
    "fast": dataclasses.replace(PLAIN, alpha=2.0**-6, beta=2.0**-7),
}
SIZES = {"root": 3, "experiment": "test"}


def deviation(est, setting, *, compared_with=None, steps=400, runs=2, network=None):
    """The largest difference |w - w'| / (1 + |w'|) between the weights of the kernel and of the
    numpy agent, after 1, 2, 5, ... steps.
    """
    options = {"network": network} if network else {}
    agents = [
        Agent(compared_with or est, setting, run, steps=steps, seeds_of=est, **options)
        for run in range(runs)
    ]
    largest = 0.0
    for checked in (1, 2, 5, 20, steps // 2, steps):
        if checked < steps and setting.switch != "none":
            continue
        weights = np.empty((1, runs, WEIGHTS))
        simulate(
            est,
            [setting],
            runs=runs,
            steps=checked,
            bin=checked,
            last=max(1, checked // 2),
            weights=weights,
            **SIZES,
        )
        for run, agent in enumerate(agents):
            while agent.t < checked:
                agent.step()
            exact = agent.flat()
            largest = max(
                largest, float((np.abs(weights[0, run] - exact) / (1.0 + np.abs(exact))).max())
            )
    return largest


@pytest.mark.thorough
@pytest.mark.parametrize("name", share(SETTINGS, 4))
def test_the_kernel_is_the_algorithm(name):
    assert deviation(regular, SETTINGS[name]) < ROUNDING
    assert deviation(alternate, SETTINGS[name]) < ROUNDING


@pytest.mark.slow
@pytest.mark.parametrize(
    "est", [examples.clipped, examples.scaled_by_count], ids=lambda est: est.name
)
def test_any_estimator_runs(est):
    assert deviation(est, PLAIN, steps=100) < ROUNDING


@pytest.mark.thorough
def test_what_is_recorded():
    steps, width, last, runs = 600, 50, 100, 3
    for setting in (SETTINGS["fast"], SETTINGS["switched"], dataclasses.replace(PLAIN, cut=250)):
        (outcome,) = simulate(
            alternate, [setting], runs=runs, steps=steps, bin=width, last=last, **SIZES
        )
        for run in range(runs):
            agent = Agent(alternate, setting, run, steps=steps)
            for _ in range(steps):
                agent.step()
            known = -0.01 * setting.cut
            value = setting.critic
            for i in range(steps // width):
                ended = [ret for t, ret, _, _ in agent.episodes if i * width < t <= (i + 1) * width]
                assert outcome.returns[run, i] == pytest.approx(np.mean(ended) if ended else known)
                known = ended[-1] if ended else known
                entropies, values = zip(*agent.notes[i * width : (i + 1) * width], strict=True)
                values = [v for v in values if v is not None]
                assert outcome.entropy[run, i] == pytest.approx(np.mean(entropies))
                assert outcome.start_value[run, i] == pytest.approx(
                    np.mean(values) if values else value, abs=1e-9
                )
                value = values[-1] if values else value
            for end, shown in ((steps, outcome.final[run]), (steps // 2, outcome.half[run])):
                before = [ret for t, ret, _, _ in agent.episodes if t <= end]
                ended = [ret for t, ret, _, _ in agent.episodes if end - last < t <= end]
                assert shown == pytest.approx(
                    np.mean(ended) if ended else before[-1] if before else -0.01 * setting.cut
                )
            lengths = [length for _, _, length, _ in agent.episodes]
            assert outcome.whole[run] == pytest.approx(
                -0.01 * np.square(lengths).sum() / np.sum(lengths)
            )
            reached = [t for t, _, _, there in agent.episodes if there]
            assert outcome.ends[run] == len(reached)
            assert outcome.first_goal[run] == (reached[0] if reached else -1)
        assert not outcome.failed.any()


@pytest.mark.thorough
def test_planted_faults_are_seen():
    @estimator
    def slightly_off(pi, e, r, b):
        return (r - b) * (e - 1.01 * pi)

    class Uncorrected(Network):
        """Adam that forgets that its moments started at zero."""

        def ascend(self, x, slope, stepsize):
            self.t = 10**6
            super().ascend(x, slope, stepsize)

    assert deviation(slightly_off, PLAIN, compared_with=regular, steps=100) > FAULT
    assert deviation(regular, PLAIN, compared_with=alternate, steps=100) > FAULT
    assert deviation(regular, PLAIN, network=Uncorrected, steps=100) > FAULT


def results(**options):
    """Everything from a few runs, as bytes; two settings of five runs share a block."""
    settings = [SETTINGS["fast"], SETTINGS["switched"]]
    weights = np.empty((2, 5, WEIGHTS))
    outcomes = simulate(
        regular, settings, runs=5, steps=300, bin=100, last=50, weights=weights, **SIZES, **options
    )
    return b"".join(
        [
            weights.tobytes(),
            *(value.tobytes() for outcome in outcomes for value in vars(outcome).values()),
        ]
    )


def test_the_same_bits_for_any_packing():
    together = results()
    assert results(by_action=False) == together
    apart = np.empty((2, 20, WEIGHTS))
    for i, setting in enumerate((SETTINGS["fast"], SETTINGS["switched"])):
        simulate(
            regular,
            [setting],
            runs=20,
            steps=300,
            bin=100,
            last=50,
            weights=apart[i : i + 1],
            **SIZES,
        )
    assert together.startswith(apart[:, :5].tobytes())


@pytest.mark.slow
def test_the_same_bits_for_any_lanes_and_processor():
    together = results()
    assert results(lanes=1) == together
    assert results(lanes=8) == together
    program = (
        "import sys\nfrom tests.online.test_neural import"
        " results\nsys.stdout.buffer.write(results())"
    )
    for processor in ("generic", "haswell"):
        environment = {
            **os.environ,
            "NUMBA_CPU_NAME": processor,
            "NUMBA_CPU_FEATURES": "",
            "NUMBA_DISABLE_CACHING": "1",
        }
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, check=True
        )
        assert run.stdout == together


def test_a_longer_run_begins_like_a_shorter_one():
    short, long = (
        simulate(regular, [PLAIN], runs=3, steps=n, bin=50, last=10, **SIZES)[0] for n in (100, 200)
    )
    assert np.array_equal(short.returns, long.returns[:, :2])
    assert np.array_equal(short.entropy, long.entropy[:, :2])


@estimator
def cubed(pi, e, r, b):
    """Infinite for large values."""
    return (r - 2 * b) * b**3 * (e - pi)


@pytest.mark.thorough
def test_failed_runs_are_counted_as_the_worst():
    (outcome,) = simulate(
        cubed,
        [dataclasses.replace(PLAIN, critic=1e100)],
        runs=6,
        steps=1000,
        bin=100,
        last=100,
        **SIZES,
    )
    assert outcome.failed.all()
    assert (outcome.final == PLAIN.worst).all()
    assert (outcome.returns[:, 1:] == PLAIN.worst).all()
    assert (outcome.ends == 0).sum() > 0
    for value in vars(outcome).values():
        assert np.isfinite(value).all()


@pytest.mark.parametrize(
    "change",
    [{"theta": (0.0,)}, {"switch": "actions"}, {"switch_at": "dawn"}, {"moves": "any"}, {"cut": 0}],
)
def test_bad_settings_are_refused(change):
    with pytest.raises(BadInput):
        dataclasses.replace(PLAIN, **change)


@pytest.mark.parametrize("sizes", [{"bin": 3}, {"bin": 0}, {"last": 0}, {"last": 6}, {"lanes": 0}])
def test_bad_sizes_are_refused(sizes):
    with pytest.raises(BadInput):
        simulate(regular, [PLAIN], runs=1, **{"steps": 10, "bin": 5, "last": 5, **SIZES, **sizes})


def test_an_estimator_that_needs_action_values_is_refused():
    with pytest.raises(BadInput, match="needs q"):
        simulate(expected_gradient, [PLAIN], runs=1, steps=10, bin=5, last=5, **SIZES)
