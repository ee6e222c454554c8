"""A check leaves the garbage collector as it found it, and looks at no more of it than it must."""

from __future__ import annotations

import gc
import weakref

import pytest

from altpg_verify import check_estimator, estimator
from altpg_verify.collecting import older_objects_frozen
from altpg_verify.errors import BadInput

ONE = ("unbiased",)


@estimator
def plain(r, b, e, pi):
    return (r - b) * (e - pi)


@estimator
def failing(r, b, e, pi):
    raise KeyboardInterrupt


@estimator
def told_by_the_collector(r, b, e, pi):
    return (r - b) * (e - pi) if gc.get_freeze_count() else e


@pytest.fixture(autouse=True)
def nothing_frozen():
    """The tests themselves run with what was imported frozen."""
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    yield
    if frozen:
        gc.freeze()


class Ring:
    def __init__(self):
        self.own = self


def test_what_is_frozen_for_a_check_isnt_frozen_after_it():
    before = gc.isenabled(), gc.get_threshold()
    check_estimator(plain, only=ONE)
    assert (gc.isenabled(), gc.get_threshold()) == before
    assert gc.get_freeze_count() == 0
    with pytest.raises(BadInput, match="KeyboardInterrupt"):
        check_estimator(failing, only=ONE)
    assert gc.get_freeze_count() == 0


def test_what_somebody_froze_stays_frozen():
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        with older_objects_frozen():
            assert gc.get_freeze_count() >= frozen
        assert gc.get_freeze_count() > frozen / 2
    finally:
        gc.unfreeze()


def test_garbage_made_inside_is_collected_inside_and_older_garbage_afterwards():
    older = Ring()
    seen = weakref.ref(older)
    with older_objects_frozen():
        del older
        made = Ring()
        inside = weakref.ref(made)
        del made
        gc.collect()
        assert inside() is None
        assert seen() is not None
    gc.collect()
    assert seen() is None


def test_a_formula_that_asks_whether_it_is_checked_is_refused():
    with pytest.raises(BadInput, match="get_freeze_count"):
        check_estimator(told_by_the_collector, only=ONE)
