"""The task, step by step: the kernel's own accounts against the plain Python task, driven by
policies that always act alike.
"""

import numpy as np
import pytest

from altpg_verify.estimators import regular
from altpg_verify.sim.online.dot_reacher import ACTIONS, DIRECTIONS, MOVES, STAY
from altpg_verify.sim.online.neural import NeuralAgent, simulate
from tests.online.neural_reference import COMPASS, DotReacher, generator
from tests.shares import share

STEPS, RUNS = 400, 6


def certain(action, **options):
    """An agent that always takes one action: its stepsizes are 0."""
    return NeuralAgent(
        0.0, 0.0, theta=tuple(500.0 * (a == action) for a in range(ACTIONS)), **options
    )


@pytest.mark.thorough
@pytest.mark.parametrize("moves", share(MOVES, 2))
def test_every_action_does_what_the_plain_task_does(moves):
    settings = [certain(action, cut=70, moves=moves) for action in range(ACTIONS)]
    outcomes = simulate(
        regular, settings, root=3, experiment="test", runs=RUNS, steps=STEPS, bin=1, last=100
    )
    compass = ["SW", *list(COMPASS)[1:]] if moves == "library" else list(COMPASS)
    met = 0
    for action, (setting, outcome) in enumerate(zip(settings, outcomes, strict=True)):
        for run in range(RUNS):
            starts = generator(3, "test", regular, setting, run, "starts")
            task = DotReacher((0.0, 0.0), 70, compass)
            task.start(*(2 * starts.random(2) - 1))
            known, reached, first = setting.worst, 0, -1
            returns = np.empty(STEPS)
            for t in range(STEPS):
                _, there, over = task.step(action)
                if over:
                    known, reached = -0.01 * task.t, reached + there
                    first = t + 1 if there and first < 0 else first
                    task.start(*(2 * starts.random(2) - 1))
                returns[t] = known
            assert outcome.returns[run, :STEPS] == pytest.approx(returns, abs=1e-12)
            assert (outcome.ends[run], outcome.first_goal[run]) == (reached, first)
            met += reached
    assert met > 10


def test_the_directions():
    assert len(set(DIRECTIONS)) == ACTIONS
    assert DIRECTIONS[STAY] == (0, 0)
    assert [COMPASS[name] for name in COMPASS] == list(DIRECTIONS)
    assert MOVES["library"].count((-1, -1)) == 2
    assert (-1, 1) not in MOVES["library"]


@pytest.mark.thorough
def test_a_wall_and_the_corner_goals():
    settings = [
        certain(DIRECTIONS.index(move), switch="goal", cut=200) for move in ((-1, -1), (1, 1))
    ]
    towards, away = simulate(
        regular, settings, root=3, experiment="test", runs=RUNS, steps=STEPS, bin=200, last=200
    )
    # one goal is in reach in each half only, from anywhere, since the walls lead into the corners
    assert (towards.half > -0.68).all()
    assert (towards.first_goal >= 0).all()
    assert (away.first_goal > 200 - 1).all()
    assert (away.final > -2.0).all()
    assert np.isfinite(towards.returns).all()
