"""The results that are kept in the repository are whole, small, complete, and what the code beside
them computes.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from altpg_verify.sim.experiment import PAPER_SCALE
from altpg_verify.sim.experiments import EXPERIMENTS, experiments_named
from altpg_verify.sim.recheck import recheck, whole

FOLDER = Path(__file__).parents[2] / PAPER_SCALE
STORED = experiments_named("stored")
LARGEST = 50e6

pytestmark = pytest.mark.skipif(
    not any(FOLDER.glob("*/manifest.json")), reason="no results are kept in reports/paper-scale"
)


@pytest.mark.thorough
def test_every_long_experiment_is_there_whole_and_of_this_code():
    found = dict(whole(FOLDER, "paper", STORED))
    assert found == {experiment.name: len(experiment.work("paper")) for experiment in STORED}


def test_nothing_else_is_kept():
    names = {path.name.rpartition("-")[0] for path in FOLDER.iterdir()}
    assert names <= {experiment.name for experiment in EXPERIMENTS if experiment.stored}
    assert len(list(FOLDER.iterdir())) == len(names)


def test_they_are_small():
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < LARGEST


@pytest.mark.slow
def test_a_sample_is_computed_again_bit_for_bit():
    checked = list(recheck(FOLDER, "paper", STORED, 2 * len(STORED)))
    assert len(checked) >= len(STORED)
    assert [item.words for item in checked if item.differ] == []
