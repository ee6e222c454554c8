"""Whole steps of trainers: every branch of their draws, what a step adds to the parameters, and
what can't be replayed.
"""

from __future__ import annotations

import gc
import random
import sys

import numpy as np
import pytest

from altpg_verify.audit import audit, trainer
from altpg_verify.audit.draw_tree import Branch
from altpg_verify.errors import BadEstimator, BadInput
from tests.audit.test_draw_tree import every
from tests.audit.trainer_agent import PAYS, SPACE, Agent, audited, softmax

# --- the tree
# --------------------------------------------------------------------------------------------------


def test_too_many_ways_are_refused_before_any_work():
    calls = []

    def run(branch):
        calls.append(1)
        return [branch.choose([1, 1], "coin") for _ in range(40)]

    with pytest.raises(
        BadInput,
        match=(
            r"about 1,099,511,627,776 ways its draws can come out .*40 draws by coin.*more than"
            r" 10,000"
        ),
    ):
        every(run)
    assert len(calls) == 1


def test_a_tree_that_only_grows_later_is_refused_as_well():
    with pytest.raises(BadInput, match="more than 100 ways"):
        every(
            lambda branch: [
                branch.choose([1, 1]) for _ in range(10 if branch.choose([1, 1]) else 1)
            ],
            most=100,
        )


# --- draws of every sort lead to the same verdict
# ----------------------------------------------------------------


def by_choose(agent, choose):
    return choose(softmax(agent.theta))


def by_generator(agent, rng):
    return rng.choice(3, p=softmax(agent.theta))


def by_held_generator(agent):
    return agent.draw.choice(3, p=softmax(agent.theta))


def by_numpy(agent):
    return np.random.choice(3, p=softmax(agent.theta))


OLDER = np.random.RandomState(0)


@pytest.fixture
def all_objects_listed():
    """This module's generator is found among all objects, as in a process without our tests."""
    gc.unfreeze()
    yield
    gc.freeze()


def by_older_generator(agent):
    return OLDER.choice(3, p=softmax(agent.theta))


def by_python(agent):
    return random.choices(range(3), softmax(agent.theta))[0]


def by_comparing(agent):
    return int((np.cumsum(softmax(agent.theta)) > np.random.random()).argmax())


@pytest.mark.thorough
@pytest.mark.parametrize(
    "way",
    [
        by_choose,
        by_generator,
        by_held_generator,
        by_numpy,
        by_older_generator,
        by_python,
        by_comparing,
    ],
)
def test_the_policy_gradient_by_every_door(way, request):
    if way is by_older_generator:
        request.getfixturevalue("all_objects_listed")
    agent = Agent(np.random.default_rng(0))
    asked = way.__code__.co_varnames[1 : way.__code__.co_argcount]

    def step(choose, rng):
        given = {"choose": choose, "rng": rng}
        action = way(agent, **{name: given[name] for name in asked})
        agent.ascend(action, softmax(agent.theta))

    found = audited(step, agent)
    assert str(found.kind) == "unbiased", found
    assert found.draws == 3
    # by hand: Σ π(a) r(a) (e_a - π)
    pi = np.array([1 / 6, 1 / 3, 1 / 2])
    np.testing.assert_allclose(
        found.expected, sum(pi[a] * PAYS[a] * (np.eye(3)[a] - pi) for a in range(3)), rtol=1e-12
    )


def test_the_agent_is_afterwards_as_it_was():
    agent = Agent(np.random.default_rng(7))
    rng, state, before = agent.draw, agent.draw.bit_generator.state, np.random.get_state()[1].copy()

    def step():
        agent.ascend(by_held_generator(agent), softmax(agent.theta))

    theta = agent.theta
    audited(step, agent)
    assert agent.theta is theta
    assert (theta == 0).all()
    assert agent.draw is rng
    assert agent.draw.bit_generator.state == state
    assert (np.random.get_state()[1] == before).all()
    assert np.random.default_rng(3).integers(1000) == np.random.Generator(
        np.random.PCG64(3)
    ).integers(1000)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (lambda action, pi: -PAYS[action] * (np.eye(3)[action] - pi), "reversed"),
        (lambda action, pi: PAYS[action] * np.eye(3)[action], "not a gradient"),
        (lambda action, pi: 0 * pi, "zero"),
        # the gradient of Σ r log π, which nobody has named
        (lambda action, pi: PAYS[action] / pi[action] * (np.eye(3)[action] - pi), "biased"),
    ],
)
def test_planted_faults(fault, kind):
    agent = Agent(None)

    def step(choose):
        pi = softmax(agent.theta)
        agent.theta = agent.theta + 0.25 * fault(choose(pi), pi)

    assert str(audited(step, agent).kind) == kind


@pytest.mark.thorough
def test_exploration_that_is_not_the_policy_is_seen():
    agent = Agent(None)

    def step(choose):
        pi = softmax(agent.theta)
        agent.ascend(choose(0.5 * pi + 0.5 / 3), pi)

    found = audited(step, agent)
    assert str(found.kind) != "unbiased"
    assert "none of its draws has the probabilities of the policy" in str(found)


# --- what can't be replayed is refused by its name
# ---------------------------------------------------------------


PRIVATE = random.Random(0)


def hidden(agent, generator=PRIVATE):
    agent.ascend(generator.randrange(3), softmax(agent.theta))


def counting(agent, calls=[]):  # noqa: B006
    calls.append(1)
    agent.ascend(by_numpy(agent), softmax(agent.theta), 0.25 if len(calls) < 40 else -0.25)


def averaging(agent, past=[0.0]):  # noqa: B006
    action = by_numpy(agent)
    agent.ascend(action, softmax(agent.theta), 0.25 * (PAYS[action] - past[0]))
    past[0] = 0.9 * past[0] + 0.1 * PAYS[action]


def exiting(agent):
    sys.exit(0)


def gaussian(agent):
    agent.ascend(int(np.random.normal() > 0), softmax(agent.theta))


def swallowing(agent):
    try:
        action = int(np.random.normal() > 0)
    except Exception:
        action = 0
    agent.ascend(action, softmax(agent.theta))


def entropic(agent):
    agent.ascend(random.SystemRandom().randrange(3), softmax(agent.theta))


def arithmetic(agent):
    agent.ascend(int(3 * np.random.random()), softmax(agent.theta))


def unbounded(agent):
    agent.theta = agent.theta + np.inf


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (hidden, "draws unseen: a step moves the generator"),
        (counting, "another step when the same draws are replayed; what it keeps or draws unseen"),
        (averaging, "another step when the same draws are replayed"),
        (exiting, "calls sys.exit"),
        (gaussian, "draws by numpy.random.normal, whose outcomes can't be enumerated"),
        (swallowing, "draws by numpy.random.normal"),
        (entropic, "draws random numbers unseen|another step when the same draws"),
        (arithmetic, "a number that is used otherwise than in a comparison"),
        (unbounded, "isn't finite"),
    ],
)
def test_hostile_steps_are_refused_in_one_sentence(program, message):
    agent = Agent(None)
    with pytest.raises(BadInput, match=message) as refused:
        audited(lambda: program(agent), agent)
    assert "\n" not in str(refused.value)


def test_a_step_that_never_moves_is_zero_and_says_why():
    agent = Agent(None)
    found = audited(lambda: None, agent)
    assert str(found.kind) == "zero"
    assert "theta doesn't move on any branch" in found.sentence


# --- what is declared
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parameters": None}, "needs its parameters by group"),
        (
            {"parameters": {"beta": np.zeros(3)}},
            "has parameters 'beta'; the space's groups are theta",
        ),
        ({"parameters": {"theta": np.zeros(2)}}, r"has shape \(2,\), and the space's has \(3,\)"),
        ({"parameters": {"theta": np.zeros(3, np.float32)}}, "is float32, and float64 is needed"),
        (
            {"parameters": {"theta": np.zeros(3)}, "stepsize": -1},
            "stepsize must be a number of at least 0",
        ),
        (
            {"parameters": {"theta": np.zeros(3)}, "build": lambda: None},
            "leave step and parameters out",
        ),
    ],
)
def test_declarations_are_checked(options, message):
    with pytest.raises(BadInput, match=message):
        trainer(lambda: None, space=SPACE, **options)


def test_a_step_with_other_arguments_and_an_object_that_is_no_step():
    with pytest.raises(
        BadEstimator, match="asks for 'batch', and a step is given `choose` or `rng`"
    ):
        trainer(lambda batch: None, parameters={"theta": np.zeros(3)}, space=SPACE)
    with pytest.raises(
        BadEstimator,
        match=(
            r"is a Trainer, which can't be called; give its method that makes a step, such as"
            r" .train"
        ),
    ):
        trainer(
            type("Trainer", (), {"train": lambda self: None})(),
            parameters={"theta": np.zeros(3)},
            space=SPACE,
        )


def test_an_array_that_moves_needs_its_stepsize():
    theta = np.zeros(3)

    def step(choose):
        theta[choose(softmax(theta))] += 0.1

    with pytest.raises(BadInput, match="its stepsize must be known; write stepsize="):
        audit(trainer(step, parameters={"theta": theta}, space=SPACE))


def test_it_is_neither_sampled_nor_asked_for_single_draws():
    agent = Agent(None)
    made = trainer(lambda: None, parameters={"theta": (agent, "theta")}, space=SPACE)
    with pytest.raises(BadInput, match="its branches are enumerated; leave samples out"):
        audit(made, samples=1000)


def test_the_branches_know_their_draws():
    branch = Branch("it")
    with pytest.raises(BadEstimator, match=r"hands coin the probabilities \[0.5, nan\]"):
        branch.choose([0.5, float("nan")], "coin")


# --- what a trainer keeps from step to step
# ---------------------------------------------------------------------
