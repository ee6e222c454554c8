"""The red team's tricks within a whole step of a trainer: none gets a false verdict."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import audit, bandit, trainer
from trust.hostile import PROGRAMS
from trust.hostile.forms import NEVER_PASSED, WHOLE, Hostile, outcome_of
from trust.hostile.running import run

PAYS = np.array([-1, 0.5, 2, 3, 5, 7, 8])

IN_FLOAT64 = ("a float32 tenth", "a float16 tenth", "1 + 10^-15 r, exactly")
"""A step is judged in float64: numpy's smaller types mean it, as the verdict says, and what is
below its digits isn't seen.
"""

OWN = "writes"
"""Tricks that write into what they are given, which in a step is the step's own."""

TRICKS = [
    each
    for each in PROGRAMS
    if each.form == "numpy" and each.kind != OWN and each.name not in IN_FLOAT64
]


def stepping(trick):
    """REINFORCE as a step, each multiplied by the trick."""

    class Agent:
        theta = np.zeros(len(PAYS))

    agent = Agent()

    def step(choose):
        pi = np.exp(agent.theta - agent.theta.max())
        pi = pi / pi.sum()
        action = choose(pi)
        reward, score = PAYS[action], np.eye(len(PAYS))[action] - pi
        agent.theta = agent.theta + 0.5 * reward * score * trick(reward, score)

    made = trainer(
        step,
        parameters={"theta": (agent, "theta")},
        space=bandit([-1, "1/2", 2, 3, 5, 7, 8]),
        stepsize=0.5,
    )
    return outcome_of(audit(made, differentiate=False))


def judge(program):
    whole = Hostile(
        program.kind, program.name, lambda: stepping(program.make()), WHOLE, program.acceptable
    )
    judgement, outcome = run(whole)
    assert judgement == "fine", f"{whole.title}: {outcome}"


def test_a_right_step_that_must_not_pass_is_noticed():
    right = Hostile(
        "control", "nothing hidden", lambda: stepping(lambda reward, score: 1), WHOLE, NEVER_PASSED
    )
    assert run(right) == ("false pass", "HOLDS")


@pytest.mark.thorough
@pytest.mark.parametrize("program", TRICKS[::36], ids=lambda program: program.name)
def test_a_share(program):
    judge(program)


@pytest.mark.slow
@pytest.mark.parametrize("program", TRICKS, ids=lambda program: program.title)
def test_every_trick(program):
    judge(program)
