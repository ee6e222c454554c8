"""The programs that audits are timed beside compute what the audits compute."""

from __future__ import annotations

import numpy as np
import pytest

from altpg_verify.audit.expected_update import moments, points
from benchmarks.audits import CASES
from benchmarks.hand_written import PLACES

LARGEST = 10_000


@pytest.mark.thorough
def test_at_least_twelve_cases_are_timed_beside_a_program_written_by_hand():
    assert sum(case.by_hand is not None for case in CASES) >= 12
    assert {case.name.partition(",")[0] for case in CASES} == {"numpy", "torch", "JAX"}


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.by_hand is not None], ids=lambda case: case.name
)
def test_both_give_the_same_expected_update(case):
    framework = case.name.partition(",")[0]
    if framework != "numpy":
        pytest.importorskip(framework.lower())
    update = case.made()
    if update.space.draws_count > LARGEST:
        pytest.skip(f"{update.space.draws_count} draws take long")
    by_hand = case.by_hand(update.space)
    for place, found in zip(points(update.space, PLACES), by_hand, strict=True):
        flat = np.concatenate(
            [np.ravel(np.asarray(each)) for each in (found if isinstance(found, list) else [found])]
        )
        np.testing.assert_allclose(flat, moments(update, place).mean, rtol=1e-9, atol=1e-12)
