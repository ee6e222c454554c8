"""Steps of trainers that count, or keep something else from step to step: what makes no difference is
said, what does is refused.
"""

from __future__ import annotations

import os

import pytest

from altpg_verify.audit import audit, trainer
from altpg_verify.errors import BadEstimator
from tests.audit.trainer_agent import SPACE, Agent, audited, softmax


def counting_agent(turn):
    """An agent that counts its steps, and whose steps are multiplied by what `turn` makes of the
    count.
    """
    agent = Agent(None)
    agent.steps = 0

    def step(choose):
        agent.steps += 1
        pi = softmax(agent.theta)
        agent.ascend(choose(pi), pi, 0.25 * turn(agent.steps))

    return step, agent


def test_a_count_of_steps_may_be_kept_and_is_said():
    found = audited(*counting_agent(lambda steps: 1))
    assert str(found.kind) == "unbiased"
    assert (
        "moved on by 1 and 10,000 and 1,000,000, or to numbers of its code, it makes no difference"
        in found.run[1]
    )


@pytest.mark.parametrize(
    "turn",
    [
        lambda steps: 1 if steps < 5_000 else -1,
        lambda steps: 1 + (steps > 900_000),
        lambda steps: 1 + (steps == 77_777),
        lambda steps: 1 - 2 * (4_000 < steps < 4_003),
        lambda steps: 1 + steps % 2,
    ],
)
def test_a_count_that_matters_later_only_is_found(turn):
    with pytest.raises(BadEstimator, match="makes another step when the same draws are replayed"):
        audited(*counting_agent(turn))


@pytest.mark.thorough
def test_a_list_that_grows_is_refused_by_name():
    step, agent = counting_agent(lambda steps: 1)
    agent.log = []

    def logging(choose):
        step(choose)
        agent.log.append(1)

    with pytest.raises(
        BadEstimator,
        match=r"remembers earlier steps: .*log changes from step to step; keep it within the step",
    ):
        audited(logging, agent)


@pytest.mark.thorough
def test_a_trainer_goes_on_counting_from_where_it_was_handed_over():
    step, agent = counting_agent(lambda steps: 1)
    agent.steps = 12
    audited(step, agent)
    assert 12 < agent.steps < 1_000


def test_a_count_that_outlives_the_trainers_made_anew_is_seen():
    kept = {"steps": 0}

    def build():
        agent = Agent(None)

        def step(choose):
            kept["steps"] += 1
            pi = softmax(agent.theta)
            agent.ascend(choose(pi), pi, 0.25 * (1 if kept["steps"] < 5_000 else -1))

        return step, {"theta": (agent, "theta")}

    with pytest.raises(BadEstimator, match="another step when the same draws are replayed"):
        audit(trainer(build=build, space=SPACE, stepsize=0.25), places=2, differentiate=False)


def test_what_a_trainer_made_anew_asks_the_system_is_said():
    def build():
        agent = Agent(None)

        def step(choose):
            os.cpu_count()
            pi = softmax(agent.theta)
            agent.ascend(choose(pi), pi, 0.25)

        return step, {"theta": (agent, "theta")}

    found = audit(trainer(build=build, space=SPACE, stepsize=0.25), places=2, differentiate=False)
    assert any(
        line.startswith("it calls posix.cpu_count; that what the system answers")
        for line in found.run
    )
    step, parameters = build()
    with pytest.raises(
        BadEstimator, match=r"looks at what isn't the same in every run: it calls posix\.cpu_count"
    ):
        audit(
            trainer(step, parameters=parameters, space=SPACE, stepsize=0.25),
            places=2,
            differentiate=False,
        )
