"""The table of choices: each row answers whether a verdict depends on it, in words or computed, and
the latter follows the results.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from altpg_verify.errors import BadInput
from altpg_verify.sim import choices
from altpg_verify.sim.analysis import measured
from altpg_verify.sim.choices import HEADER, Choice
from altpg_verify.sim.experiment import PAPER_SCALE
from altpg_verify.sim.experiments import (
    experiments_named,
    linear_nonstationary,
    neural_nonstationary,
    released_choices,
)
from altpg_verify.sim.results import Results
from altpg_verify.theory.claims.sentences import source_lines

FOLDER = Path(__file__).parents[2] / PAPER_SCALE


def reported(*gaps, worth=1.0):
    generator = np.random.default_rng(0)
    return choices._told(
        [measured("", [gap + generator.normal(0.0, spread, 400)]) for gap, spread in gaps],
        worth,
        "so much",
    )


def test_a_row_has_one_answer():
    with pytest.raises(BadInput, match="one of depends and tried"):
        Choice("x", "a", "b", "s", "c")
    with pytest.raises(BadInput, match="one of depends and tried"):
        Choice("x", "a", "b", "s", "c", depends="no", tried="coder")
    with pytest.raises(BadInput, match="none of coder"):
        Choice("x", "a", "b", "s", "c", tried="guess")


PLACE = re.compile(r"(?:bandit|tabular|linear|neural)/\w+\.(?:py|sh|txt)\b")


def test_what_is_said_of_text_and_code_has_its_place():
    for row in choices.choices():
        lines = [
            int(line)
            for part in re.findall(r"\(([\d, ]+)\)", row.text)
            for line in part.split(", ")
        ]
        assert row.text == "silent" or lines, row.what
        assert set(lines) <= set(source_lines()), row.what
        assert PLACE.match(row.source), row.what
        assert all(
            "; " in row.source for library in ("PyRlEnvs", "PyFixedReps") if library in row.code
        ), row.what


def test_the_choices_of_the_released_code_are_there():
    rows = choices.choices()
    assert len({row.what for row in rows}) == len(rows) >= 15
    assert {row.tried for row in rows if row.tried} == set(choices.TRIED)
    assert [row.what for row in rows if "not tried" in row.depends] == []
    assert all(
        len(row) == len(HEADER)
        for row in [(one.what, one.text, one.code, one.ours, "") for one in rows]
    )


def test_differences_are_told_by_their_size_and_their_error():
    assert reported((0.0, 1.0), (0.1, 1.0)).startswith("no: tried with 2 agents")
    assert reported((0.0, 1.0), (3.0, 1.0)).startswith(
        "it can: tried with 2 agents, the largest difference of means is 3"
    )
    assert reported((0.0, 1.0), (0.9, 10.0)).startswith("undecided")


KEPT = Results(
    "quick",
    [],
    FOLDER,
    stored=[cell for one in experiments_named("stored") for cell in one.work("paper")],
    kept=FOLDER,
)


def chosen(record):
    return tuple(
        (record.setting["alphas"][alpha], record.setting["betas"][beta])
        for alpha, beta in record["chosen"]
    )


def test_what_is_tried_both_ways_is_tried_at_the_stepsizes_of_the_curves():
    # settings can't read results, so these are written down, and held against the sweeps here
    linear = {
        agent: chosen(linear_nonstationary.record(KEPT, *agent))
        for agent in released_choices._LINEAR_STEPSIZES
    }
    neural = {
        name: chosen(neural_nonstationary.record(KEPT, name))
        for name in released_choices._NEURAL_STEPSIZES
    }
    assert linear == released_choices._LINEAR_STEPSIZES
    assert neural == released_choices._NEURAL_STEPSIZES
