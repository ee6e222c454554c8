"""The table of choices: each row answers whether a verdict depends on it, in words or computed, and the latter follows the results."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.sim import choices
from altpg_verify.sim.analysis import measured
from altpg_verify.sim.choices import HEADER, Choice


def told(*gaps, worth=1.0):
    generator = np.random.default_rng(0)
    return choices._told([measured("", [gap + generator.normal(0.0, spread, 400)]) for gap, spread in gaps], worth, "so much")


def test_a_row_has_one_answer():
    with pytest.raises(BadInput, match="one of depends and tried"):
        Choice("x", "a", "b", "c")
    with pytest.raises(BadInput, match="one of depends and tried"):
        Choice("x", "a", "b", "c", depends="no", tried="coder")
    with pytest.raises(BadInput, match="none of coder"):
        Choice("x", "a", "b", "c", tried="guess")


def test_the_choices_of_the_released_code_are_there():
    rows = choices.choices()
    assert len({row.what for row in rows}) == len(rows) >= 15
    assert {row.tried for row in rows if row.tried} == set(choices.TRIED)
    assert all(len(row) == len(HEADER) for row in [(one.what, one.text, one.code, one.ours, "") for one in rows])


def test_differences_are_told_by_their_size_and_their_error():
    assert told((0.0, 1.0), (0.1, 1.0)).startswith("no: tried with 2 agents")
    assert told((0.0, 1.0), (3.0, 1.0)).startswith("it can: tried with 2 agents, the largest difference of means is 3")
    assert told((0.0, 1.0), (0.9, 10.0)).startswith("undecided")
