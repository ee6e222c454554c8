"""Generators are read, put back and reseeded to the last bit, torch's among them; a module that is
merely called torch is none.
"""

from __future__ import annotations

import _random
import cProfile
import random
import signal
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from altpg_verify.untrusted.entropy import outside_calls
from altpg_verify.untrusted.generators import visible_generators
from altpg_verify.untrusted.state import Memory
from trust.hostile.tricks_posing import Disguised, Hiding, StillBits


class OfTorch:
    """As torch's generators are."""

    def __init__(self):
        self.bits = np.zeros(4, dtype=np.uint8)

    def get_state(self):
        return SimpleNamespace(numpy=lambda: self.bits)

    def set_state(self, state):
        self.bits = np.array(state, dtype=np.uint8)

    def manual_seed(self, number):
        self.bits = np.frombuffer((number % 2**32).to_bytes(4, "little"), dtype=np.uint8)


@pytest.fixture
def torch(monkeypatch):
    """A module like torch, as torch itself doesn't live on in a copy of the process."""
    made = SimpleNamespace(
        default_generator=OfTorch(), Generator=OfTorch, frombuffer=np.frombuffer, uint8=np.uint8
    )
    monkeypatch.setitem(sys.modules, "torch", made)
    return made


def drawing():
    return 0


def test_torchs_generator_is_seen_moved_and_put_back(torch):
    seen = visible_generators(drawing)
    before = seen.capture()
    (name,) = [each.name for each in seen.every if "torch" in each.name]
    torch.default_generator.manual_seed(7)
    assert name in seen.moved(before)
    seen.restore(before)
    assert seen.moved(before) == ()
    assert not torch.default_generator.bits.any()


def test_one_of_torchs_that_a_function_holds_is_seen(torch):
    own = OfTorch()
    seen = visible_generators(lambda: own)
    before = seen.capture()
    own.manual_seed(3)
    assert len(seen.moved(before)) == 1


def test_a_module_that_is_called_torch_has_no_generators(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    assert not [each for each in visible_generators(drawing).every if "torch" in each.name]


def test_each_generator_is_there_once(torch):
    held = torch.default_generator
    seen = visible_generators(lambda: (held, np.random.rand))
    names = [each.name for each in seen.every]
    assert len(names) == len(set(names))
    before = seen.capture()
    held.manual_seed(9)
    assert len(seen.moved(before)) == 1


class StillRandom(random.Random):
    """Says that it never moves."""

    def seed(self, *given):
        pass

    def getstate(self):
        return None

    setstate = seed


@pytest.mark.parametrize(
    ("own", "draw"),
    [
        (random.Random(3), lambda own: own.gauss(0, 1)),
        (StillRandom(3), lambda own: own.gauss(0, 1)),
        (_random.Random(3), lambda own: own.random()),
        (np.random.RandomState(3), lambda own: own.standard_normal()),
        (np.random.default_rng(3), lambda own: own.random()),
        (np.random.MT19937(3), lambda own: own.random_raw()),
        (np.random.Generator(StillBits(3)), lambda own: own.random()),
    ],
    ids=lambda part: type(part).__name__,
)
def test_one_that_a_function_holds_is_moved_and_put_back(own, draw):
    seen = visible_generators(lambda: own)
    draw(own)
    before = seen.capture()
    first = draw(own)
    assert len(seen.moved(before)) == 1
    seen.restore(before)
    assert seen.moved(before) == ()
    assert draw(own) == first
    for number in (4, 5, 4):
        seen.reseed(number)
        assert len(seen.moved(before)) > 0
        own_first = draw(own)
        seen.reseed(number)
        assert draw(own) == own_first != first


def test_a_number_gives_one_state_whatever_was_drawn_before():
    own = np.random.RandomState(1)
    seen = visible_generators(lambda: own)
    seen.reseed(3)
    before, first = seen.capture(), own.get_state(legacy=False)
    # half of a pair of normal numbers is kept
    own.standard_normal()
    seen.reseed(3)
    assert seen.capture() == before
    assert (first["has_gauss"], first["gauss"]) == (0, 0.0)
    seen.reseed(4)
    assert seen.capture() != before


def test_generators_of_one_kind_get_states_of_their_own():
    one, other = np.random.default_rng(0), np.random.default_rng(0)
    seen = visible_generators(lambda: (one, other))
    seen.reseed(5)
    assert one.random() != other.random()


@pytest.mark.parametrize("name", ["SIGUSR1", "SIGUSR2", "SIGALRM", "SIGTERM"])
def test_a_count_in_the_handler_of_a_signal_is_seen(name):
    box = [0]

    def handler(number, frame):
        box[0] += 1

    before = signal.signal(getattr(signal, name), handler)
    try:
        memory = Memory(drawing)
        start = memory.snapshot()
        handler(0, None)
        assert start.changed(memory.snapshot())
    finally:
        signal.signal(getattr(signal, name), before)


def test_a_profiler_of_c_goes_on_afterwards():
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        assert outside_calls(drawing) == (0, {})
        assert sys.getprofile() is profiler
    finally:
        profiler.disable()


@pytest.mark.parametrize("made", [Disguised, Hiding, random.Random])
def test_a_class_answers_neither_for_its_state_nor_for_what_it_is(made):
    source = made(3)
    seen = visible_generators(lambda: source.random())
    before = seen.capture()
    first = source.random()
    assert seen.moved(before)
    seen.restore(before)
    assert seen.moved(before) == ()
    assert source.random() == first
    seen.reseed(5)
    one = source.random()
    seen.reseed(5)
    assert source.random() == one


def test_the_second_of_two_normal_numbers_is_put_back():
    source = random.Random(3)
    seen = visible_generators(lambda: source.random())
    source.gauss(0, 1)
    before = seen.capture()
    second = source.gauss(0, 1)
    seen.restore(before)
    assert source.gauss(0, 1) == second
