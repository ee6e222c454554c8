"""The peers do the same task as the agents, or the comparison would be worth nothing: equal returns
and entropies, within errors.

A difference counts as real from 5 standard errors on: by chance that happens less than once in a
million comparisons.
"""

from __future__ import annotations

import functools
import importlib
import sys

import numpy as np
import pytest

from altpg_verify.estimators import alternate, regular
from altpg_verify.sim.bench import PEERS
from altpg_verify.sim.online import linear, neural
from tests.shares import share

if not (PEERS / "peers.py").is_file():
    pytest.skip("the peers are beside the sources only, not in the wheel", allow_module_level=True)
if str(PEERS.parent) not in sys.path:
    sys.path.append(str(PEERS.parent))
c_lanes = importlib.import_module("benchmarks.c_lanes")
numpy_peers = importlib.import_module("benchmarks.numpy_peers")
peers = importlib.import_module("benchmarks.peers")

RUNS, STEPS = 96, 20_000
needs_compiler = pytest.mark.skipif(c_lanes.compiler() is None, reason="no C compiler")
TASKS = {"mountain_car": "MountainCar", "acrobot": "Acrobot"}
both = pytest.mark.parametrize(
    "estimator", [regular, alternate], ids=lambda estimator: estimator.name
)


def agree(ours: np.ndarray, theirs: np.ndarray) -> bool:
    ours, theirs = ours[np.isfinite(ours)], theirs[np.isfinite(theirs)]
    error = np.sqrt(ours.var(ddof=1) / ours.size + theirs.var(ddof=1) / theirs.size)
    return abs(ours.mean() - theirs.mean()) < 5 * error


@functools.cache
def our_linear(task: str, estimator, alpha: float = 0.5):
    setting = linear.LinearAgent(TASKS[task], alpha, 0.5)
    return linear.simulate(
        estimator,
        [setting],
        root=0,
        experiment="peers",
        runs=RUNS,
        steps=STEPS,
        bin=STEPS,
        last=STEPS // 2,
    )[0]


@pytest.mark.thorough
@needs_compiler
@pytest.mark.parametrize(
    ("task", "estimator"),
    share(
        [("acrobot", regular), *((task, each) for task in TASKS for each in (alternate, regular))],
        5,
    ),
    ids=str,
)
def test_c_does_the_linear_task(task, estimator):
    theirs = c_lanes.linear(
        task, estimator.name, alpha=0.5, beta=0.5, runs=RUNS, steps=STEPS, last=STEPS // 2
    )
    ours = our_linear(task, estimator)
    assert agree(ours.final, theirs.returns)
    assert agree(ours.entropy[:, 0], theirs.entropy)


@pytest.mark.thorough
@needs_compiler
def test_another_stepsize_would_be_noticed():
    theirs = c_lanes.linear(
        "acrobot", "regular", alpha=0.1, beta=0.5, runs=RUNS, steps=STEPS, last=STEPS // 2
    )
    assert not agree(our_linear("acrobot", regular).entropy[:, 0], theirs.entropy)


@pytest.mark.slow
@needs_compiler
@both
def test_c_does_the_neural_task(estimator):
    rate = 2.0**-9
    theirs = c_lanes.neural(
        estimator.name, alpha=rate, beta=rate, runs=RUNS, steps=STEPS, last=STEPS // 2
    )
    setting = neural.NeuralAgent(rate, rate)
    ours = neural.simulate(
        estimator,
        [setting],
        root=0,
        experiment="peers",
        runs=RUNS,
        steps=STEPS,
        bin=STEPS,
        last=STEPS // 2,
    )[0]
    assert agree(ours.final, theirs.returns)
    assert agree(ours.entropy[:, 0], theirs.entropy)


@needs_compiler
@pytest.mark.slow
def test_c_learns():
    theirs = c_lanes.linear(
        "mountain_car", "alternate", alpha=0.5, beta=0.5, runs=RUNS, steps=200_000, last=20_000
    )
    assert np.median(theirs.returns) > -170
    neural_run = c_lanes.neural(
        "regular", alpha=2.0**-9, beta=2.0**-9, runs=RUNS, steps=50_000, last=10_000
    )
    assert np.median(neural_run.returns) > -0.6


@pytest.mark.slow
@both
def test_the_numpy_batch_does_the_same_task(estimator):
    steps = 5_000
    theirs = numpy_peers.batch(estimator.name, 200, steps, alpha=0.5, beta=0.5)()
    setting = linear.LinearAgent("MountainCar", 0.5, 0.5)
    (ours,) = linear.simulate(
        estimator,
        [setting],
        root=0,
        experiment="peers",
        runs=208,
        steps=steps,
        bin=steps,
        last=steps // 2,
    )
    # the batch gives the mean over all episodes, which is what the one bin of returns is
    assert agree(ours.returns[:, 0], theirs)


@pytest.mark.thorough
def test_gymnasium_does_the_same_task():
    pytest.importorskip("gymnasium")
    returns = numpy_peers.gymnasium_run("alternate", 20_000, alpha=0.5, beta=0.5)()
    assert -1000 <= returns[0] < -100


@pytest.mark.slow
@both
def test_jax_does_the_same_tasks(estimator):
    pytest.importorskip("jax")
    jax_peers = importlib.import_module("benchmarks.jax_peers")
    theirs = np.asarray(jax_peers.mountain_car(estimator.name, 96, STEPS, alpha=0.5, beta=0.5)())
    assert agree(our_linear("mountain_car", estimator).returns[:, 0], theirs)
    rate = 2.0**-9
    theirs = np.asarray(jax_peers.dot_reacher(estimator.name, 96, 10_000, alpha=rate, beta=rate)())
    setting = neural.NeuralAgent(rate, rate)
    (ours,) = neural.simulate(
        estimator,
        [setting],
        root=0,
        experiment="peers",
        runs=96,
        steps=10_000,
        bin=10_000,
        last=5_000,
    )
    assert agree(ours.returns[:, 0], theirs)


def test_numpy_bandit_and_chain_learn():
    assert numpy_peers.bandit(regular, 20, 1000)().mean() > 2.0
    values = numpy_peers.chain(alternate, runs=5, episodes=100)()
    assert values[:, -20:].mean() > values[:, :5].mean()


@pytest.mark.parametrize(
    ("compiler", "flags", "line"),
    [
        (None, c_lanes.FLAGS, "no C compiler found"),
        (c_lanes.compiler(), ("--no-such-flag",), "failed: "),
    ],
    ids=["none", "refuses"],
)
def test_without_a_build_a_line_says_so(compiler, flags, line, monkeypatch):
    if compiler is None and line != "no C compiler found":
        pytest.skip("no C compiler")
    monkeypatch.setattr(c_lanes, "compiler", lambda: compiler)
    monkeypatch.setattr(c_lanes, "FLAGS", flags)
    c_lanes.compiled.cache_clear()
    contenders, lines = peers.contenders(["acrobot"])
    assert not [contender for contender in contenders if contender.kind == "C"]
    assert any(line in remark and "skipped" in remark for remark in lines)
