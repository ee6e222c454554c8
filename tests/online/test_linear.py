"""The compiled linear agents against a plain Python agent on the same random numbers, and against
what they must not depend on.
"""

from __future__ import annotations

import dataclasses
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from altpg_verify import check_estimator
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import alternate, escort_regular, estimator, expected_gradient, regular
from altpg_verify.parameterisations import escort
from altpg_verify.results import EstimatorCheckError
from altpg_verify.sim.online import policies
from altpg_verify.sim.online.linear import WORST, LinearAgent, simulate
from tests.online import reference
from tests.shares import share_of_each

PLACE = {"root": 7, "experiment": "test"}
AGENTS = {
    "regular": (regular, LinearAgent("MountainCar", 0.5, 0.25, cut=40)),
    "alternate, optimistic critic": (
        alternate,
        LinearAgent("MountainCar", 0.5, 0.5, (0.0, 3.0, 0.0), 20.0, cut=40),
    ),
    "entropy": (alternate, LinearAgent("MountainCar", 0.5, 0.5, tau=0.7, cut=25)),
    "escort 1": (
        escort_regular(1),
        LinearAgent("MountainCar", 0.0625, 0.5, (1.0, 1.0, 1.0), policy="escort:1", cut=25),
    ),
    "escort 3": (
        escort_regular(3),
        LinearAgent("MountainCar", 0.0625, 0.5, (1.0, 1.0, 1.0), policy="escort:3", cut=25),
    ),
    "switch": (regular, LinearAgent("MountainCar", 0.5, 0.5, switch="actions", cut=40)),
    "switch with the episode": (
        regular,
        LinearAgent("MountainCar", 0.5, 0.5, switch="actions", switch_at="episode", cut=70),
    ),
    "realistic": (alternate, LinearAgent("RealisticMountainCar", 0.25, 0.5, cut=300)),
    "newer": (alternate, LinearAgent("RealisticMountainCar:newer", 0.25, 0.5, cut=60)),
    "Acrobot": (regular, LinearAgent("Acrobot", 0.5, 0.5, cut=30)),
    "clamped": (alternate, LinearAgent("MountainCar", 0.5, 0.5, cut=40, coder="clamped")),
    "Acrobot, clamped": (regular, LinearAgent("Acrobot", 0.5, 0.5, cut=30, coder="clamped")),
    "Acrobot, alternate, entropy, switch": (
        alternate,
        LinearAgent("Acrobot", 0.5, 0.5, tau=0.1, switch="actions", cut=30),
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", share_of_each(AGENTS, lambda name: (AGENTS[name][1].task, AGENTS[name][1].coder))
)
def test_agents_follow_the_plain_ones(name):
    est, agent = AGENTS[name]
    assert difference(est, est, agent) < 1e-9


@pytest.mark.thorough
@pytest.mark.parametrize(
    "fault",
    [lambda pi, e, r, b: (b - r) * (e - pi), lambda pi, e, r, b: (r - b) * (e - 1.00001 * pi)],
)
def test_another_estimator_is_noticed(fault):
    assert difference(regular, estimator(name="regular")(fault), AGENTS["regular"][1]) > 1e-6


def difference(compiled, plain, agent, steps=600):
    """The largest difference in entropy, return and start value between the compiled agent and the
    plain one, step by step.
    """
    outcome = simulate(compiled, [agent], runs=2, steps=steps, bin=1, last=1, **PLACE)[0]
    worst = 0.0
    for run in range(2):
        entropies, ends, starts = reference.follow(plain, agent, run=run, steps=steps, **PLACE)
        worst = max(worst, np.abs(outcome.entropy[run] - entropies).max())
        worst = max([worst, *(abs(outcome.returns[run, t] - total) for t, total, _ in ends)])
        worst = max([worst, *(abs(outcome.start_value[run, t] - value) for t, value in starts[1:])])
        assert outcome.ends[run] == sum(goal for _, _, goal in ends)
    return worst


@pytest.mark.thorough
def test_the_goal_ends_an_episode():
    # rounding grows exponentially in the preferences of this agent; over this many steps it changes
    # no action yet
    agent = LinearAgent("MountainCar", 0.5, 0.5)
    steps = 6000
    outcome = simulate(regular, [agent], runs=3, steps=steps, bin=steps, last=2500, **PLACE)[0]
    reached = 0
    for run in range(3):
        _, ends, starts = reference.follow(regular, agent, run=run, steps=steps, **PLACE)
        lengths = np.diff([-1, *(t for t, _, _ in ends)])
        returns = np.array([total for _, total, _ in ends])
        late = np.array([t >= steps - 2500 for t, _, _ in ends])
        middle = np.array([steps // 2 - 2500 <= t < steps // 2 for t, _, _ in ends])
        assert outcome.returns[run, 0] == pytest.approx(returns.mean())
        assert outcome.final[run] == pytest.approx(returns[late].mean())
        assert outcome.half[run] == pytest.approx(returns[middle].mean())
        assert outcome.whole[run] == pytest.approx((returns * lengths).sum() / lengths.sum())
        assert outcome.start_value[run, 0] == pytest.approx(np.mean([value for _, value in starts]))
        goals = [t for t, _, goal in ends if goal]
        assert outcome.ends[run] == len(goals)
        assert outcome.first_goal[run] == (goals[0] + 1 if goals else -1)
        reached += len(goals)
    assert reached > 0


def test_returns_are_carried_on():
    outcome = simulate(
        regular,
        [LinearAgent("MountainCar", 0.5, 0.5, critic=-3.0, cut=50)],
        runs=2,
        steps=120,
        bin=20,
        last=10,
        **PLACE,
    )[0]
    assert outcome.returns.tolist() == [[WORST, WORST, -50, -50, -50, -50]] * 2
    assert outcome.final.tolist() == [-50, -50]
    assert outcome.half.tolist() == [-50, -50]
    assert outcome.first_goal.tolist() == [-1, -1]
    assert np.allclose(outcome.start_value[:, :2], -3.0)


def fields(outcome):
    return [getattr(outcome, field.name) for field in dataclasses.fields(outcome)]


def same(first, second):
    return all(np.array_equal(x, y) for x, y in zip(fields(first), fields(second), strict=True))


SETTINGS = [
    LinearAgent("MountainCar", 0.5, 0.5, switch="actions"),
    LinearAgent("MountainCar", 0.125, 1.0, tau=0.3, critic=50.0),
    LinearAgent("RealisticMountainCar", 8.0, 0.1),
    LinearAgent("MountainCar", 2.0, 0.05, (1.0, 1.0, 1.0), policy="escort:2", cut=200),
]
SCALE = {"runs": 5, "steps": 2000, "bin": 100, "last": 500, **PLACE}


@pytest.mark.slow
def test_lanes_and_packing_change_no_bit():
    together = simulate(regular, SETTINGS, **SCALE)
    for setting, outcome in zip(SETTINGS, together, strict=True):
        assert same(simulate(regular, [setting], **SCALE)[0], outcome)
        assert same(simulate(regular, [setting], **{**SCALE, "lanes": 4})[0], outcome)
    few = simulate(regular, SETTINGS[1:2], **{**SCALE, "runs": 2})[0]
    assert all(
        np.array_equal(x, y[:2]) for x, y in zip(fields(few), fields(together[1]), strict=True)
    )


def test_threads_change_no_bit():
    alone = simulate(regular, SETTINGS, **SCALE)
    with ThreadPoolExecutor(3) as threads:
        for outcomes in threads.map(lambda _: simulate(regular, SETTINGS, **SCALE), range(3)):
            assert all(map(same, outcomes, alone))


@pytest.mark.slow
@pytest.mark.parametrize("lanes", [1, 8])
def test_lanes_change_no_bit_of_acrobot(lanes):
    agents = [LinearAgent("Acrobot", 0.5, 0.5, switch="actions")]
    assert same(
        simulate(alternate, agents, **SCALE)[0],
        simulate(alternate, agents, **SCALE, lanes=lanes)[0],
    )


@pytest.mark.slow
def test_processors_change_no_bit(tmp_path):
    script = tmp_path / "digest.py"
    script.write_text(
        "import hashlib, dataclasses\nfrom altpg_verify.estimators import regular\nfrom"
        " altpg_verify.sim.online.linear import LinearAgent, simulate\nagents = [LinearAgent(task,"
        " 0.5, 0.5, tau=0.1) for task in ('MountainCar', 'Acrobot',"
        " 'RealisticMountainCar')]\noutcomes = simulate(regular, agents, root=1, experiment='cpu',"
        " runs=16, steps=20000, bin=1000, last=1000)\ndigest = hashlib.sha256()\nfor outcome in"
        " outcomes:\n    for field in dataclasses.fields(outcome):\n       "
        " digest.update(getattr(outcome, field.name).tobytes())\nprint(digest.hexdigest())\n"
    )
    found = set()
    for processor in ("", "haswell", "generic"):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / (processor or "native"))}
        if processor:
            environment |= {
                "NUMBA_CPU_NAME": processor,
                "NUMBA_CPU_FEATURES": "+avx2" if processor == "haswell" else "",
            }
        else:
            environment.pop("NUMBA_CPU_NAME", None)
        done = subprocess.run(
            [sys.executable, str(script)],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
            cwd=os.getcwd(),
        )
        found.add(done.stdout)
    assert len(found) == 1


@pytest.mark.thorough
def test_both_paths_of_the_estimator_agree():
    agent = [AGENTS["regular"][1]]
    scalar, vector = (
        simulate(regular, agent, runs=2, steps=400, bin=1, last=1, by_action=way, **PLACE)[0]
        for way in (True, False)
    )
    assert np.abs(scalar.entropy - vector.entropy).max() < 1e-9


def test_diverged_runs_are_counted_as_the_worst():
    agents = [
        LinearAgent("MountainCar", 0.5, 1e6, cut=100),
        LinearAgent("MountainCar", 0.5, 0.5, cut=100),
    ]
    wild, tame = simulate(alternate, agents, runs=6, steps=4000, bin=500, last=500, **PLACE)
    assert wild.failed.all()
    assert not tame.failed.any()
    assert (wild.final == WORST).all()
    assert (wild.returns[:, -1] == WORST).all()
    assert all(np.isfinite(values).all() for values in fields(wild))
    assert (tame.final > WORST).all()


@pytest.mark.thorough
def test_a_flipped_sign_learns_the_other_way():
    @estimator
    def climbs_down(pi, e, r, b):
        """The regular estimator with the wrong sign."""
        return (b - r) * (e - pi)

    agents = [LinearAgent("MountainCar", 0.5, 0.5)]
    right, wrong = (
        simulate(est, agents, runs=16, steps=50_000, bin=5000, last=5000, **PLACE)[0]
        for est in (regular, climbs_down)
    )
    assert np.median(right.final) > -250
    assert np.median(wrong.final) < -900


@pytest.mark.thorough
def test_agents_learn():
    for est in (regular, alternate):
        for task, low, high in (("MountainCar", -200, -110), ("Acrobot", -205, -90)):
            outcome = simulate(
                est,
                [LinearAgent(task, 0.5, 0.5)],
                runs=16,
                steps=100_000,
                bin=10_000,
                last=5000,
                **PLACE,
            )[0]
            assert low < np.median(outcome.final) < high, (est, task)
            assert outcome.entropy[:, 0].mean() > outcome.entropy[:, -1].mean()
            assert 0 < outcome.entropy.max() <= math.log(3) + 1e-12


def test_exchanged_actions_set_a_trained_agent_back():
    agents = [LinearAgent("MountainCar", 0.5, 0.5, switch=switch) for switch in ("none", "actions")]
    steady, switched = simulate(
        regular, agents, runs=16, steps=100_000, bin=5000, last=5000, **PLACE
    )
    assert np.median(steady.returns[:, 11]) > -300
    assert np.median(switched.returns[:, 11]) < -500


@pytest.mark.thorough
def test_the_escort_estimator_is_the_gradient():
    for p in (1, 2, 3):
        assert check_estimator(escort_regular(p), only=["unbiased"], parameterisation=escort(p)).ok
    with pytest.raises(EstimatorCheckError):
        check_estimator(escort_regular(2), only=["unbiased"], parameterisation=escort(3))


def test_bad_settings_are_refused():
    with pytest.raises(BadInput, match="asks for q, v"):
        simulate(expected_gradient, [LinearAgent("MountainCar", 0.5, 0.5)], **SCALE)
    with pytest.raises(BadInput, match="bins of 300"):
        simulate(regular, [LinearAgent("MountainCar", 0.5, 0.5)], **{**SCALE, "bin": 300})
    with pytest.raises(BadInput, match="MountainCat"):
        LinearAgent("MountainCat", 0.5, 0.5)
    with pytest.raises(BadInput, match="escort power"):
        LinearAgent("Acrobot", 0.5, 0.5, policy="escort:0")
    with pytest.raises(BadInput, match="other than 0"):
        LinearAgent("Acrobot", 0.5, 0.5, policy="escort:2")
    with pytest.raises(BadInput, match="three preferences"):
        LinearAgent("Acrobot", 0.5, 0.5, theta=(0.0, 0.0))
    with pytest.raises(BadEstimator, match="whole number"):
        escort_regular(0)


# compiles three policies for their names; the slow test below asks it of processes
@pytest.mark.slow
def test_kernels_of_different_constants_have_different_names():
    kernels = [policies.softmax(4), policies.softmax(16), policies.escort(16)]
    assert len({kernel.py_func.__qualname__ for kernel in kernels}) == 3


@pytest.mark.slow
def test_kernels_kept_by_different_processes_stay_apart(tmp_path):
    def process(*lanes):
        script = (
            "from altpg_verify.estimators import regular\nfrom altpg_verify.sim.online.linear"
            f" import LinearAgent, simulate\nfor lanes in {lanes}:\n    agents ="
            " [LinearAgent('MountainCar', 0.5, 0.5)]\n    outcome = simulate(regular, agents,"
            " root=1, experiment='x', runs=15, steps=5000, bin=500, last=500, lanes=lanes)[0]\n   "
            " print(outcome.entropy.sum())\n"
        )
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        return subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True
        )

    found = [process(*lanes) for lanes in ((3,), (5,), (3, 5, 3))]
    assert [done.returncode for done in found] == [0, 0, 0], found
    assert len({line for done in found for line in done.stdout.splitlines()}) == 1
