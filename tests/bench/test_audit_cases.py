"""The programs that audits are timed beside compute what the audits compute."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from altpg_verify.audit import audit
from altpg_verify.audit.expected_update import curl, moments, points
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import objective_named
from benchmarks.audits import CASES
from benchmarks.hand_written import PLACES

LARGEST = 10_000


@pytest.mark.thorough
def test_at_least_twelve_cases_are_timed_beside_a_program_written_by_hand():
    assert sum(case.by_hand is not None for case in CASES) >= 12
    assert {case.name.partition(",")[0] for case in CASES} == {"numpy", "torch", "JAX"}


def made(case):
    """The case's update, where its framework is there and it has few draws."""
    framework = case.name.partition(",")[0]
    if framework != "numpy":
        pytest.importorskip(framework.lower())
    update = case.made()
    if update.space.draws_count > LARGEST:
        pytest.skip(f"{update.space.draws_count} draws take long")
    return update


@functools.cache
def computed_by_hand(name):
    """What the program written by hand gives for a case, whose space is made anew."""
    (case,) = (case for case in CASES if case.name == name)
    return case.by_hand(case.made().space)


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.by_hand is not None], ids=lambda case: case.name
)
def test_both_give_the_same_figures(case):
    update = made(case)
    by_hand = computed_by_hand(case.name)
    target = objective_named(update.target)
    for i, place in enumerate(points(update.space, PLACES)):
        found = moments(update, place)
        np.testing.assert_allclose(by_hand.means[i], found.mean, rtol=1e-9, atol=1e-12)
        assert by_hand.variances[i] == pytest.approx(found.trace, rel=1e-9)
        np.testing.assert_allclose(
            by_hand.gradients[i],
            target.gradient(update.space, update.judged, place),
            rtol=1e-9,
            atol=1e-12,
        )
        if i < len(by_hand.curls):
            there = curl(update, parameters=place)
            assert by_hand.curls[i] == pytest.approx(there.raw, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.by_hand is not None and not case.large],
    ids=lambda case: case.name,
)
def test_a_curl_is_computed_by_hand_exactly_where_the_verdict_rests_on_one(case):
    update = made(case)
    rests = audit(update).kind in (Kind.BIASED, Kind.NOT_A_GRADIENT)
    by_hand = computed_by_hand(case.name)
    assert bool(by_hand.curls) is rests
