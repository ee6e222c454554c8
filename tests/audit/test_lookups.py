"""What depends on the policy is looked up once for each episode, and each draw has what its own
steps have.
"""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit import bandit
from altpg_verify.audit.draws import Draws
from altpg_verify.audit.enumeration import Enumeration
from altpg_verify.audit.expected_update import points
from altpg_verify.audit.fixtures import stop_or_go, two_prompts
from altpg_verify.audit.policy_quantities import Tables

SPACES = [
    bandit([1, "1/2", 0]),
    bandit([1, "1/2", 0]).batch(3),
    stop_or_go(),
    stop_or_go().batch(3),
    two_prompts().group(2),
    two_prompts().group(2, every_start=True),
]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_scores_and_logprobs_are_those_of_each_step(space):
    tables = Tables.at(space, points(space, 2)[1])
    for part in Enumeration(space).parts:
        draws = Draws(tables, part.indices(np.arange(part.count)))
        states, actions = draws.array("states"), draws.array("actions")
        there = np.asarray(draws.array("mask"), dtype=bool)
        for found, table in (
            (draws.array("logprobs"), np.log(tables.table)),
            (draws.array("scores"), next(iter(tables.scores.values()))),
        ):
            wanted = table[states, actions]
            wanted[~there] = 0
            assert found.shape == wanted.shape
            assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("count", [1, 2, 200])
def test_few_draws_have_what_many_have(count):
    space = stop_or_go().batch(5)
    tables = Tables.at(space, points(space, 2)[1])
    (part,) = Enumeration(space).parts
    whole = Draws(tables, part.indices(np.arange(part.count))).array("scores")
    some = Draws(tables, part.indices(np.arange(count))).array("scores")
    assert some.tobytes() == whole[:count].tobytes()
