"""Whatever somebody's code raises becomes one sentence about it; a real Ctrl-C stays one."""

from __future__ import annotations

import os
import signal
import sys

import numpy as np
import pytest

from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.untrusted.arguments import copies, read_only, refuse_writing, which_written, written, wrote
from altpg_verify.untrusted.calling import calling, interrupted, no_silent_end


class Unspeakable(Exception):
    def __str__(self):
        raise SystemExit(0)


class Odd(BaseException):
    pass


def ends():
    sys.exit(0)


def interrupts():
    raise KeyboardInterrupt


def deep():
    return deep() + 1


def full():
    raise MemoryError


def leaves():
    raise GeneratorExit


def unspeakable():
    raise Unspeakable


def many_lines():
    raise ValueError("one\ntwo\r\n  three")


def long():
    raise ValueError("x" * 10_000)


def renamed():
    raise type("Bad\nName", (Exception,), {})("no")


def odd():
    raise Odd("not an Exception")


def by_interrupt_of_an_interrupt():
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise


RAISED = {
    ends: "update 'mine' calls sys.exit; let it return its result, or raise an error",
    interrupts: "update 'mine' raised KeyboardInterrupt by itself",
    by_interrupt_of_an_interrupt: "update 'mine' raised KeyboardInterrupt by itself",
    deep: "update 'mine' recurses without end",
    full: "update 'mine' needs more memory than there is",
    leaves: "update 'mine' raised GeneratorExit",
    unspeakable: "update 'mine' raised Unspeakable",
    many_lines: "update 'mine' raised ValueError: one two three",
    long: "update 'mine' raised ValueError: " + "x" * 297 + "...",
    renamed: "update 'mine' raised Bad Name: no",
    odd: "update 'mine' raised Odd: not an Exception",
}


@pytest.mark.parametrize("function", RAISED, ids=lambda function: function.__name__)
def test_each_is_one_sentence(function):
    with pytest.raises(BadEstimator) as caught, calling("update 'mine'", lambda: "for\nactions [0]"):
        function()
    assert str(caught.value) == RAISED[function] + " for actions [0]"


def test_what_names_the_mistake_itself_passes():
    with pytest.raises(BadInput, match=r"^so it is$") as caught, calling("update 'mine'"):
        raise BadInput("so it is")
    assert type(caught.value) is BadInput
    with pytest.raises(Odd), calling("update 'mine'", passing=(Odd,)):
        odd()


def test_as_a_decorator_and_without_fault():
    assert calling("update 'mine'")(lambda: 5)() == 5
    with pytest.raises(BadEstimator, match=r"calls sys\.exit"):
        calling("update 'mine'")(ends)()


def press():
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(10**9):
        pass


def press_and_turn_it_round():
    try:
        press()
    except KeyboardInterrupt as error:
        raise ValueError("never mind") from error


@pytest.fixture
def listening():
    """Ctrl-C interrupts, also in a process that was started in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("pressing", [press, press_and_turn_it_round])
def test_ctrl_c_interrupts(pressing):
    with pytest.raises((KeyboardInterrupt, ValueError)) as caught, calling("update 'mine'"):
        pressing()
    assert interrupted(caught.value)
    assert not isinstance(caught.value, BadInput)


def test_ctrl_c_with_a_handler_of_ones_own():
    def handler(number, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(KeyboardInterrupt), calling("update 'mine'"):
            press()
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_process_cannot_be_ended_from_within():
    before = os._exit
    with pytest.raises(BadEstimator, match=r"calls sys\.exit"), no_silent_end(), calling("update 'mine'"):
        os._exit(0)
    assert os._exit is before


def subtracts(pi, e):
    pi -= e
    return pi


def test_writing_into_an_argument_is_named():
    given = {"pi": np.array([0.5, 0.5]), "e": np.array([1.0, 0.0])}
    with pytest.raises(ValueError, match="read-only") as caught:
        subtracts(**read_only(given))
    assert wrote(caught.value)
    assert not wrote(ValueError("something else"))
    names = which_written(lambda lent: subtracts(**lent), given)
    assert names == ("pi",)
    assert given["pi"].tolist() == [0.5, 0.5]
    with pytest.raises(BadEstimator, match=r"update 'mine' writes into pi, which is not its own; work on a copy"):
        refuse_writing("update 'mine'", names)


@pytest.mark.parametrize("dtype", [float, object, int])
def test_what_was_written_shows_in_any_dtype(dtype):
    given = {"pi": np.array([1, 2], dtype=dtype), "rows": [1, 2], "b": 3}
    lent = copies(given)
    assert written(given, lent) == ()
    lent["pi"][0] = 5
    lent["rows"].append(1)
    assert written(given, lent) == ("pi", "rows")
